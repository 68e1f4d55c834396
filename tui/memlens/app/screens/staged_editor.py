"""The editor in which a reviewer corrects a staged text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of

if TYPE_CHECKING:
    from memlens.app.widgets.safe_text import SafeTextArea

LIMIT: Final = 64_000
"""Characters from which the field would be too slow to type in."""


class StagedEditor(Vertical, ActionHost):
    """One staged text. What is done with it is told as messages."""

    AREA = "staged"
    BINDINGS = bindings_of("staged")

    class Saved(Message):
        """The text is to be staged."""

        def __init__(self, path: str, text: str, opened: str) -> None:
            super().__init__()
            self.path: Final = path
            self.text: Final = text
            self.opened: Final = opened

    class Closed(Message):
        """The editor is done with."""

    def __init__(self) -> None:
        super().__init__(id="staged-editor")
        self.path = ""
        self._opened = ""

    def _build(self) -> None:
        """Makes the parts when the first text is opened; at a start nobody waits for them."""
        if not self.children:
            from memlens.app.widgets.safe_text import SafeTextArea

            text = SafeTextArea(id="staged-text", show_line_numbers=True, compact=True)
            self.mount(text, Static(id="staged-place"))

    @property
    def area(self) -> SafeTextArea:
        """There is none before the first text is opened."""
        return cast("SafeTextArea", self.query_one("#staged-text"))

    @property
    def dirty(self) -> bool:
        """Whether there is text that is not staged yet."""
        return bool(self.path) and self.area.text != self._opened

    def open(self, path: str, text: str, line: int) -> None:
        """Shows a text with the cursor in `line`, from 1."""
        self._build()
        self.path, self._opened = path, text
        self.area.text = text
        self.area.move_cursor((max(0, line - 1), 0))
        self.call_after_refresh(self.area.scroll_cursor_visible, center=True)
        self._say_place()

    def forget(self) -> None:
        """Drops the text."""
        self.path = self._opened = ""
        if self.children:
            self.area.text = ""

    def on_text_area_selection_changed(self) -> None:
        self._say_place()

    def on_text_area_changed(self) -> None:
        self._say_place()

    def _say_place(self) -> None:
        row, column = self.area.cursor_location
        state = "changed, not staged yet" if self.dirty else "as it is staged"
        self.query_one("#staged-place", Static).update(
            Content(f"line {row + 1}, column {column + 1}   {state}")
        )

    def do_staged_save(self) -> None:
        self.post_message(self.Saved(self.path, self.area.text, self._opened))

    def do_staged_close(self) -> None:
        if not self.dirty:
            self.post_message(self.Closed())
            return

        from memlens.app.screens.confirm import Confirm

        def answer(drop: bool | None) -> None:
            if drop:
                self.post_message(self.Closed())

        question = f"What you changed in {self.path} is not staged yet."
        self.app.push_screen(Confirm(question, yes="Drop it", no="Go on editing"), answer)
