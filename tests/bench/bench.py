"""What a row is, and what it is given to measure with."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.making.facts import Facts
from tests.bench.making.memory_files import MemoryFiles
from tests.bench.making.transcripts import TranscriptFile
from tests.bench.measure import Result, Unit
from tests.bench.processes import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

FACTS: Final = 10_000
IMPORTS: Final = 500
IMPORTED_BYTES: Final = 4_000
"""Of each import: 500 are 2 MB."""
TRANSCRIPT_BYTES: Final = 200_000_000
PROGRAMS: Final = Path(__file__).parent / "programs"
HOUSE: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Row:
    """A promise, and how it is measured."""

    name: str
    """For `--only`."""
    what: str
    floor: str
    """What it is measured against; empty where a number is promised."""
    promise: float | None
    """None: it is told beside the promises, and nothing is promised about it."""
    unit: Unit
    measure: Callable[[Bench], Result]

    def broken(self, result: Result) -> bool:
        """Whether it is so far off that no noise of a machine explains it."""
        return self.promise is not None and result.value > 5 * self.promise

    def kept(self, result: Result) -> bool:
        return self.promise is None or result.value <= self.promise


class Bench:
    """A folder of its own, and the data that rows share, each made when it is first needed.

    `scale`: 1 for the promises' own sizes; a part of it for tests of the harness.
    """

    def __init__(self, place: Path, *, quick: bool = False, scale: float = 1.0) -> None:
        self.place: Final = place
        self.quick: Final = quick
        self.scale: Final = scale
        self.environment: Final = surroundings(place / "surroundings")
        self._numbers: Final = itertools.count(1)

    def rounds(self, full: int, quick: int) -> int:
        """How often something is measured."""
        return 1 if self.scale < 1 else quick if self.quick else full

    def size(self, full: int, quick: int | None = None) -> int:
        """How much there is of something."""
        size = quick if self.quick and quick is not None else full
        return max(10, round(size * self.scale))

    def folder(self, name: str) -> Path:
        """A new folder."""
        made = self.place / f"{name}-{next(self._numbers)}"
        made.mkdir(parents=True)
        return made

    def python(self, *words: str) -> Sequence[str]:
        """A command of the interpreter that measures."""
        return (sys.executable, *words)

    @cached_property
    def facts(self) -> Facts:
        return Facts(self.folder("facts"), self.size(FACTS))

    @cached_property
    def memory_files(self) -> MemoryFiles:
        return MemoryFiles(self.folder("imports"), self.size(IMPORTS), IMPORTED_BYTES)

    @cached_property
    def transcript(self) -> TranscriptFile:
        size = self.size(TRANSCRIPT_BYTES, quick=TRANSCRIPT_BYTES // 5)
        return TranscriptFile(self.folder("transcript"), size)
