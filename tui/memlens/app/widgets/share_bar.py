"""One bar of named parts, each as wide as its share; a click picks one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memlens.app.widgets.line_view import STYLES, fit


@dataclass(frozen=True, slots=True)
class Share:
    """One part of the whole."""

    key: object
    name: str
    style: str
    """One of the line view's styles."""
    share: float
    """0 to 1."""
    percent: str


class ShareBar(Widget):
    """Shows shares in one line; the selected one stands out, and not by its colour alone."""

    COMPONENT_CLASSES: ClassVar = {f"shares--{style}" for style in STYLES}

    class Picked(Message):
        """A part was clicked."""

        def __init__(self, key: object) -> None:
            super().__init__()
            self.key: Final = key

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._shares: Sequence[Share] = ()
        self._selected: object = None
        self._places: list[tuple[int, int, object]] = []

    def show(self, shares: Sequence[Share], selected: object) -> None:
        """Shows `shares`, in their order, with the one of key `selected` marked."""
        if (shares, selected) != (self._shares, self._selected):
            self._shares, self._selected = shares, selected
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y or not self._shares or width < 1:
            return Strip.blank(width, self.rich_style)
        self._places = []
        segments: list[Segment] = []
        at = 0
        for share, cells in zip(
            self._shares, widths([one.share for one in self._shares], width), strict=True
        ):
            if not cells:
                continue
            style = self._style(share.style, share.key == self._selected)
            segments.append(Segment(_words(share, cells, share.key == self._selected), style))
            self._places.append((at, at + cells, share.key))
            at += cells
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _style(self, name: str, selected: bool) -> RichStyle:
        style = self.get_component_rich_style(f"shares--{name}")
        return style + RichStyle(bold=selected, underline=selected)

    def on_click(self, event: events.Click) -> None:
        for start, end, key in self._places:
            if start <= event.x < end:
                self.post_message(self.Picked(key))


def widths(shares: Sequence[float], width: int) -> list[int]:
    """Cells for each share, together `width`; each gets at least one while there are enough."""
    if not shares:
        return []
    least = 1 if len(shares) <= width else 0
    total = sum(shares) or 1.0
    exact = [share / total * width for share in shares]
    cells = [max(least, int(one)) for one in exact]
    by_need = sorted(range(len(shares)), key=lambda at: cells[at] - exact[at])
    for at in by_need:
        if sum(cells) >= width:
            break
        cells[at] += 1
    while sum(cells) > width:
        cells[max(range(len(cells)), key=lambda at: cells[at])] -= 1
    return cells


def _words(share: Share, cells: int, selected: bool) -> str:
    """Name and percentage as far as there is room."""
    mark = "▸" if selected else "▏"  # parts of one scope have one colour
    for words in (
        f"{mark}{share.name} {share.percent} ",
        f"{mark}{share.name} ",
        f"{mark}{share.percent}",
    ):
        if cell_len(words) <= cells:
            return fit(words, cells)
    return fit(f"{mark}{share.name}", cells) if cells > 5 else fit(mark, cells)
