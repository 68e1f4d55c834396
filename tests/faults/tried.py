"""The register of what is tried: the README's table is made of it, and of what a long run found."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

LONG: Final = os.environ.get("MEMLENS_FAULTS") == "long"
"""Whether this is a long run. Asked at the import, before the tests take the variables away."""
RESULTS: Final = Path(__file__).with_name("results.json")
"""Written by a long run: how often each trial was made, and how often all was well."""


class Trial(NamedTuple):
    """One kind of fault on one kind of write."""

    fault: str
    subject: str
    quick: int
    """How often it is tried in a normal run."""
    long: int

    @property
    def key(self) -> str:
        return f"{self.fault}: {self.subject}"

    @property
    def times(self) -> int:
        return self.long if LONG else self.quick


def note(trial: Trial, well: int) -> None:
    """Notes how often a trial went well, in a long run."""
    if not LONG:
        return
    known = {one.key for one in trials()}
    results = {key: result for key, result in read().items() if key in known}
    results[trial.key] = {"tried": trial.times, "well": well}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


def read() -> dict[str, dict[str, int]]:
    if not RESULTS.exists():
        return {}
    found: dict[str, dict[str, int]] = json.loads(RESULTS.read_text())
    return found


def trials() -> list[Trial]:
    """All that is tried, as the tests themselves declare it."""
    from tests.faults import (
        test_between,
        test_clock,
        test_kill,
        test_limits,
        test_refused,
        test_together,
    )

    found: list[Trial] = [*test_kill.TRIALS.values(), *test_refused.TRIALS.values()]
    found += [*test_between.TRIALS.values(), *test_between.PLANTED.values()]
    found += [*test_clock.TRIALS.values(), *test_together.TRIALS, *test_limits.TRIALS.values()]
    return found


def table() -> str:
    """The README's table: a line for each fault."""
    results = read()
    listed: set[tuple[str, ...]] = set()
    lines = [
        "| fault | tried on | each, in every run | each, in the long run | last long run |",
        "| --- | --- | --- | --- | --- |",
    ]
    for fault in dict.fromkeys(trial.fault for trial in trials()):
        same = [trial for trial in trials() if trial.fault == fault]
        noted = [results[trial.key] for trial in same if trial.key in results]
        well, tried = (sum(one[key] for one in noted) for key in ("well", "tried"))
        several = tuple(dict.fromkeys(trial.subject for trial in same))
        subjects = f"the same {len(several)}" if several in listed else "; ".join(several)
        listed.add(several)
        result = f"{well:,} of {tried:,} well" if noted else "not yet run"
        lines.append(
            f"| {fault} | {subjects} | {_span(trial.quick for trial in same)} "
            f"| {_span(trial.long for trial in same)} | {result} |"
        )
    return "\n".join(lines)


def _span(numbers: Iterable[int]) -> str:
    low, *_ = ordered = sorted(numbers)
    return f"{low}" if low == ordered[-1] else f"{low} to {ordered[-1]}"
