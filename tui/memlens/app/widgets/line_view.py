"""A list of lines of any length, drawn line by line: nothing that is out of sight costs anything.

All four panes show their content through it. Lines are made of pieces of text with the name of a
style; every text passes the gate `visible` here, so no pane can forget it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final, Protocol

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.cache import LRUCache
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from memlens.app.widgets.moving import Moving
from memlens.engine.visible import visible

Piece = tuple[str, str]
"""Text and the name of its style, one of `STYLES`, or an empty one for plain text."""

STYLES: Final = (
    "dim", "strong", "match", "gutter", "heading", "ok", "warning", "error", "note",
    "user", "ancestor", "project", "local", "nested", "managed",
    "global", "private", "shared", "auto", "index", "added", "removed", "changed", "marked",
    "added-word", "removed-word", "hidden",
)  # fmt: skip


BREATH: Final = 0.002
"""Seconds between two steps of long work, in which keys are taken."""


class Lines(Protocol):
    """What a line view shows. Immutable: other content is another object."""

    def count(self, width: int) -> int:
        """How many lines there are when each has `width` cells."""

    def line(self, index: int, width: int) -> Sequence[Piece]:
        """The pieces of one line; what is longer than `width` can be scrolled to."""

    def key(self, index: int) -> Hashable:
        """What stays the same when lines come and go before it."""

    def index(self, key: Hashable) -> int | None:
        """Where the line with this key stands now."""

    def full_width(self, width: int) -> int:
        """The cells of the longest line: `width` where nothing needs to be scrolled to.

        Lines may have a number `fixed`: cells at the left that stay when one scrolls sideways.
        """


class Growing(ABC):
    """Lines that are only begun when they are shown: it is not known yet how many there are.

    The view has them go on in steps, between which keys are taken, and counts again at the end.
    """

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether counting again would change nothing."""

    @abstractmethod
    def advance(self) -> bool:
        """Goes on for a few milliseconds; returns whether it is complete now."""


class NoLines:
    """Nothing to show."""

    def count(self, width: int) -> int:
        return 0

    def line(self, index: int, width: int) -> Sequence[Piece]:
        return ()

    def key(self, index: int) -> Hashable:
        return index

    def index(self, key: Hashable) -> int | None:
        return None

    def full_width(self, width: int) -> int:
        return width


