"""The interpreter as a screen needs it: it waits for nobody for long.

Two things of the interpreter's own stop the screen for longer than any of its work does. It looks
through all objects for garbage, which takes 0.2 seconds with 10,000 facts, on whichever thread
makes it do so, while all others wait. And it lets its threads take turns, a screen that has to be
painted and an engine that reads 10,000 facts alike.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from selectors import DefaultSelector, SelectorKey
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp

TURN: Final = 0.0005
"""Seconds after which a thread at work lets another one go on."""
YOUNG: Final = (2_000, 3)
"""Objects after which the youngest are looked through, and how often before the next older are:
one such look takes two to five milliseconds."""
LARGE: Final = 9
"""Looks at young objects within `PACE` that tell that something large was loaded."""
MANY: Final = 20_000
"""Objects from which a look at the older ones takes too long: about five milliseconds."""
PACE: Final = 1.0
"""Seconds between two calls of `tidy`."""
AWAY: Final = 30.0
"""Seconds without a key or the mouse after which nobody is there to wait."""
_NEVER: Final = 1 << 30


def run(app: MemlensApp) -> int:
    """Runs the app until it ends, and returns its exit code."""
    new_loop = None if sys.platform == "win32" else loop_first
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(app.run_async(mouse=app.workspace.settings.mouse))
    return app.return_code or 0


def loop_first() -> asyncio.AbstractEventLoop:
    """A loop that goes before all other threads."""
    return asyncio.SelectorEventLoop(_LoopFirst())


class _LoopFirst(DefaultSelector):
    """Waits for what the loop has to do; whoever is at work then soon makes way for it.

    A thread that waits for its turn asks for it after an interval that is the same for all. It is
    short while the loop waits, so that it gets its turn at once, and as long as ever while it is at
    work: with the short one a step of 30 milliseconds was interrupted sixty times and took 100.
    """

    def __init__(self) -> None:
        super().__init__()
        self._turn: Final = sys.getswitchinterval()

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        sys.setswitchinterval(TURN)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(self._turn)


class Smooth:
    """Settings of the process, from `start` to `stop`. One at a time."""

    def __init__(self) -> None:
        self._threshold = gc.get_threshold()
        self._turn = sys.getswitchinterval()
        self._used = monotonic()
        self._owing = False
        """Whether something was set apart that was never looked through."""

    def start(self) -> None:
        """Takes all that is there for something that stays, and looks only at what comes."""
        self._threshold = gc.get_threshold()
        self._turn = sys.getswitchinterval()
        gc.freeze()
        gc.set_threshold(*YOUNG, _NEVER)
        sys.setswitchinterval(TURN)

    def used(self) -> None:
        """Somebody is there."""
        self._used = monotonic()

    def tidy(self) -> None:
        """Looks for garbage among what is new; to be called every `PACE` seconds.

        What a load has brought is set apart without a look: it stays until the next one, and is
        freed then without any search. So is what comes together bit by bit. Only what is set apart
        and refers to itself is not freed; it is looked for when nobody is there.
        """
        if self._owing and monotonic() - self._used > AWAY:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._owing = False
            return
        looks = gc.get_count()[2]
        if looks >= LARGE or (looks and len(gc.get_objects(generation=2)) > MANY):
            gc.freeze()
            self._owing = True
        elif looks:
            gc.collect()

    def stop(self) -> None:
        """Leaves everything as it was."""
        gc.unfreeze()
        gc.set_threshold(*self._threshold)
        sys.setswitchinterval(self._turn)
