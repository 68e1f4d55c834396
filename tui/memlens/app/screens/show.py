"""Lines to read, over everything else: a difference, a text, a list of what was done."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memlens.app.screens.quick import Dialog
from memlens.app.widgets.line_view import Lines, LineView
from memlens.app.widgets.texts import WithChanges
from memlens.engine.visible import visible


class Show(Dialog[None]):
    """Shows lines until Escape or q."""

    BINDINGS: ClassVar = [
        Binding("escape,q", "leave", "Close"),
        Binding("n", "next_change(1)", "Next change", show=False),
        Binding("N,p", "next_change(-1)", "Previous change", show=False),
    ]

    def __init__(self, title: str, lines: Lines, *, hint: str = "Esc closes") -> None:
        super().__init__()
        self._title, self._lines, self._hint = title, lines, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -full") as dialog:
            dialog.border_title = Content(visible(self._title))
            yield LineView(id="show-lines")
            yield Static(Content(visible(self._hint)), classes="hint")

    def on_mount(self) -> None:
        view = self.query_one(LineView)
        view.show(self._lines)
        view.focus()

    def action_next_change(self, step: int) -> None:
        """Goes to the next line that is added or removed, behind one that is not."""
        view = self.query_one(LineView)
        if isinstance(self._lines, WithChanges):
            index = self._lines.change_from(view.cursor, step)
            if index is not None:
                view.go_to(index)

    def action_leave(self) -> None:
        if self.is_current:
            self.dismiss(None)
