"""Lines made of paragraphs: things of a list that take as many rows as the width asks for."""

from __future__ import annotations

import re
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from time import perf_counter
from typing import Final

from rich.cells import cell_len, chop_cells

from memlens.app.widgets.line_view import Growing, Piece
from memlens.app.widgets.long_text import STEP, TAB
from memlens.engine.visible import hidden_places, visible

_WORDS: Final = re.compile(r"\S*\s*(?=\S|$)|\s+")
# Characters that take one cell each and join with none: with them, cells are characters.
is_narrow: Final = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u0556\u1e00-\u1eff"
    "\u2010-\u2027\u2030-\u203b\u20a0-\u20bf\u2190-\u21ff\u2200-\u22ff\u2500-\u25fc]*"
).fullmatch


class Paragraphs(Growing):
    """`Lines` of a line view, out of numbered paragraphs.

    Of many paragraphs the first are laid out at once, the others while they are shown; until then
    each counts one row. Where rows stand changes only when they are counted again.
    """

    def __init__(self, count: int) -> None:
        self._paragraphs = count
        self._width = -1
        self._starts: list[int] = [0]
        """The first row of each paragraph that is laid out, and of the one behind."""
        self._known = 0
        """How many paragraphs were laid out when rows were counted last."""
        self._last: tuple[int, int, Sequence[Sequence[Piece]]] | None = None
        self._numbers: dict[Hashable, int] | None = None

    @abstractmethod
    def height(self, number: int, width: int) -> int:
        """How many rows a paragraph takes; at least one."""

    @abstractmethod
    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        """The rows of a paragraph."""

    @abstractmethod
    def name(self, number: int) -> Hashable:
        """What stays the same of a paragraph when others come and go."""

    @property
    def complete(self) -> bool:
        return self._width < 0 or len(self._starts) > self._paragraphs

    def advance(self) -> bool:
        starts, width = self._starts, self._width
        end = perf_counter() + STEP
        at, row = len(starts) - 1, starts[-1]
        while at < self._paragraphs:
            row += self.height(at, width)
            starts.append(row)
            at += 1
            if at % 16 == 0 and perf_counter() > end:
                break
        return self.complete

    def number(self, index: int) -> int:
        """The paragraph that is drawn in row `index`."""
        laid_out = self._starts[self._known]
        if index < laid_out:
            return bisect_right(self._starts, index, hi=self._known + 1) - 1
        return min(self._known + index - laid_out, self._paragraphs - 1)

    def row_of(self, number: int) -> int:
        """The first row of a paragraph."""
        if number <= self._known:
            return self._starts[number]
        return self._starts[self._known] + number - self._known

    def count(self, width: int) -> int:
        if width != self._width:
            self._width = width
            self._starts = [0]
            self.advance()
        self._known = len(self._starts) - 1
        return self.row_of(self._paragraphs)

    def full_width(self, width: int) -> int:
        return width

    def line(self, index: int, width: int) -> Sequence[Piece]:
        if width != self._width:  # counted when the view had another width
            self.count(width)
        if index >= self.row_of(self._paragraphs):
            return ()
        number = self.number(index)
        if self._last is None or self._last[:2] != (number, width):
            self._last = (number, width, self.rows(number, width))
        rows = self._last[2]
        row = index - self.row_of(number)
        return rows[row] if row < len(rows) else ()

    def key(self, index: int) -> Hashable:
        number = self.number(index)
        return (self.name(number), index - self.row_of(number))

    def index(self, key: Hashable) -> int | None:
        if not isinstance(key, tuple) or len(key) != 2:
            return None
        number = self._number_of(key[0])
        if number is None:
            return None
        return min(self.row_of(number) + int(key[1]), self.row_of(number + 1) - 1)

    def _number_of(self, name: Hashable) -> int | None:
        if self._numbers is None:
            self._numbers = {self.name(number): number for number in range(self._paragraphs)}
        return self._numbers.get(name)


def wrapped(text: str, width: int) -> list[str]:
    """`text`, which is safe to show, in rows of at most `width` cells; nothing of it is lost.

    Rows end at spaces where there are some.
    """
    width = max(2, width)  # a view out of sight has none; no sign has more than two
    if is_narrow(text):
        return _narrow_rows(text, width)
    if cell_len(text) <= width:
        return [text]
    rows, row, used = [], "", 0
    for word in _WORDS.findall(text):
        size = cell_len(word)
        if row and used + cell_len(word.rstrip()) > width:
            rows.append(row)
            row, used = "", 0
        if size > width:
            if row:  # a word that is too long only by the blanks behind it
                rows.append(row)
                row, used = "", 0
            *full, word = chop_cells(word, width)
            rows += full
            size = cell_len(word)
        row += word
        used += size
    return [*rows, row] if row or not rows else rows


def _narrow_rows(text: str, width: int) -> list[str]:
    """`wrapped` where each character has one cell, for texts of many lines."""
    rows = []
    start, size = 0, len(text)
    while size - start > width:
        end = text.rfind(" ", start, start + width + 1) + 1
        if end <= start:
            end = start + width
        while end < size and text[end] == " ":
            end += 1
        rows.append(text[start:end])
        start = end
    if start < size or not rows:
        rows.append(text[start:])
    return rows


def height_of(text: str, width: int) -> int:
    """How many rows `marked_rows` makes of a text."""
    if text.isascii() and text.isprintable():
        return 1 if len(text) <= width else len(wrapped(text, width))
    return len(marked_rows(text, width, ""))


def marked_rows(text: str, width: int, style: str) -> list[list[Piece]]:
    """A line of a text from a disk in rows, with what is hidden in it made visible and marked."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return [[(text, style)]]
    carriage_return = text.endswith("\r")
    text = text.removesuffix("\r").expandtabs(TAB)
    shown, marks, last = "", [], 0
    for place in hidden_places(text):
        shown += visible(text[last:place])
        sign = visible(text[place])
        marks.append((len(shown), len(shown) + len(sign)))
        shown += sign
        last = place + 1
    shown += visible(text[last:])
    if carriage_return:
        shown += "␍"
    rows: list[list[Piece]] = []
    start = 0
    for row in wrapped(shown, width):
        rows.append(_with_marks(row, start, marks, style))
        start += len(row)
    return rows


def _with_marks(row: str, start: int, marks: list[tuple[int, int]], style: str) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for low, high in marks:
        low, high = max(0, low - start), min(len(row), high - start)
        if low >= high:
            continue
        if low > at:
            pieces.append((row[at:low], style))
        pieces.append((row[low:high], "hidden"))
        at = high
    if at < len(row) or not pieces:
        pieces.append((row[at:], style))
    return pieces
