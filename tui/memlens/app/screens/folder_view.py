"""How a folder is looked at, from one start to the next: pane, sizes, colours, selections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memlens.engine.commands.keeping import KeepView

if TYPE_CHECKING:
    from memlens.app.screens.workspace import WorkspaceScreen

SETTLE: Final = 0.8
"""Seconds without a change after which the view is kept."""


class FolderView:
    """Of the folder that a workspace's screen shows."""

    def __init__(self, screen: WorkspaceScreen) -> None:
        self._screen: Final = screen
        self._kept: dict[str, Any] | None = None
        """How the next start will show the folder; None: not known yet."""
        self._seen: dict[str, Any] = {}
        """How it was looked at a moment ago."""

    @property
    def known(self) -> bool:
        """Whether what was kept has been recalled; nothing is kept before."""
        return self._kept is not None

    def recall(self, view: Mapping[str, Any]) -> None:
        """Shows the folder as it was looked at last, and keeps from now on how it is."""
        app = self._screen.memlens
        if app.view is None:  # else the first paint showed it so
            app.recall_theme(view.get("theme"))
            app.recall_wrap(view.get("wrap"))
            self.arrange(view)
        panes = view.get("panes")
        for pane in self._screen.grid.panes:
            values = panes.get(pane.AREA) if isinstance(panes, Mapping) else None
            if isinstance(values, Mapping):
                pane.recall(values)
        self._kept = self._seen = self._now()
        self._screen.set_interval(SETTLE, self._look)

    def arrange(self, view: Mapping[str, Any]) -> None:
        """Gives the panes the places that they had, and the focus to the one that had it."""
        grid, area = view.get("grid"), view.get("pane")
        if isinstance(grid, Mapping):
            self._screen.grid.recall(grid)
        if self._screen.grid.has(area):
            self._screen.go(str(area))

    def keep(self) -> None:
        """Keeps how it is looked at now, if that is another way."""
        if self._kept is not None and self._now() != self._kept:
            self._kept = self._now()
            self._screen.bridge.publish(KeepView(values=self._kept))

    def _look(self) -> None:
        """Keeps the view when nothing has changed for a moment."""
        seen, self._seen = self._seen, self._now()
        if seen == self._seen:
            self.keep()

    def _now(self) -> dict[str, Any]:
        grid, app = self._screen.grid, self._screen.memlens
        return {
            "pane": str(grid.current.AREA),
            "grid": grid.remembered(),
            "theme": app.chosen_theme,
            "wrap": app.wraps,
            "panes": {str(pane.AREA): pane.remembered() for pane in grid.panes},
        }
