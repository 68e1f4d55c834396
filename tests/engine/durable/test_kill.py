"""A writer killed at any moment leaves the old or the new facts, whole, and can be undone."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from memlens.engine.durable import (
    MemoryScope,
    NothingToUndo,
    delete_memory,
    edit,
    entries_with_bodies,
    find_one,
    load,
    trash,
    undo,
    write_memory,
)

from .conftest import Place


def _write_without_end(cwd: Path, number: int, ready: int) -> None:
    """Saves, renames, moves and deletes until it is killed; says when it begins."""
    number *= 1_000_000
    os.write(ready, b"!")
    while True:
        number += 1
        body = f"{number} " * 400 + "end"
        write_memory(cwd, MemoryScope.GLOBAL, "steady", f"d{number}", ["t"], body)
        write_memory(cwd, MemoryScope.GLOBAL, "here", "d", [], body)
        edit(cwd, find_one(cwd, "here"), name="there", body=body + " end")
        edit(cwd, find_one(cwd, "there"), scope=MemoryScope.PROJECT_SHARED)
        delete_memory(cwd, "there")


KILLS = 200


@pytest.mark.slow
def test_killed_at_any_moment(place: Place) -> None:
    chance = random.Random(4)
    write_memory(place.cwd, MemoryScope.GLOBAL, "steady", "d", [], "0 end")
    for number in range(KILLS):
        writer = _start(place, number)
        # What is tested is that the moment does not matter, so it has to be any moment.
        time.sleep(chance.random() * 0.03)
        os.kill(writer, signal.SIGKILL)
        _, status = os.waitpid(writer, 0)
        assert os.WIFSIGNALED(status)
        _check(place)
        for name in ("here", "there"):  # a move that was cut short leaves both, each whole
            while delete_memory(place.cwd, name):
                pass
    write_memory(place.cwd, MemoryScope.GLOBAL, "after", "d", [], "not locked out")
    assert not [name for name in os.listdir(place.data / "trash") if name.endswith(".tmp")]
    for item in trash(place.cwd):
        assert Path(item.kept).read_bytes().endswith(b"end\n")
    _undo_all(place)


def _start(place: Place, number: int) -> int:
    ours, theirs = os.pipe()
    writer = os.fork()
    if not writer:
        try:
            _write_without_end(place.cwd, number, theirs)
        finally:
            os._exit(3)
    os.close(theirs)
    assert os.read(ours, 1) == b"!"
    os.close(ours)
    return writer


def _check(place: Place) -> None:
    facts = {entry.name: body for entry, body in entries_with_bodies(place.cwd)}
    assert facts["steady"].endswith("end")
    for name, body in facts.items():
        assert name in ("steady", "here", "there")
        words = body.split()
        assert words[-1] == "end"
        assert len(set(words)) == 2


def _undo_all(place: Place) -> None:
    """Undoing to the beginning meets no conflict: each step is all there or not at all."""
    while True:
        try:
            undo(place.cwd)
        except NothingToUndo:
            break
    assert load(place.cwd) is None
