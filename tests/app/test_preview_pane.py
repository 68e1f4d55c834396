"""The preview by real keys: search, marks, differences, saving, copying, touching."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memlens.app.app import MemlensApp
from memlens.app.panes.prompt_preview.pane import PromptPreview
from memlens.app.screens.ask import Ask
from memlens.app.screens.choose import Choose
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import line_at_cursor, opened, screen_text, shown, until


def app_of(pilot: Pilot[Any]) -> MemlensApp:
    return cast("MemlensApp", pilot.app)


def text_of(pilot: Pilot[Any]) -> str:
    return screen_text(app_of(pilot))


def workspace(pilot: Pilot[Any]) -> WorkspaceScreen:
    return next(one for one in pilot.app.screen_stack if isinstance(one, WorkspaceScreen))


def pane(pilot: Pilot[Any]) -> PromptPreview:
    return workspace(pilot).query_one(PromptPreview)


def at_cursor(pilot: Pilot[Any]) -> str:
    view = pane(pilot).view
    return line_at_cursor(view)


async def answered(pilot: Pilot[Any], kind: type, words: str) -> None:
    """Types an answer into the question that comes."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind), f"no {kind.__name__}")
    pilot.app.screen.query_one(Input).value = words
    await pilot.press("enter")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text(
        "# Rules\n\nUse tabs.\nSee @docs/style.md for more.\n\n"
        + "filler line\n" * 40
        + "The end\n"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "style.md").write_text("Style one.\nStyle two.\n")
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "CLAUDE.md").write_text("Api rules.\n")
    (tmp_path / "api" / "x.py").write_text("")
    return tmp_path


async def test_search_counts_marks_and_goes_round(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "slash", *"style")
        await until(pilot, lambda: "1/2 found" in text_of(pilot))
        assert "Style one" in at_cursor(pilot)
        await pilot.press("enter", "n")
        assert "Style two" in at_cursor(pilot)
        await pilot.press("n")
        assert "Style one" in at_cursor(pilot)
        await pilot.press("N")
        assert "Style two" in at_cursor(pilot)
        view = pane(pilot).view
        line = view.lines.line(view.cursor, view.scrollable_content_region.width)
        assert ("Style", "match") in line
        await pilot.press("escape")
        await until(pilot, lambda: "found" not in text_of(pilot))


async def test_escape_while_searching_goes_back(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "j", "j")
        before = pane(pilot).view.cursor
        await pilot.press("slash", *"The end")
        await until(pilot, lambda: "The end" in at_cursor(pilot))
        await pilot.press("escape")
        assert pane(pilot).view.cursor == before
        assert pilot.app.screen.focused is pane(pilot).view


async def test_search_is_taken_as_it_is_written(root: Path) -> None:
    (root / "CLAUDE.md").write_text("a [b] (c) .* \\ \x1b[31mx\nabc\n")
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "slash", *".*")
        await until(pilot, lambda: "1/1 found" in text_of(pilot))
        await pilot.press("escape", "slash", *"nothing like it")
        await until(pilot, lambda: "0 found" in text_of(pilot))
        await pilot.press("enter", "n")
        await until(pilot, lambda: "Nothing matches" in text_of(pilot))


async def test_a_change_is_marked_until_it_is_seen(root: Path) -> None:
    async with opened(open_workspace(root), live=True) as pilot:
        await until(pilot, lambda: workspace(pilot)._live is not None)
        await pilot.press("2", "G")
        before = at_cursor(pilot)
        style = root / "docs" / "style.md"
        style.write_text("Style one.\nStyle 1b.\nStyle two.\n")
        await until(pilot, lambda: "changed" in str(pane(pilot).border_subtitle))
        assert at_cursor(pilot).split("│")[1:] == before.split("│")[1:]
        await pilot.press("n")
        assert "Style 1b" in at_cursor(pilot)
        assert "┃" in at_cursor(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "changed" not in str(pane(pilot).border_subtitle))
        style.write_text("Style one.\nStyle two.\n")
        await until(pilot, lambda: "changed" in str(pane(pilot).border_subtitle))
        assert any("┴" in line for line in shown(pane(pilot).view))


