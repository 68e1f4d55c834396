"""How a long text stands in rows: quick at once, exact soon after, and never in one long step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from heapq import nlargest
from time import perf_counter
from typing import Final

from rich.cells import cell_len

from memlens.app.widgets.long_text import STEP, UNIT, Text, display
from memlens.app.widgets.paragraphs import wrapped


def chop(text: str, width: int) -> list[str]:
    """A stretch of a line in rows of at most `width` cells, broken at spaces where there are some.

    Joined they are `display(text)`. A space may hang over the edge.
    """
    return wrapped(display(text), width)


class Known:
    """Where the rows of a text stand. Stays what it is while the layout goes on."""

    def __init__(self, text: Text, starts: Sequence[int], known: int) -> None:
        """`starts`: the first row of each unit; those behind number `known` are not taken."""
        self._text: Final = text
        self._starts: Final = starts
        self._known: Final = known
        self._rows_known: Final = starts[known]

    @property
    def count(self) -> int:
        """Rows."""
        return self.start_of(len(self._text.units))

    def start_of(self, unit: int) -> int:
        """The first row of a unit."""
        if unit <= self._known:
            return self._starts[unit]
        return self._rows_known + unit - self._known

    def place(self, row: int) -> tuple[int, int, int]:
        """The line that a row belongs to, which of the line's rows it is, and its unit."""
        if row < self._rows_known:
            unit = bisect_right(self._starts, row, hi=self._known + 1) - 1
        else:
            unit = self._known + row - self._rows_known
        unit = max(0, min(unit, len(self._text.units) - 1))
        line = self._text.line_of(unit)
        return line, row - self.start_of(self._text.first_unit(line)), unit

    def row_of(self, line: int) -> int:
        """The first row of a line."""
        return self.start_of(self._text.first_unit(line))


class Layout:
    """The rows of a text at a width. `advance` makes it exact bit by bit; what is not laid out yet
    counts one row a unit."""

    def __init__(self, text: Text, width: int, *, wrap: bool) -> None:
        self.text: Final = text
        self.width: Final = width
        self.wrap: Final = wrap
        self._starts: list[int] = [0]
        """The first row of each unit that is laid out, and of the one behind."""
        self._rows: dict[int, list[str]] = {}
        if wrap:
            self.advance()

    @property
    def complete(self) -> bool:
        return not self.wrap or len(self._starts) > len(self.text.units)

    def advance(self) -> bool:
        """Works for at most about `STEP` seconds on what is not laid out yet; returns whether
        everything is now."""
        units, width, starts = self.text.units, self.width, self._starts
        end = perf_counter() + STEP
        at = len(starts) - 1
        row = starts[-1]
        while at < len(units):
            characters = 0
            for unit in units[at : at + 64]:
                if len(unit) <= width and unit.isascii() and unit.isprintable():
                    row += 1
                else:
                    row += len(chop(unit, width))
                    characters += len(unit)
                starts.append(row)
                if characters > 1024:
                    break
            at = len(starts) - 1
            if perf_counter() > end:
                break
        return self.complete

    def known(self) -> Known:
        """Where the rows stand, as far as that is known now."""
        return Known(self.text, self._starts, len(self._starts) - 1 if self.wrap else 0)

    def rows(self, unit: int) -> list[str]:
        """The rows of a unit as they are drawn."""
        rows = self._rows.get(unit)
        if rows is None:
            text = self.text.units[unit]
            rows = chop(text, self.width) if self.wrap else [display(text)]
            if len(self._rows) > 256:
                self._rows.clear()
            self._rows[unit] = rows
        return rows

    @cached_property
    def widest(self) -> int:
        """Cells of the widest unit, looked for among the longest."""
        longest = nlargest(100, self.text.units, key=len)
        if longest and len(longest[0]) >= UNIT:
            del longest[8:]
        return max((cell_len(display(unit)) for unit in longest), default=0)
