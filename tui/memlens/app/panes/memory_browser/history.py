"""What has been done to facts, each step with its undo."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from textual import on

from memlens.app.panes.memory_browser.lines import TextLines
from memlens.app.panes.memory_browser.screen import READ_ONLY, MemoryScreen
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit
from memlens.app.words import age_words
from memlens.engine.commands.memory_changes import LoadHistory, UndoMemory
from memlens.engine.events.memory_changes import HistoryLoaded, MemoriesChanged

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.durable.results import Operation


class HistoryLines:
    """Steps, one a line."""

    def __init__(self, operations: Sequence[Operation], now: float) -> None:
        self.operations, self._now = operations, now

    def count(self, width: int) -> int:
        return len(self.operations)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.operations[index].undo_id if index < len(self.operations) else None

    def index(self, key: Hashable) -> int | None:
        return next((at for at, one in enumerate(self.operations) if one.undo_id == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        step = self.operations[index]
        state = "undone" if step.undone else ""
        return (
            (f"{age_words(self._now - step.time):>4}  ", "dim"),
            (fit(step.title, max(0, width - 14)), "dim" if step.undone else ""),
            (f"{state:>8}", "note"),
        )


class History(MemoryScreen):
    """Lists the steps, the newest first; any that nothing was built upon can be undone."""

    AREA = "history"
    PARTS = frozenset(["memory_changes"])
    TITLE_TEXT = "What memlens did here"

    def start(self) -> None:
        self.listen(HistoryLoaded, self._loaded)
        self.listen(MemoriesChanged, lambda _: self.look())
        self.say("loading …")

    def look(self) -> None:
        self.ask(LoadHistory())

    @property
    def selected(self) -> Operation | None:
        lines = self.listing.lines
        if isinstance(lines, HistoryLines) and self.listing.cursor < len(lines.operations):
            return lines.operations[self.listing.cursor]
        return None

    def reason_against(self, action: Action) -> str | None:
        if action.name == "history.undo":
            if self.read_only:
                return READ_ONLY
            if self.selected is None:
                return "Nothing has been done yet."
            if self.selected.undone:
                return "This step is undone already."
        return None

    def _loaded(self, event: HistoryLoaded) -> None:
        number = len(event.operations)
        self.say(
            f"{number} step{'s' if number != 1 else ''}, the newest first"
            if number
            else "Nothing has been done to these facts yet."
        )
        self.listing.show(HistoryLines(event.operations, event.now))

    @on(LineView.Moved, "#memory-screen-list")
    def _moved(self) -> None:
        step = self.selected
        self.detail.show(TextLines("\n".join(step.paths)) if step else NoLines())

    def do_history_undo(self) -> None:
        if self.selected is not None:
            self.ask(UndoMemory(undo_id=self.selected.undo_id))

    def do_history_close(self) -> None:
        self.leave()
