"""Measuring floor and subject side by side: rounds in turn, medians, spread."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Unit = Literal["×", "ms", "MB"]


class Cost(NamedTuple):
    """What one run took, in seconds."""

    wall: float
    cpu: float
    """Of all threads, or of the process and its children, user and system."""


Run = Callable[[], Cost]


@dataclass(frozen=True, slots=True)
class Result:
    """What a row measured."""

    value: float
    """To be compared with the promise, in its unit."""
    low: float
    """The lower quartile over the rounds; for a percentile the median of all samples."""
    high: float
    """The upper quartile over the rounds; for a percentile the worst sample."""
    subject: float
    """The median: seconds, or bytes for memory."""
    floor: float | None = None
    """The median of the floor; None where there is none."""
    by_cpu: float | None = None
    """The same ratio of processor time, which other work on the machine disturbs less."""
    samples: int = 1
    data: str = ""
    """What was measured on."""


def timed(work: Callable[[], object]) -> Cost:
    """Runs `work` once, with nothing else on the heap for the garbage collector to look at."""
    gc.collect()
    gc.freeze()
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        kept = work()
        cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
        del kept  # freeing what was made is not what is measured
    finally:
        gc.unfreeze()
    return cost


def race(floor: Run, subject: Run, rounds: int, data: str = "", *, warm: bool = True) -> Result:
    """Floor and subject in turn, `rounds` times; the ratio is taken round by round.

    Who begins changes with every round, so that neither always finds the caches of the other.
    `warm`: both run once before, uncounted.
    """
    if warm:
        floor()
        subject()
    floors: list[Cost] = []
    subjects: list[Cost] = []
    for number in range(rounds):
        for kept, run in ((floors, floor), (subjects, subject))[:: -1 if number % 2 else 1]:
            kept.append(run())
    return compared(floors, subjects, data)


def compared(floors: Sequence[Cost], subjects: Sequence[Cost], data: str = "") -> Result:
    """The ratios of pairs of runs."""
    ratios = [one.wall / other.wall for one, other in zip(subjects, floors, strict=True)]
    low, high = quartiles(ratios)
    used = sum(cost.cpu for cost in floors)
    return Result(
        value=statistics.median(ratios),
        low=low,
        high=high,
        subject=statistics.median(cost.wall for cost in subjects),
        floor=statistics.median(cost.wall for cost in floors),
        by_cpu=sum(cost.cpu for cost in subjects) / used if used else None,
        samples=len(ratios),
        data=data,
    )


def worst_of_twenty(seconds: Sequence[float], data: str = "") -> Result:
    """The 95th percentile, in milliseconds."""
    return Result(
        value=percentile(seconds, 95) * 1000,
        low=statistics.median(seconds) * 1000,
        high=max(seconds) * 1000,
        subject=statistics.median(seconds),
        samples=len(seconds),
        data=data,
    )


def more_memory(floors: Sequence[int], subjects: Sequence[int], data: str = "") -> Result:
    """How many bytes more the subject holds, in MB (10⁶ bytes)."""
    differences = [(one - other) / 1e6 for one, other in zip(subjects, floors, strict=True)]
    low, high = quartiles(differences)
    return Result(
        value=statistics.median(differences),
        low=low,
        high=high,
        subject=statistics.median(subjects),
        floor=statistics.median(floors),
        samples=len(differences),
        data=data,
    )


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that `percent` of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """The lower and the upper one."""
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high
