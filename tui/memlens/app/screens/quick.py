"""What all screens have in common: nothing is drawn or styled twice.

The framework draws a screen at once whenever it is laid out, and then again; draws all of it
whenever another widget gets the focus; styles all of it again when a dialog over it is closed; and
mixes the colours below a dialog anew for each stretch of text. Each of these takes as long as a
key may take in all.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from rich.segment import Segment
from textual.reactive import Reactive
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.style import Style
    from textual import events
    from textual.color import Color
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
    _look: tuple[str, frozenset[str]] | None = None
    """What the styles depend on beside this screen, when they were worked out last."""

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        look = self.app.theme, frozenset(self.app.classes)
        if look == self._look or self._look is None:  # a new screen has its styles already
            event.refresh_styles = False
        self._look = look

    def _on_timer_update(self) -> None:
        self._timely = True
        collecting = gc.isenabled()
        gc.disable()  # what is made to be drawn is no garbage yet
        try:
            super()._on_timer_update()
        finally:
            self._timely = False
            if collecting:
                gc.enable()

    def _compositor_refresh(self) -> None:
        if self._timely or self.hurried or self is not self.app.screen:
            super()._compositor_refresh()
        else:  # laid out at once; drawn with whatever else is about to change
            self._repaint_required = True
            self.check_idle()


class Dialog(ModalScreen[T], QuickScreen[T]):
    """A screen over another one, which is seen through it.

    The framework looks for the sheets of the first base alone, so that has to be the modal one.
    """

    def render(self) -> RenderableType:
        drawn = super().render()
        return _Below(drawn.screen, drawn.color) if isinstance(drawn, BackgroundScreen) else drawn


class _Below(BackgroundScreen):
    """The screen below a dialog."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Color) -> Iterable[Segment]:
        for segment in segments:
            if segment.control:
                yield segment
            else:
                yield Segment(segment.text, _dimmed(segment.style, color))


@lru_cache(4096)
def _dimmed(style: Style | None, color: Color) -> Style | None:
    """A style as it looks through `color`."""
    mixed = BackgroundScreen.process_segments((Segment(" ", style),), color)
    return next(iter(mixed)).style
