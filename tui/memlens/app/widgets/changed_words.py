"""Which words of a changed line are other ones, so that nobody has to look for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from memlens.app.widgets.line_view import Piece
from memlens.engine.visible import visible

Marks = tuple[bool, ...]
"""For each character that is no blank, whether it belongs to another word; may end early."""

CHANGED: Final = ("added", "removed")
"""The kinds of changed lines, which are their styles too."""
BLOCK: Final = 30
"""Changed lines above and below among which a line is looked for that one stands for."""
LETTERS: Final = 20_000
"""Letters of all lines of a change, up to which the words are looked at."""
PAIRS: Final = 3_000
"""Pairs of words that are compared at most: about a millisecond."""
ALIKE: Final = 0.4
"""Of all words, those that have to be the same: where there are fewer, marks say nothing."""


@lru_cache(512)
def differing(left: str, right: str) -> tuple[Marks, Marks]:
    """The marks of two lines; none where they have hardly a word in common, or only blanks differ.

    Of the words in which each begins and ends alike nothing is compared.
    """
    from difflib import SequenceMatcher

    one, other = _words(left), _words(right)
    head = _alike(zip(one, other, strict=False))
    shorter = min(len(one), len(other)) - head
    tail = min(shorter, _alike(zip(reversed(one), reversed(other), strict=False)))
    first, second = one[head : len(one) - tail], other[head : len(other) - tail]
    if len(first) * len(second) > PAIRS:
        return (), ()
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    same = head + tail + sum(block.size for block in blocks)
    if 2 * same < ALIKE * (len(one) + len(other)) or same == len(one) == len(other):
        return (), ()
    kept = [at for block in blocks for at in range(block.a, block.a + block.size)]
    kept_there = [at for block in blocks for at in range(block.b, block.b + block.size)]
    return _marks(one, head, first, kept), _marks(other, head, second, kept_there)


def _words(line: str) -> list[str]:
    return visible(line.removesuffix("\r")).split()


def _alike(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs at the beginning are of the same word."""
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count


def _marks(words: list[str], head: int, middle: list[str], kept: list[int]) -> Marks:
    same = set(kept)
    marks = [False] * sum(map(len, words[:head]))
    for at, word in enumerate(middle):
        marks += [at not in same] * len(word)
    return tuple(marks)


def marks_of(
    kind_of: Callable[[int], str], text_of: Callable[[int], str], number: int, count: int
) -> Marks:
    """The marks of line `number` of a difference of `count` lines.

    `kind_of` tells the kind of a line, and an empty one of what stands between lines.
    """
    other = _partner(kind_of, text_of, number, count)
    if other is None:
        return ()
    if kind_of(number) == "added":
        return differing(text_of(other), text_of(number))[1]
    return differing(text_of(number), text_of(other))[0]


def _partner(
    kind_of: Callable[[int], str], text_of: Callable[[int], str], number: int, count: int
) -> int | None:
    """The line that stands for line `number` on the other side of its change."""
    kind = kind_of(number)
    if kind not in CHANGED:
        return None
    lines: dict[str, list[int]] = {name: [] for name in CHANGED}
    for step, begin in ((-1, number), (1, number + 1)):
        at = begin
        while 0 <= at < count and (found := kind_of(at)) in (*CHANGED, ""):
            if found:
                lines[found].append(at)
            if abs(at - number) > BLOCK:  # so much is written anew that no line stands for one
                return None
            at += step
    added, removed = (sorted(lines[name]) for name in CHANGED)
    old, new = tuple(map(text_of, removed)), tuple(map(text_of, added))
    pairs = _pairs(old, new) if sum(map(len, old + new)) <= LETTERS else ()
    for before, after in pairs:
        if number in (removed[before], added[after]):
            return added[after] if kind == "removed" else removed[before]
    return None


@lru_cache(64)
def _pairs(removed: tuple[str, ...], added: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Which lines stand for which, in order: those with the most words in common altogether."""
    there, here = ([Counter(_words(line)) for line in lines] for lines in (removed, added))
    best = [[(0.0, False)] * (len(here) + 1) for _ in range(len(there) + 1)]
    for i in reversed(range(len(there))):
        for j in reversed(range(len(here))):
            paired = _likeness(there[i], here[j])
            paired += best[i + 1][j + 1][0] if paired else 0
            apart = max(best[i + 1][j][0], best[i][j + 1][0])
            best[i][j] = (max(paired, apart), paired > 0 and paired >= apart)
    pairs, i, j = [], 0, 0
    while i < len(there) and j < len(here):
        if best[i][j][1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j][0] >= best[i][j + 1][0]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """How much of the words of two lines is the same; 0 where it is too little."""
    total = one.total() + other.total()
    share = 2 * (one & other).total() / total if total else 0
    return share if share >= ALIKE else 0


def emphasised(
    rows: Iterable[Iterable[Piece]], style: str, marks: Marks
) -> Iterator[Sequence[Piece]]:
    """The rows of a line with the other words in a style of their own, and the blanks between."""
    if not marks:
        yield from map(tuple, rows)
        return
    at = 0
    for row in rows:
        pieces: list[Piece] = []
        for text, name in row:
            flags: list[bool] = []
            for letter in text:
                if letter.isspace():
                    flags.append(bool(flags) and flags[-1] and at < len(marks) and marks[at])
                else:
                    flags.append(at < len(marks) and marks[at])
                    at += 1
            begin = 0
            for end in range(1, len(text) + 1):
                if end == len(text) or flags[end] != flags[begin]:
                    loud = flags[begin] and name == style
                    pieces.append((text[begin:end], f"{style}-word" if loud else name))
                    begin = end
        yield pieces
