"""Durable facts: loading, noticing that nothing changed, searching with every key."""

from __future__ import annotations

import os
import time
from typing import Final

from memlens.engine.durable import FuzzyIndex, MemoryReloadOutcome, load, refresh
from tests.bench.bench import Bench, Row
from tests.bench.making.facts import CONTENT, Facts
from tests.bench.measure import Result, race, timed, worst_of_twenty

_SHOWN: Final = 40
"""Hits whose marks are worked out with each key: more than fit a pane."""


def read_all(facts: Facts) -> int:
    """The floor of loading: the bytes of all files, whose names are known."""
    size = 0
    for path in facts.paths:
        with open(path, "rb") as file:
            size += len(file.read())
    return size


def look_at_all(facts: Facts) -> int:
    """The floor of a refresh: every file is listed and looked at."""
    size = 0
    for folder in facts.folders:
        with os.scandir(folder) as listing:
            for item in listing:
                size += item.stat(follow_symlinks=False).st_size
    return size


def loading(bench: Bench) -> Result:
    facts = bench.facts
    with facts.surroundings():
        return race(
            lambda: timed(lambda: read_all(facts)),
            lambda: timed(lambda: load(facts.root)),
            bench.rounds(9, 5),
            f"{facts.count:,} facts: {CONTENT}",
        )


def refreshing(bench: Bench) -> Result:
    facts = bench.facts
    with facts.surroundings():
        known = load(facts.root)

        def unchanged() -> None:
            _, outcome = refresh(known, facts.root)
            assert outcome is MemoryReloadOutcome.UNCHANGED

        return race(
            lambda: timed(lambda: look_at_all(facts)),
            lambda: timed(unchanged),
            bench.rounds(21, 9),
            f"{facts.count:,} facts",
        )


def key_times(facts: Facts, count: int) -> list[float]:
    """Seconds that each of `count` keys takes until its hits and their marks are there."""
    with facts.surroundings():
        index = FuzzyIndex.build(load(facts.root))
    seconds = []
    for query in facts.queries(count)[:count]:
        start = time.perf_counter()
        for hit in index.search(query)[:_SHOWN]:
            _ = (hit.name_spans, hit.description_spans, hit.snippet, hit.snippet_spans)
        seconds.append(time.perf_counter() - start)
    return seconds


def searching(bench: Bench) -> Result:
    count = bench.size(400, quick=150)
    data = (
        f"{bench.facts.count:,} facts, {count} keys: words and pairs of words typed letter by "
        f"letter, a quarter with a slip, with the marks of the first {_SHOWN} hits"
    )
    return worst_of_twenty(key_times(bench.facts, count), data)


ROWS: Final = (
    Row(
        "load", "load 10,000 facts, cold", "reading the same files' bytes", 2, "×", loading
    ),
    Row(
        "refresh", "refresh of 10,000 unchanged facts", "scandir and stat of them", 1.6, "×",
        refreshing,
    ),
    Row(
        "search", "fuzzy search over 10,000 facts, a keystroke (95th percentile)", "", 40, "ms",
        searching,
    ),
)  # fmt: skip
