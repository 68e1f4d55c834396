"""The notes that an agent keeps by itself, as facts whose index is a file (spec B)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.durable import (
    Draft,
    InvalidFact,
    MemoryScope,
    ScopeUnavailable,
    attach_notes,
    check,
    check_draft,
    delete_entries,
    edit,
    edit_many,
    history,
    load,
    memory_roots,
    read_fact,
    restore,
    trash,
    undo,
    write_memory,
)
from memlens.engine.durable.notes import kind_tags, with_kind
from memlens.engine.durable.notes_index import index_line_of, index_lines

AUTO = MemoryScope.AUTO
NEW_SHAPE = """---
name: db-migrations
description: "How: with care #1"
metadata:
  node_type: memory
  type: project
  originSessionId: 4f2a
modified: 2026-01-02
unknown: [kept]
---

Use the tool. See [[feedback]].
"""
OLD_SHAPE = "---\nname: feedback\ndescription: be brief\ntype: feedback\n---\nBe brief.\n"
INDEX = """# Notes

- [Migrations, and how](db-migrations.md) — with the tool
- [feedback](feedback.md) — be brief
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of notes, attached to the working directory `w`."""
    monkeypatch.setenv("MERMAID_DATA_DIR", str(tmp_path / "data"))
    place = tmp_path / "notes"
    place.mkdir()
    (tmp_path / "w").mkdir()
    for name, text in {"db-migrations": NEW_SHAPE, "feedback": OLD_SHAPE, "MEMORY": INDEX}.items():
        (place / f"{name}.md").write_text(text)
    attach_notes(tmp_path / "w", str(place))
    yield place
    attach_notes(tmp_path / "w", None)


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    return tmp_path / "w"


def index(place: Path) -> str:
    return (place / "MEMORY.md").read_text()


def named(cwd: Path, name: str) -> object:
    snapshot = load(cwd)
    assert snapshot is not None
    return next(entry for entry in snapshot.entries if entry.name == name)


def test_notes_are_facts_of_a_scope_of_their_own(place: Path, cwd: Path) -> None:
    snapshot = load(cwd)
    assert snapshot is not None
    assert [(one.name, one.scope, one.tags) for one in snapshot.entries] == [
        ("db-migrations", AUTO, ("project",)),
        ("feedback", AUTO, ("feedback",)),
    ]
    assert (snapshot.index, snapshot.fallen_out) == ("", ())
    assert [root.scope for root in memory_roots(cwd)][-1] is AUTO
    assert check(cwd) == ()


def test_without_an_agent_that_has_notes_there_are_none(place: Path, cwd: Path) -> None:
    attach_notes(cwd, None)
    assert load(cwd) is None
    with pytest.raises(ScopeUnavailable, match="keeps no notes"):
        write_memory(cwd, AUTO, "x", "d", (), "b")


def test_they_stand_before_the_facts_and_outside_of_their_index(place: Path, cwd: Path) -> None:
    write_memory(cwd, MemoryScope.GLOBAL, "a", "d", (), "b")
    snapshot = load(cwd)
    assert snapshot is not None
    assert [one.name for one in snapshot.entries] == ["db-migrations", "feedback", "a"]
    assert "feedback" not in snapshot.index
    assert (snapshot.visible, snapshot.fallen_out) == (3, ())
    assert "feedback" not in index(place).replace("feedback.md", "").replace("[feedback]", "")


def test_a_rename_keeps_the_index_in_step_and_all_else_in_the_file(place: Path, cwd: Path) -> None:
    result = edit(cwd, read_fact(str(place / "feedback.md"), AUTO), name="be brief!")
    assert result.path == str(place / "be-brief.md")
    assert index(place) == INDEX.replace("[feedback](feedback.md)", "[be brief!](be-brief.md)")
    edit(cwd, read_fact(str(place / "db-migrations.md"), AUTO), name="migrations")
    text = (place / "migrations.md").read_text()
    assert text == NEW_SHAPE.replace("name: db-migrations", "name: migrations")
    assert "- [Migrations, and how](migrations.md) — with the tool" in index(place)
    undo(cwd)
    undo(cwd)
    assert index(place) == INDEX
    assert (place / "feedback.md").read_text() == OLD_SHAPE
    assert sorted(os.listdir(place)) == ["MEMORY.md", "db-migrations.md", "feedback.md"]


def test_a_delete_takes_the_line_away_and_undo_brings_both_back(place: Path, cwd: Path) -> None:
    snapshot = load(cwd)
    assert snapshot is not None
    delete_entries(snapshot.entries[:1])
    assert index(place) == INDEX.replace(
        "- [Migrations, and how](db-migrations.md) — with the tool\n", ""
    )
    assert [one.title for one in history(cwd)] == ["deleted db-migrations"]
    undo(cwd)
    assert index(place) == INDEX
    assert (place / "db-migrations.md").read_text() == NEW_SHAPE


def test_what_is_restored_has_a_line_again(place: Path, cwd: Path) -> None:
    snapshot = load(cwd)
    assert snapshot is not None
    delete_entries(snapshot.entries)
    assert index(place) == "# Notes\n\n"
    items = {item.name: item for item in trash(cwd)}
    assert sorted(items) == ["db-migrations", "feedback"]
    restore(items["feedback"], AUTO)
    assert index(place) == "# Notes\n\n- [feedback](feedback.md) — be brief\n"


def test_a_new_note_has_the_agents_shape_and_a_line(place: Path, cwd: Path) -> None:
    write_memory(cwd, AUTO, "New: one", "what it says", ("user",), "Body")
    assert (place / "new-one.md").read_text() == (
        '---\nname: "New: one"\ndescription: what it says\nmetadata:\n  type: user\n---\n\nBody\n'
    )
    assert index(place) == INDEX + "- [New: one](new-one.md) — what it says\n"
    undo(cwd)
    assert index(place) == INDEX


def test_the_first_note_makes_the_index(place: Path, cwd: Path) -> None:
    (place / "MEMORY.md").unlink()
    write_memory(cwd, AUTO, "n", "d", (), "b")
    assert index(place) == "- [n](n.md) — d\n"


def test_an_edited_description_changes_the_line_that_had_it(place: Path, cwd: Path) -> None:
    edit(cwd, read_fact(str(place / "feedback.md"), AUTO), description="be short")
    edit(cwd, read_fact(str(place / "db-migrations.md"), AUTO), description="other")
    assert index(place) == INDEX.replace("— be brief", "— be short")


def test_the_kind_is_changed_where_it_stands(place: Path, cwd: Path) -> None:
    edit(cwd, read_fact(str(place / "db-migrations.md"), AUTO), tags=("reference",))
    edit(cwd, read_fact(str(place / "feedback.md"), AUTO), tags=("user",))
    assert (place / "db-migrations.md").read_text() == NEW_SHAPE.replace(
        "  type: project", "  type: reference"
    )
    assert (place / "feedback.md").read_text() == OLD_SHAPE.replace("type: feedback", "type: user")
    with pytest.raises(InvalidFact, match="one tag"):
        edit_many([read_fact(str(place / "feedback.md"), AUTO)], add_tags=("x",))


def test_a_move_to_another_scope_takes_the_line_away(place: Path, cwd: Path) -> None:
    edit(cwd, read_fact(str(place / "feedback.md"), AUTO), scope=MemoryScope.GLOBAL)
    assert "feedback" not in index(place)
    undo(cwd)
    assert index(place) == INDEX


def test_a_draft_tells_its_line(place: Path, cwd: Path) -> None:
    draft = Draft("x y", "says", (), AUTO, "b")
    told = check_draft(cwd, draft, load(cwd))
    assert (told.index_line, told.fits, told.problems) == ("- [x y](x-y.md) — says", True, ())
    bad = check_draft(cwd, Draft("x", "d", ("a", "b"), AUTO, "b"), load(cwd))
    assert not bad.can_save


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        (NEW_SHAPE, ("project",)),
        (OLD_SHAPE, ("feedback",)),
        ("---\nmetadata: {node_type: x, type: user}\n---\n", ("user",)),
        ("---\nmetadata:\n  other: 1\nname: x\n---\n", ()),
        ("---\nname: x\n---\ntype: user\n", ()),
        ("no header", ()),
        ('---\r\nname: x\r\ntype: "reference"\r\n---\r\n', ("reference",)),
    ],
)
def test_kinds_in_both_shapes(text: str, tags: tuple[str, ...]) -> None:
    assert kind_tags(text) == tags
    changed = with_kind(text, ("user",))
    assert kind_tags(changed) == ("user",)
    assert text.rpartition("---")[2].strip() in changed


def test_lines_of_an_index() -> None:
    text = (
        "- [A \\[b\\]](a%20b.md) — hook — more\n* [C](./c.md): d\n- [E](e.md)\r\n"
        "- [F](<f g.md>) - h\n"
        "- [web](https://x.org/y.md) — no\n- [out](../x.md)\ntext [x](x.md)\n"
    )
    assert [tuple(line) for line in index_lines(text)] == [
        (1, "A [b]", "a b.md", "hook — more"),
        (2, "C", "c.md", "d"),
        (3, "E", "e.md", ""),
        (4, "F", "f g.md", "h"),
    ]


@given(
    st.text("ab[]\\ é—-", min_size=1).filter(str.strip),
    st.text("ab c(é)%", min_size=1).filter(str.strip),
    st.text("ab—- "),
)
def test_a_line_that_is_written_reads_back(title: str, stem: str, hook: str) -> None:
    title, hook = " ".join(title.split()), " ".join(hook.split())
    (line,) = index_lines(index_line_of(title, f"{stem}.md", hook))
    assert (line.file, line.hook) == (os.path.normpath(f"{stem}.md"), hook)
    assert line.title == title
