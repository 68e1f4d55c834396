"""Pane 4 on journals and transcripts of the test's own, by real keys."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.panes.read_log.pane import ReadLogPane
from memlens.app.screens.choose import Choose
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView
from memlens.app.words import for_shell
from memlens.engine.reads import MODIFIED, NEVER_READ, ReadJournal
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import line_at_cursor, opened, screen_text, shown, until
from tests.engine.reads.making import Maker, project, put


class Place:
    """A project with sessions of Claude Code and journals."""

    def __init__(self, root: Path) -> None:
        self.root = root / "work"
        self.root.mkdir()
        self.claude = root / "claude"
        self.state = root / "state"

    def transcript(self, name: str) -> Maker:
        return Maker(project(self.claude, self.root) / f"{name}.jsonl", self.root)

    def journal(self, name: str) -> ReadJournal:
        journal = ReadJournal(name, folder=str(self.state / "reads"), agent="mine")
        journal.append("start", cwd=str(self.root))
        return journal

    def file(self, name: str, text: str = "one\ntwo\n") -> Path:
        return put(self.root / name, text)

    def workspace(self, *, read_only: bool = False) -> Workspace:
        return open_workspace(self.root, read_only=read_only)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place(tmp_path)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place.claude))
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(place.state))
    return place


def pane_of(pilot: Pilot[None]) -> ReadLogPane:
    screens = pilot.app.screen_stack
    return next(pane for screen in screens for pane in screen.query(ReadLogPane))


def rows(pilot: Pilot[None]) -> list[str]:
    return shown(pane_of(pilot).view)


def frame(pilot: Pilot[None]) -> str:
    return str(pane_of(pilot).border_subtitle)


def text(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app, MemlensApp)
    return screen_text(pilot.app)


def dialog_lines(pilot: Pilot[None]) -> str:
    return "\n".join(shown(pilot.app.screen.query_one("#show-lines", LineView)))


async def test_the_difference_between_what_was_read_and_what_is_there(place: Place) -> None:
    changed, same = place.file("a.py", "one\ntwo\nthree\n"), place.file("b.py")
    maker = place.transcript("s1")
    maker.read(changed)
    maker.read(same)
    changed.write_text("one\n2\nthree\nfour\n")
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "slash", *"a.py", "enter", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        lines = dialog_lines(pilot)
        assert "- two" in lines
        assert "+ 2" in lines
        assert "+ four" in lines
        assert "transcript" in text(pilot)
        await pilot.press("escape", "escape", "j", "G")
        await pilot.press("k") if "b.py" not in rows(pilot)[pane_of(pilot).view.cursor] else None
        await pilot.press("enter")
        await until(pilot, lambda: "nothing differs" in text(pilot))


async def test_where_no_text_is_at_hand_the_difference_says_why(place: Place) -> None:
    changed, part = place.file("a.py"), place.file("b.py", "1\n2\n3\n")
    journal = place.journal("j1")
    journal.record(changed, "read")
    journal.record(part, "partial", ranges=[[1, 2]], total_lines=3)
    for path in (changed, part):
        path.write_text("now\n")
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "slash", *"a.py", "enter", "enter")
        await until(pilot, lambda: "keeps a hash of what was read" in text(pilot))
        await pilot.press("escape", "slash", *"b.py", "enter", "enter")
        await until(pilot, lambda: "Only lines 1–2 were read" in text(pilot))


async def test_why_a_write_would_be_refused(place: Place) -> None:
    path = place.file("a.py")
    journal = place.journal("j1")
    journal.record(path, "read")
    path.write_text("something else\n")
    journal.refuse(path, MODIFIED)
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "w")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        lines = dialog_lines(pilot)
        for part in (MODIFIED[:40], "changed", "8 B", "15 B  ≠", "SHA-256", "refused so far"):
            assert part in lines
        known = journal.known(str(path))
        assert known is not None
        assert str(known.sha256) in lines


async def test_filter_problems_order_and_groups(place: Place) -> None:
    journal = place.journal("j1")
    for name in ("src/a.py", "src/b.py", "docs/c.md"):
        journal.record(place.file(name), "read")
    (place.root / "src/a.py").write_text("changed\n")
    async with opened(place.workspace()) as pilot:
        assert "session j1 · 3 files" in frame(pilot)
        assert "1 refused" in frame(pilot)
        await pilot.press("4", "o")
        assert [row.split()[1] for row in rows(pilot)] == ["docs/c.md", "src/a.py", "src/b.py"]
        assert "by path" in frame(pilot)
        await pilot.press("o")
        assert "src/a.py" in rows(pilot)[0]
        await pilot.press("o", "f")
        firsts = [row.split()[0] for row in rows(pilot)]
        assert [one for one in firsts if one.endswith("/")] == ["docs/", "src/"]
        await pilot.press("f", "x")
        assert len(rows(pilot)) == 1
        await pilot.press("x", "slash", *"docs unch")
        assert ["docs/c.md" in row for row in rows(pilot)] == [True]
        assert "1 of 3 files" in frame(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: len(rows(pilot)) == 3)
        await pilot.press("slash", *"nothing like it", "enter")
        assert "Nothing matches" in text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: len(rows(pilot)) == 3)


async def test_subagents_have_groups_of_their_own(place: Place) -> None:
    path = place.file("a.py")
    main = place.transcript("s1")
    main.read(path)
    stem = main.path.with_suffix("")
    agent = Maker(stem / "subagents" / "agent-7f3a.jsonl", place.root, sessionId="s1")
    agent.read(path)
    agent.path.with_suffix(".meta.json").write_text('{"agentType": "Explore"}')
    async with opened(place.workspace()) as pilot:
        lines = rows(pilot)
        assert [line.split()[0] for line in lines] == ["main", "✓", "Explore", "✓"]
        await pilot.press("4", "j", "j")
        assert "1 file" in str(pilot.app.screen.query_one("#read-detail").render())
        await pilot.press("enter")
        await until(pilot, lambda: "Select a file first" in text(pilot))


async def test_another_session_is_chosen_and_kept(place: Place) -> None:
    old, new = place.transcript("older"), place.journal("newer")
    old.read(place.file("a.py"))
    new.record(place.file("b.py"), "read")
    os.utime(old.path, (1_700_000_000, 1_700_000_000))
    async with opened(place.workspace()) as pilot:
        assert "newer" in frame(pilot)
        await until(pilot, lambda: pane_of(pilot)._sessions._counts.get("older") == 1)
        await pilot.press("4", "s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        dialog = "\n".join(shown(pilot.app.screen.query_one("#choose-lines", LineView)))
        for part in ("older", "newer", "1 read", "transcript", "journal", "claude", "d ago"):
            assert part in dialog
        await pilot.press(*"older", "enter")
        await until(pilot, lambda: "session older" in frame(pilot))
        assert "a.py" in rows(pilot)[0]
        await pilot.press("f5")
        await until(pilot, lambda: "loading" not in frame(pilot))
        assert "session older" in frame(pilot)
        await pilot.press("q")
    async with opened(place.workspace()) as pilot:
        await until(pilot, lambda: "session older" in frame(pilot))


async def test_a_session_is_followed_and_the_cursor_stays(place: Place) -> None:
    journal = place.journal("j1")
    for number in range(30):
        journal.record(place.file(f"f{number:02}.py"), "read")
    async with opened(place.workspace(), live=True) as pilot:
        await pilot.press("4", "j", "j", "j")
        at = rows(pilot)[pane_of(pilot).view.cursor]
        journal.record(place.file("new.py"), "read")
        await until(pilot, lambda: any("new.py" in row for row in rows(pilot)))
        assert rows(pilot)[pane_of(pilot).view.cursor].split()[1] == at.split()[1]
        (place.root / "new.py").write_text("other\n")
        await until(pilot, lambda: "changed" in rows(pilot)[0])


async def test_a_journal_that_begins_while_the_pane_is_open(place: Place) -> None:
    async with opened(place.workspace(), live=True) as pilot:
        assert "memlens hook --install" in text(pilot)
        journal = place.journal("first")
        journal.record(place.file("a.py"), "read")
        await until(pilot, lambda: "session first" in frame(pilot))
        journal.record(place.file("b.py"), "read")
        await until(pilot, lambda: any("b.py" in row for row in rows(pilot)))


async def test_forgetting_and_bringing_back(place: Place) -> None:
    first, second = place.file("a.py"), place.file("b.py")
    journal = place.journal("j1")
    journal.record(first, "read")
    journal.record(second, "partial", ranges=[[1, 1]], total_lines=2)
    second.write_text("changed since\n")
    async with opened(place.workspace()) as pilot:
        before = rows(pilot)
        await pilot.press("4", "d")
        await until(pilot, lambda: len(rows(pilot)) == 1)
        assert "U takes it back" in text(pilot)
        await pilot.press("U")
        await until(pilot, lambda: rows(pilot) == before)
        await pilot.press("D", "y")
        await until(pilot, lambda: "has read no file yet" in text(pilot))
        assert journal.write_problem(first)[0] == NEVER_READ
        await pilot.press("U")
        await until(pilot, lambda: rows(pilot) == before)
        assert journal.write_problem(first)[0] is None
        assert journal.write_problem(second)[0] == MODIFIED


async def test_what_others_wrote_is_never_touched(place: Place) -> None:
    maker = place.transcript("s1")
    maker.read(place.file("a.py"))
    before = maker.path.read_bytes()
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "d")
        await until(pilot, lambda: "memlens never" in text(pilot))
        assert maker.path.read_bytes() == before
    journal = place.journal("j1")
    journal.record(place.root / "a.py", "read")
    async with opened(place.workspace(read_only=True)) as pilot:
        await pilot.press("4", "D")
        await until(pilot, lambda: "nothing can be written" in text(pilot))


async def test_a_memory_file_is_found_in_the_tree(place: Place) -> None:
    journal = place.journal("j1")
    journal.record(place.file("CLAUDE.md", "Rules.\n"), "read")
    journal.record(place.file("a.py"), "read")
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "slash", *"claude", "enter", "m")
        tree = pilot.app.screen.query_one("#tree-lines", LineView)
        await until(pilot, lambda: pilot.app.screen.focused is tree)
        assert "CLAUDE.md" in line_at_cursor(tree)
        await pilot.press("4", "escape", "slash", *"a.py", "enter", "m")
        await until(pilot, lambda: "no part of the prompt" in text(pilot))


async def test_any_file_can_be_asked_about(place: Place) -> None:
    place.journal("j1").record(place.file("a.py"), "read")
    place.file("never.py")
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "c", *"never.py", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert NEVER_READ[:30] in dialog_lines(pilot)


async def test_hostile_names_are_shown_and_drive_nothing(place: Place) -> None:
    journal = place.journal("j1")
    for name in ("esc\x1b]0;x\x07.py", "bidi\u202e.py", "[red]markup[b].py", "new\nline.py"):
        journal.record(place.file(name), "read")
    bytes_name = os.fsencode(place.root) + b"/latin\xe9.py"
    Path(os.fsdecode(bytes_name)).write_text("x")
    journal.record(os.fsdecode(bytes_name), "read")
    journal.append("read", path=f"{place.root}/\ud800lone.py", size=1, mtime_ns=1)
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "o", "f")
        for key in ("w", "escape", "y", "d", "U", "enter", "j") * 8:
            await pilot.press(key)
        assert "\x1b" not in text(pilot)
        shown_rows = "\n".join(rows(pilot))
        assert "[red]markup[b].py" in shown_rows
        pilot.app.clear_notifications()
        await until(pilot, lambda: "␛]0;x␇" in text(pilot))
        assert "‹U+202E›" in text(pilot)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
async def test_it_fits_small_terminals(place: Place, size: tuple[int, int]) -> None:
    path = place.file("some/folder/with/a/long/path/to/the/file.py")
    journal = place.journal("j1")
    journal.record(path, "read")
    path.write_text("x")
    async with opened(place.workspace(), size) as pilot:
        await pilot.press("4")
        assert "file.py" in text(pilot)
        assert "changed" in text(pilot)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        assert "A write would be refused" in text(pilot)


async def test_entries_that_were_not_understood_are_told(place: Place) -> None:
    journal = place.journal("j1")
    journal.record(place.file("a.py"), "read")
    with open(journal.parts()[0], "ab") as out:
        out.write(b"no json\n{}\n[1]\n")
    async with opened(place.workspace()) as pilot:
        assert "3 entries not understood" in frame(pilot)


async def test_the_editor_opens_at_the_first_changed_line(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place.file("a.py", "1\n2\n3\n4\n5\n6\n7\n8\n")
    place.transcript("s1").read(path)
    path.write_text("1\n2\n3\n4\n5\nsix\n7\n8\n")
    opened_at: list[tuple[str, int]] = []
    monkeypatch.setattr(
        "memlens.app.panes.read_log.deeds.edit_outside",
        lambda _app, file, line: opened_at.append((file, line)),
    )
    async with opened(place.workspace()) as pilot:
        await pilot.press("4", "E")
        await until(pilot, lambda: opened_at)
    assert opened_at == [(str(path), 6)]


async def test_sessions_close_by_are_named(place: Place, tmp_path: Path) -> None:
    place.transcript("s1").read(place.file("a.py"))
    inner = place.root / "inner"
    inner.mkdir()
    async with opened(open_workspace(inner)) as pilot:
        await pilot.press("4")
        assert "Sessions of Claude Code close by" in text(pilot)
        told = str(pane_of(pilot).query_one(EmptyState).render())
        assert f"memlens {place.root}\n" in told


async def test_where_nothing_was_told_the_pane_says_how_with_paths_as_one_types_them(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMLENS_STATE_DIR", raising=False)
    copied: list[str] = []
    async with opened(place.workspace(), (160, 40)) as pilot:
        await pilot.press("4", "z")
        await until(pilot, lambda: "No agent has told" in text(pilot))
        assert "~/.local/state/memlens/reads/SESSION.jsonl" in text(pilot)
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await pilot.press("y")
        await until(pilot, lambda: copied)
    line = json.loads(copied[0])
    assert (line["path"], line["cwd"]) == ("a.py", str(place.root))
    folder = Path.home() / ".local" / "state" / "memlens" / "reads"
    folder.mkdir(parents=True)
    (folder / "s1.jsonl").write_text(f"{copied[0]}\n")
    place.file("a.py")
    async with opened(place.workspace(), (160, 40)) as pilot:
        await pilot.press("4")
        await until(pilot, lambda: "a.py" in text(pilot))


def test_paths_as_one_types_them() -> None:
    assert for_shell("/home/ann/a b", "/home/ann") == "~/'a b'"
    assert for_shell("/srv/it's", "/home/ann") == shlex.quote("/srv/it's")
    assert for_shell("/srv/a", None) == "/srv/a"


async def test_what_is_said_of_a_path_stands_beside_it(place: Place) -> None:
    """On a wide screen the eye would lose the line between a path and its state."""
    journal = place.journal("j1")
    for name in ("a.py", "漢字.py"):
        journal.record(place.file(name), "read")
    async with opened(place.workspace(), (200, 60)) as pilot:
        await until(pilot, lambda: len(rows(pilot)) == 2)
        starts = {cell_len(row[: row.index("whole")]) for row in rows(pilot)}
        assert len(starts) == 1
        assert starts.pop() <= 50


async def test_what_was_told_stands_above_a_question_and_not_over_its_buttons(place: Place) -> None:
    journal = place.journal("j1")
    for name in ("a.py", "b.py"):
        journal.record(place.file(name), "read")
    async with opened(place.workspace(), (80, 24)) as pilot:
        await pilot.press("4", "d")
        await until(pilot, lambda: "takes it" in text(pilot))
        await pilot.press("D")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await until(pilot, lambda: text(pilot).count("Journal") == 1)
        rows = text(pilot).splitlines()
        told = next(row for row, line in enumerate(rows) if "Journal" in line)
        buttons = next(row for row, line in enumerate(rows) if "Forget all (y)" in line)
        assert told < buttons
        assert "Keep (n)" in rows[buttons]
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
        await until(pilot, lambda: "takes it" in text(pilot))
