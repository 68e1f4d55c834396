"""Pane 2: the exact text the agent gets, with the source of each line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Input

from memlens.app.links import (
    EditWanted,
    FactPointed,
    PaneWanted,
    SourcePointed,
    TouchWanted,
)
from memlens.app.outside import copy
from memlens.app.panes.base import Pane
from memlens.app.panes.prompt_preview.deeds import PromptDeeds
from memlens.app.panes.prompt_preview.file_editor import FileEditor
from memlens.app.panes.prompt_preview.finder import Finder
from memlens.app.panes.prompt_preview.last_look import LastLook, Marks
from memlens.app.panes.prompt_preview.lines import PromptLines, PromptText
from memlens.app.panes.prompt_preview.texts import no_prompt, place_words
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import BREATH, LineView
from memlens.app.widgets.search_field import SearchField
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.events.looks import ChangesFound
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    from textual.widget import Widget

    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp

_EVEN_EMPTY: Final = {"preview.touch", "preview.new_session", "preview.compare", "preview.why"}


class PromptPreview(Pane):
    """The prompt, line by line; follows the disk without losing its place."""

    AREA = "preview"
    PARTS = frozenset(["workspace", "looks"])
    TITLE = "Prompt preview"
    NUMBER = 2

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self.snapshot: ContextLoaded | None = None

    def compose(self) -> ComposeResult:
        yield LineView(id="prompt-lines")
        yield EmptyState(id="prompt-empty")
        yield SearchField(id="prompt-search", placeholder="search in the prompt", compact=True)
        yield FileEditor()

    def on_mount(self) -> None:
        self._text: PromptText | None = None
        self._look = LastLook()
        self._finder = Finder(self)
        self._wrap = self._usual_wrap
        self._working = False
        self._deeds = PromptDeeds(self, self)
        self.listen(ContextLoaded, self._load_later)
        self.listen(SourcePointed, self._pointed)
        self.listen(ChangesFound, self._changes_found)
        self.listen(EditWanted, self._edit_wanted)
        self.listen(TouchWanted, lambda event: self._deeds.touch(event.path))
        self.say("loading …")

    @property
    def view(self) -> LineView:
        return self.query_one("#prompt-lines", LineView)

    @property
    def editor(self) -> FileEditor:
        return self.query_one(FileEditor)

    @property
    def main(self) -> Widget:
        return self.editor.area if self.has_class("-editing") else self.view

    @property
    def awaits(self) -> bool:
        return self.snapshot is None and self.bridge.awaits(LoadContext)

    @property
    def rests(self) -> bool:
        return self.has_class("-editing")

    @property
    def last_look(self) -> str:
        """The prompt as the person saw it last."""
        return self._look.text

    @property
    def _marks(self) -> Marks:
        return self._look.marks

    @property
    def _usual_wrap(self) -> bool:
        """What the settings say."""
        return cast("MemlensApp", self.app).workspace.settings.wrap

    def remembered(self) -> dict[str, Any]:
        # Only what differs, so that the setting still counts where nobody chose otherwise.
        chosen = {} if self._wrap == self._usual_wrap else {"wrap": self._wrap}
        return {**chosen, "place": self.view.place}

    def recall(self, values: Mapping[str, Any]) -> None:
        self.view.want(values.get("place"))
        if isinstance(values.get("wrap"), bool):
            self._wrap = values["wrap"]
            self.show()

    def reason_against(self, action: Action) -> str | None:
        if self.has_class("-editing"):
            return "The editor is open; close it first."
        if self.snapshot is None:
            return self.reason_unloaded
        if not self.snapshot.plan.text and action.name not in _EVEN_EMPTY:
            return "The prompt is empty."
        search, searching = self._finder.search, self._finder.active
        if action.name in ("preview.next", "preview.previous"):
            if searching and search is not None and not search.starts:
                return "Nothing matches."
            if not searching and not any(self._marks):
                return "There is no search, and nothing has changed since the last look."
        if action.name == "preview.unsearch" and not searching:
            return "There is no search."
        if action.name == "preview.seen" and not any(self._marks):
            return "Nothing has changed since the last look."
        if action.name in ("preview.edit", "preview.outside") and not self._place()[0]:
            return "No file stands behind this line."
        return None

    # What is shown.

    def _load_later(self, event: ContextLoaded) -> None:
        self.call_later(self._loaded, event)  # in a step of its own: others take theirs in this one

    def _loaded(self, event: ContextLoaded) -> None:
        before = self.snapshot
        self.snapshot = event
        text = event.plan.text
        self._look.begin(text)
        self.set_class(not text, "-empty")
        if not text:
            self.query_one(EmptyState).say(no_prompt(event))
        if before is None or self._text is None or before.plan is not event.plan:
            self._text = PromptText(event.plan, event.label_of)
            if before is None or before.plan.text != text:
                question = self._look.renew(text)
                if question is not None:
                    self.ask(question)
                self._finder.renew(text)
        self.show()

    def show(self) -> None:
        """Shows the prompt as it is now."""
        if self._text is not None:
            search = self._finder.search
            lines = PromptLines(self._text, wrap=self._wrap, marks=self._marks, search=search)
            self.view.show(lines)
            self.say_place()
            self._work_on()

    def _work_on(self) -> None:
        """Goes on with a search that is only begun."""
        if not self._working:
            self._working = True
            self.set_timer(BREATH, self._step)

    def _step(self) -> None:
        self._working = False
        if self._finder.advance():
            self._work_on()

    @property
    def lines(self) -> PromptLines | None:
        lines = self.view.lines
        return lines if isinstance(lines, PromptLines) else None

    @property
    def _number(self) -> int:
        """The prompt's line under the cursor, from 1."""
        lines = self.lines
        return lines.number(self.view.cursor) if lines is not None else 1

    def _place(self) -> tuple[str, int]:
        """The file and line behind the cursor; without a file behind it, of what is above it."""
        lines = self.lines
        if lines is None:
            return "", 0
        source = lines.plan.source(self._number)
        return source.file, max(1, source.line)

    def say_place(self) -> None:
        if self.snapshot is None:
            return  # it says that it is loading, or why it does not
        lines = self.lines
        if lines is None or not lines.plan.text:
            self.say("empty")
            return
        self.say(
            place_words(
                lines, self._number, self.size.width,
                marks=self._marks, found=self._finder.said, wrap=self._wrap,
            )
        )  # fmt: skip

    def go_to_line(self, number: int) -> None:
        """Puts the cursor on a line of the prompt, as a person would."""
        lines = self.lines
        if lines is not None:
            self.view.go_to(lines.row_of(number))

    # The link with the tree.

    @on(LineView.Moved, "#prompt-lines")
    def _moved(self) -> None:
        self.say_place()
        lines = self.lines
        used = self.view.has_focus or self.has_class("-searching")
        if used and lines is not None and lines.plan.text:
            source = lines.plan.source(self._number)
            self.bridge.tell(
                SourcePointed(
                    file=source.file, line=source.line, origin=self.id or "", at=self._number
                )
            )

    def _pointed(self, event: SourcePointed) -> None:
        lines = self.lines
        if event.origin == self.id or lines is None:
            return
        number = event.at or lines.plan.line_of(event.file, event.line)
        if number:
            inside = event.offset >= 0
            row = (
                lines.row_at(event.offset)
                if inside
                else lines.row_of(min(number, lines.plan.lines))  # it may be of a newer prompt
            )
            self.view.go_to(row, quietly=True)
            self.say_place()

    def do_preview_source(self) -> None:
        self._moved()
        self.bridge.tell(PaneWanted(area="tree"))

    # Moving.

    def do_preview_section(self) -> None:
        self._to_section(1)

    def do_preview_section_before(self) -> None:
        self._to_section(-1)

    def _to_section(self, step: int) -> None:
        lines = self.lines
        if lines is None:
            return
        starts = [part.first_line for part in lines.plan.parts]
        here = self._number
        if step > 0:
            target = next((start for start in starts if start > here), None)
        else:
            target = next((start for start in reversed(starts) if start < here), None)
        if target is not None:
            self.go_to_line(target)

    def do_preview_wrap(self) -> None:
        self._wrap = not self._wrap
        self.show()

    # Searching.

    def do_preview_search(self) -> None:
        self._finder.begin()
        self.add_class("-searching")
        field = self.query_one("#prompt-search", SearchField)
        field.value = ""
        field.display = True
        self.screen.set_focus(field)  # at once: what is typed next belongs to it

    @on(Input.Changed, "#prompt-search")
    def _search_changed(self, event: Input.Changed) -> None:
        if not self.has_class("-searching"):
            return
        event.stop()
        self._finder.look_for(event.value)

    @on(Input.Submitted, "#prompt-search")
    def _search_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._leave_search()

    def _leave_search(self) -> None:
        self._hide_search()
        self.view.focus()

    def _hide_search(self) -> None:
        self.remove_class("-searching")
        self.query_one("#prompt-search").display = False

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self.has_class("-searching"):
            event.stop()
            self._leave_search()
            self._finder.give_up()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        if event.widget.id == "prompt-search" and self.has_class("-searching"):
            self._hide_search()

    def do_preview_unsearch(self) -> None:
        self._finder.look_for("")

    def do_preview_next(self) -> None:
        self._next(1)

    def do_preview_previous(self) -> None:
        self._next(-1)

    def _next(self, step: int) -> None:
        lines = self.lines
        if lines is None:
            return
        if self._finder.search is None:
            self.go_to_line(self._marks.line_from(self._number, step))
        else:
            self._finder.step(step)

    # What has changed.

    def _changes_found(self, event: ChangesFound) -> None:
        if self.snapshot is not None and event.after == self.snapshot.plan.text:
            last = self.snapshot.plan.lines
            gone = frozenset(min(one, last) for one in event.gone)
            self._look.marks = Marks(event.new, gone)
            self.show()

    def do_preview_seen(self) -> None:
        if self.snapshot is not None:
            self._look.see(self.snapshot.plan.text)
            self.show()

    def do_preview_compare(self) -> None:
        self._deeds.compare()

    # Copying, saving, asking.

    def do_preview_copy(self) -> None:
        if self.lines is not None:
            self._deeds.copy_section(self.lines.plan, self._number)

    def do_preview_copy_line(self) -> None:
        if self.lines is not None:
            line = self.lines.text.text.lines[self._number - 1]
            copy(self.app, line, f"Line {self._number}")

    def do_preview_save(self) -> None:
        self._deeds.save()

    def do_preview_touch(self) -> None:
        self._deeds.touch()

    def do_preview_new_session(self) -> None:
        self._deeds.new_session()

    def do_preview_why(self) -> None:
        self._deeds.why()

    # Editing.

    @on(LineView.Chosen, "#prompt-lines")
    def _chosen(self) -> None:
        self.perform_named("preview.edit")

    def perform_named(self, name: str) -> None:
        """Does an action of the pane, or says why not."""
        self.action_perform(name)

    def do_preview_edit(self) -> None:
        lines = self.lines
        file, line = self._place()
        if lines is not None and lines.plan.source(self._number).kind == "index":
            # A fact has a form of its own, which keeps its header valid.
            self.bridge.tell(FactPointed(file=file))
            self.bridge.tell(PaneWanted(area="memories"))
            return
        self.editor.edit(file, line, "preview")

    def do_preview_outside(self) -> None:
        self.editor.open_outside(*self._place())

    def _edit_wanted(self, event: EditWanted) -> None:
        self.editor.edit(event.file, event.line, event.origin)

    @on(FileEditor.Opened)
    def _editor_opened(self) -> None:
        self.add_class("-editing")
        self.bridge.tell(PaneWanted(area="preview"))

    @on(FileEditor.Closed)
    def _editor_closed(self, event: FileEditor.Closed) -> None:
        self.remove_class("-editing")
        self.bridge.tell(PaneWanted(area=event.area))
