"""What to do when a file changed on disk while it was edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from memlens.app.screens.quick import Dialog
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.texts import DiffLines
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.engine.events.files import FileClashed

Answer = Literal["mine", "theirs"] | None
"""Whose text is kept; None: the person goes on editing."""


class FileClash(Dialog[Answer]):
    """Shows what an agent would be told, and the difference; the safe answer has the focus."""

    BINDINGS: ClassVar = [
        Binding("escape", "answer", "Go on", show=False),
        Binding("r", "answer('theirs')", "Reload", show=False),
        Binding("k", "answer('mine')", "Keep mine", show=False),
    ]

    def __init__(self, event: FileClashed) -> None:
        super().__init__()
        self._event = event

    def compose(self) -> ComposeResult:
        event = self._event
        with Vertical(classes="dialog -full") as dialog:
            dialog.border_title = "Changed on disk"
            yield Static(
                Content(f"{visible(event.path)}\n{visible_text(event.problem)}"),
                classes="clash-problem",
            )
            if event.theirs is None:
                yield Static("What is there now cannot be read.", classes="clash-problem")
            else:
                yield Static("- on disk now   + yours", classes="hint")
            yield LineView(id="clash-lines")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Go on editing (Esc)", id="go-on", variant="primary")
                if event.theirs is not None:
                    yield Button("Reload theirs (r)", id="theirs", variant="error")
                    yield Button("Keep mine (k)", id="mine", variant="error")

    def on_mount(self) -> None:
        self.query_one(LineView).show(DiffLines(self._event.difference))
        self.query_one("#go-on").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.action_answer("" if event.button.id == "go-on" else event.button.id or "")

    def action_answer(self, answer: str = "") -> None:
        if not self.is_current or (answer and self._event.theirs is None):
            return
        self.dismiss("mine" if answer == "mine" else "theirs" if answer == "theirs" else None)
