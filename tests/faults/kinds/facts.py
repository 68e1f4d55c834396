"""Facts: saved, renamed, moved, deleted, brought back, undone."""

from __future__ import annotations

from pathlib import Path

from memlens.engine.durable import (
    MemoryScope,
    NothingToUndo,
    delete_memory,
    edit,
    empty_trash,
    entries_with_bodies,
    find_one,
    history,
    restore,
    trash,
    undo,
    write_memory,
)
from tests.faults.kinds.base import Kind, Step
from tests.faults.place import Place, body, number_of

GLOBAL, SHARED = MemoryScope.GLOBAL, MemoryScope.PROJECT_SHARED


def facts(place: Place) -> dict[str, list[int]]:
    """Which texts stand under which names; each must be whole."""
    found: dict[str, list[int]] = {}
    for entry, text in entries_with_bodies(place.root):
        found.setdefault(entry.name, []).append(number_of(text))
    return found


class OfFacts(Kind):
    """What all of them share: the journal of changes, which must be whole at every moment."""

    def prepare(self) -> None:
        write_memory(self.place.root, GLOBAL, "steady", "d", [], body(0))

    def check_journal(self) -> None:
        """Every operation can be read, every kept text is whole; then all is forgotten."""
        folder = self.place.data / "trash"
        kept = list(folder.glob("[0-9]*"))
        assert len(history(None)) == len(kept), "an operation that cannot be read"
        for operation in kept:
            for file in operation.iterdir():
                if file.suffix == ".md":
                    number_of(file.read_text().partition("\n---\n")[2])
        if len(kept) > 60:
            empty_trash(-1)

    def finish(self) -> None:
        write_memory(self.place.root, GLOBAL, "after", "d", [], body(1))
        assert not list((self.place.data / "trash").glob(".*.tmp")), "leftovers stay"
        while True:
            try:
                undo(self.place.root)
            except NothingToUndo:
                return

    def targets(self) -> list[Path]:
        return [self.place.data / "memory" / "steady.md"]


class WriteFact(OfFacts):
    title = "a fact, saved"

    def begin(self) -> Step:
        return lambda n: write_memory(self.place.root, GLOBAL, "steady", f"d{n}", ["t"], body(n))

    def check(self, done: int, begun: int) -> int:
        self.check_journal()
        (now,) = facts(self.place)["steady"]
        assert done <= now <= begun
        return now


class RenameFact(OfFacts):
    title = "a fact, renamed and edited in one"

    def prepare(self) -> None:
        write_memory(self.place.root, GLOBAL, "one", "d", [], body(0))

    def begin(self) -> Step:
        root = self.place.root

        def step(number: int) -> None:
            (name,) = facts(self.place)
            other = "two" if name == "one" else "one"
            edit(root, find_one(root, name), name=other, body=body(number))

        return step

    def check(self, done: int, begun: int) -> int:
        found = facts(self.place)
        if len(found) == 2:  # cut short between the new file and the end of the old one
            undo(self.place.root)
            found = facts(self.place)
        ((now,),) = found.values()
        assert done <= now <= begun
        self.check_journal()
        return now

    def targets(self) -> list[Path]:
        return [self.place.data / "memory" / "one.md"]


class MoveFact(OfFacts):
    title = "a fact, moved to another scope"

    def begin(self) -> Step:
        root = self.place.root

        def step(number: int) -> None:
            fact = find_one(root, "steady")
            target = SHARED if fact.scope is GLOBAL else GLOBAL
            edit(root, fact, scope=target, body=body(number))

        return step

    def check(self, done: int, begun: int) -> int:
        found = facts(self.place)["steady"]
        if len(found) == 2:
            undo(self.place.root)
            found = facts(self.place)["steady"]
        (now,) = found
        assert done <= now <= begun
        self.check_journal()
        return now


class DeleteFact(OfFacts):
    title = "a fact, deleted to the trash"

    def prepare(self) -> None:
        """Nothing: each step makes its own."""

    def begin(self) -> Step:
        root = self.place.root

        def step(number: int) -> None:
            write_memory(root, GLOBAL, "gone", "d", [], body(number))
            delete_memory(root, "gone")

        return step

    def check(self, done: int, begun: int) -> int:
        there = facts(self.place).get("gone", [])
        kept = [
            number_of(Path(item.kept).read_text().partition("\n---\n")[2])
            for item in trash(self.place.root)
        ]
        newest = max([*there, *kept], default=0)
        assert done <= newest <= begun
        assert done == 0 or done in kept, "what was deleted is not in the trash"
        self.check_journal()
        return newest

    def targets(self) -> list[Path]:
        return [self.place.data / "memory" / "gone.md"]


class UndoFact(OfFacts):
    title = "a fact, saved and undone"

    def begin(self) -> Step:
        root = self.place.root

        def step(number: int) -> None:
            result = write_memory(root, GLOBAL, "steady", "d", [], body(number))
            undo(root, result.undo_id)

        return step

    def check(self, done: int, begun: int) -> int:
        (now,) = facts(self.place)["steady"]
        assert now == 0 or done < now <= begun
        if now:
            undo(self.place.root)
            assert facts(self.place)["steady"] == [0]
        self.check_journal()
        return done


class RestoreFact(OfFacts):
    title = "a fact, brought back from the trash"

    def prepare(self) -> None:
        write_memory(self.place.root, GLOBAL, "steady", "d", [], body(0))
        delete_memory(self.place.root, "steady")

    def begin(self) -> Step:
        root = self.place.root

        def step(_: int) -> None:
            restore(trash(root)[0], GLOBAL)
            delete_memory(root, "steady")

        return step

    def check(self, done: int, begun: int) -> int:
        there = facts(self.place).get("steady", [])
        assert there in ([], [0])
        assert there or trash(self.place.root), "it is neither there nor in the trash"
        if there:
            delete_memory(self.place.root, "steady")
        assert trash(self.place.root)
        return done
