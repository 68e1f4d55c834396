"""Editing a file in place by real keys: nothing is lost, and nothing is overwritten unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets import TextArea

from memlens.app.app import MemlensApp
from memlens.app.panes.prompt_preview.file_editor import FileEditor
from memlens.app.panes.prompt_preview.pane import PromptPreview
from memlens.app.screens.clash import Clash
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.durable.journal import undo
from memlens.engine.reads.texts import MODIFIED
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import opened, screen_text, shown, until


def workspace(pilot: Pilot[Any]) -> WorkspaceScreen:
    return next(one for one in pilot.app.screen_stack if isinstance(one, WorkspaceScreen))


def editor(pilot: Pilot[Any]) -> FileEditor:
    return workspace(pilot).query_one(FileEditor)


def text_of(pilot: Pilot[Any]) -> str:
    return screen_text(cast("MemlensApp", pilot.app))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text("one\ntwo @a.md\nthree\n")
    (tmp_path / "a.md").write_text("a1\na2\na3\n")
    return tmp_path


async def edit(pilot: Pilot[Any], down: int) -> None:
    """Opens the source of a line of the preview."""
    await pilot.press("2", *["j"] * down, "enter")
    await until(pilot, lambda: editor(pilot).active and editor(pilot).area.has_focus)


async def saved(pilot: Pilot[Any]) -> None:
    await pilot.press("ctrl+s")
    await until(pilot, lambda: not editor(pilot).dirty)


async def test_enter_opens_the_source_at_its_line(root: Path) -> None:
    async with opened(open_workspace(root), (160, 40)) as pilot:
        view = workspace(pilot).query_one(PromptPreview).view
        await pilot.press("2")
        lines = workspace(pilot).query_one(PromptPreview).lines
        assert lines is not None
        number = next(n for n in range(1, 20) if lines.plan.source(n).line == 2
                      and lines.plan.source(n).file.endswith("a.md"))  # fmt: skip
        view.go_to(lines.row_of(number))
        await pilot.press("enter")
        await until(pilot, lambda: editor(pilot).active and editor(pilot).area.has_focus)
        assert str(root / "a.md") in text_of(pilot)
        assert editor(pilot).area.cursor_location == (1, 0)
        await pilot.press("X")
        await saved(pilot)
        assert (root / "a.md").read_text() == "a1\nXa2\na3\n"
        await pilot.press("escape")
        await until(pilot, lambda: "Xa2" in text_of(pilot) and view.has_focus)
        undo()
        assert (root / "a.md").read_text() == "a1\na2\na3\n"


async def test_escape_asks_only_when_something_would_be_lost(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("escape")
        await until(pilot, lambda: not editor(pilot).display)
        await edit(pilot, 0)
        await pilot.press("X", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        await pilot.press("ctrl+z", "escape")
        await until(pilot, lambda: not editor(pilot).display)
        assert (root / "CLAUDE.md").read_text() == "one\ntwo @a.md\nthree\n"


async def test_quitting_with_unsaved_text_asks(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("X", "ctrl+q")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "CLAUDE.md" in text_of(pilot)
        await pilot.press("n")
        assert editor(pilot).dirty


async def test_bytes_that_nobody_edited_stay(root: Path) -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\nthree\x1b[31m \xff\r\nno end"
    (root / "CLAUDE.md").write_bytes(data)
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        assert "mixed line ends" in text_of(pilot)
        assert "BOM" in text_of(pilot)
        assert "\x1b" not in text_of(pilot)
        await pilot.press("X")
        await saved(pilot)
        assert (root / "CLAUDE.md").read_bytes() == data.replace(b"one", b"Xone")


async def test_new_lines_end_like_the_others(root: Path) -> None:
    (root / "CLAUDE.md").write_bytes(b"one\r\ntwo\r\n")
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("X", "enter")
        await saved(pilot)
        assert (root / "CLAUDE.md").read_bytes() == b"X\r\none\r\ntwo\r\n"


async def clash(pilot: Pilot[Any], root: Path) -> None:
    await edit(pilot, 0)
    await pilot.press("X")
    (root / "CLAUDE.md").write_text("theirs\n")
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, Clash))


async def test_a_clash_shows_what_an_agent_would_be_told(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await clash(pilot, root)
        shown = " ".join(text_of(pilot).replace("│", " ").split())
        assert MODIFIED in shown
        assert "- theirs" in shown
        assert "+ Xone" in shown
        await pilot.press("escape")
        assert editor(pilot).dirty
        assert (root / "CLAUDE.md").read_text() == "theirs\n"
        # Going on agreed to nothing.
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Clash))
        await pilot.press("m")
        await until(pilot, lambda: not editor(pilot).dirty)
        assert (root / "CLAUDE.md").read_text() == "Xone\ntwo @a.md\nthree\n"


async def test_a_clash_is_reloaded(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await clash(pilot, root)
        await pilot.press("t")
        await until(pilot, lambda: editor(pilot).area.text == "theirs\n")
        assert not editor(pilot).dirty
        await pilot.press("Y")
        await saved(pilot)
        assert (root / "CLAUDE.md").read_text() == "Ytheirs\n"


async def test_a_clash_is_merged_by_hand(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("X")
        (root / "CLAUDE.md").write_text("ours\ntwo @a.md\nthree\nfour\n")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Clash))
        await pilot.press("b")
        both = "<<<<<<< yours\nXone\n=======\nours\n>>>>>>> on disk\ntwo @a.md\nthree\nfour\n"
        await until(pilot, lambda: editor(pilot).area.text == both)
        assert editor(pilot).dirty
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "still there, from line 1" in text_of(pilot))
        area = editor(pilot).area
        area.replace("Xours\n", (0, 0), (5, 0))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: not editor(pilot).dirty)
        assert (root / "CLAUDE.md").read_text() == "Xours\ntwo @a.md\nthree\nfour\n"


async def test_the_changes_are_shown_before_saving(root: Path) -> None:
    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("X", "ctrl+g")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert "+ Xone" in text_of(pilot)


async def test_large_and_binary_files_offer_the_persons_editor(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "memlens.app.panes.prompt_preview.file_editor.edit_outside",
        lambda _, path, line: started.append((path, line)),
    )
    (root / "CLAUDE.md").write_text("x" * 70_000 + "\n")
    async with opened(open_workspace(root)) as pilot:
        await pilot.press("1", "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "64 kB" in text_of(pilot)
        await pilot.press("y")
        await until(pilot, lambda: started)
        assert started == [(str(root / "CLAUDE.md"), 1)]


async def test_read_only_says_so_and_saves_nothing(root: Path) -> None:
    async with opened(open_workspace(root, read_only=True)) as pilot:
        await edit(pilot, 0)
        assert "read only" in text_of(pilot)
        await pilot.press("X", "ctrl+s")
        await until(pilot, lambda: "--read-only" in text_of(pilot))
        assert (root / "CLAUDE.md").read_text() == "one\ntwo @a.md\nthree\n"
        await pilot.press("q")  # closes what is looked at, and not all of memlens
        await until(pilot, lambda: not pilot.app.screen.query_one(FileEditor).active)
        assert pilot.app.is_running


async def test_without_an_editor_of_ones_own_it_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with opened(open_workspace(root)) as pilot:
        for pane in "12":
            await pilot.press(pane, "E")
            await until(pilot, lambda: "set VISUAL or EDITOR" in text_of(pilot))


async def test_unsaved_text_is_restored_after_a_crash(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlens.app.recovery import Restoring
    from memlens.engine.keeping import Draft

    async with opened(open_workspace(root)) as pilot:
        await edit(pilot, 0)
        await pilot.press("X")
        draft = editor(pilot).unsaved()
        assert draft == Draft("file", str(root / "CLAUDE.md"), {"text": "Xone\ntwo @a.md\nthree\n"})
    # Where the first start took long, the draft was kept, and a dialog would offer it.
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(tmp_path / "other state"))
    async with opened(open_workspace(root)) as pilot:
        assert draft is not None
        assert editor(pilot).restore(Restoring(draft, lambda: None))
        await until(pilot, lambda: editor(pilot).dirty)
        assert editor(pilot).area.text == "Xone\ntwo @a.md\nthree\n"
        await pilot.press("ctrl+z")
        await until(pilot, lambda: not editor(pilot).dirty)


async def test_u_takes_back_the_save_of_a_memory_file_too(demo: Workspace) -> None:
    path = Path(demo.root, "CLAUDE.local.md")
    before = path.read_bytes()
    async with opened(demo) as pilot:
        tree = pilot.app.screen.query_one("#tree-lines", LineView)
        row = next(row for row, line in enumerate(shown(tree)) if "CLAUDE.local.md" in line)
        tree.go_to(row)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen.focused, TextArea))
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: path.read_bytes() != before)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen.focused, TextArea))
        await pilot.press("at")
        await until(pilot, lambda: "What memlens did here" in screen_text(pilot.app))
        await until(pilot, lambda: "edited CLAUDE.local.md" in screen_text(pilot.app))
        await pilot.press("escape", "u")
        await until(pilot, lambda: path.read_bytes() == before)


async def test_the_footer_follows_what_is_typed(root: Path) -> None:
    """Where there is nothing to save, saving looks like what cannot be done."""

    def look() -> object:
        (line,) = pilot.app.screen.query_one("#action-bar").render_lines(Region(0, 0, 160, 1))
        return next(segment.style for segment in line if "Save" in segment.text)

    async with opened(open_workspace(root), (160, 40)) as pilot:
        await edit(pilot, 0)
        await pilot.pause()
        before = look()
        await pilot.press("X")
        await until(pilot, lambda: editor(pilot).dirty and look() != before)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: not editor(pilot).dirty and look() == before)
