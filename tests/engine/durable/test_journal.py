"""Undo: every byte comes back, also after a restart, and nothing is lost for it."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memlens.engine.durable import (
    DurableError,
    FactMissing,
    MemoryScope,
    NothingToUndo,
    UndoConflict,
    delete_entries,
    delete_memory,
    edit,
    edit_many,
    empty_trash,
    find_one,
    history,
    load,
    merge,
    peek,
    read_fact,
    restore,
    trash,
    undo,
    write_memory,
)

from .conftest import Place, make_place

GLOBAL = MemoryScope.GLOBAL


def write(place: Place, name: str, body: str = "body") -> Path:
    return Path(write_memory(place.cwd, GLOBAL, name, "d", [], body))


def test_each_step_comes_back_in_turn(place: Place) -> None:
    path = write(place, "a", "one")
    first = path.read_bytes()
    write(place, "a", "two")
    second = path.read_bytes()
    delete_memory(place.cwd, "a")
    assert undo(place.cwd).restored == (str(path),)
    assert path.read_bytes() == second
    undo(place.cwd)
    assert path.read_bytes() == first
    assert undo(place.cwd).removed == (str(path),)
    with pytest.raises(NothingToUndo):
        undo(place.cwd)
    assert [(one.kind, one.undone) for one in history(place.cwd)] == [
        ("delete", True),
        ("write", True),
        ("write", True),
    ]


def test_what_a_step_did_can_be_looked_at(place: Place) -> None:
    path = write(place, "a", "one")
    first = path.read_text()
    write(place, "a", "two")
    second = path.read_text()
    changing, making = history(place.cwd)

    def seen(undo_id: str) -> tuple[str, str | None, str | None]:
        (file,) = peek(undo_id)
        assert file.path == str(path)
        return file.state, file.before, file.now

    assert seen(changing.undo_id) == ("done", first, second)
    assert seen(making.undo_id) == ("changed", None, second)
    undo(place.cwd)
    assert seen(changing.undo_id) == ("before", first, first)
    path.unlink()
    assert seen(changing.undo_id) == ("changed", first, None)
    for kept in (place.data / "trash" / changing.undo_id).glob("0-*"):
        kept.write_text("other bytes")
    assert seen(changing.undo_id)[0] == "lost"
    with pytest.raises(FactMissing):
        peek("never")


def test_a_changed_file_is_not_lost_for_an_undo(place: Place) -> None:
    path = write(place, "a", "one")
    write(place, "a", "two")
    path.write_text("by hand")
    with pytest.raises(UndoConflict) as caught:
        undo(place.cwd)
    assert caught.value.paths == (str(path),)
    assert path.read_text() == "by hand"


def test_what_took_the_place_of_a_deleted_fact_stays(place: Place) -> None:
    path = write(place, "a", "one")
    result = delete_memory(place.cwd, "a")
    assert result is not None
    path.write_text("of somebody else")
    with pytest.raises(UndoConflict):
        undo(place.cwd, result.undo_id)
    (item,) = trash(place.cwd)
    restored = restore(item, GLOBAL)
    assert os.fspath(restored).endswith("a-2.md")
    assert path.read_text() == "of somebody else"
    assert trash(place.cwd) == ()
    undo(place.cwd, restored.undo_id)
    assert len(trash(place.cwd)) == 1


def test_the_trash_names_what_it_holds(place: Place) -> None:
    write(place, "a fact", "one")
    write(place, "b", "two")
    delete_entries([find_one(place.cwd, "a fact"), find_one(place.cwd, "b")])
    items = trash(place.cwd)
    assert [item.name for item in items] == ["a fact", "b"]
    assert b"one" in Path(items[0].kept).read_bytes()
    undo(place.cwd)
    assert trash() == ()


def test_undo_keeps_to_what_is_seen_from_here(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    private = MemoryScope.PROJECT_PRIVATE
    path = Path(write_memory(place.cwd, private, "a", "d", [], "b"))
    write_memory(other, private, "b", "d", [], "b")
    undo(place.cwd)
    assert not path.exists()
    assert load(other) is not None
    with pytest.raises(NothingToUndo):
        undo(place.cwd)
    undo()
    assert load(other) is None


def test_an_operation_that_never_happened_is_passed_over(place: Place) -> None:
    path = write(place, "a", "one")
    write(place, "b")
    last = history(place.cwd)[0]
    (place.facts / "b.md").unlink()
    assert last.undo_id
    assert undo(place.cwd).removed == (str(path),)


def test_a_cut_short_operation_is_undone(place: Place) -> None:
    old = write(place, "a", "one")
    before = old.read_bytes()
    edit(place.cwd, read_fact(find_one(place.cwd, "a")), name="b")
    # As if the process had died after the new file and before the old one went.
    old.write_bytes(before)
    undo(place.cwd)
    assert os.listdir(place.facts) == ["a.md"]
    assert old.read_bytes() == before


def test_a_spoilt_journal_is_no_crash(place: Place) -> None:
    write(place, "a")
    folder = place.data / "trash" / history()[0].undo_id
    (folder / "operation.json").write_text("[]")
    (place.data / "trash" / "notes").mkdir()
    with pytest.raises(NothingToUndo):
        undo(place.cwd)
    with pytest.raises(NothingToUndo):
        undo(undo_id="../../x")


def test_the_trash_does_not_give_back_other_bytes(place: Place) -> None:
    write(place, "a")
    result = delete_memory(place.cwd, "a")
    assert result is not None
    Path(result.trashed).write_text("spoilt")
    with pytest.raises(DurableError, match="other bytes"):
        undo(place.cwd)
    assert trash() == ()


def test_emptying_the_trash_is_for_good(place: Place) -> None:
    write(place, "a")
    delete_memory(place.cwd, "a")
    assert empty_trash(1) == 0
    assert empty_trash(-1) == 2
    with pytest.raises(NothingToUndo):
        undo(place.cwd)


def test_operations_stay_in_order_when_the_clock_does_not(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(place, "a")
    monkeypatch.setattr(time, "time", lambda: 5.0)
    path = write(place, "b")
    assert undo(place.cwd).removed == (str(path),)


NAMES = st.sampled_from(["a", "b", "A!", "new name"])
SCOPES = st.sampled_from([one for one in MemoryScope if one is not MemoryScope.AUTO])
BODIES = st.sampled_from(["", "x", "one\ntwo"])


class Undoing(RuleBasedStateMachine):
    """Undo after any sequence of operations restores every byte."""

    def __init__(self) -> None:
        super().__init__()
        self.box = tempfile.TemporaryDirectory()
        self.place = make_place(Path(self.box.name))
        self.states: list[dict[str, tuple[bytes, int]]] = []

    @initialize(data=st.binary(max_size=30))
    def surroundings(self, data: bytes) -> None:
        os.environ["MERMAID_DATA_DIR"] = str(self.place.data)
        self.place.put("odd.md", b"---\r\nname: odd # c\r\nx: 1\r\n---\r\n" + data)
        self.place.put("bare.md", data)

    def files(self) -> dict[str, tuple[bytes, int]]:
        snapshot = load(self.place.cwd)
        paths = [entry.path for entry in snapshot.entries] if snapshot else []
        return {path: (Path(path).read_bytes(), os.stat(path).st_mode) for path in paths}

    def do(self, operation: object) -> None:
        before = self.files()
        try:
            operation()  # type: ignore[operator]
        except DurableError:
            assert self.files() == before
            return
        if self.files() != before:
            self.states.append(before)

    def entry(self, number: int) -> object:
        snapshot = load(self.place.cwd)
        return snapshot.entries[number % len(snapshot.entries)] if snapshot else None

    @rule(name=NAMES, scope=SCOPES, body=BODIES)
    def write(self, name: str, scope: MemoryScope, body: str) -> None:
        self.do(lambda: write_memory(self.place.cwd, scope, name, "d", ["t"], body))

    @rule(number=st.integers(0, 9), name=NAMES, scope=SCOPES, body=BODIES)
    def change(self, number: int, name: str, scope: MemoryScope, body: str) -> None:
        entry = self.entry(number)
        if entry:
            self.do(lambda: edit(self.place.cwd, entry, name=name, scope=scope, body=body))  # type: ignore[arg-type]

    @rule(number=st.integers(0, 9))
    def tag(self, number: int) -> None:
        entry = self.entry(number)
        if entry:
            self.do(lambda: edit_many([entry], add_tags=[f"t{number}"]))  # type: ignore[list-item]

    @rule(number=st.integers(0, 9))
    def delete(self, number: int) -> None:
        entry = self.entry(number)
        if entry:
            self.do(lambda: delete_entries([entry]))  # type: ignore[list-item]

    @rule(number=st.integers(0, 9))
    def merge_two(self, number: int) -> None:
        one, other = self.entry(number), self.entry(number + 1)
        if one and one != other:
            self.do(lambda: merge(one, [other], body="merged"))  # type: ignore[arg-type, list-item]

    @rule()
    def undo_last(self) -> None:
        if self.states:
            undo(self.place.cwd)
            assert self.files() == self.states.pop()

    @invariant()
    def nothing_else_lies_about(self) -> None:
        for folder in (self.place.facts, self.place.shared):
            if folder.is_dir():
                assert all(name.endswith(".md") for name in os.listdir(folder))

    def teardown(self) -> None:
        while self.states:
            self.undo_last()
        self.box.cleanup()


Undoing.TestCase.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
TestUndoing = Undoing.TestCase


def test_a_restoring_that_was_cut_short_leaves_the_fact_in_the_trash(place: Place) -> None:
    write_memory(place.cwd, MemoryScope.GLOBAL, "a", "d", [], "text")
    delete_memory(place.cwd, "a")
    (item,) = trash(place.cwd)
    restore(item, MemoryScope.GLOBAL)
    assert trash(place.cwd) == ()
    os.unlink(item.path)  # as if killed between the record and the file
    assert trash(place.cwd) == (item,)
    restore(item, MemoryScope.GLOBAL)
    delete_memory(place.cwd, "a")
    assert len(trash(place.cwd)) == 1
