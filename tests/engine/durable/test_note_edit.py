"""What another program does to a fact can be taken back like our own changes."""

from __future__ import annotations

from pathlib import Path

from memlens.engine.durable import (
    MemoryScope,
    history,
    note_edit,
    read_fact,
    trash,
    undo,
    write_memory,
)


def test_an_edit_elsewhere_is_recorded_and_undone(tmp_path: Path) -> None:
    path = Path(write_memory(tmp_path, MemoryScope.GLOBAL, "a", "one", [], "body"))
    before = path.read_bytes()
    fact = read_fact(str(path), MemoryScope.GLOBAL)
    assert note_edit(fact) == ""
    path.write_bytes(before + b"more\n")
    identity = note_edit(fact)
    assert history(tmp_path)[0].undo_id == identity
    assert history(tmp_path)[0].title == "edited a elsewhere"
    undo(tmp_path)
    assert path.read_bytes() == before


def test_a_deletion_elsewhere_is_recorded_and_undone(tmp_path: Path) -> None:
    path = Path(write_memory(tmp_path, MemoryScope.GLOBAL, "a", "one", [], "body"))
    before = path.read_bytes()
    fact = read_fact(str(path), MemoryScope.GLOBAL)
    path.unlink()
    note_edit(fact)
    assert [item.name for item in trash(tmp_path)] == ["a"]
    undo(tmp_path)
    assert path.read_bytes() == before