class LineView(Moving, can_focus=True):
    """Shows `Lines` with a cursor that stays on its line when the content changes."""

    ALLOW_SELECT = False

    class Moved(Message):
        """The cursor is on another line, or on a line with other content."""

        def __init__(self, view: LineView, index: int) -> None:
            super().__init__()
            self.view: Final = view
            self.index: Final = index

        @property
        def control(self) -> LineView:
            return self.view

    class Chosen(Moved):
        """A line was double-clicked."""

    class Clicked(Moved):
        """A line was clicked with the left button."""

    class MenuAsked(Moved):
        """A line was clicked with the right button."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: Lines = NoLines()
        self._seen_width = 0
        self.mark_always = False
        """Whether the cursor is shown while another widget has the focus."""
        self._styles: dict[str, RichStyle] = {}
        self._strips: LRUCache[tuple[int, int, str], Strip] = LRUCache(1024)
        self._growing = False
        self._later: Hashable = None
        """The key of the line that is gone to once it is known how wide lines are."""
        self._wanted: Hashable = None
        """The key of the line that is gone to once it is shown."""

    @property
    def lines(self) -> Lines:
        return self._lines

    @property
    def place(self) -> Hashable:
        """The key of the line with the cursor, or of the one that is waited for."""
        here = self._lines.key(self.cursor) if self._count else None
        return here if self._wanted is None else self._wanted

    def want(self, place: object) -> None:
        """Goes to a line of an earlier start as soon as it is shown, unless a person moves first.
        `place` is its key, or what became of that in JSON."""
        key = _hashable(place)
        if key is not None and self.cursor == 0:
            self._wanted = key
            self.show(self._lines)

    def show(self, lines: Lines) -> None:
        """Shows other content; cursor and scroll stay with the line they are on, by its key."""
        height_above = self.cursor - round(self.scroll_y)
        key = self._lines.key(self.cursor) if self._count else None
        if self._wanted is not None and self._text_width:
            lines.count(self._text_width)
            if lines.index(self._wanted) is not None:
                key, self._wanted, height_above = self._wanted, None, 0
        self._later = None
        self._lines = lines
        self._measure()
        index = lines.index(key) if key is not None else None
        target = self.cursor if index is None else index
        target = max(0, min(target, self._count - 1))
        moved = target != self.cursor
        self.set_reactive(LineView.cursor, target)
        if moved and index is not None:
            self.scroll_to(
                y=max(0, target - height_above), animate=False, force=True, immediate=True
            )
        self.refresh()
        self.post_message(self.Moved(self, target))
        self._go_on()

    def _go_on(self) -> None:
        lines = self._lines
        if not self._growing and isinstance(lines, Growing) and not lines.complete:
            self._growing = True
            self.set_timer(BREATH, self._grow)

    def _grow(self) -> None:
        self._growing = False
        lines = self._lines
        if isinstance(lines, Growing) and not lines.complete and lines.advance():
            self.show(lines)
        self._go_on()

    def go_to(self, index: int, *, quietly: bool = False) -> None:
        """Puts the cursor on a line and scrolls to it; `quietly`: without telling of it."""
        if not quietly:
            self._wanted = None
        if not self._text_width:
            self._later = self._lines.key(index)
            return
        index = max(0, min(index, self._count - 1))
        if quietly:
            before = self.cursor
            self.set_reactive(LineView.cursor, index)
            self._cursor_moved(before, index)
        else:
            self.cursor = index

    def redraw(self) -> None:
        """Draws all lines again: their content is the same, what they depend on is not."""
        self._strips.clear()
        self.refresh()

    def watch_cursor(self, before: int, after: int) -> None:
        self._wanted = None
        self._cursor_moved(before, after)
        self.post_message(self.Moved(self, after))

    def _cursor_moved(self, before: int, after: int) -> None:
        self.refresh_line(before)
        self.refresh_line(after)
        top, height = round(self.scroll_y), self.scrollable_content_region.height
        if height and abs(after - before) > height and not top <= after < top + height:
            # A jump to another place: what stands around it is to be seen, too.
            self.scroll_to(y=after - height // 3, animate=False, force=True, immediate=True)
        elif after < top:
            self.scroll_to(y=after, animate=False, force=True, immediate=True)
        elif height and after >= top + height:
            self.scroll_to(y=after - height + 1, animate=False, force=True, immediate=True)

    def watch_show_horizontal_scrollbar(self, shown: bool) -> None:
        """The bar takes the last line: the cursor is not to disappear behind it."""
        height = self.scrollable_content_region.height
        if shown and 0 <= self.cursor - round(self.scroll_y) <= height:
            self.call_after_refresh(lambda: self._cursor_moved(self.cursor, self.cursor))

    def _measure(self) -> None:
        width = self._text_width
        self._count = self._lines.count(width) if width else 0
        self._strips.clear()
        self.virtual_size = Size(self._lines.full_width(width), self._count)

    @property
    def _text_width(self) -> int:
        # Out of sight it has no width; by the last one the cursor keeps its line meanwhile.
        self._seen_width = self.scrollable_content_region.width or self._seen_width
        return self._seen_width

    def on_resize(self) -> None:
        key = self._lines.key(self.cursor) if self._count else self._later
        self._measure()
        if self._wanted is not None and self._lines.index(self._wanted) is not None:
            key, self._wanted = self._wanted, None
        index = self._lines.index(key) if key is not None else None
        self.set_reactive(
            LineView.cursor, max(0, min(self.cursor if index is None else index, self._count - 1))
        )
        self._cursor_moved(self.cursor, self.cursor)
        self.refresh()
        self._go_on()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()
        self._strips.clear()
        self._component_styles.clear()
        self.refresh()

    def get_component_styles(self, *names: str) -> RenderStyles:
        # Worked out when something is drawn with them. As COMPONENT_CLASSES the framework would
        # work out all of them, for each view, whenever a style changes anywhere above it.
        for name in names:
            if name not in self._component_styles:
                node = DOMNode(classes=name)
                node._attach(self)  # noqa: SLF001 - what the framework does for its own
                self.app.stylesheet.apply(node, animate=False)
                self._component_styles[name] = node.styles
        return super().get_component_styles(*names)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        width = self._text_width
        index = top + y
        at_cursor = index == self.cursor and index < self._count
        look = self._cursor_look() if at_cursor else ""
        strip = self._strips.get((index, width, look))
        if strip is None:
            strip = self._draw(index, width, look)
            self._strips[index, width, look] = strip
        style = self._style(look)
        fixed = getattr(self._lines, "fixed", 0) if left else 0
        if fixed:
            moved = strip.crop_extend(fixed + left, left + width, style)
            return Strip.join((strip.crop_extend(0, fixed, style), moved))
        return strip.crop_extend(left, left + width, style)

    def _cursor_look(self) -> str:
        """The style of the line with the cursor: what is told elsewhere is about it, so it can be
        seen without the focus, too."""
        if self.has_focus or self.mark_always:
            return "cursor"
        rests = self.can_focus and self._style("resting") != self._style("")
        return "resting" if rests else ""

    def _draw(self, index: int, width: int, look: str) -> Strip:
        if index >= self._count:
            return Strip.blank(width, self._style(""))
        base = self._style(look)
        resting = RichStyle(bgcolor=base.bgcolor, underline=base.underline)
        segments = []
        for text, name in self._lines.line(index, width):
            style = self._style(name)
            if look == "cursor":
                own = RichStyle(color=style.color, bold=style.bold, underline=style.underline)
                style = own + base if name else base
            elif look:
                style += resting
            segments.append(Segment(visible(text), style))
        return Strip(segments)

    def _style(self, name: str) -> RichStyle:
        style = self._styles.get(name)
        if style is None:
            style = self.get_component_rich_style(f"lines--{name}") if name else self.rich_style
            self._styles[name] = style
        return style

    def on_click(self, event: events.Click) -> None:
        index = event.y + round(self.scroll_y) - self.gutter.top
        if not 0 <= index < self._count:
            return
        self.cursor = index
        if event.button == 3:
            self.post_message(self.MenuAsked(self, index))
        elif event.chain == 2:
            self.post_message(self.Chosen(self, index))
        else:
            self.post_message(self.Clicked(self, index))


def _hashable(value: object) -> Hashable:
    """A key again, out of what JSON made of it; None where it can be none."""
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    return value if isinstance(value, str | int) else None


def fit(text: str, width: int) -> str:
    """`text` in exactly `width` cells: cut with `…` or filled with spaces."""
    if width <= 0:
        return ""
    text = visible(text)
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"


def fit_path(path: str, width: int) -> str:
    """Like `fit`, but the end of a path is what stays."""
    path = visible(path)
    if cell_len(path) <= width:
        return set_cell_size(path, width)
    while path and cell_len(path) > width - 1:
        path = path[1:]
    if path.count("/") > 1:  # a part of a name tells nothing where there is another one whole
        path = path[path.index("/") :]
    return set_cell_size("…" + path, width)
