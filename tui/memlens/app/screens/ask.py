"""A question with a line of text as its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Label, Static

from memlens.app.screens.quick import Dialog
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.safe_text import SafeInput
from memlens.engine.visible import visible, visible_text

Check = Callable[[str], str]
"""What is wrong with an answer, as a sentence; empty when it will do."""


class Ask(Dialog[str | None]):
    """Asks for a line of text. `None`: the person thought better of it."""

    BINDINGS: ClassVar = [Binding("escape", "leave", "Cancel")]

    def __init__(
        self,
        question: str,
        *,
        value: str = "",
        placeholder: str = "",
        check: Check | None = None,
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__()
        self._question, self._value, self._placeholder = question, value, placeholder
        self._check, self._suggester = check, suggester

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog"):
            yield Label(Content(visible_text(self._question)), classes="dialog-question")
            yield SafeInput(
                self._value, placeholder=visible(self._placeholder), suggester=self._suggester,
                id="ask-answer", select_on_focus=False, compact=True,
            )  # fmt: skip
            yield Static(id="ask-problem")
            hint = "⏎ answers   → takes the suggestion   Esc cancels"
            yield Static(hint if self._suggester else "⏎ answers   Esc cancels", classes="hint")

    def on_mount(self) -> None:
        answer = self.query_one(Input)
        answer.focus()
        answer.cursor_position = len(answer.value)

    def _problem(self, answer: str) -> str:
        problem = self._check(answer) if self._check is not None else ""
        self.query_one("#ask-problem", Static).update(Content(visible(problem)))
        return problem

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._problem(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not self._problem(event.value) and self.is_current:
            self.dismiss(event.value)

    def action_leave(self) -> None:
        if self.is_current:
            self.dismiss(None)
