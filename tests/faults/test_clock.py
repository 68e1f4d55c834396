"""The clock is set back, or a file comes from the future: order and undo hold."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memlens.engine.durable import (
    MemoryScope,
    NothingToUndo,
    empty_trash,
    entries_with_bodies,
    history,
    undo,
    write_memory,
)
from memlens.engine.reads import ReadJournal
from tests.faults.kinds import KINDS, Kind
from tests.faults.place import make_place
from tests.faults.tried import Trial, note

TRIALS = {kind: Trial("the clock is set back", kind.title, 3, 60) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_steps_while_the_clock_runs_back(
    kind: type[Kind], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = TRIALS[kind]
    writes = kind(make_place(tmp_path))
    writes.prepare()
    now = time.time()
    with monkeypatch.context() as patched:
        step = writes.begin()
        for number in range(1, trial.times + 1):
            moment = now - 86_400 * number
            patched.setattr(time, "time", lambda moment=moment: moment)
            patched.setattr(time, "time_ns", lambda moment=moment: int(moment * 1e9))
            step(number)
            writes.check(number, number)
    writes.finish()
    note(trial, trial.times)


def test_undo_goes_by_the_order_of_deeds_not_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_place(tmp_path)
    now = time.time()
    for number in range(5):
        monkeypatch.setattr(time, "time", lambda number=number: now - number * 1000)
        write_memory(place.root, MemoryScope.GLOBAL, "a", "d", [], str(number))
    assert len(history(place.root)) == 5
    for number in (3, 2, 1, 0):
        undo(place.root)
        ((_, text),) = entries_with_bodies(place.root)
        assert text == str(number)
    undo(place.root)
    with pytest.raises(NothingToUndo):
        undo(place.root)


def test_forgetting_goes_by_the_order_of_deeds_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_place(tmp_path)
    now = time.time()
    for number, moment in enumerate((now, now - 50 * 86_400, now)):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        write_memory(place.root, MemoryScope.GLOBAL, "a", "d", [], str(number))
    assert empty_trash(30) == 0, "one in the middle was forgotten, so the first cannot be undone"
    for _ in range(3):
        undo(place.root)
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)
    assert empty_trash(30) == 3


def test_a_file_from_the_future_is_judged_by_its_bytes(tmp_path: Path) -> None:
    make_place(tmp_path)
    file = tmp_path / "x.py"
    file.write_text("one\n")
    later = time.time() + 1e8
    os.utime(file, (later, later))
    journal = ReadJournal("s")
    journal.record(file)
    assert journal.write_problem(str(file))[0] is None
    file.write_text("two\n")
    os.utime(file, (later, later))
    assert journal.write_problem(str(file))[0] is not None
