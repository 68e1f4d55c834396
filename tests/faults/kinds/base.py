"""What a kind of write has to tell, so that every fault can be tried on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from tests.faults.place import Place

Step = Callable[[int], object]
"""Does the write with a number. When it returns, that is saved."""


class Kind(ABC):
    """One kind of write. A new object is made for each trial."""

    title: ClassVar[str]
    """For the table: what is written."""
    raises: ClassVar[bool] = True
    """Whether a write that the disk refuses is told to the caller; else it is let go on purpose."""
    torn = False
    """Whether a line may be torn anywhere, as by a full disk. A writer that is killed tears the one
    that it is writing only where a page of memory ends: there the system stops a `write`."""
    pace: ClassVar[float] = 0.03
    """Seconds within which a writer has done several steps."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def prepare(self) -> None:
        """Makes what must be there before the first step."""
        return

    @abstractmethod
    def begin(self) -> Step:
        """The step, for one process: what a program does when it starts is done here."""

    @abstractmethod
    def check(self, done: int, begun: int) -> int:
        """Fails unless everything is whole, and what stands is step `done`, or a later one up to
        `begun`. Mends what a person would mend. Returns the step that stands."""

    def targets(self) -> list[Path]:
        """The files that a step replaces or makes, where that is known before."""
        return []

    def finish(self) -> None:
        """Checks what has to hold at the end of a trial, such as that all can be undone."""
        return
