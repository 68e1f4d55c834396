"""What all screens have in common: nothing is drawn or styled twice, or for long in one go.

The framework draws a screen at once whenever it is laid out, and then again; draws all of it
whenever another widget gets the focus; styles all of it again when a dialog over it is closed; and
takes what is below a dialog apart into stretches of text, mixes their colours one by one and puts
them into lines again. Each of these takes as long as a key may take in all, and so does drawing a
screen that has changed as a whole.
"""

from __future__ import annotations

import asyncio
import gc
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rich.segment import Segment
from textual._compositor import LayoutUpdate  # what makes the terminal show something
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.visual import Visual
from textual.widgets._toast import ToastRack  # where notifications are shown

from memlens.app.screens.bands import BandCompositor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.style import Style as RichStyle
    from textual import events
    from textual.app import RenderResult
    from textual.color import Color
    from textual.css.styles import RulesMap
    from textual.geometry import Region, Size
    from textual.style import Style
    from textual.visual import RenderOptions
    from textual.widget import Widget

T = TypeVar("T")

TRIES: Final = 3
"""How often what is below a dialog is drawn in steps if it changes each time; then at once."""


class QuickScreen(Screen[T]):
    """A screen that is drawn once for each change."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """Who gains or loses the focus is drawn again; the framework would draw all."""
    hurried = False
    """Whether it is drawn as soon as it is laid out, as at a start: nobody has seen a thing yet."""
    _timely = False
    """Whether the timer for drawing is at work."""
    _due = False
    """Whether something has to be drawn when it is done."""
    _drawing = False
    """Whether something is drawn in steps, and not all has been."""
    _look: tuple[str, frozenset[str]] | None = None
    """What the styles depend on beside this screen, when they were worked out last."""

    def __init__(
        self, name: str | None = None, id: str | None = None, classes: str | None = None  # noqa: A002
    ) -> None:  # fmt: skip
        super().__init__(name, id, classes)
        self._compositor: BandCompositor = BandCompositor()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        before = self._look
        self.styled()
        if before in (None, self._look):  # a new screen has its styles already
            event.refresh_styles = False

    def styled(self) -> None:
        """Notes that the styles fit the colours of now, or are about to be worked out."""
        self._look = self.app.theme, frozenset(self.app.classes)

    def _update_focus_styles(
        self, focused: Widget | None = None, blurred: Widget | None = None
    ) -> None:
        """What holds the focus may look different for it, not what stands beside that; the
        framework would style the whole of it again."""
        holders = {
            node
            for widget in (focused, blurred) if widget is not None
            for node in widget.ancestors if node._has_focus_within  # noqa: SLF001 - as the framework
        }  # fmt: skip
        self.app.stylesheet.update_nodes(holders, animate=True)

    def _on_timer_update(self) -> None:
        if self._drawing:
            return  # the timer goes on, and asks again
        unlooked()
        self._timely = True
        try:
            super()._on_timer_update()
        finally:
            self._timely = False
        if self.app._batch_count:  # noqa: SLF001 - as the framework
            self._update_timer.resume()
        elif self._due:
            self._due = False
            self._draw()

    def _compositor_refresh(self) -> None:
        if self is not self.app.screen:
            self._change_above()
        elif self.hurried:
            super()._compositor_refresh()
        else:  # drawn once, with all that has changed since, and with what is about to change
            self._due = True
            if not self._timely:
                self._update_timer.resume()

    def _change_above(self) -> None:
        """Has the dialogs drawn through which this is seen: one over another shows both."""
        stack, changes = self.app.screen_stack, self._compositor.changes
        if self.is_current and changes:
            for screen in stack[stack.index(self) + 1 : -1]:
                screen._set_dirty(*changes)  # noqa: SLF001 - as the framework
        super()._compositor_refresh()
        # The framework has it drawn again, and then again, for as long as a dialog is over it.
        # When that is gone all of it is drawn anyway.
        self._repaint_required = False

    def _screen_resized(self, size: Size) -> None:
        # Of a terminal that was smaller meanwhile something is lost, even if it has the size that
        # it had when it was asked last.
        if self._compositor.size == size:
            self._compositor.change_all()
        super()._screen_resized(size)

    def _draw(self) -> None:
        if self is not self.app.screen:
            self._change_above()
        elif self._compositor.much_changed:
            self._compositor.take_changes()
            self._dirty_widgets.clear()
            self.in_steps(self._draw_bands())
        else:
            super()._compositor_refresh()

    @property
    def _drawn_now(self) -> bool:
        """Whether nothing has come over it, and nobody wants it to wait."""
        return self is self.app.screen and not self.app._batch_count  # noqa: SLF001 - as the framework

    def _draw_bands(self) -> Iterator[None]:
        """Draws all in bands, each in a step of its own, and shows them together."""
        size, console = self._compositor.size, self.app.console
        lines: list[Iterable[Strip]] = []
        yield
        for band in self._compositor.bands():
            lines += band
            for pieces in band:
                for strip in pieces:
                    strip.render(console)  # which it keeps
            yield
            if not self._drawn_now:
                break
        if self._drawn_now and size == self._compositor.size:
            self.app._display(self, LayoutUpdate(lines, size.region))  # noqa: SLF001 - as the framework
            self.app._update_mouse_over(self)  # noqa: SLF001 - as the framework
        else:
            self._repaint_required = True
            self._update_timer.resume()

    def in_steps(self, work: Iterator[None], then: Callable[[], None] = lambda: None) -> None:
        """Does some work of drawing, in which keys are taken wherever it yields."""
        self._drawing = True
        self._go_on(work, then)

    def _go_on(self, work: Iterator[None], then: Callable[[], None]) -> None:
        unlooked()
        try:
            for _ in work:
                asyncio.get_running_loop().call_soon(self._go_on, work, then)
                return
            self._drawing = False
            then()
        except Exception as error:  # noqa: BLE001 - as for whatever a screen does
            self._drawing = False
            self.app._handle_exception(error)  # noqa: SLF001 - as the framework


def unlooked() -> None:
    """What is made to be drawn is no garbage yet; it is looked through in a step of its own."""
    if gc.isenabled():
        gc.disable()
        asyncio.get_running_loop().call_soon(gc.enable)


class Dialog(ModalScreen[T], QuickScreen[T]):
    """A screen over another one, which is seen through it.

    The framework looks for the sheets of the first base alone, so that has to be the modal one.
    """

    def on_mount(self) -> None:
        # What was told is told above the dialog now, and must not be seen through it as well.
        for screen in self.app.screen_stack[:-1]:
            for rack in screen.query(ToastRack):
                rack.display = False

    _below: list[Strip] | None = None
    """What is below, as it was drawn for what is drawn next."""
    _changes = 0
    """How often this or something below has changed."""

    def _set_dirty(self, *regions: Region) -> None:
        self._changes += 1
        self._below = None
        super()._set_dirty(*regions)

    def render(self) -> RenderResult:  # type: ignore[override]  # as for any widget
        below, self._below = self._below, None
        return seen_through(self, below) or super().render()

    def _on_timer_update(self) -> None:
        """Draws what is below in steps of its own, where it is asked for: both may be new."""
        new = self._layout_required and self._render_cache.size != self.size
        whole = new or self._repaint_required or self in self._dirty_widgets
        if whole and self._drawn_now and not self._drawing and seen_through(self):
            self.in_steps(self._draw_below(), super()._on_timer_update)
        else:
            super()._on_timer_update()

    def _draw_below(self) -> Iterator[None]:
        stack = self.app.screen_stack
        below: Screen[Any] = stack[stack.index(self) - 1]
        compositor = below._compositor  # noqa: SLF001 - as the framework's own
        if not isinstance(compositor, BandCompositor):
            return
        for _ in range(TRIES):
            changes, size = self._changes, compositor.size
            strips: list[Strip] = []
            for band in compositor.bands():
                strips += map(Strip.join, band)
                yield
            if changes == self._changes and size == compositor.size:
                self._below = strips
                return


def seen_through(screen: Screen[Any], drawn: list[Strip] | None = None) -> Below | None:
    """What shows the screen below, if one can be seen; `drawn`: what that looks like now."""
    stack = screen.app.screen_stack
    color = screen.styles.background
    at = stack.index(screen) if screen in stack else 0
    return Below(stack[at - 1], color, drawn) if at and color.a < 1 else None


class Below(Visual):
    """The screen below a dialog, line for line as it was drawn, in dimmed colours."""

    def __init__(self, screen: Screen[Any], color: Color, drawn: list[Strip] | None) -> None:
        self._screen = screen
        self._color = color
        self._drawn = drawn

    def _draw(self) -> list[Strip]:
        """The screen as it is; its widgets keep what has not changed."""
        return self._screen._compositor.render_strips()  # noqa: SLF001 - as the framework's own

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        color, plain = self._color, style.rich_style
        return [
            Strip([
                Segment(text, _dimmed(look, color, plain)) for text, look, control in strip
                if not control
            ])
            for strip in self._drawn or self._draw()
        ]  # fmt: skip

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self._screen.size.height


@lru_cache(4096)
def _dimmed(look: RichStyle | None, color: Color, plain: RichStyle) -> RichStyle:
    """A style as it looks through `color`; `plain`: what it has where it says nothing."""
    mixed = BackgroundScreen.process_segments((Segment(" ", look),), color)
    return plain + next(iter(mixed)).style
