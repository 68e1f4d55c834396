"""The frames that are painted at a start, before anything is loaded, and the panes that fill them.

To import four panes and to make their widgets takes as long as the framework's own first paint.
So the first one shows each pane's frame, in its place and with its title; the panes follow at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memlens.app.actions import AREAS
from memlens.app.panes.base import Pane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlens.app.actions import Action, Area

_FRAMES: Final[tuple[tuple[str, Area], ...]] = (
    ("memory-tree", "tree"),
    ("prompt-preview", "preview"),
    ("memory-browser", "memories"),
    ("read-log", "reads"),
)
"""The id and the area of each pane, in the order of their numbers."""


class PaneFrame(Pane, can_focus=True):
    """Stands where a pane will be."""

    def __init__(self, *, id: str, area: Area, number: int) -> None:  # noqa: A002 - as above
        self.AREA, self.TITLE, self.NUMBER = area, AREAS[area], number
        super().__init__(id=id)
        self.say("loading …")

    @property
    def awaits(self) -> bool:
        return True

    def reason_against(self, action: Action) -> str | None:
        return self.reason_unloaded


def frames() -> tuple[PaneFrame, ...]:
    """A frame for each pane."""
    return tuple(
        PaneFrame(id=name, area=area, number=number)
        for number, (name, area) in enumerate(_FRAMES, start=1)
    )


def panes() -> Iterator[Pane]:
    """The panes, each imported when it is asked for, so that the loop can breathe in between."""
    from memlens.app.panes.memory_tree.pane import MemoryTree

    yield MemoryTree(id="memory-tree")
    from memlens.app.panes.prompt_preview.pane import PromptPreview

    yield PromptPreview(id="prompt-preview")
    from memlens.app.panes.memory_browser.pane import MemoryBrowser

    yield MemoryBrowser(id="memory-browser")
    from memlens.app.panes.read_log.pane import ReadLogPane

    yield ReadLogPane(id="read-log")
