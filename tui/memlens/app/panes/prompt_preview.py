"""Pane 2: the exact text the agent gets, with the source of each line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

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
from memlens.app.panes.file_editor import FileEditor
from memlens.app.panes.prompt_deeds import PromptDeeds
from memlens.app.panes.prompt_lines import Marks, PromptLines, PromptText
from memlens.app.panes.prompt_search import Search
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.search_field import SearchField
from memlens.engine.commands.looks import FindChanges
from memlens.engine.events.looks import ChangesFound
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    from textual.widget import Widget

    from memlens.app.actions import Action

BREATH: Final = 0.002
"""Seconds between two steps of long work, in which keys are taken."""
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
        self.last_look = ""
        """The prompt as the person saw it last."""
        self._looked = False
        self._marks = Marks()
        self._search: Search | None = None
        self._search_from = 0
        self._match = -1
        self._wanted: int | None = None
        """The offset behind which the first match is still looked for."""
        self._wrap = True
        self._working = False
        self._deeds = PromptDeeds(self, self)
        self.listen(ContextLoaded, self._loaded)
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
    def rests(self) -> bool:
        return self.has_class("-editing")

    def remembered(self) -> dict[str, Any]:
        return {"wrap": self._wrap}

    def recall(self, values: Mapping[str, Any]) -> None:
        if isinstance(values.get("wrap"), bool):
            self._wrap = values["wrap"]
            self._show()

    def reason_against(self, action: Action) -> str | None:
        if self.has_class("-editing"):
            return "The editor is open; close it first."
        if self.snapshot is None:
            return "There is no prompt yet."
        if not self.snapshot.plan.text and action.name not in _EVEN_EMPTY:
            return "The prompt is empty."
        searching = self._search is not None and bool(self._search.needle)
        if action.name in ("preview.next", "preview.previous"):
            if searching and self._search is not None and not self._search.starts:
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

    def _loaded(self, event: ContextLoaded) -> None:
        before = self.snapshot
        self.snapshot = event
        text = event.plan.text
        if not self._looked:
            self._looked = True
            self.last_look = text
        self.set_class(not text, "-empty")
        if not text:
            self.query_one(EmptyState).say(
                "The prompt is empty: no memory files and no facts.\n\n"
                "Write a CLAUDE.md in this folder and it appears here as you save it."
            )
        if before is None or self._text is None or before.plan is not event.plan:
            self._text = PromptText(event.plan, event.label_of)
            if before is None or before.plan.text != text:
                self._marks = Marks()
                if text != self.last_look:
                    self.ask(FindChanges(before=self.last_look, after=text))
                if self._search is not None:
                    self._search = Search(text, self._search.needle)
        self._show()

    def _show(self) -> None:
        if self._text is not None:
            lines = PromptLines(self._text, wrap=self._wrap, marks=self._marks, search=self._search)
            self.view.show(lines)
            self._say_place()
            self._work_on()

    def _work_on(self) -> None:
        """Goes on with what is only begun: rows and matches of a long text."""
        if not self._working:
            self._working = True
            self.set_timer(BREATH, self._step)

    def _step(self) -> None:
        self._working = False
        lines = self._lines
        layout = lines.layout if lines is not None else None
        if layout is not None and not layout.complete:
            if layout.advance():
                self._show()
            else:
                self._work_on()
        elif self._search is not None and not self._search.complete:
            if self._search.advance():
                self.view.redraw()
            self._to_wanted()
            self._say_place()
            self._work_on()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._work_on)

    @property
    def _lines(self) -> PromptLines | None:
        lines = self.view.lines
        return lines if isinstance(lines, PromptLines) else None

    @property
    def _number(self) -> int:
        """The prompt's line under the cursor, from 1."""
        lines = self._lines
        return lines.number(self.view.cursor) if lines is not None else 1

    def _place(self) -> tuple[str, int]:
        """The file and line behind the cursor; without a file behind it, of what is above it."""
        lines = self._lines
        if lines is None:
            return "", 0
        source = lines.plan.source(self._number)
        return source.file, max(1, source.line)

    def _say_place(self) -> None:
        lines = self._lines
        if lines is None or not lines.plan.text:
            self.say("empty")
            return
        source = lines.plan.source(self._number)
        place = f"{lines.text.label_of(source.file)}:{source.line}" if source.line else ""
        parts = [f"line {self._number}/{lines.plan.lines}"]
        search = self._search
        if search is not None and search.needle:
            more = "" if search.complete else "…"
            at = f"{self._match + 1}/" if 0 <= self._match < len(search.starts) else ""
            parts.insert(0, f"{at}{len(search.starts)}{more} found")
        if any(self._marks):
            changed = len(self._marks.new) + len(self._marks.gone)
            parts.insert(0, f"┃ {changed} changed")
        if not self._wrap:
            parts.insert(0, "no wrap")
        state = "  ".join(parts)
        room = max(8, self.size.width - len(state) - 26)
        place = f"{place}  " if len(place) <= room else f"…{place[-room:]}  "
        self.say(f"{place.lstrip()}{state}")

    def go_to_line(self, number: int) -> None:
        """Puts the cursor on a line of the prompt, as a person would."""
        lines = self._lines
        if lines is not None:
            self.view.go_to(lines.row_of(number))

    # The link with the tree.

    @on(LineView.Moved, "#prompt-lines")
    def _moved(self) -> None:
        self._say_place()
        lines = self._lines
        used = self.view.has_focus or self.has_class("-searching")
        if used and lines is not None and lines.plan.text:
            source = lines.plan.source(self._number)
            self.bridge.tell(
                SourcePointed(
                    file=source.file, line=source.line, origin=self.id or "", at=self._number
                )
            )

    def _pointed(self, event: SourcePointed) -> None:
        lines = self._lines
        if event.origin == self.id or lines is None:
            return
        number = event.at or lines.plan.line_of(event.file, event.line)
        if number:
            inside = event.offset >= 0
            row = lines.row_at(event.offset) if inside else lines.row_of(number)
            self.view.go_to(row, quietly=True)
            self._say_place()

    def do_preview_source(self) -> None:
        self._moved()
        self.bridge.tell(PaneWanted(area="tree"))

    # Moving.

    def do_preview_top(self) -> None:
        self.view.action_first()

    def do_preview_end(self) -> None:
        self.view.action_last()

    def do_preview_section(self) -> None:
        self._to_section(1)

    def do_preview_section_before(self) -> None:
        self._to_section(-1)

    def _to_section(self, step: int) -> None:
        lines = self._lines
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
        self._show()

    # Searching.

    def do_preview_search(self) -> None:
        self._search_from = self.view.cursor
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
        self._look_for(event.value)

    def _look_for(self, needle: str) -> None:
        lines = self._lines
        if lines is None:
            return
        self._search = Search(lines.plan.text, needle) if needle else None
        self._match = -1
        self._show()
        if self._search is not None:
            self.view.go_to(self._search_from)
            self._wanted = lines.text.starts.start(lines.number(self._search_from)) - 1
            self._to_wanted()

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
            self._look_for("")
            self.view.go_to(self._search_from)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        if event.widget.id == "prompt-search" and self.has_class("-searching"):
            self._hide_search()

    def do_preview_unsearch(self) -> None:
        self._look_for("")

    def _to_wanted(self) -> None:
        """Goes to the first match behind where the search began, once it is found."""
        search, wanted = self._search, self._wanted
        if search is None or wanted is None:
            return
        number = search.behind(wanted)
        found = number is not None and (search.complete or search.starts[number] > wanted)
        if found or search.complete:
            self._wanted = None
            self._to_match(number)

    def _to_match(self, number: int | None) -> None:
        lines = self._lines
        if number is None or self._search is None or lines is None:
            self._say_place()
            return
        self._match = number
        self.view.go_to(lines.row_at(self._search.starts[number]))
        self._say_place()

    def do_preview_next(self) -> None:
        self._next(1)

    def do_preview_previous(self) -> None:
        self._next(-1)

    def _next(self, step: int) -> None:
        lines = self._lines
        if lines is None:
            return
        if self._search is None:
            self._to_change(step)
            return
        search = self._search
        at = search.starts[self._match] if 0 <= self._match < len(search.starts) else -1
        if at < 0 or lines.row_at(at) != self.view.cursor:  # the cursor was moved since
            start = lines.text.starts.start(self._number)
            end = start + len(lines.text.text.lines[self._number - 1])
            at = end if step > 0 else start
        self._to_match(search.behind(at) if step > 0 else search.before(at))

    # What has changed.

    def _changes_found(self, event: ChangesFound) -> None:
        if self.snapshot is not None and event.after == self.snapshot.plan.text:
            last = self.snapshot.plan.lines
            self._marks = Marks(event.new, frozenset(min(one, last) for one in event.gone))
            self._show()

    def _to_change(self, step: int) -> None:
        changed = self._marks.new | self._marks.gone
        # Of changed lines that follow one another the first is gone to.
        starts = sorted(one for one in changed if one - 1 not in changed)
        here = self._number
        if step > 0:
            target = next((one for one in starts if one > here), starts[0])
        else:
            target = next((one for one in reversed(starts) if one < here), starts[-1])
        self.go_to_line(target)

    def do_preview_seen(self) -> None:
        if self.snapshot is not None:
            self.last_look = self.snapshot.plan.text
            self._marks = Marks()
            self._show()

    def do_preview_compare(self) -> None:
        self._deeds.compare()

    # Copying, saving, asking.

    def do_preview_copy(self) -> None:
        lines = self._lines
        part = lines.plan.part_at(self._number) if lines is not None else None
        if lines is None or part is None:
            return
        spans = lines.plan.spans[part.first_span : part.end_span]
        item = lines.plan.items[part.item].label if part.item >= 0 else "the durable index"
        copy(self.app, "".join(span.text for span in spans), f"The section of {item}")

    def do_preview_copy_line(self) -> None:
        lines = self._lines
        if lines is not None:
            number = self._number
            copy(self.app, lines.text.text.lines[number - 1], f"Line {number}")

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
        lines = self._lines
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
