"""The prompt as lines to draw: number, text, and where the line comes from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from memlens.app.widgets.line_view import Piece, fit, fit_path
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.plan import Plan, Source

_WORDS = re.compile(r"\S*\s*(?=\S|$)|\s+")
SOURCE_FROM = 64
"""Cells from which the source stands beside each line."""


class PromptLines:
    """The plan's lines, wrapped or not. Line numbers are those of the prompt, from 1."""

    def __init__(
        self,
        plan: Plan,
        label_of: Callable[[str], str],
        *,
        wrap: bool,
        marks: frozenset[int] = frozenset(),
    ) -> None:
        self.plan = plan
        self._label_of = label_of
        self._wrap = wrap
        self._marks = marks
        self._texts = plan.text.split("\n")[: plan.lines]
        self._starts: list[int] = []
        self._width = -1
        self._widest = 0

    def count(self, width: int) -> int:
        self._lay_out(width)
        return self._starts[-1] if self._wrap else len(self._texts)

    def full_width(self, width: int) -> int:
        if self._wrap:
            return width
        self._lay_out(width)
        return max(width, self._widest + width - self._text_width(width))

    def number(self, index: int) -> int:
        """The prompt's line that is drawn in row `index`."""
        if not self._wrap or not self._starts:
            return index + 1
        return bisect_right(self._starts, index)

    def row_of(self, number: int) -> int:
        """The first row of a line of the prompt."""
        if not self._wrap or not self._starts:
            return number - 1
        return self._starts[number - 1]

    def key(self, index: int) -> Hashable:
        number = self.number(index)
        source = self.plan.source(number)
        return (source.kind, source.file, source.line, 0 if source.line else number)

    def index(self, key: Hashable) -> int | None:
        if not isinstance(key, tuple):
            return None
        kind, file, line, number = key
        if kind == "text" and file:
            found = self.plan.line_of(file, line)
        else:
            found = number if number <= len(self._texts) else None
        return None if found is None else self.row_of(found)

    def scope_of(self, source: Source) -> str:
        """The scope of the item that a line belongs to."""
        return self.plan.items[source.item].scope if source.item >= 0 else "index"

    def line(self, index: int, width: int) -> Sequence[Piece]:
        number = self.number(index)
        source = self.plan.source(number)
        text = self._texts[number - 1]
        digits = len(str(len(self._texts)))
        first = self.row_of(number)
        text_width = self._text_width(width)
        if self._wrap:
            parts = _chop(text, text_width)
            text = parts[index - first] if index - first < len(parts) else ""
        marked = number in self._marks
        gutter = f"{number if index == first else '':>{digits}} {'┃' if marked else '│'} "
        place = self._place(source, width) if index == first else ()
        style = "heading" if source.kind not in {"text", "index"} else ""
        return (
            (gutter, "marked" if marked else self.scope_of(source)),
            (fit(text, text_width) if place else visible(text), style),
            *place,
        )

    def _place(self, source: Source, width: int) -> Sequence[Piece]:
        if width < SOURCE_FROM or not self._wrap or not source.line:
            return ()
        place = f"{self._label_of(source.file)}:{source.line}"
        scope = self.scope_of(source)
        return ((" " + fit_path(place, 20), "dim"), (" " + fit(scope, 8), scope))

    def _text_width(self, width: int) -> int:
        gutter = len(str(len(self._texts))) + 3
        return max(8, width - gutter - (30 if width >= SOURCE_FROM and self._wrap else 0))

    def _lay_out(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        text_width = self._text_width(width)
        if self._wrap:
            rows = (
                1
                if len(text) <= text_width and text.isascii() and text.isprintable()
                else len(_chop(text, text_width))
                for text in self._texts
            )
            self._starts = list(accumulate(rows, initial=0))
        else:
            self._widest = max(map(len, self._texts), default=0)


def _chop(text: str, width: int) -> list[str]:
    """A line in rows of at most `width` cells, broken at spaces where there are some."""
    shown = visible(text.rstrip("\r").expandtabs(4))
    if cell_len(shown) <= width:
        return [shown]
    rows, row, used = [], "", 0
    for word in _WORDS.findall(shown):
        size = cell_len(word)
        if used + len(word.rstrip()) > width and row:
            rows.append(row)
            row, used = "", 0
        if size > width:
            *full, word = chop_cells(word, width)
            rows += full
            size = cell_len(word)
        row += word
        used += size
    return [*rows, row]
