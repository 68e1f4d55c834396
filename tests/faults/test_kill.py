"""A writer killed at any moment: what stands is old or new, whole, and nothing saved is missing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.children import killed
from tests.faults.kinds import KINDS, Kind
from tests.faults.place import make_place
from tests.faults.tried import Trial, note

TRIALS = {
    kind: Trial("SIGKILL at a random moment", kind.title, 10 if kind.pace < 0.1 else 6, 300)
    for kind in KINDS
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_killed_at_any_moment(kind: type[Kind], tmp_path: Path) -> None:
    trial = TRIALS[kind]
    chance = random.Random(trial.key)
    writes = kind(make_place(tmp_path))
    writes.prepare()
    stands = done = 0
    for _ in range(trial.times):
        done = killed(writes, stands + 1, chance.random() * writes.pace)
        stands = writes.check(done, done + 1)
    assert done > 0
    writes.finish()
    note(trial, trial.times)
