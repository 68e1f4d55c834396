"""The difference of two texts as line records.

Lines that are unique on both sides hold the texts together (patience); what is between them is
compared by `difflib` where that is quick, and taken as replaced where it is not. So a shuffled
file of any size is compared in a moment, at the price of a coarser picture.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from memlens.engine.review.model import DiffLine, LineKind

_CAREFUL = 400_000
"""Pairs of lines up to which `difflib` looks at a stretch."""

NO_LINE_END = "no line end at the end of the text"

Match = tuple[int, int, int]
"""Equal lines: first line before, first line after (from 0), how many."""


def difference(before: str, after: str, context: int = 3) -> tuple[DiffLine, ...]:
    """The lines that differ, with `context` equal lines around them (-1: all lines)."""
    if before == after:
        return ()
    old, new = _lines(before), _lines(after)
    return tuple(_folded(list(_records(old, new)), context))


def prompt_difference(before: str, after: str, context: int = 3) -> tuple[DiffLine, ...]:
    """The difference of two prompts. No prompt ends with a line end, so that its last line has
    none says nothing, and what comes behind it does not change it."""
    if before == after:
        return ()
    return difference(before and before + "\n", after and after + "\n", context)


class _Stretch(NamedTuple):
    """Lines `low` to `high` of the old text against `start` to `stop` of the new one."""

    low: int
    high: int
    start: int
    stop: int


def matches(old: list[str], new: list[str]) -> list[Match]:
    """The runs of equal lines that are kept, in order; what is between them is replaced."""
    found: list[Match] = []
    pending = [_Stretch(0, len(old), 0, len(new))]
    while pending:
        low, high, start, stop = pending.pop()
        most = min(high - low, stop - start)
        head = _common(old[low : low + most], new[start : start + most])
        if head:
            found.append((low, start, head))
        low, start, most = low + head, start + head, most - head
        tail = _common(old[high - most : high][::-1], new[stop - most : stop][::-1])
        if tail:
            found.append((high - tail, stop - tail, tail))
        rest = _Stretch(low, high - tail, start, stop - tail)
        if rest.low == rest.high or rest.start == rest.stop:
            continue
        anchors = _anchors(old, new, rest)
        if anchors:
            found += ((left, right, 1) for left, right in anchors)
            edges = [(rest.low - 1, rest.start - 1), *anchors, (rest.high, rest.stop)]
            pending += (
                _Stretch(edge[0] + 1, following[0], edge[1] + 1, following[1])
                for edge, following in pairwise(edges)
            )
        elif (rest.high - rest.low) * (rest.stop - rest.start) <= _CAREFUL:
            found += _careful(old, new, rest)
    found.sort()
    return found


def _common(old: list[str], new: list[str]) -> int:
    """How many lines are equal from the front."""
    for count, (left, right) in enumerate(zip(old, new, strict=True)):
        if left != right:
            return count
    return len(old)


def _anchors(old: list[str], new: list[str], stretch: _Stretch) -> list[tuple[int, int]]:
    """The longest rising row of lines that stand exactly once on each side."""
    there = _unique(old, stretch.low, stretch.high)
    here = _unique(new, stretch.start, stretch.stop)
    pairs = sorted((there[line], right) for line, right in here.items() if line in there)
    piles: list[int] = []  # the smallest end of a row of each length
    tops: list[int] = []
    before: list[int] = []
    for index, (_, right) in enumerate(pairs):
        pile = bisect_left(piles, right)
        if pile == len(piles):
            piles.append(right)
            tops.append(index)
        else:
            piles[pile], tops[pile] = right, index
        before.append(tops[pile - 1] if pile else -1)
    row: list[tuple[int, int]] = []
    index = tops[-1] if tops else -1
    while index >= 0:
        row.append(pairs[index])
        index = before[index]
    return row[::-1]


def _unique(lines: list[str], start: int, stop: int) -> dict[str, int]:
    places: dict[str, int] = {}
    for index in range(start, stop):
        line = lines[index]
        places[line] = -1 if line in places else index
    return {line: index for line, index in places.items() if index >= 0}


def _careful(old: list[str], new: list[str], stretch: _Stretch) -> Iterator[Match]:
    from difflib import SequenceMatcher

    low, high, start, stop = stretch
    matcher = SequenceMatcher(None, old[low:high], new[start:stop], autojunk=True)
    for left, right, count in matcher.get_matching_blocks():
        if count:
            yield low + left, start + right, count


def _lines(text: str) -> list[str]:
    """The lines with their LF."""
    parts = text.split("\n")
    last = parts.pop()
    lines = [part + "\n" for part in parts]
    if last:
        lines.append(last)
    return lines


def _records(old: list[str], new: list[str]) -> Iterator[DiffLine]:
    left = right = 0
    for low, start, count in (*matches(old, new), (len(old), len(new), 0)):
        yield from _run("removed", old, left, low)
        yield from _run("added", new, right, start)
        for step in range(count):
            text = old[low + step]
            yield DiffLine("same", low + step + 1, start + step + 1, text.removesuffix("\n"))
        left, right = low + count, start + count


def _run(kind: LineKind, lines: list[str], start: int, stop: int) -> Iterator[DiffLine]:
    for index in range(start, stop):
        line = lines[index]
        number = index + 1
        before, after = (number, 0) if kind == "removed" else (0, number)
        yield DiffLine(kind, before, after, line.removesuffix("\n"))
        if not line.endswith("\n"):
            yield DiffLine("note", before, after, NO_LINE_END)


def _folded(records: Iterable[DiffLine], context: int) -> Iterator[DiffLine]:
    """The records without the equal lines that are far from any change."""
    waiting: list[DiffLine] = []
    changed = False
    for record in records:
        if record.kind == "same":
            waiting.append(record)
            continue
        yield from _gap(waiting, context if changed else 0, context)
        waiting, changed = [], True
        yield record
    yield from _gap(waiting, context if changed else 0, 0)


def _gap(lines: list[DiffLine], head: int, tail: int) -> Iterator[DiffLine]:
    left_out = len(lines) - head - tail
    if head < 0 or tail < 0 or left_out <= 1:  # a gap of one line saves nothing
        yield from lines
        return
    yield from lines[:head]
    first = lines[head]
    yield DiffLine("gap", first.before, first.after, f"{left_out} equal lines")
    yield from lines[len(lines) - tail :]
