"""A long text in stretches that are each quick to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memlens.engine.visible import visible

UNIT: Final = 4096
"""Characters of a line that are looked at in one go; what is behind begins a new row."""
TAB: Final = 4
"""Cells between the stops of a tab."""
STEP: Final = 0.005
"""Seconds that one step of the work may take."""


def display(text: str) -> str:
    """A stretch of a line as it is drawn: tabs expanded, hidden characters visible."""
    return visible(text.expandtabs(TAB) if "\t" in text else text)


class Text:
    """A text as lines, long ones in units. Lines count from 1, units from 0."""

    def __init__(self, text: str, count: int) -> None:
        """`count`: how many lines the text has."""
        lines = text.split("\n")[:count]
        if "\r" in text:
            lines = [line.removesuffix("\r") for line in lines]
        self.lines: Final = lines
        self.units: Sequence[str]
        self._line_of: Sequence[int]
        self._first: Sequence[int]
        if max(map(len, lines), default=0) <= UNIT:
            self.units = lines
            self._line_of = range(1, len(lines) + 1)
            self._first = range(len(lines) + 1)
        else:
            units: list[str] = []
            numbers: list[int] = []
            first = [0]
            for number, line in enumerate(lines, 1):
                pieces = [line[at : at + UNIT] for at in range(0, len(line), UNIT)] or [""]
                units += pieces
                numbers += [number] * len(pieces)
                first.append(len(units))
            self.units, self._line_of, self._first = units, numbers, first

    def line_of(self, unit: int) -> int:
        return self._line_of[unit]

    def first_unit(self, line: int) -> int:
        """The first unit of a line; for one line more than there are, the number of units."""
        return self._first[line - 1]
