"""How the costs grow with what there is: nothing may be worse than linear."""

from __future__ import annotations

import math
import shutil
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, Literal

from memlens.engine.durable import load, refresh
from tests.bench.bench import Bench
from tests.bench.making.facts import Facts
from tests.bench.making.memory_files import MemoryFiles
from tests.bench.making.transcripts import TranscriptFile
from tests.bench.measure import Cost, percentile, timed
from tests.bench.rows.facts import key_times
from tests.bench.rows.imports import resolved
from tests.bench.rows.screen import typing_times
from tests.bench.rows.transcripts import logged

Shape = Literal["linear", "constant"]

_NOISE: Final = 1.35
"""How much more than linear a step may take before it counts: caches get too small, too."""
_UNSTEADY: Final = 2.0
"""How many times the shortest of what is constant the longest may take."""
_SMALL: Final = 0.002
"""Seconds below which a step says nothing about growth."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What something takes, size by size."""

    name: str
    what: str
    steps: tuple[tuple[str, float], ...]
    """The size in words, and the seconds."""
    sizes: tuple[int, ...]
    shape: Shape

    @property
    def verdict(self) -> str:
        """How the last steps grew, against what was promised."""
        power = self.power
        if power is None:
            return ""
        bound = "constant" if self.shape == "constant" else "linear"
        return f"grows with n^{power:.2f}; {bound}: {'yes' if self.good else 'NO'}"

    @property
    def power(self) -> float | None:
        """The exponent between the last two sizes."""
        if len(self.steps) < 2:
            return None
        (_, before), (_, after) = self.steps[-2:]
        return math.log(after / before) / math.log(self.sizes[-1] / self.sizes[-2])

    @property
    def good(self) -> bool:
        pairs = zip(self.sizes, self.steps, strict=True)
        steps = [(size, seconds) for size, (_, seconds) in pairs if seconds >= _SMALL]
        if self.shape == "constant":
            times = [seconds for _, seconds in steps]
            return not times or max(times) <= min(times) * _UNSTEADY
        return all(
            after <= before * larger / smaller * _NOISE
            for (smaller, before), (larger, after) in pairwise(steps)
        )


def grow(bench: Bench) -> Iterator[Growth]:
    """All growth rows, each as soon as it is known."""
    yield from _facts(bench)
    yield _imports(bench)
    yield _transcripts(bench)


def _facts(bench: Bench) -> Iterator[Growth]:
    sizes = _sizes(bench, 100, 100_000)
    columns: dict[str, list[float]] = {name: [] for name, _, _ in _FACT_ROWS}
    for size in sizes:
        facts = Facts(bench.folder("facts"), size)
        with facts.surroundings():
            known = load(facts.root)
            runs = 3 if size >= 10_000 else 7
            columns["load"].append(_median(partial(load, facts.root), runs))
            columns["refresh"].append(_median(partial(refresh, known, facts.root), runs))
        keys = bench.size(100, quick=40)
        columns["search"].append(percentile(key_times(facts, keys), 95))
        typed = typing_times(bench, facts, min(keys, 60))
        columns["letter"].append(percentile(typed.letters, 95))
        columns["typing"].append(percentile(typed.lists, 95))
        shutil.rmtree(facts.root.parent)
    labels = [f"{size:,}" for size in sizes]
    for name, what, shape in _FACT_ROWS:
        steps = tuple(zip(labels, columns[name], strict=True))
        yield Growth(name, what, steps, tuple(sizes), shape)


_FACT_ROWS: Final[tuple[tuple[str, str, Shape], ...]] = (
    ("load", "load so many facts, cold", "linear"),
    ("refresh", "refresh so many unchanged facts", "linear"),
    ("search", "fuzzy search over so many facts, a keystroke (95th percentile)", "linear"),
    ("letter", "keystroke to its letter, painted (95th percentile)", "constant"),
    ("typing", "keystroke to painted result list (95th percentile)", "linear"),
)


def _imports(bench: Bench) -> Growth:
    sizes = _sizes(bench, 10, 10_000)
    seconds = []
    for size in sizes:
        tree = MemoryFiles(bench.folder("imports"), size, 1_000)
        seconds.append(_median(partial(resolved, tree), 3 if size >= 1000 else 7))
        shutil.rmtree(tree.root)
    steps = tuple(zip([f"{size:,}" for size in sizes], seconds, strict=True))
    return Growth("resolve", "resolve so many imports", steps, tuple(sizes), "linear")


def _transcripts(bench: Bench) -> Growth:
    sizes = _sizes(bench, 1_000_000, 1_000_000_000)
    seconds = []
    for size in sizes:
        folder = bench.folder("transcript")
        transcript = TranscriptFile(folder, size)
        seconds.append(_median(partial(logged, transcript), 1 if size > 10**8 else 3))
        shutil.rmtree(folder)
    steps = tuple(zip([f"{size / 1e6:,g} MB" for size in sizes], seconds, strict=True))
    return Growth("transcript", "a transcript to a read log", steps, tuple(sizes), "linear")


def _sizes(bench: Bench, first: int, last: int) -> Sequence[int]:
    """Ten times more with each step; a quick run leaves the last one out, a test most."""
    steps = round(math.log10(last / first))
    count = 2 if bench.scale < 1 else steps if bench.quick else steps + 1
    return [max(10, round(first * 10**step * min(1.0, bench.scale * 10))) for step in range(count)]


def _median(work: Callable[[], object], runs: int) -> float:
    costs: list[Cost] = [timed(work) for _ in range(runs)]
    return statistics.median(cost.wall for cost in costs)