async def test_the_difference_to_the_last_look_and_to_the_last_commit(root: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words],
            cwd=root, check=True, capture_output=True,
        )  # fmt: skip

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    async with opened(open_workspace(root)) as pilot:
        (root / "docs" / "style.md").write_text("Style one.\nStyle three.\n")
        await pilot.press("2", "f5")
        await until(pilot, lambda: "changed" in str(pane(pilot).border_subtitle))
        for keys, title in ((("enter",), "last look"), (("down", "enter"), "last commit")):
            await pilot.press("equals_sign")
            await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(pilot.app.screen, Show))
            text = text_of(pilot)
            assert title in text
            assert "+ Style three. for more." in text
            assert "- Style two. for more." in text
            await pilot.press("escape")


async def test_without_a_change_the_last_look_says_so(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "equals_sign")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        assert "Nothing has changed since the last look" in text_of(pilot)
        await pilot.press("enter")  # the last commit; there is no repository
        await until(pilot, lambda: "repository" in text_of(pilot))


async def test_the_text_is_saved_to_the_byte_and_over_nothing(root: Path) -> None:
    (root / "CLAUDE.md").write_bytes(b"a\r\nb\x1b \xff\xc3\xa9\n")
    async with opened(open_workspace(root)) as pilot:
        plan = pane(pilot).snapshot
        assert plan is not None
        await pilot.press("2", "s")
        await answered(pilot, Ask, "out.txt")
        target = root / "out.txt"
        await until(pilot, target.exists)
        assert target.read_bytes() == plan.plan.text.encode()
        target.write_text("precious")
        await pilot.press("s")
        await answered(pilot, Ask, "out.txt")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        assert target.read_text() == "precious"
        await pilot.press("s")
        await answered(pilot, Ask, "out.txt")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: target.read_bytes() == plan.plan.text.encode())


async def test_a_section_is_copied(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(MemlensApp, "copy_to_clipboard", lambda _, text: copied.append(text))
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "y")
        await until(pilot, lambda: copied)
        snapshot = pane(pilot).snapshot
        assert snapshot is not None
        assert copied == [snapshot.plan.text]
        await pilot.press("Y")
        await until(pilot, lambda: len(copied) == 2)
        assert copied[1] == snapshot.plan.text.split("\n")[0]


