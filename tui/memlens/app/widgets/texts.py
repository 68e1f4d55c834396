"""Texts to read in a line view: paragraphs, and a difference of two texts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

from rich.cells import cell_len, chop_cells

from memlens.app.widgets.changed_words import CHANGED, Marks, marks_of
from memlens.app.widgets.line_view import Piece
from memlens.app.widgets.long_text import Text, display
from memlens.app.widgets.paragraphs import Paragraphs
from memlens.app.widgets.paragraphs import wrapped as wrapped_line
from memlens.app.widgets.wrapping import Wrapping
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.review.model import DiffLine


@runtime_checkable
class WithChanges(Protocol):
    """Lines some of which are added or removed."""

    def change_from(self, index: int, step: int) -> int | None:
        """The first row of the next change from row `index`, forward (1) or back (-1)."""


class WrappedLines(Paragraphs):
    """Paragraphs, each with an indentation of its own that its further lines keep; then a text."""

    def __init__(
        self, paragraphs: Sequence[tuple[str, str, int]], text: str | None = None, style: str = ""
    ) -> None:
        """Each paragraph: text, style, and cells before its second and further lines.

        `text` may be of any length; its lines are shown in `style`.
        """
        self._heads = paragraphs
        self._text = Text(text, text.count("\n") + 1) if text is not None else None
        self._style = style
        super().__init__(len(paragraphs) + (len(self._text.units) if self._text else 0))

    def _wrapped(self, number: int, width: int) -> Sequence[str]:
        if number < len(self._heads):
            text, _, indent = self._heads[number]
            return wrapped(text, width, indent)
        assert self._text is not None
        return wrapped_line(display(self._text.units[number - len(self._heads)]), width)

    def height(self, number: int, width: int) -> int:
        if self._text is not None and number >= len(self._heads):
            unit = self._text.units[number - len(self._heads)]
            if len(unit) <= width and unit.isascii() and unit.isprintable():
                return 1
        return len(self._wrapped(number, width))

    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        style = self._heads[number][1] if number < len(self._heads) else self._style
        return [((row, style),) for row in self._wrapped(number, width)]

    def name(self, number: int) -> Hashable:
        return number

    def _number_of(self, name: Hashable) -> int | None:
        return name if isinstance(name, int) and name < self._paragraphs else None

    def change_from(self, index: int, step: int) -> int | None:
        if self._style not in CHANGED or self._text is None:
            return None
        first = self.row_of(len(self._heads))
        return first if (first > index if step > 0 else first < index) else None


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


class Head(NamedTuple):
    """A line among those of a difference that says what they are about."""

    text: str
    style: str = ""


def _gap(line: DiffLine) -> str:
    return f"··· {line.text} ···"


def _last_number(lines: Sequence[DiffLine | Head], side: str) -> int:
    """The highest number of a line on one side, which is that of the last one that has any."""
    numbers = (getattr(line, side, 0) for line in reversed(lines))
    return next((number for number in numbers if number), 0)


class DiffLines(Wrapping):
    """A difference, with the numbers of the lines on both sides."""

    _SIGNS: Final = {"added": "+", "removed": "-", "same": " ", "note": "\\", "gap": "·"}
    _STYLES: Final = {"added": "added", "removed": "removed", "note": "dim", "gap": "dim"}

    def __init__(self, lines: Sequence[DiffLine | Head], *, wrap: bool = True) -> None:
        self._lines = lines
        self._digits = len(str(max(_last_number(lines, "before"), _last_number(lines, "after"), 1)))
        super().__init__(len(lines), wrap=wrap)

    def again(self, *, wrap: bool) -> DiffLines:
        return DiffLines(self._lines, wrap=wrap)

    @cached_property
    def _changes(self) -> Sequence[int]:
        """Where a change begins."""
        changed = [not isinstance(line, Head) and line.kind in CHANGED for line in self._lines]
        return [at for at, one in enumerate(changed) if one and not (at and changed[at - 1])]

    @property
    def first_change(self) -> int | None:
        """The row where the first change begins."""
        return self.row_of(self._changes[0]) if self._changes else None

    def change_from(self, index: int, step: int) -> int | None:
        number = self.number(index) if self._lines else 0
        within = index > self.row_of(number)
        at = (
            bisect_right(self._changes, number)
            if step > 0
            else bisect_left(self._changes, number + within) - 1
        )
        return self.row_of(self._changes[at]) if 0 <= at < len(self._changes) else None

    @property
    def margin_width(self) -> int:
        return 2 * self._digits + 4

    def margin(self, number: int, *, first: bool) -> Sequence[Piece]:
        line = self._lines[number]
        if isinstance(line, Head):
            return ()
        if line.kind == "gap":
            return ((" " * self.margin_width, "gutter"),)
        style = self._STYLES.get(line.kind, "")
        if not first:
            return ((" " * (self.margin_width - 2), "gutter"), ("┆ ", style or "gutter"))
        before = str(line.before or "").rjust(self._digits)
        after = str(line.after or "").rjust(self._digits)
        return ((f"{before} {after} ", "gutter"), (f"{self._SIGNS[line.kind]} ", style))

    def text(self, number: int) -> tuple[str, str]:
        line = self._lines[number]
        if isinstance(line, Head):
            return line
        return _gap(line) if line.kind == "gap" else line.text, self._STYLES.get(line.kind, "")

    def _kind(self, number: int) -> str:
        line = self._lines[number]
        return "head" if isinstance(line, Head) else line.kind

    def marks(self, number: int) -> Marks:
        return marks_of(self._kind, lambda at: self._lines[at].text, number, len(self._lines))

    def texts(self) -> Iterable[str]:
        return [
            _gap(line) if not isinstance(line, Head) and line.kind == "gap" else line.text
            for line in self._lines
        ]

    def name(self, number: int) -> Hashable:
        return number

    def _number_of(self, name: Hashable) -> int | None:
        return name if isinstance(name, int) and name < self._paragraphs else None
