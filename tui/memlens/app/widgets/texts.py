"""Texts to read in a line view: paragraphs, and a difference of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, chop_cells

from memlens.app.widgets.line_view import Numbered, Piece, fit
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.review.model import DiffLine


class WrappedLines(Numbered):
    """Paragraphs, each with an indentation of its own that its further lines keep."""

    def __init__(self, paragraphs: Sequence[tuple[str, str, int]]) -> None:
        """Each: text, style, and cells before its second and further lines."""
        self._paragraphs = paragraphs
        self._laid_out: tuple[int, list[Piece]] = (-1, [])

    def _rows(self, width: int) -> list[Piece]:
        if self._laid_out[0] != width:
            rows: list[Piece] = []
            for text, style, indent in self._paragraphs:
                rows += ((row, style) for row in wrapped(text, width, indent))
            self._laid_out = (width, rows)
        return self._laid_out[1]

    def count(self, width: int) -> int:
        return len(self._rows(width))

    def line(self, index: int, width: int) -> Sequence[Piece]:
        rows = self._rows(width)
        # A view may ask by a width that it is only about to measure.
        return (rows[index],) if index < len(rows) else ()


def wrapped(text: str, width: int, indent: int = 0) -> list[str]:
    """`text` in rows of at most `width` cells, broken at blanks where there are some."""
    text = visible(text)
    body = text.lstrip(" ")
    lead = " " * (len(text) - len(body))
    rows: list[str] = []
    row, room = "", max(4, width)
    for word in body.split(" "):
        start = " " * indent if rows else lead
        joined = f"{row} {word}" if row else start + word
        if cell_len(joined) <= room:
            row = joined
            continue
        if row:
            rows.append(row)
        *full, row = _chopped(word, " " * indent if rows else lead, room)
        rows += full
    return [*rows, row]


def _chopped(word: str, start: str, room: int) -> list[str]:
    """A word in rows that each begin with `start`; one row where it fits."""
    parts = chop_cells(word, max(4, room - len(start))) or [""]
    return [start + part for part in parts]


class DiffLines(Numbered):
    """A difference, with the numbers of the lines on both sides."""

    _SIGNS: Final = {"added": "+", "removed": "-", "same": " ", "note": "\\", "gap": "·"}

    def __init__(self, lines: Sequence[DiffLine]) -> None:
        self._lines = lines
        highest = max((max(line.before, line.after) for line in lines), default=1)
        self._digits = len(str(highest))
        self._widest = max((cell_len(_shown(line.text)) for line in lines), default=0)

    def count(self, width: int) -> int:
        return len(self._lines)

    def full_width(self, width: int) -> int:
        return max(width, self._widest + 2 * self._digits + 5)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        line = self._lines[index]
        before = str(line.before or "").rjust(self._digits)
        after = str(line.after or "").rjust(self._digits)
        if line.kind == "gap":
            return ((f"{' ' * (2 * self._digits + 2)}··· {line.text} ···", "dim"),)
        style = {"added": "added", "removed": "removed", "note": "dim"}.get(line.kind, "")
        text = f"{self._SIGNS[line.kind]} {_shown(line.text)}"
        return ((f"{before} {after} ", "gutter"), (fit(text, max(width, cell_len(text))), style))


def _shown(text: str) -> str:
    return visible(text.expandtabs(4))
