"""What a reviewer changes: a staged text edited in place, or a file in their own editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from memlens.app.outside import edit_outside
from memlens.app.screens.review_parts import DIFFERENCE
from memlens.app.screens.staged_editor import LIMIT, StagedEditor
from memlens.engine.commands.review import OpenStaged, Restage, StageWorking
from memlens.engine.editor import NoEditorError
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from memlens.app.app import MemlensApp
    from memlens.app.screens.review_parts import ReviewParts
    from memlens.engine.events.review import RestageRefused, StagedOpened
    from memlens.engine.review.model import Mode


class Staging:
    """Edits and stages on behalf of the review's screen, which is told when git has to be asked."""

    def __init__(
        self, screen: Screen[None], parts: ReviewParts, look_again: Callable[[], None]
    ) -> None:
        self._screen: Final = screen
        self._parts: Final = parts
        self._look_again: Final = look_again
        self._saved_outside = ""
        """A file that was changed outside and could be staged."""

    @property
    def _memlens(self) -> MemlensApp:
        return cast("MemlensApp", self._screen.app)

    def reason_against_edit(self, mode: Mode) -> str | None:
        """Why what is selected cannot be edited in place, as far as the screen knows."""
        if self._memlens.workspace.read_only:
            return "memlens was opened so that nothing can be written."
        if mode != "staged":
            return "Only what is staged can be edited here; o opens the file in your editor."
        entry = self._parts.entry_here
        if entry is None or entry.file is None:
            return "This file does not change, so nothing of it is staged."
        if entry.file.unmerged:
            return "Git has not merged it yet; o opens it in your editor, to be put together there."
        if entry.file.status == "deleted":
            return "The file is deleted."
        if entry.file.unstaged:
            return "It has changes that are not staged, and they would be swept along."
        return None

    def edit(self) -> None:
        """Asks for the staged text of what is selected."""
        entry = self._parts.entry_here
        if entry is not None:
            self.open(entry.path)

    def open(self, path: str) -> None:
        """Asks for what is staged of a file, to edit it."""
        if self._parts.entry_of(path) is not None:
            self._memlens.bridge.publish(OpenStaged(path=path))
        else:
            self._say(
                f"{path} is not staged, or changes nothing for agents. Your text is offered again "
                "at the next start.",
                "Unsaved text",
            )

    def opened(self, event: StagedOpened) -> None:
        """Shows the text in the place of the views."""
        if len(event.text) > LIMIT:
            self._say(
                f"It has {len(event.text):,} characters; o opens it in your editor.",
                "Too long to edit here",
            )
            return
        line = self._parts.line_here
        self._parts.select(event.path)
        self._screen.add_class("-editing")
        entry = self._parts.entry_of(event.path)
        self._parts.editor.open(event.path, event.text, line, entry.findings if entry else ())
        self._parts.go(DIFFERENCE)

    def save(self, event: StagedEditor.Saved) -> None:
        self._memlens.bridge.publish(Restage(path=event.path, text=event.text, opened=event.opened))

    def close(self) -> None:
        """Puts the views back into the editor's place."""
        self._parts.editor.forget()
        self._screen.remove_class("-editing")
        self._parts.go(self._parts.part)

    def staged(self, path: str) -> None:
        """Another text of a file is staged."""
        self._screen.app.notify(f"{visible(path)} is staged.", title="Staged", markup=False)
        if self._parts.editing and self._parts.editor.path == path:
            self.close()
        self._look_again()

    def refused(self, event: RestageRefused) -> None:
        """Says why a text is not staged."""
        hint = f"{event.hint[:1].upper()}{event.hint[1:]}"
        self._say(f"{event.why}.\n{hint}.", f"Not possible with {visible(event.path)}")

    def edit_outside(self, mode: Mode) -> None:
        """Opens the person's own editor where they look."""
        place = self._parts.place_here
        entry = self._parts.entry_of(place.file)
        try:
            edit_outside(self._memlens, place.file, place.line)
        except NoEditorError as error:
            self._say(str(error), "No editor")
            return
        file = entry.file if entry is not None else None
        if file is not None and mode == "staged" and (file.unmerged or not file.unstaged):
            self._saved_outside = file.path
        self._look_again()

    def offer(self) -> None:
        """Asks whether to stage what was saved outside; only where nothing else goes with it."""
        path, self._saved_outside = self._saved_outside, ""
        entry = self._parts.entry_of(path) if path else None
        if entry is None or entry.file is None:
            return
        if entry.file.unmerged:
            question = f"{path} is not merged yet. Staging it tells git that it is."
        elif entry.file.unstaged:
            question = f"{path} is saved. What you changed is not staged yet."
        else:
            return
        self.ask(
            question, "Stage it", "Leave it",
            lambda: self._memlens.bridge.publish(StageWorking(path=path)),
        )  # fmt: skip

    def dropping(self, then: Callable[[], None]) -> None:
        """Goes on with `then` once no text would be lost by it."""
        if not self._parts.editor.dirty:
            then()
            return

        def drop() -> None:
            self.close()
            then()

        question = f"What you changed in {self._parts.editor.path} is not staged yet."
        self.ask(question, "Drop it", "Go on editing", drop)

    def ask(self, question: str, yes: str, no: str, then: Callable[[], object]) -> None:
        """Goes on with `then` when a person says yes."""
        from memlens.app.screens.confirm import Confirm

        def answer(agreed: bool | None) -> None:
            if agreed:
                then()

        self._screen.app.push_screen(Confirm(question, yes=yes, no=no), answer)

    def _say(self, words: str, title: str) -> None:
        self._screen.app.notify(
            visible_text(words), title=title, severity="warning", timeout=10, markup=False
        )
