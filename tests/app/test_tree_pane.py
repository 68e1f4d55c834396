"""The tree by real keys and clicks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.panes.memory_tree.pane import MemoryTree
from memlens.app.panes.prompt_preview.file_editor import FileEditor
from memlens.app.panes.prompt_preview.pane import PromptPreview
from memlens.app.screens.ask import Ask
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.share_bar import ShareBar
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import line_at_cursor, opened, screen_text, shown, until


def workspace(pilot: Pilot[Any]) -> WorkspaceScreen:
    return next(one for one in pilot.app.screen_stack if isinstance(one, WorkspaceScreen))


def tree(pilot: Pilot[Any]) -> LineView:
    return workspace(pilot).query_one(MemoryTree).main


def row(pilot: Pilot[Any]) -> str:
    return line_at_cursor(tree(pilot))


def detail(pilot: Pilot[Any]) -> str:
    return " ".join(
        line.strip() for line in shown(workspace(pilot).query_one("#tree-detail", LineView))
    )


def prompt_row(pilot: Pilot[Any]) -> str:
    view = workspace(pilot).query_one(PromptPreview).view
    return line_at_cursor(view)


async def to(pilot: Pilot[Any], words: str) -> None:
    """Moves to the first row that holds `words`."""
    at = next(index for index, line in enumerate(shown(tree(pilot))) if words in line)
    tree(pilot).go_to(at)
    await pilot.pause()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text("# Top\nSee @a.md and @gone.md\nAsk @someone\n")
    (tmp_path / "a.md").write_text("From a, and @b.md\n")
    (tmp_path / "b.md").write_text("From b\n")
    (tmp_path / "CLAUDE.local.md").write_text("mine\n")
    (tmp_path / "AGENTS.md").write_text("not read\n")
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "CLAUDE.md").write_text("on touch\n")
    return tmp_path


async def test_the_detail_says_what_and_why(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        assert str(root / "CLAUDE.md") in detail(pilot).replace(" ", "")
        assert "bytes / 4" in detail(pilot)
        assert "with its heading " in " ".join(detail(pilot).split())
        await to(pilot, "@gone.md")
        assert "missing" in row(pilot)
        assert "[broken-import]" in detail(pilot)
        await to(pilot, "b.md")
        assert "@b.md in a.md:1:13 ← CLAUDE.md:2" in detail(pilot)


async def test_the_cursor_takes_the_preview_along_and_back(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "CLAUDE.local.md")
        assert "Contents of" in prompt_row(pilot)
        await to(pilot, "@gone.md")
        assert "@gone.md" in prompt_row(pilot)
        await to(pilot, "b.md")
        await pilot.press("enter")
        assert "From b" in prompt_row(pilot)
        assert pilot.app.screen.focused is workspace(pilot).query_one(PromptPreview).view
        await pilot.press("G")
        await until(pilot, lambda: "CLAUDE.local.md" in row(pilot))
        await pilot.press("g")
        await until(pilot, lambda: row(pilot).startswith("▾● project"))


async def test_notes_are_folded_away_until_asked_for(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        assert "hidden" in str(workspace(pilot).query_one(MemoryTree).border_subtitle)
        assert not any("@someone" in line for line in shown(tree(pilot)))
        await pilot.press("n")
        assert any("@someone" in line for line in shown(tree(pilot)))
        await pilot.press("n")
        assert not any("@someone" in line for line in shown(tree(pilot)))


async def test_what_is_left_out_is_folded(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "left out")
        assert not any("AGENTS.md" in line for line in shown(tree(pilot)))
        await pilot.press("right", "j")
        assert "AGENTS.md" in row(pilot)
        assert "not read: CLAUDE.md is here" in detail(pilot)
        await pilot.press("left")
        assert "left out" in row(pilot)
        await pilot.press("left")
        assert not any("AGENTS.md" in line for line in shown(tree(pilot)))


async def test_folding_and_problems(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("space")
        assert not any("a.md" in line for line in shown(tree(pilot)))
        await pilot.press("right_square_bracket")
        assert "@gone.md" in row(pilot)
        await pilot.press("asterisk")
        folded = len(shown(tree(pilot)))
        await pilot.press("asterisk")
        assert len(shown(tree(pilot))) > folded


async def test_changes_on_disk_leave_cursor_and_folds(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "b.md")
        before = row(pilot)
        file = root / "CLAUDE.md"
        file.write_text("new\nlines\n@new.md\n" + file.read_text())
        (root / "new.md").write_text("new\n")
        await pilot.press("f5")
        await until(pilot, lambda: any("new.md" in line for line in shown(tree(pilot))))
        assert row(pilot).split("≈")[0] == before.split("≈")[0]
        await to(pilot, "CLAUDE.md")
        await pilot.press("space", "f5")
        await pilot.pause()
        assert not any("b.md" in line for line in shown(tree(pilot)))


async def test_the_bar_of_shares_is_clicked(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        bar = workspace(pilot).query_one(ShareBar)
        text = bar.render_line(0).text
        assert "index" in text
        assert "%" in text
        await pilot.click(bar, offset=(text.index("index") + 1, 0))
        assert "index of the facts" in row(pilot)
        assert "▸index" in bar.render_line(0).text
        assert "# Memory" in prompt_row(pilot)


async def test_paths_and_texts_are_copied(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(MemlensApp, "copy_to_clipboard", lambda _, text: copied.append(text))
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "a.md")
        await pilot.press("y", "Y")
        assert copied == [str(root / "a.md"), "From a, and From b"]
        await to(pilot, "api/CLAUDE.md")
        await pilot.press("Y")
        await until(pilot, lambda: len(copied) == 3)
        assert copied[2] == "on touch\n"


async def test_edit_in_place_and_come_back(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "@gone.md")
        await pilot.press("e")
        editor = workspace(pilot).query_one(FileEditor)
        await until(pilot, lambda: editor.display and editor.area.has_focus)
        assert editor.area.cursor_location == (1, 0)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.focused is tree(pilot))


async def test_an_absent_file_is_written_from_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "empty"
    root.mkdir()
    async with opened(open_workspace(root)) as pilot:
        assert "n shows the places" in screen_text(cast("MemlensApp", pilot.app))
        await pilot.press("1", "n")
        await to(pilot, "CLAUDE.md")
        at = [index for index, line in enumerate(shown(tree(pilot))) if "no CLAUDE.md" in line]
        tree(pilot).go_to(at[-1])
        await pilot.press("e")
        editor = workspace(pilot).query_one(FileEditor)
        await until(pilot, lambda: editor.active and editor.area.has_focus)
        await pilot.press(*"Hello", "ctrl+s")
        await until(pilot, (root / "CLAUDE.md").exists)
        assert (root / "CLAUDE.md").read_text() == "Hello"
        await pilot.press("escape")
        await until(pilot, lambda: any("project" in line for line in shown(tree(pilot))))


async def test_a_touch_begins_with_the_nested_folder(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await to(pilot, "api/CLAUDE.md")
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, Ask))
        assert pilot.app.screen.query_one("Input").value == "api/"  # type: ignore[attr-defined]


async def test_hostile_names_stay_visible(tmp_path: Path) -> None:
    name = "e[b]\x1b]0;x\x07\u202e\udcff.md"
    (tmp_path / "CLAUDE.md").write_bytes(
        f"@{name} @gone\x1b[31m.md\n".encode("utf-8", "surrogateescape")
    )
    (tmp_path / name).write_text("x\n")
    (tmp_path / "sub\x1b[2J").mkdir()
    (tmp_path / "sub\x1b[2J" / "CLAUDE.md").write_text("x\n")
    async with opened(open_workspace(tmp_path)) as pilot:
        await pilot.press("n")
        for _ in range(len(shown(tree(pilot)))):
            text = screen_text(cast("MemlensApp", pilot.app))
            for evil in "\x1b\x07\u202e\udcff":
                assert evil not in text
            await pilot.press("j")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (200, 60)])
async def test_rows_fit_at_every_size(root: Path, size: tuple[int, int]) -> None:
    from rich.cells import cell_len

    async with opened(open_workspace(root), size) as pilot:
        await pilot.press("n")
        view = tree(pilot)
        width = view.scrollable_content_region.width
        for index in range(len(shown(view))):
            line = "".join(text for text, _ in view.lines.line(index, width))
            assert cell_len(line) <= width


async def test_a_folder_that_goes_away_is_told_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "CLAUDE.md").write_text("rules\n")
    async with opened(open_workspace(root, home=tmp_path)) as pilot:
        (root / "CLAUDE.md").unlink()
        root.rmdir()
        await pilot.press("f5")
        await until(pilot, lambda: "the folder is gone" in screen_text(pilot.app))
        await until(pilot, lambda: "F5 looks again when it is back" in screen_text(pilot.app))
        root.mkdir()
        (root / "CLAUDE.md").write_text("rules\n")
        await pilot.press("f5")
        await until(pilot, lambda: "no problems" in screen_text(pilot.app))


async def test_files_that_cannot_be_read_are_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(b"\0\0")
    async with opened(open_workspace(tmp_path, home=tmp_path)) as pilot:
        await until(
            pilot, lambda: "No memory file here reaches the agent." in screen_text(pilot.app)
        )
        assert "No memory files here" not in screen_text(pilot.app)