async def test_a_touch_is_completed_shown_once_and_reset(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "t")
        await until(pilot, lambda: isinstance(pilot.app.screen, Ask))
        field = pilot.app.screen.query_one(Input)
        await pilot.press(*"ap")
        await until(pilot, lambda: field._suggestion == "api/")
        await pilot.press("right", "x")
        await until(pilot, lambda: field._suggestion == "api/x.py")
        await pilot.press("right", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        text = text_of(pilot)
        for part in ("<system-reminder>", "Api rules.", "api/CLAUDE.md"):
            assert part in text
        await pilot.press("escape", "t")
        await answered(pilot, Ask, "api/x.py")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert "earlier touch" in text_of(pilot)
        assert "Api rules." not in text_of(pilot)
        tree = workspace(pilot).query_one("#tree-lines", LineView)
        assert any("◉" in line and "given" in line for line in shown(tree))
        await pilot.press("escape", "T")
        await until(pilot, lambda: not any("◉" in line for line in shown(tree)))
        await pilot.press("t")
        await answered(pilot, Ask, "api/x.py")
        await until(pilot, lambda: "Api rules." in text_of(pilot))


async def test_why_a_phrase_is_in(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2", "W")
        await answered(pilot, Ask, "Style two")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert "It reaches the prompt" in text_of(pilot)
        assert "docs/style.md:2" in text_of(pilot)
        await pilot.press("escape")
        assert "Style two" in at_cursor(pilot)
        await pilot.press("W")
        await answered(pilot, Ask, "Api rules")
        await until(pilot, lambda: "does not reach" in text_of(pilot))


async def test_wrap_off_scrolls_sideways_and_keeps_the_numbers(root: Path) -> None:
    (root / "CLAUDE.md").write_text("start " + "middle " * 40 + "finish\nsecond\n")
    async with opened(open_workspace(root)) as pilot:
        view = pane(pilot).view
        await pilot.press("2", "w")
        rows = shown(view)
        assert len(rows) == 4
        assert "no wrap" in text_of(pilot)
        assert "finish" not in text_of(pilot)
        for _ in range(50):
            await pilot.press("L")
        await until(pilot, lambda: "finish" in text_of(pilot))
        row = next(line for line in text_of(pilot).splitlines() if "finish" in line)
        assert " 3 │ " in row
        await pilot.press("w")
        await until(pilot, lambda: len(shown(view)) > 4)


async def test_the_setting_says_whether_lines_are_wrapped(root: Path) -> None:
    (root / "CLAUDE.md").write_text("start " + "middle " * 40 + "finish\nsecond\n")
    usual = open_workspace(root)
    unwrapped = replace(usual, settings=replace(usual.settings, wrap=False))
    async with opened(unwrapped) as pilot:
        assert "no wrap" in text_of(pilot)
        assert len(shown(pane(pilot).view)) == 4
        await pilot.press("2", "w")
        await until(pilot, lambda: len(shown(pane(pilot).view)) > 4)


async def test_sections_are_gone_through(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("2", "right_curly_bracket", "right_curly_bracket")
        assert "Contents of" in at_cursor(pilot)
        first = pane(pilot).view.cursor
        await pilot.press("right_curly_bracket", "left_curly_bracket")
        assert pane(pilot).view.cursor == first


async def test_two_megabytes_are_shown_at_once_and_exactly_soon_after(root: Path) -> None:
    (root / "CLAUDE.md").write_text(("words " * 30 + "\n") * 11_000 + "the last line\n")
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("2")
        lines = pane(pilot).lines
        assert lines is not None
        await until(pilot, lambda: lines.layout is not None and lines.layout.complete)
        await pilot.press("G")
        await until(pilot, lambda: "the last line" in at_cursor(pilot))
        await pilot.press("slash", *"last")
        await until(pilot, lambda: "1/1 found" in text_of(pilot))
        await pilot.resize_terminal(90, 30)
        await until(pilot, lambda: "the last line" in at_cursor(pilot))


async def test_hostile_text_and_names_stay_visible(tmp_path: Path) -> None:
    name = "e[b]\x1b]0;x\x07\u202e.md"
    (tmp_path / "CLAUDE.md").write_text(f"[red]x[/red] \x1b[31m\u200b\n@{name}\n")
    (tmp_path / name).write_text("imported \x9b31m\n")
    (tmp_path / "api\x1b]0;y\x07").mkdir()
    (tmp_path / "api\x1b]0;y\x07" / "CLAUDE.md").write_text("\x1b[2J nested\n")
    async with opened(open_workspace(tmp_path)) as pilot:
        await pilot.press("2", "j", "j")
        for keys in (("t",), ("escape", "W"), ("escape", "equals_sign"), ("escape", "slash")):
            await pilot.press(*keys)
            text = text_of(pilot)
            for evil in "\x1b\x07\x9b\u202e\u200b":
                assert evil not in text
        await pilot.press("escape", "t")
        await answered(pilot, Ask, "api\x1b]0;y\x07/x")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert "\x1b" not in text_of(pilot)
        assert "␛[2J nested" in text_of(pilot)


async def test_a_line_of_the_index_leads_to_its_fact(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("2", "G", "enter")
        results = workspace(pilot).query_one("#memory-results", LineView)
        await until(pilot, lambda: pilot.app.screen.focused is results)
        await until(pilot, lambda: "release-day" in line_at_cursor(results))
