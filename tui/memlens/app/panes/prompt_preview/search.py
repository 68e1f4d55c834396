"""Finding words in a long text, bit by bit, so that no key ever waits."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from time import perf_counter
from typing import Final

from memlens.app.widgets.long_text import STEP

_WINDOW: Final = 64 * 1024
"""Characters that are searched between two looks at the clock."""


class Search:
    """The places of `needle` in a text; capital letters count only where the needle has some."""

    def __init__(self, text: str, needle: str) -> None:
        self.text: Final = text
        self.needle: Final = needle
        flags = re.IGNORECASE if needle == needle.lower() else re.NOFLAG
        self._pattern: Final = re.compile(re.escape(needle), flags)
        self._at = 0
        self.starts: Final[list[int]] = []
        """Offsets in the text, rising."""
        self._offsets: list[int] = []
        self.advance()

    @property
    def complete(self) -> bool:
        return self._at >= len(self.text) or not self.needle

    def advance(self) -> bool:
        """Searches on for at most about `STEP` seconds; returns whether that was the end."""
        end = perf_counter() + STEP
        while not self.complete:
            limit = self._at + _WINDOW
            behind = self._at
            for match in self._pattern.finditer(self.text, self._at, limit + len(self.needle) - 1):
                self.starts.append(match.start())
                behind = match.end()
            self._at = max(limit, behind)
            if perf_counter() > end:
                break
        return self.complete

    def spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """The places between two offsets, as starts and ends."""
        if not self.needle:
            return []
        # What begins before `start` may still reach into it.
        low = bisect_left(self.starts, start - len(self.needle) + 1)
        high = bisect_left(self.starts, end)
        return [(one, one + len(self.needle)) for one in self.starts[low:high]]

    def behind(self, offset: int) -> int | None:
        """The number of the first place behind an offset, from 0, going round at the end."""
        if not self.starts:
            return None
        return bisect_right(self.starts, offset) % len(self.starts)

    def before(self, offset: int) -> int | None:
        """The number of the last place before an offset, from 0, going round at the start."""
        if not self.starts:
            return None
        return (bisect_left(self.starts, offset) - 1) % len(self.starts)


class LineStarts:
    """Where each line of a text begins. Lines count from 1."""

    def __init__(self, text: str, count: int) -> None:
        lengths = map(len, text.split("\n")[: max(0, count - 1)])
        self._starts: Final = [*accumulate(map((1).__add__, lengths), initial=0)]

    def start(self, line: int) -> int:
        return self._starts[line - 1]

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)
