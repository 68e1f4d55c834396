"""The interpreter's own pauses: short ones while there is a screen, as before when it is gone."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from time import monotonic

import pytest

from memlens.app import smooth
from memlens.app.smooth import Smooth, loop_first
from tests.app.pilot import PATIENCE


class Ring:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.myself = self


def test_the_process_is_left_as_it_was() -> None:
    before = gc.get_threshold(), sys.getswitchinterval(), gc.get_freeze_count()
    one = Smooth()
    one.start()
    assert gc.get_freeze_count() > before[2]
    assert sys.getswitchinterval() < before[1]
    one.stop()
    assert (gc.get_threshold(), sys.getswitchinterval(), gc.get_freeze_count()) == before


def test_what_is_set_apart_and_thrown_away_is_found_when_nobody_is_there() -> None:
    one = Smooth()
    one.start()
    try:
        lost = Ring()
        seen = weakref.ref(lost)
        many = [
            [number] for number in range(smooth.YOUNG[0] * (smooth.YOUNG[1] + 1) * smooth.LARGE * 2)
        ]
        one.tidy()
        del lost, many
        one.tidy()
        assert seen() is not None
        one._used -= smooth.AWAY + 1
        one.tidy()
        assert seen() is None
    finally:
        one.stop()


def test_whoever_works_makes_way_at_once_and_the_loop_does_not() -> None:
    before = sys.getswitchinterval()

    def work() -> float:
        deadline = monotonic() + PATIENCE
        while (turn := sys.getswitchinterval()) == before and monotonic() < deadline:
            pass
        return turn

    async def look() -> tuple[float, float]:
        meanwhile = await asyncio.to_thread(work)
        return meanwhile, sys.getswitchinterval()

    with asyncio.Runner(loop_factory=loop_first) as runner:
        assert runner.run(look()) == pytest.approx((smooth.TURN, before))
    assert sys.getswitchinterval() == before
