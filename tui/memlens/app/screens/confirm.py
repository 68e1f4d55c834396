"""A question with two answers."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Label

from memlens.app.screens.quick import Dialog
from memlens.app.widgets.hollow import Frame
from memlens.engine.visible import visible_text


class Confirm(Dialog[bool]):
    """Asks before something that is hard to take back; the safe answer has the focus."""

    BINDINGS: ClassVar = [
        Binding("escape,n", "answer(False)", "No", show=False),
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("left,h", "app.focus_previous", show=False),
        Binding("right,l", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, *, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog"):
            yield Label(Content(visible_text(self._question)), classes="dialog-question")
            with Horizontal(classes="dialog-buttons"):
                yield Button(Content(f"{self._no} (n)"), id="no", compact=True)
                yield Button(Content(f"{self._yes} (y)"), id="yes", compact=True)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.action_answer(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        if self.is_current:
            self.dismiss(answer)
