"""The editor in which a reviewer corrects a staged text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.review_rows import SIGNS
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.app.recovery import Restoring
    from memlens.app.widgets.safe_text import SafeTextArea
    from memlens.engine.findings import Finding
    from memlens.engine.keeping import Draft

_COLOURS: Final = {"error": "$text-error", "warning": "$text-warning", "note": "dim"}
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

    class Wanted(Message):
        """What is staged of a file is to be opened."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path: Final = path

    class Closed(Message):
        """The editor is done with."""

    def __init__(self) -> None:
        super().__init__(id="staged-editor")
        self.path = ""
        self._opened = ""
        self._about: dict[int, tuple[str, Finding]] = {}
        """What is found in lines, with the text that it is about."""
        self._restoring: Restoring | None = None

    def _build(self) -> None:
        """Makes the parts when the first text is opened; at a start nobody waits for them."""
        if not self.children:
            from memlens.app.widgets.safe_text import SafeTextArea

            text = SafeTextArea(id="staged-text", show_line_numbers=True, compact=True)
            self.mount(text, Static(id="staged-finding"), Static(id="staged-place"))

    @property
    def area(self) -> SafeTextArea:
        """There is none before the first text is opened."""
        return cast("SafeTextArea", self.query_one("#staged-text"))

    @property
    def dirty(self) -> bool:
        """Whether there is text that is not staged yet."""
        return bool(self.path) and self.area.text != self._opened

    def open(self, path: str, text: str, line: int, findings: Sequence[Finding] = ()) -> None:
        """Shows a text with the cursor in `line`, from 1; `findings` are about its lines."""
        self._build()
        self.path, self._opened = path, text
        lines = text.split("\n")
        self._about = {
            one.line: (lines[one.line - 1], one)
            for one in reversed(findings)  # the loudest stay
            if 0 < one.line <= len(lines)
        }
        self.query_one("#staged-finding").display = bool(self._about)
        self.area.text = text
        self._go_on_with_draft()
        self.area.move_cursor((max(0, line - 1), 0))
        self.call_after_refresh(self.area.scroll_cursor_visible, center=True)
        self._say_place()

    def _go_on_with_draft(self) -> None:
        """Puts in what an earlier start left unsaved of this text, as a change that is not
        staged."""
        restoring = self._restoring
        if restoring is None or restoring.draft.path != self.path:
            return
        draft = restoring.draft
        self._restoring = None
        self.area.replace(draft.fields.get("text", ""), (0, 0), self.area.document.end)
        restoring.done()
        if draft.fields.get("opened") != self._opened:
            self.app.notify(
                f"Something else is staged of {visible(self.path)} since you wrote this. Staging "
                "it takes the place of that.",
                title="Unsaved text", severity="warning", timeout=10, markup=False,
            )  # fmt: skip

    def unsaved(self) -> Draft | None:
        """What would be lost now, for the recovery."""
        if not self.dirty:
            return None
        from memlens.engine.keeping import Draft

        return Draft("staged", self.path, {"text": self.area.text, "opened": self._opened})

    def restore(self, restoring: Restoring) -> bool:
        """Asks for the staged text that a draft was made of."""
        if restoring.draft.kind != "staged":
            return False
        self._restoring = restoring
        self.post_message(self.Wanted(restoring.draft.path))
        return True

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
        if self._about:
            self.query_one("#staged-finding", Static).update(self._found_in(row))

    def _found_in(self, row: int) -> Content:
        """What is wrong with a line that nobody has changed yet, or else which lines are wrong."""
        lines = self.area.text.split("\n")
        text, finding = self._about.get(row + 1, ("", None))
        if finding is not None and lines[row] == text:
            words = f"{SIGNS[finding.severity]} {finding.name}: {finding.message}"
            return Content.styled(visible(words), _COLOURS[finding.severity])
        numbers = ", ".join(map(str, sorted(self._about)))
        return Content.styled(f"found in line{'s' * (len(self._about) > 1)} {numbers}", "dim")

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
