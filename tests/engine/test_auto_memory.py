"""The notes that Claude Code keeps by itself: where they are, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memlens.engine import (
    CheckMemories,
    ChooseAgent,
    CreateMemory,
    DeleteMemories,
    Engine,
    LoadMemories,
    MemoriesChecked,
    MemoriesLoaded,
    UndoMemory,
    open_workspace,
)
from memlens.engine.agents import CLAUDE
from memlens.engine.auto_memory import read_index, shared_with
from memlens.engine.durable import MemoryScope
from memlens.engine.events.agents import AgentChosen
from memlens.engine.events.memory_changes import MemoriesChanged, MemorySaved, MemoryUndone
from memlens.engine.handlers.notes import notes_place
from memlens.engine.settings import Settings
from memlens.engine.workspace import Workspace

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a/b-c"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def place(root: Path, home: Path) -> Path:
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(root))
    return home / ".claude/projects" / slug / "memory"


@pytest.fixture
def write(place: Path) -> Write:
    def write_files(files: dict[str, str]) -> None:
        place.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (place / name).write_text(text)

    return write_files


def workspace(root: Path, agent: str = "claude") -> Workspace:
    settings = Settings(managed_folder=str(root / "none"))
    return open_workspace(root, agent=agent, settings=settings)


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(workspace(root)) as engine:
        yield engine


def checked(engine: Engine) -> list[tuple[str, str, int]]:
    command = CheckMemories(request=engine.next_request())
    found = engine.ask(command, MemoriesChecked, 10).findings
    return [(one.name, one.file.rpartition("/")[2], one.line) for one in found]


def facts(engine: Engine) -> list[tuple[str, str]]:
    loaded = engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded, 10)
    return [(entry.name, entry.scope.value) for entry in loaded.entries]


NOTE = "---\nname: {0}\ndescription: d {0}\n---\n\nbody {0} {1}\n"


def test_what_is_wrong_is_told(engine: Engine, write: Write) -> None:
    write(
        {
            "MEMORY.md": "---\nx: y\n---\n# Notes\n\nA paragraph\nof two lines.\n\n"
            "- [a](a.md) — d a\n  goes on\n<!-- a comment\nin lines -->\n- [gone](gone.md)\n",
            "a.md": NOTE.format("a", "[[b]] [[B|shown]] [[nobody]] `[[code]]`")
            + "\n~~~\n[[fenced]]\n~~~\n`` ` [[code]] ``\n[[no one]]\n",
            "b.md": NOTE.format("b", ""),
        }
    )
    assert checked(engine) == [
        ("dead-link", "MEMORY.md", 13),
        ("index-prose", "MEMORY.md", 6),
        ("orphan", "b.md", 0),
        ("dead-link", "a.md", 6),
        ("dead-link", "a.md", 12),
    ]


def test_what_lies_behind_the_cut_is_told(engine: Engine, write: Write, root: Path) -> None:
    lines = "".join(f"- [n{n}](n{n}.md)\n" for n in range(203))
    write({"MEMORY.md": lines} | {f"n{n}.md": NOTE.format(f"n{n}", n) for n in range(203)})
    found = [one for one in checked(engine) if one[0] == "index-cut"]
    assert found == [
        ("index-cut", "MEMORY.md", 201),
        ("index-cut", "n200.md", 0),
        ("index-cut", "n201.md", 0),
        ("index-cut", "n202.md", 0),
    ]
    found_place = notes_place(workspace(root))
    assert found_place is not None
    index = read_index(CLAUDE, found_place[1])
    assert index is not None
    assert (index.cut_line, index.lost_lines) == (201, 3)
    assert index.lost == lines[lines.index("- [n200]") :]


def test_only_a_line_feed_ends_a_line_of_the_index(write: Write, root: Path) -> None:
    lines = [f"- [n{number}](n.md) — a\u2028b\x0cc" for number in range(202)]
    write({"MEMORY.md": "\n".join(lines), "n.md": "x"})
    found_place = notes_place(workspace(root))
    assert found_place is not None
    index = read_index(CLAUDE, found_place[1])
    assert index is not None
    assert (index.cut_line, index.lost_lines) == (201, 2)
    assert index.lost == "\n".join(lines[200:])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_header_is_no_prose(engine: Engine, place: Path, newline: str) -> None:
    place.mkdir(parents=True)
    text = newline.join(["---", "type: index", "by: me", "---", "", "- [n](n.md)", "", "prose"])
    (place / "MEMORY.md").write_bytes(text.encode())
    (place / "n.md").write_text("x")
    assert [one for one in checked(engine) if one[0] == "index-prose"] == [
        ("index-prose", "MEMORY.md", 8)
    ]


def test_facts_of_the_scope_auto_come_and_go_with_the_agent(
    engine: Engine, write: Write, root: Path
) -> None:
    write({"a.md": NOTE.format("a", "")})
    assert facts(engine) == [("a", "auto")]
    choose = ChooseAgent(request=engine.next_request(), name="raider")
    engine.ask(choose, AgentChosen, 10)
    assert facts(engine) == []
    engine.ask(ChooseAgent(request=engine.next_request(), name="claude"), AgentChosen, 10)
    assert facts(engine) == [("a", "auto")]


def test_a_note_is_made_deleted_and_brought_back(engine: Engine, write: Write, place: Path) -> None:
    command = CreateMemory(
        request=engine.next_request(), name="n", scope=MemoryScope.AUTO, description="d"
    )
    saved = engine.ask(command, MemorySaved, 10)
    assert saved.path == str(place / "n.md")
    assert (place / "MEMORY.md").read_text() == "- [n](n.md) — d\n"
    loaded = engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded, 10)
    engine.ask(
        DeleteMemories(request=engine.next_request(), facts=loaded.entries), MemoriesChanged, 10
    )
    assert (place / "MEMORY.md").read_text() == ""
    engine.ask(UndoMemory(request=engine.next_request()), MemoryUndone, 10)
    assert (place / "MEMORY.md").read_text() == "- [n](n.md) — d\n"
    assert facts(engine) == [("n", "auto")]


def test_two_folders_with_one_name(engine: Engine, write: Write, place: Path, root: Path) -> None:
    write({"MEMORY.md": ""})
    other = root.parent / "b" / "c"
    for number, cwd in enumerate((root, root / "sub", other)):
        line = json.dumps({"type": "user", "cwd": str(cwd), "sessionId": f"s{number}"})
        (place.parent / f"s{number}.jsonl").write_text(line + "\n")
    found = notes_place(workspace(root))
    assert found is not None
    assert shared_with(*found) == (str(other),)
    assert ("shared-key", "memory", 0) in checked(engine)


def test_switched_off_there_are_none(
    write: Write, root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.md": NOTE.format("a", "")})
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    with Engine(workspace(root)) as engine:
        assert facts(engine) == []
        assert checked(engine) == []
