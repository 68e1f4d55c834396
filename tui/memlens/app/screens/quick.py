"""What all screens have in common: nothing is drawn or styled twice.

The framework draws a screen at once whenever it is laid out, and then again; draws all of it
whenever another widget gets the focus; styles all of it again when a dialog over it is closed; and
takes what is below a dialog apart into stretches of text, mixes their colours one by one and puts
them into lines again. Each of these takes as long as a key may take in all.
"""

from __future__ import annotations

import asyncio
import gc
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from rich.segment import Segment
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.visual import Visual
from textual.widgets._toast import ToastRack  # where notifications are shown

if TYPE_CHECKING:
    from rich.style import Style as RichStyle
    from textual import events
    from textual.app import RenderResult
    from textual.color import Color
    from textual.css.styles import RulesMap
    from textual.style import Style
    from textual.visual import RenderOptions
    from textual.widget import Widget

T = TypeVar("T")


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
    _look: tuple[str, frozenset[str]] | None = None
    """What the styles depend on beside this screen, when they were worked out last."""

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
        if gc.isenabled():
            gc.disable()  # what is made to be drawn is no garbage yet
            asyncio.get_running_loop().call_soon(gc.enable)  # and it is looked through by itself
        self._timely = True
        try:
            super()._on_timer_update()
        finally:
            self._timely = False
        if self._due:
            if self.is_current and not self.app._batch_count:  # noqa: SLF001 - as above
                super()._compositor_refresh()
            else:
                self._repaint_required = True
            self._due = False

    def _compositor_refresh(self) -> None:
        if self.hurried or self is not self.app.screen:
            super()._compositor_refresh()
        else:  # drawn once, with all that has changed since, and with what is about to change
            self._due = True
            if not self._timely:
                self._update_timer.resume()


class Dialog(ModalScreen[T], QuickScreen[T]):
    """A screen over another one, which is seen through it.

    The framework looks for the sheets of the first base alone, so that has to be the modal one.
    """

    def on_mount(self) -> None:
        # What was told is told above the dialog now, and must not be seen through it as well.
        for screen in self.app.screen_stack[:-1]:
            for rack in screen.query(ToastRack):
                rack.display = False

    _ready = False
    """Whether what is below has been drawn for the frame that is due."""

    def render(self) -> RenderResult:  # type: ignore[override]  # as for any widget
        return seen_through(self) or super().render()

    def _on_timer_update(self) -> None:
        """Draws what is below in a step of its own, where it is asked for: both may be new."""
        whole = self._repaint_required or self._layout_required or self in self._dirty_widgets
        below = seen_through(self) if whole and not self._ready else None
        if below is None:
            self._ready = False
            super()._on_timer_update()
        else:
            below.draw()
            self._ready = True
            asyncio.get_running_loop().call_soon(self._on_timer_update)


def seen_through(screen: Screen[Any]) -> Below | None:
    """What shows the screen below, if one can be seen."""
    stack = screen.app.screen_stack
    color = screen.styles.background
    at = stack.index(screen) if screen in stack else 0
    return Below(stack[at - 1], color) if at and color.a < 1 else None


class Below(Visual):
    """The screen below a dialog, line for line as it was drawn, in dimmed colours."""

    def __init__(self, screen: Screen[Any], color: Color) -> None:
        self._screen = screen
        self._color = color

    def draw(self) -> list[Strip]:
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
            for strip in self.draw()
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
