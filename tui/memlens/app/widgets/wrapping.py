"""Lines of a text with something before each, wrapped or to be scrolled to, as a person likes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from rich.cells import cell_len

from memlens.app.widgets.changed_words import Marks, emphasised
from memlens.app.widgets.line_view import LineView, Piece
from memlens.app.widgets.paragraphs import Paragraphs, height_of, marked_rows

if TYPE_CHECKING:
    from textual.widget import Widget

    from memlens.app.app import MemlensApp

_LONGEST: Final = 100
"""Lines among which the widest is looked for: those of the most characters."""
_ENDLESS: Final = 1 << 30
"""More cells than any line has."""

L = TypeVar("L", bound="Wrapping")


class Wrapping(Paragraphs):
    """Numbered lines, each behind a margin that stays in sight."""

    def __init__(self, count: int, *, wrap: bool) -> None:
        super().__init__(count)
        self.wrap: Final = wrap
        self._widest = -1

    @abstractmethod
    def again(self, *, wrap: bool) -> Self:
        """The same lines, wrapped or not."""

    @abstractmethod
    def text(self, number: int) -> tuple[str, str]:
        """A line from a disk, and its style."""

    def marks(self, number: int) -> Marks:
        """The words of a line that are other ones than those in the line it stands for."""
        return ()

    @abstractmethod
    def texts(self) -> Iterable[str]:
        """The texts of all lines; asked for as a whole, there may be many."""

    @abstractmethod
    def margin(self, number: int, *, first: bool) -> Sequence[Piece]:
        """What stands before the first row of a line, or before a further one."""

    @property
    @abstractmethod
    def margin_width(self) -> int:
        """Cells of the margin."""

    @property
    def fixed(self) -> int:
        """Cells that stay when one scrolls sideways."""
        return 0 if self.wrap else self.margin_width

    def _room(self, width: int) -> int:
        return max(8, width - self.margin_width) if self.wrap else _ENDLESS

    def full_width(self, width: int) -> int:
        if self.wrap:
            return width
        if self._widest < 0:
            longest = nlargest(_LONGEST, self.texts(), key=len)
            rows = [marked_rows(text, _ENDLESS, "")[0] for text in longest]
            self._widest = max((sum(cell_len(one) for one, _ in row) for row in rows), default=0)
        return max(width, self._widest + self.margin_width)

    def height(self, number: int, width: int) -> int:
        return height_of(self.text(number)[0], self._room(width)) if self.wrap else 1

    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        text, style = self.text(number)
        ground = max(0, width - self.margin_width)  # the colour of a line goes to the edge
        rows = []
        found = marked_rows(text, self._room(width), style)
        for at, row in enumerate(emphasised(found, style, self.marks(number))):
            missing = ground - sum(cell_len(one) for one, _ in row) if style else 0
            rows.append((*self.margin(number, first=at == 0), *row, (" " * max(0, missing), style)))
        return rows


def as_wished(view: Widget, lines: L) -> L:
    """`lines` for `view`, wrapped or not as the person chose last, wherever that was."""
    wraps = cast("MemlensApp", view.app).wraps
    return lines.again(wrap=wraps) if lines.wrap != wraps else lines


def toggle_wrap(*views: LineView) -> None:
    """Wraps what the views show, or not any more, and what is opened next; the cursors stay on
    their lines."""
    app = cast("MemlensApp", views[0].app)
    shown = [(view, view.lines) for view in views if isinstance(view.lines, Wrapping)]
    wrap = not (shown[0][1].wrap if shown else app.wraps)
    app.wrap(on=wrap)
    for view, lines in shown:
        again = lines.again(wrap=wrap)
        again._widest = lines._widest  # noqa: SLF001 - it is the same lines
        view.show(again)
        if wrap:
            view.scroll_to(x=0, animate=False, force=True, immediate=True)
