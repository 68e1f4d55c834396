"""What has been done to facts, each step with its undo."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from textual import on

from memlens.app.panes.memory_browser.screen import READ_ONLY, MemoryScreen
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit
from memlens.app.widgets.texts import DiffLines, Head
from memlens.app.widgets.wrapping import as_wished, toggle_wrap
from memlens.app.words import age_words, at_home
from memlens.engine.commands.memory_changes import LoadHistory, PeekStep, UndoMemory
from memlens.engine.events.memory_changes import HistoryLoaded, MemoriesChanged, StepPeeked

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.durable.results import Operation
    from memlens.engine.events.memory_changes import StepDifference
    from memlens.engine.review.model import DiffLine


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


_REMARKS: Final = {
    "before": "is as it was before this step",
    "changed": "has changed since; undo leaves such a file alone",
    "untouched": "stays as it is, with and without this step",
    "lost": "what was there before is not kept any more",
}
_HARMLESS: Final = ("before", "untouched")
_TEACHING: Final = (
    "Every fact and memory file that memlens writes, moves, tags, merges, deletes or brings back "
    "here is listed, with what it changed.\n\nu takes a step back, byte for byte, also after a "
    "restart; not where a file has changed since, so nothing is lost for it."
)


def _lines_of(files: Sequence[StepDifference], home: str | None) -> list[DiffLine | Head]:
    """What a step did, file by file."""
    lines: list[DiffLine | Head] = []
    for file in files:
        if lines:
            lines.append(Head(""))
        lines += [Head(at_home(file.path, home), "strong"), *_remarks(file), *file.difference]
    return lines


def _remarks(file: StepDifference) -> list[Head]:
    """What there is to say of a file beside the difference."""
    if file.state in _REMARKS:
        return [Head(_REMARKS[file.state], "dim" if file.state in _HARMLESS else "warning")]
    if not file.existed:
        return [Head("was made by this step", "dim")]
    if not file.exists:
        return [Head("was taken away by this step", "dim")]
    return [] if file.difference else [Head("no line of it differs", "dim")]


class History(MemoryScreen):
    """Lists the steps, the newest first; any that nothing was built upon can be undone."""

    AREA = "history"
    PARTS = frozenset(["memory_changes"])
    TITLE_TEXT = "What memlens did here"

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        """The step that is shown below the list."""

    def start(self) -> None:
        self.listen(HistoryLoaded, self._loaded)
        self.listen(StepPeeked, self._peeked)
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
            else "Nothing has been done here yet."
        )
        self.list_all(HistoryLines(event.operations, event.now), empty=_TEACHING)

    @on(LineView.Moved, "#memory-screen-list")
    def _moved(self) -> None:
        step = self.selected
        if step is None:
            self.detail.show(NoLines())
        else:
            self.ask(PeekStep(undo_id=step.undo_id))

    def _peeked(self, event: StepPeeked) -> None:
        if self.selected is not None and event.undo_id == self.selected.undo_id:
            if self._shown != event.undo_id:
                self.detail.show(NoLines())  # from its first line
            self._shown = event.undo_id
            lines = DiffLines(_lines_of(event.files, self.home))
            self.detail.show(as_wished(self, lines))

    def do_history_wrap(self) -> None:
        toggle_wrap(self.detail)

    def do_history_undo(self) -> None:
        if self.selected is not None:
            self.ask(UndoMemory(undo_id=self.selected.undo_id))

    def do_history_close(self) -> None:
        self.leave()
