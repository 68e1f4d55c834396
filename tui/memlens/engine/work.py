"""Work that may take long: how far it is, and whether anybody still wants it.

The libraries say how far they are wherever they go from one item to the next (`step`, `steps`);
the engine, which began the work on this thread, tells people of it and has it end there when
nobody wants it any more. Which work is meant goes by the thread, so nothing has to be passed
along, and a stranger who uses a library alone pays for one look and is never interrupted.
"""

from __future__ import annotations

import time
from _thread import _local, allocate_lock  # `threading` would cost a script too much

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized
    from typing import Final, TypeVar

    from memlens.engine.way import RightOfWay

    T = TypeVar("T")


class Stopped(Exception):
    """The work at hand is no longer wanted. Raised between two items, never within a write.

    `done`: what was done and stays, as a sentence; empty where nothing was changed. `rest`: the
    command that does what is left, where that is another one than the command that was stopped.
    """

    hint = ""

    def __init__(self, done: str = "", rest: object = None) -> None:
        super().__init__(done or "it was stopped")
        self.done: Final = done
        self.rest: Final = rest


class Work:
    """One piece of work. `with work:` makes it that of this thread."""

    def __init__(
        self, what: str, number: int = 0, way: RightOfWay | None = None, *, question: bool = False
    ) -> None:
        """`way`: what it waits for at each step, or, where it is a `question`, what it takes."""
        self.number: Final = number
        """Its place among all that was asked for, from 1."""
        self._way: Final = way
        self._waits = way is not None and not question
        self.begun: Final = time.monotonic()
        self.at: tuple[str, int, int] = (what, 0, 0)
        """What is being done, how many items are done, and of how many; 0 where nobody knows."""
        self.stopped = False
        """Whether nobody wants it any more."""
        self._kept_whole = 0
        self._lock: Final = allocate_lock()
        self._told = self._ended = False

    def stop(self) -> None:
        """Has it end at the next step. From any thread."""
        self.stopped = True

    def step(self, done: int, total: int, what: str) -> None:
        self.at = (what or self.at[0], done, total)
        self._make_way()
        if self.stopped and not self._kept_whole:
            raise Stopped

    def is_wanted(self, done: int, total: int, what: str) -> bool:
        self.at = (what or self.at[0], done, total)
        self._make_way()
        return not self.stopped or self._kept_whole > 0

    def _make_way(self) -> None:
        if self._waits and self._way is not None:
            self._way.wait(lambda: not self.stopped)

    def answered(self) -> None:
        """What the question was about is told; what follows is work that nobody waits for."""
        if self._way is not None and not self._waits:
            self._way.give()

    def tell(self, telling: Callable[[Work], None]) -> None:
        """Calls `telling`, unless it has ended. From any thread."""
        with self._lock:
            if not self._ended:
                self._told = True
                telling(self)

    def end(self) -> bool:
        """Nothing is told of it from now on; whether something was."""
        with self._lock:
            self._ended = True
            return self._told

    def __enter__(self) -> Work:
        _here.work = self
        return self

    def __exit__(self, *_: object) -> None:
        _here.work = None


class _Here(_local):
    work: Work | None = None


_here: Final = _Here()


class whole:  # noqa: N801 - it reads as a block: `with whole():`
    """What is within is not interrupted: it must be done whole, or it takes something back."""

    def __enter__(self) -> None:
        self._work = _here.work
        if self._work is not None:
            self._work._kept_whole += 1  # noqa: SLF001 - the two are one thing in two classes

    def __exit__(self, *_: object) -> None:
        if self._work is not None:
            self._work._kept_whole -= 1  # noqa: SLF001


class ahead:  # noqa: N801
    """What is within everybody waits for: it makes way for nobody."""

    def __enter__(self) -> None:
        self._work = _here.work
        if self._work is not None:
            self._waited = self._work._waits  # noqa: SLF001
            self._work._waits = False  # noqa: SLF001

    def __exit__(self, *_: object) -> None:
        if self._work is not None:
            self._work._waits = self._waited  # noqa: SLF001


def answered() -> None:
    """The question that the work of this thread answers is answered; it goes on by itself."""
    work = _here.work
    if work is not None:
        work.answered()


def current() -> Work | None:
    """The work of this thread."""
    return _here.work


def step(done: int = 0, total: int = 0, what: str = "") -> None:
    """Says how far the work of this thread is; raises `Stopped` where it is not wanted any more.

    `total` 0: nobody knows. `what`: what is being done, as `reading facts`; empty: as before.
    """
    work = _here.work
    if work is not None:
        work.step(done, total, what)


def check() -> None:
    """As `step`, where nothing is known of how far it is."""
    work = _here.work
    if work is not None:
        work.step(*work.at[1:], "")


def is_wanted(done: int = 0, total: int = 0, what: str = "") -> bool:
    """As `step`, for those who end in good order by themselves and use what they have so far."""
    work = _here.work
    return work is None or work.is_wanted(done, total, what)


def steps(items: Iterable[T], what: str = "", total: int = 0) -> Iterator[T]:
    """`items`, with a step before each. `total`: how many there are, where they cannot be counted
    by `len`."""
    work = _here.work
    if work is None:
        return iter(items)
    return _stepping(work, items, what, total or _count(items))


def _stepping(work: Work, items: Iterable[T], what: str, total: int) -> Iterator[T]:
    for done, item in enumerate(items):
        work.step(done, total, what)
        yield item


def _count(items: Iterable[T] | Sized) -> int:
    try:
        return len(items)  # type: ignore[arg-type]
    except TypeError:
        return 0
