"""Which lines of a file were seen."""

from __future__ import annotations

from collections.abc import Iterable


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of lines (from 1, both ends included) in order, joined where they touch."""
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], last))
        else:
            result.append((first, last))
    return result


def is_whole(first: int, count: int, total: int, limit: int | None = None) -> bool:
    """Whether a read of `count` lines from `first` saw all of `total` lines.

    One line less is the final line end, counted by some versions (spec, part C), unless the reader
    had asked for no more lines than it got.
    """
    if first > 1:
        return False
    return count >= total or (count == total - 1 and (limit is None or limit > count))


def adds_up(ranges: Iterable[tuple[int, int]], total: int, *, cut: bool = False) -> bool:
    """Whether pages together saw all of `total` lines.

    The last may be the final line end, and missing, unless the last page was `cut`: its reader
    had asked for no more lines.
    """
    joined = merged(ranges)
    needed = total if cut else max(total - 1, 1)
    return len(joined) == 1 and joined[0][0] <= 1 and joined[0][1] >= needed
