"""Pane 2: the exact text the agent gets, with the source of each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from memlens.app.links import PaneWanted, SourcePointed
from memlens.app.panes.base import Pane
from memlens.app.panes.prompt_lines import PromptLines
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.plan import Plan


class PromptPreview(Pane):
    """The prompt, line by line; follows the disk without losing its place."""

    AREA = "preview"
    TITLE = "Prompt preview"
    NUMBER = 2

    def compose(self) -> ComposeResult:
        yield LineView(id="prompt-lines")
        yield EmptyState(id="prompt-empty")

    def on_mount(self) -> None:
        self._plan: Plan | None = None
        self._wrap = True
        self.listen(ContextLoaded, self._loaded)
        self.listen(SourcePointed, self._pointed)
        self.say("loading …")

    @property
    def main(self) -> LineView:
        return self.query_one("#prompt-lines", LineView)

    def reason_against(self, action: Action) -> str | None:
        if self._plan is None or not self._plan.text:
            return "There is no prompt yet."
        return None

    def _loaded(self, event: ContextLoaded) -> None:
        self._plan = event.plan
        self._label_of = event.label_of
        self.set_class(not event.plan.text, "-empty")
        if not event.plan.text:
            self.query_one(EmptyState).say(
                "The prompt is empty: no memory files and no facts.\n\n"
                "Write a CLAUDE.md in this folder and it appears here as you save it."
            )
        self._show()

    def _show(self) -> None:
        if self._plan is not None:
            self.main.show(PromptLines(self._plan, self._label_of, wrap=self._wrap))
            self._say_place()

    @property
    def _number(self) -> int:
        lines = self.main.lines
        return lines.number(self.main.cursor) if isinstance(lines, PromptLines) else 0

    def _say_place(self) -> None:
        plan = self._plan
        if plan is None or not plan.text:
            self.say("empty")
            return
        source = plan.source(self._number)
        place = f"{self._label_of(source.file)}:{source.line}" if source.line else ""
        room = max(8, self.size.width - 30)
        place = f"{place}  " if len(place) <= room else f"…{place[-room:]}  "
        self.say(f"{place.lstrip()}line {self._number}/{plan.lines}")

    @on(LineView.Moved, "#prompt-lines")
    def _moved(self) -> None:
        self._say_place()
        if self.main.has_focus and self._plan is not None and self._plan.text:
            source = self._plan.source(self._number)
            self.bridge.tell(
                SourcePointed(file=source.file, line=source.line, origin=self.id or "")
            )

    def _pointed(self, event: SourcePointed) -> None:
        lines = self.main.lines
        if event.origin == self.id or not isinstance(lines, PromptLines):
            return
        number = lines.plan.line_of(event.file, event.line)
        if number is not None:
            self.main.go_to(lines.row_of(number), quietly=True)
            self._say_place()

    @on(LineView.Chosen, "#prompt-lines")
    def _chosen(self) -> None:
        self.do_preview_source()

    def do_preview_top(self) -> None:
        self.main.action_first()

    def do_preview_end(self) -> None:
        self.main.action_last()

    def do_preview_source(self) -> None:
        self._moved()
        self.bridge.tell(PaneWanted(area="tree"))

    def do_preview_wrap(self) -> None:
        self._wrap = not self._wrap
        self._show()
