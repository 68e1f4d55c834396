"""The screen against an empty app of the same framework."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from tests.bench.bench import PROGRAMS, Bench, Row
from tests.bench.making.facts import Facts
from tests.bench.measure import Result, more_memory, race, worst_of_twenty
from tests.bench.processes import answer, first_frame

_PANES: Final = ("Memory tree", "Prompt preview", "Durable memory", "Read state")
_FILLED: Final = (*_PANES, "docs/style.md", "Small commits", "answer-style", "5 files")
"""And something of the demo that stands in each."""


def first_paint(bench: Bench) -> Result:
    return _to_frame(
        bench, _PANES,
        "in a pseudo-terminal of 120×36, from the start of the process until the titles of all "
        "four panes have arrived; the empty app shows one line of text",
    )  # fmt: skip


def filled_panes(bench: Bench) -> Result:
    return _to_frame(
        bench, _FILLED, "as for the first paint, until each pane has shown what the demo has there"
    )


def _to_frame(bench: Bench, marks: Sequence[str], data: str) -> Result:
    folder = bench.folder("paint")
    environment = bench.environment
    empty = bench.python(str(PROGRAMS / "empty_app.py"))
    demo = bench.python("-m", "memlens", "--demo")
    return race(
        lambda: first_frame(empty, environment, folder, ["Nothing yet"]),
        lambda: first_frame(demo, environment, folder, marks),
        bench.rounds(11, 5),
        data,
    )


class Typed(NamedTuple):
    """How long each key took, in seconds."""

    letters: list[float]
    """Until the letter was painted."""
    lists: list[float]
    """Until the list was painted with the answer."""


def typing_times(bench: Bench, facts: Facts, count: int) -> Typed:
    """Types `count` keys into the search of the app."""
    folder = bench.folder("typing")
    asked = folder / "queries.json"
    asked.write_text(json.dumps([str(facts.root), facts.queries(count)[:count]]))
    environment = {**bench.environment, **facts.environment}
    command = bench.python(str(PROGRAMS / "type_queries.py"), str(asked))
    seconds = json.loads(answer(command, environment, folder))
    assert len(seconds) == count
    return Typed([letter for letter, _ in seconds], [found for _, found in seconds])


def typing(bench: Bench) -> Result:
    count = bench.size(300, quick=80)
    data = (
        f"{bench.facts.count:,} facts, {count} keys; the app, done with its start, is driven in "
        "its own process and draws for a terminal of 120×36"
    )
    return worst_of_twenty(typing_times(bench, bench.facts, count).lists, data)


def holding(bench: Bench) -> Result:
    folder = bench.folder("memory")
    facts = bench.facts
    environment = {**bench.environment, **facts.environment}
    program = str(PROGRAMS / "held_memory.py")
    floors: list[int] = []
    subjects: list[int] = []
    for _ in range(bench.rounds(3, 1)):
        floors.append(int(answer(bench.python(program), environment, folder)))
        words = bench.python(program, str(facts.root))
        subjects.append(int(answer(words, environment, folder)))
    return more_memory(
        floors, subjects,
        f"resident memory of a process without a terminal, {facts.count:,} facts loaded, listed "
        "and searched once",
    )  # fmt: skip


STARTS: Final = (
    Row(
        "first-paint", "`memlens --demo` to first paint", "an empty Textual app to first paint",
        1.3, "×", first_paint,
    ),
    Row(
        "filled-panes", "`memlens --demo` to filled panes", "an empty Textual app to first paint",
        None, "×", filled_panes,
    ),
)  # fmt: skip
ROWS: Final = (
    Row(
        "typing", "keystroke to painted result list, 10,000 facts (95th percentile)", "", 80, "ms",
        typing,
    ),
)  # fmt: skip
HOLDS: Final = (
    Row(
        "memory", "memory held by the app with 10,000 facts", "the empty Textual app", 60, "MB",
        holding,
    ),
)  # fmt: skip
