"""Duplicates, descriptions that say nothing, stale facts."""

from __future__ import annotations

import os

import pytest

from memlens.engine.durable import (
    MemoryConfig,
    consolidation,
    duplicates,
    exact_duplicates,
    load,
)
from memlens.engine.durable.curate import made_at, repeats_name, stale

from .conftest import Place

LONG = "Always run the linter before the tests because it is faster and finds most mistakes."


def test_exact_and_near_duplicates(place: Place) -> None:
    place.put("a.md", f"---\nname: a\ndescription: lint first\n---\n\n{LONG}\n")
    place.put("b.md", f"---\nname: b\ndescription: Lint first!\n---\n\n{LONG.upper()}\n\n")
    place.put("c.md", f"---\nname: c\ndescription: lint first\n---\n\n{LONG} Really.\n")
    place.put("d.md", "---\nname: d\ndescription: other\n---\n\nUse pnpm and not npm here.\n")
    found = duplicates(place.cwd)
    assert [(pair.first.name, pair.second.name, pair.exact) for pair in found] == [
        ("a", "b", True),
        ("a", "c", False),
        ("b", "c", False),
    ]
    assert found[0].score == 100.0
    assert 88 <= found[1].score < 100
    assert len(exact_duplicates(place.cwd)) == 1
    strict = MemoryConfig(near_duplicate_threshold=99.5)
    assert len(duplicates(place.cwd, strict)) == 1


def test_facts_without_text_are_no_duplicates(place: Place) -> None:
    place.put("a.md", "---\nname: a\ndescription: one\n---\n")
    place.put("b.md", "---\nname: b\ndescription: two\n---\n")
    assert duplicates(place.cwd) == ()


def test_a_description_that_repeats_the_name(place: Place) -> None:
    place.put("a.md", "---\nname: Use pnpm\ndescription: use-pnpm.\n---\n\nx\n")
    place.put("b.md", "---\nname: Use pnpm\ndescription: pnpm, not npm\n---\n\nx\n")
    snapshot = load(place.cwd)
    assert snapshot is not None
    assert [repeats_name(entry) for entry in snapshot.entries] == [True, False]
    assert [entry.stem for entry in consolidation(place.cwd).repeating] == ["a"]


def test_stale_facts_with_their_evidence(place: Place) -> None:
    day = 86_400
    for name, created, mtime in (
        ("old", "2026-01-01T00:00:00+00:00", 100),
        ("touched", "2020-01-01T00:00:00+00:00", 395),
        ("undated", "", 50),
        ("young", "2026-12-30T00:00:00+00:00", 10),
    ):
        path = place.put(f"{name}.md", f"---\nname: {name}\ncreated: {created}\n---\nx\n")
        moment = 1_767_225_600 + (mtime - 0) * day  # days after the first of January 2026
        os.utime(path, (moment, moment))
    snapshot = load(place.cwd)
    assert snapshot is not None
    now = 1_767_225_600 + 400 * day
    found = stale(snapshot.entries, 180, now)
    assert [(fact.entry.name, fact.untouched_days, fact.age_days) for fact in found] == [
        ("undated", 350, -1),
        ("old", 300, 400),
    ]


@pytest.mark.parametrize(
    ("created", "known"),
    [
        ("2026-01-01T00:00:00+00:00", True),
        ("2026-01-01T00:00:00Z", True),
        ("2026-01-01", True),
        ("0001-01-01T00:00:00+14:00", True),
        ("yesterday", False),
        ("", False),
    ],
)
def test_dates(created: str, known: bool) -> None:
    assert (made_at(created) is not None) == known


def test_nothing_to_curate(place: Place) -> None:
    found = consolidation(place.cwd)
    assert (found.duplicates, found.repeating, found.stale) == ((), (), ())
