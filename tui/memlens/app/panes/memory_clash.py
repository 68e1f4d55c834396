"""What to do when a fact changed on disk while it was edited."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.line_view import LineView, Piece
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.events.memory_changes import MemoryClashed
    from memlens.engine.review.model import DiffLine

_SIGNS = {
    "same": ("  ", ""), "removed": ("- ", "removed"), "added": ("+ ", "added"),
    "gap": ("⋯ ", "dim"), "note": ("  ", "dim"),
}  # fmt: skip


class DiffLines:
    """A difference, one record a line."""

    def __init__(self, records: Sequence[DiffLine]) -> None:
        self._records = records

    def count(self, width: int) -> int:
        return len(self._records)

    def full_width(self, width: int) -> int:
        return max([width, *(len(record.text) * 2 + 2 for record in self._records)])

    def key(self, index: int) -> Hashable:
        return index

    def index(self, key: Hashable) -> int | None:
        return key if isinstance(key, int) else None

    def line(self, index: int, width: int) -> Sequence[Piece]:
        record = self._records[index]
        sign, style = _SIGNS[record.kind]
        return ((sign + record.text, style),)


class Clash(Dialog[Literal["mine", "theirs", "merge"] | None], ActionHost):
    """Shows both versions and asks: mine, theirs, both in one, or back to the form."""

    AREA = "clash"
    BINDINGS = bindings_of("clash")

    def __init__(self, event: MemoryClashed) -> None:
        super().__init__()
        self._event = event

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -full") as dialog:
            dialog.border_title = "Changed on disk"
            gone = self._event.theirs is None
            text = "\nIts file is gone. Your text:" if gone else "\n- is on disk   + is yours"
            yield Static(Content(visible(self._event.problem) + text), classes="clash-problem")
            yield LineView(id="clash-lines")
            yield ActionBar()

    def on_mount(self) -> None:
        view = self.query_one(LineView)
        view.show(DiffLines(self._event.difference))
        view.focus()

    def reason_against(self, action: Action) -> str | None:
        if action.name == "clash.merge" and self._event.theirs is None:
            return "Its file is gone: there is nothing to merge with."
        return None

    def _leave(self, choice: Literal["mine", "theirs", "merge"] | None) -> None:
        if self.is_current:
            self.dismiss(choice)

    def do_clash_mine(self) -> None:
        self._leave("mine")

    def do_clash_theirs(self) -> None:
        self._leave("theirs")

    def do_clash_merge(self) -> None:
        self._leave("merge")

    def do_clash_back(self) -> None:
        self._leave(None)
