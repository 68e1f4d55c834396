"""The prompt as lines to draw: number, text, and where the line comes from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from memlens.app.panes.prompt_preview.last_look import Marks
from memlens.app.panes.prompt_preview.layout import Known, Layout
from memlens.app.panes.prompt_preview.search import LineStarts, Search
from memlens.app.widgets.line_view import Growing, Piece, fit, fit_path
from memlens.app.widgets.long_text import Text, display
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.arranged import Source
    from memlens.engine.plan import Plan

SOURCE_FROM: Final = 46
"""Cells from which the source stands beside each line."""
_NEAR: Final = 3
"""Lines above within which something with a name is looked for, to find a line again by."""


class PromptText:
    """One state of the prompt, and all that is made of it once."""

    def __init__(self, plan: Plan, label_of: Callable[[str], str]) -> None:
        self.plan: Final = plan
        self.label_of: Final = label_of
        self.text: Final = Text(plan.text, plan.lines)
        self._layouts: dict[tuple[int, bool], Layout] = {}

    @cached_property
    def starts(self) -> LineStarts:
        """Where its lines begin."""
        return LineStarts(self.plan.text, self.plan.lines)

    def layout(self, width: int, *, wrap: bool) -> Layout:
        """The rows at a width; the last few are kept."""
        found = self._layouts.get((width, wrap))
        if found is None:
            if len(self._layouts) > 3:
                self._layouts.clear()
            found = self._layouts[width, wrap] = Layout(self.text, width, wrap=wrap)
        return found


class PromptLines(Growing):
    """The prompt's lines, wrapped or not, with marks and what was searched for."""

    def __init__(
        self,
        text: PromptText,
        *,
        wrap: bool,
        marks: Marks = Marks(),  # noqa: B008 - immutable
        search: Search | None = None,
    ) -> None:
        self.text: Final = text
        self.plan: Final = text.plan
        self._wrap: Final = wrap
        self._marks: Final = marks
        self._search: Final = search
        self._digits: Final = len(str(max(1, text.plan.lines)))
        self._layout: Layout | None = None
        self._known: Known | None = None
        self.fixed: Final = 0 if wrap else self._digits + 3
        """Cells at the left that stay when one scrolls sideways."""

    @property
    def complete(self) -> bool:
        return self._layout is None or self._layout.complete

    def advance(self) -> bool:
        return self._layout is None or self._layout.advance()

    @property
    def layout(self) -> Layout | None:
        """The rows at the width that was asked for last."""
        return self._layout

    def count(self, width: int) -> int:
        if not self.plan.lines:
            return 0
        self._layout = self.text.layout(self._text_width(width), wrap=self._wrap)
        self._known = self._layout.known()
        return self._known.count

    def full_width(self, width: int) -> int:
        if self._wrap or self._layout is None:
            return width
        return max(width, self._layout.widest + self._digits + 3)

    def number(self, index: int) -> int:
        """The prompt's line that is drawn in row `index`."""
        return self._known.place(index)[0] if self._known is not None else 1

    def row_of(self, number: int) -> int:
        """The first row of a line of the prompt."""
        return self._known.row_of(number) if self._known is not None else number - 1

    def row_at(self, offset: int) -> int:
        """The row in which a character of the prompt is drawn."""
        layout, known = self._layout, self._known
        if layout is None or known is None:
            return 0
        line = self.text.starts.line(offset)
        inner = offset - self.text.starts.start(line)
        unit = self.text.text.first_unit(line)
        last = self.text.text.first_unit(line + 1) - 1
        while unit < last and inner >= len(self.text.text.units[unit]):
            inner -= len(self.text.text.units[unit])
            unit += 1
        shown = len(display(self.text.text.units[unit][:inner]))
        for step, row in enumerate(rows := layout.rows(unit)):
            shown -= len(row)
            if shown < 0:
                return known.start_of(unit) + step
        return known.start_of(unit) + len(rows) - 1

    def key(self, index: int) -> Hashable:
        if self._known is None:
            return index
        number, part, _ = self._known.place(index)
        for above in range(_NEAR):
            source = self.plan.source(number - above)
            if source.file:
                return (source.kind, source.file, source.line, above, part, number)
        return ("", "", 0, 0, part, number)

    def index(self, key: Hashable) -> int | None:
        if not isinstance(key, tuple):
            return None
        kind, file, line, above, part, number = key
        found = self._find(kind, file, line) if file else None
        found = number if found is None else found + above
        found = max(1, min(found, self.plan.lines))
        first = self.row_of(found)
        return int(min(first + part, max(first, self.row_of(found + 1) - 1)))

    def _find(self, kind: str, file: str, line: int) -> int | None:
        if kind == "text":
            return self.plan.line_of(file, line)
        for part in self.plan.parts:
            if kind == "header" and part.item >= 0 and self.plan.items[part.item].file == file:
                return part.first_line
            if kind == "index" and part.item < 0:
                return next(
                    (
                        number
                        for number in range(part.first_line, part.last_line + 1)
                        if self.plan.source(number).file == file
                    ),
                    None,
                )
        return None

    def scope_of(self, source: Source) -> str:
        """The scope of the item that a line belongs to."""
        if source.item >= 0:
            return self.plan.items[source.item].scope
        return "index" if source.kind == "index" else "gutter"

    def line(self, index: int, width: int) -> Sequence[Piece]:
        layout, known = self._layout, self._known
        if layout is None or known is None:
            return ()
        number, part, unit = known.place(index)
        source = self.plan.source(number)
        rows = layout.rows(unit)
        row = index - known.start_of(unit)
        text = rows[row] if row < len(rows) else ""
        if text.endswith(" ") and cell_len(text) > layout.width:
            text = text[:-1]  # the space that hangs over the edge
        place = self._place(number, source, width) if part == 0 else ()
        style = "heading" if source.kind == "header" else ""
        if source.kind == "preamble":
            style = "dim"
        pieces = self._searched(text, style, number, unit, rows[:row])
        if place:
            used = layout.width
            cells = fit(text, used) if len(pieces) == 1 else ""
            pieces = [(cells, style)] if cells else [*pieces, *self._filling(text, used)]
        return (self._gutter(number, part, source), *pieces, *place)

    @staticmethod
    def _filling(text: str, width: int) -> Sequence[Piece]:
        return ((" " * max(0, width - cell_len(text)), ""),)

    def _gutter(self, number: int, part: int, source: Source) -> Piece:
        label = str(number) if part == 0 else ""
        if number in self._marks.new:
            return (f"{label:>{self._digits}} ┃ ", "marked")
        if part == 0 and number in self._marks.gone:
            return (f"{label:>{self._digits}} ┴ ", "marked")
        return (f"{label:>{self._digits}} │ ", self.scope_of(source))

    def _searched(
        self, text: str, style: str, number: int, unit: int, above: Sequence[str]
    ) -> list[Piece]:
        """A row with what was searched for marked."""
        if self._search is None or not self._search.needle:
            return [(text, style)]
        whole = self.text.text
        start = self.text.starts.start(number)
        start += sum(len(whole.units[at]) for at in range(whole.first_unit(number), unit))
        raw = whole.units[unit]
        before = sum(map(len, above))
        pieces: list[Piece] = []
        at = 0
        for low, high in self._search.spans(start, start + len(raw)):
            left = len(display(raw[: max(0, low - start)])) - before
            right = len(display(raw[: high - start])) - before
            left, right = max(at, left), min(len(text), right)
            if left >= right:
                continue
            pieces += [(text[at:left], style), (text[left:right], "match")]
            at = right
        return [*pieces, (text[at:], style)] if pieces else [(text, style)]

    def _place(self, number: int, source: Source, width: int) -> Sequence[Piece]:
        room = self._place_width(width)
        if not room:
            return ()
        if source.kind == "header":
            above = self.plan.source(number - 1)
            if above.kind == "header" and above.file == source.file:
                return ()
            scope = self.scope_of(source)
            return ((f" {scope:>{room - 1}}", scope),)
        if not source.line:
            return ()
        place = f"{self.text.label_of(source.file)}:{source.line}"
        return ((" " + _fit_place(place, room - 1), "dim"),)

    def _place_width(self, width: int) -> int:
        """Cells for the source of a line."""
        if width < SOURCE_FROM or not self._wrap:
            return 0
        return max(16, min(34, width * 3 // 10))

    def _text_width(self, width: int) -> int:
        return max(8, width - self._digits - 3 - self._place_width(width))


def _fit_place(place: str, width: int) -> str:
    """A place in exactly `width` cells, flush right; folders at its beginning go first."""
    place = visible(place)
    while cell_len(place) > width and "/" in place.removeprefix("…/"):
        place = "…/" + place.removeprefix("…/").partition("/")[2]
    size = cell_len(place)
    return " " * (width - size) + place if size <= width else fit_path(place, width)
