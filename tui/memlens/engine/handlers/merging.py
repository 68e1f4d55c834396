"""Two versions of one fact become one text: what only one of them changed is taken as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memlens.engine.events.memory_changes import MARKERS, MergedDraft
from memlens.engine.review.differences import matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlens.engine.durable.results import Fact


class Fields(NamedTuple):
    """The fields of one version."""

    name: str
    description: str
    tags: tuple[str, ...]
    body: str


def fields_of(fact: Fact) -> Fields:
    """The fields of a fact as it was read."""
    return Fields(fact.name, fact.description, fact.tags, fact.body)


def three_way(base: Fields, mine: Fields, theirs: Fields) -> MergedDraft:
    """What both did to `base`, in one. Where both changed a field, mine stands and a note says so;
    where both changed the same lines of the body, both stand between marker lines."""
    notes: list[str] = []

    def one(label: str, was: str, my: str, their: str) -> str:
        if my in (was, their):
            return their
        if their != was:
            notes.append(f"both changed the {label}; on disk it is “{their}”")
        return my

    body, conflicts = merged_text(base.body, mine.body, theirs.body)
    return MergedDraft(
        name=one("name", base.name, mine.name, theirs.name),
        description=one("description", base.description, mine.description, theirs.description),
        tags=_tags(base.tags, mine.tags, theirs.tags),
        body=body, conflicts=conflicts, notes=tuple(notes),
    )  # fmt: skip


def _tags(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    gone = {tag for tag in base if tag not in mine or tag not in theirs}
    return tuple(dict.fromkeys(tag for tag in (*mine, *theirs) if tag not in gone))


def merged_text(base: str, mine: str, theirs: str) -> tuple[str, int]:
    """What both did to `base`, in one, and at how many places they did not agree: there both stand,
    between the lines of `MARKERS`."""
    old, my, their = base.split("\n"), mine.split("\n"), theirs.split("\n")
    lines: list[str] = []
    conflicts = 0
    at_old = at_my = at_their = 0
    for start, left, right, count in (
        *_in_all(old, my, their), (len(old), len(my), len(their), 0),
    ):  # fmt: skip
        was, here, there = old[at_old:start], my[at_my:left], their[at_their:right]
        if here in (was, there):
            lines += there
        elif there == was:
            lines += here
        else:
            conflicts += 1
            before, between, behind = MARKERS
            lines += [before, *here, between, *there, behind]
        lines += old[start : start + count]
        at_old, at_my, at_their = start + count, left + count, right + count
    return "\n".join(lines), conflicts


def _in_all(old: list[str], my: list[str], their: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that stand in all three: where in each, and how many."""
    lefts, rights = matches(old, my), matches(old, their)
    one = other = 0
    while one < len(lefts) and other < len(rights):
        left, right = lefts[one], rights[other]
        start = max(left[0], right[0])
        stop = min(left[0] + left[2], right[0] + right[2])
        if start < stop:
            yield start, left[1] + start - left[0], right[1] + start - right[0], stop - start
        if left[0] + left[2] < right[0] + right[2]:
            one += 1
        else:
            other += 1


def both(first: Fields, second: Fields) -> MergedDraft:
    """Two facts in one: lines of both once, then those of the first, then of the second."""
    ours, others = first.body.split("\n"), second.body.split("\n")
    lines: list[str] = []
    places = 0
    at_first = at_second = 0
    for left, right, count in (*matches(ours, others), (len(ours), len(others), 0)):
        here, there = ours[at_first:left], others[at_second:right]
        places += bool(here and there)
        lines += here + there + ours[left : left + count]
        at_first, at_second = left + count, right + count
    notes = []
    if second.description not in ("", first.description):
        notes.append(f"the other description is “{second.description}”")
    if places:
        where = f"{places} place{'s' if places > 1 else ''} of the body"
        notes.append(f"in {where} both texts follow one another")
    return MergedDraft(
        name=first.name, description=first.description or second.description,
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        body="\n".join(lines), conflicts=0, notes=tuple(notes),
    )  # fmt: skip
