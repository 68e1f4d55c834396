"""Four panes in two rows: all at once, one alone, or one behind tabs where there is little room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from textual import events
from textual.containers import Container
from textual.message import Message

from memlens.app.panes.base import Pane
from memlens.app.widgets.hollow import Hollow
from memlens.app.widgets.marking import mark

WIDE: Final = 100
"""Columns from which all four panes fit side by side."""
LEAST, MOST, STEP = 20, 80, 4
"""Percent of the width or height that the first column or row can have, and how it grows."""


class PaneGrid(Container, Hollow):
    """Holds the panes, knows the current one, and how the room is shared."""

    class Switched(Message):
        """Another pane is the current one."""

        def __init__(self, pane: Pane) -> None:
            super().__init__()
            self.pane: Final = pane

    class Arranged(Message):
        """The room is shared in another way."""

    def __init__(self, *panes: Pane) -> None:
        """`panes`: those of a start, or frames that `furnish` puts the panes into."""
        super().__init__(*panes, id="panes")
        self.panes = panes
        self._current = panes[0]
        self._across, self._down = 44, 50
        self._dragging: Callable[[events.MouseMove], None] | None = None

    def on_mount(self) -> None:
        self.share()

    async def furnish(self, *panes: Pane) -> None:
        """Puts these panes, one for each area, in the place of what stands there."""
        area = self._current.AREA
        await self.remove_children()
        self.panes = panes
        self._current = self.pane_of(area)
        self._current.add_class("-current")
        await self.mount_all(panes)

    @property
    def current(self) -> Pane:
        return self._current

    @property
    def zoomed(self) -> bool:
        """Whether one pane is shown alone by wish."""
        return self.screen.has_class("-zoomed")

    @property
    def tabbed(self) -> bool:
        """Whether one pane is shown alone for want of room."""
        return self.screen.has_class("-tabs")

    def has(self, area: object) -> bool:
        """Whether one of the panes is that of an area."""
        return any(area == pane.AREA for pane in self.panes)

    def pane_of(self, area: str) -> Pane:
        return next(pane for pane in self.panes if area == pane.AREA)

    def beside(self, step: int) -> Pane:
        """The pane `step` places behind the current one, round and round."""
        return self.panes[(self.panes.index(self._current) + step) % len(self.panes)]

    def switch(self, current: Pane) -> None:
        """Makes a pane the current one; the others hide where one is shown alone."""
        self._current = current
        for pane in self.panes:
            mark(pane, "-current", pane, on=pane is current)
        self.post_message(self.Switched(current))

    def zoom(self, on: bool) -> None:
        mark(self.screen, "-zoomed", self, *self.panes, on=on)
        self.post_message(self.Arranged())

    def share(self, across: int | None = None, down: int | None = None) -> None:
        """Gives the first column `across` percent of the width, the first row `down`."""
        if across is not None:
            self._across = max(LEAST, min(MOST, across))
        if down is not None:
            self._down = max(LEAST, min(MOST, down))
        # Fractions of what is wanted, so that a later start comes to the same cells.
        self.styles.grid_columns = f"{self._across}fr {100 - self._across}fr"
        self.styles.grid_rows = f"{self._down}fr {100 - self._down}fr"
        self.post_message(self.Arranged())

    def grow(self, across: int = 0, down: int = 0) -> None:
        """Makes the current pane wider or higher by steps; negative: smaller."""
        place = self.panes.index(self._current)
        across = across if place % 2 == 0 else -across
        down = down if place < 2 else -down
        self.share(self._across + across * STEP, self._down + down * STEP)

    def remembered(self) -> dict[str, Any]:
        """What a next start needs to share the room in the same way."""
        return {"across": self._across, "down": self._down, "zoomed": self.zoomed}

    def recall(self, values: Mapping[str, Any]) -> None:
        across, down = values.get("across"), values.get("down")
        if isinstance(across, int) and isinstance(down, int):
            self.share(across, down)
        if values.get("zoomed") is True:
            self.zoom(on=True)

    # A border is grabbed with the mouse and pulled.

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self.zoomed or self.tabbed or event.button != 1:
            return
        x = event.screen_x - self.region.x
        y = event.screen_y - self.region.y
        border_x = self.panes[0].region.right - self.region.x
        border_y = self.panes[0].region.bottom - self.region.y
        if x in (border_x - 1, border_x):
            self._dragging = lambda move: self.share(
                across=round(100 * (move.screen_x - self.region.x) / max(1, self.size.width))
            )
        elif y in (border_y - 1, border_y):
            self._dragging = lambda move: self.share(
                down=round(100 * (move.screen_y - self.region.y) / max(1, self.size.height))
            )
        else:
            return
        event.stop()
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging is not None:
            event.stop()
            self._dragging(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragging is not None:
            event.stop()
            self._dragging = None
            self.release_mouse()
