"""Pane 4: what the agent has read, against the disk as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from memlens.app.links import PaneWanted, SourcePointed
from memlens.app.outside import copy
from memlens.app.panes.base import Pane
from memlens.app.panes.read_log.deeds import Comparing, Forgetting
from memlens.app.panes.read_log.rows import (
    ORDERS,
    ReadLines,
    Row,
    Wish,
    label,
    lane_titles,
    numbered,
    rows_of,
)
from memlens.app.panes.read_log.sessions import SessionChoice
from memlens.app.panes.read_log.texts import (
    facts,
    journal_line,
    no_rows,
    no_session,
    why,
)
from memlens.app.screens.ask import Ask
from memlens.app.screens.show import Show
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.search_field import Narrowed, SearchField
from memlens.app.words import progress_words
from memlens.engine.commands.base import Cancel
from memlens.engine.commands.reads import CheckWrite, LoadReads
from memlens.engine.events.base import Failed, Progress, WorkEnded
from memlens.engine.events.reads import ReadsLoaded, WriteChecked
from memlens.engine.events.workspace import ContextLoaded
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.engine.reads.model import PathReads, ReadLog
    from memlens.engine.workspace import Workspace

_MEGABYTE = 1024 * 1024
_NEEDS_PATH = frozenset(
    f"reads.{name}" for name in ("compare", "why", "edit", "tree", "copy", "copy_refusal", "forget")
)

_FORGETS = frozenset(["reads.forget", "reads.clear"])


class ReadLogPane(Pane, Narrowed):
    """One session's reads, each with its state and what a write would be told."""

    AREA = "reads"
    PARTS = frozenset(["reads"])
    TITLE = "Read state"
    NUMBER = 4

    def compose(self) -> ComposeResult:
        yield SearchField(id="read-filter", placeholder="type to narrow", compact=True)
        yield LineView(id="read-lines")
        yield EmptyState(id="read-empty")
        yield Static(id="read-detail")

    def on_mount(self) -> None:
        self._loaded: ReadsLoaded | None = None
        self._wish = Wish()
        self._progress: Progress | None = None
        self._memory_files: frozenset[str] = frozenset()
        self._comparing = Comparing(self, self._root)
        self._forgetting = Forgetting(self, self._root)
        self._sessions = SessionChoice(self, self._take_session)
        for kind, handler in (
            (ReadsLoaded, self._show_loaded), (Progress, self._show_progress),
            (WorkEnded, self._end_progress),
            (WriteChecked, self._show_checked),
            (ContextLoaded, self._take_context), (Failed, self._failed),
        ):  # fmt: skip
            self.listen(kind, handler)  # type: ignore[arg-type]
        self.say("loading …")

    @property
    def main(self) -> LineView | EmptyState:
        return self.query_one(EmptyState) if self.has_class("-empty") else self.view

    @property
    def awaits(self) -> bool:
        return self._loaded is None and self.bridge.awaits(LoadReads)

    @property
    def view(self) -> LineView:
        """The list."""
        return self.query_one("#read-lines", LineView)

    listed = view

    @property
    def selected(self) -> Row | None:
        """The row under the cursor."""
        lines = self.view.lines
        return lines.row(self.view.cursor) if isinstance(lines, ReadLines) else None

    @property
    def _entry(self) -> PathReads | None:
        row = self.selected
        return row.entry if row is not None else None

    @property
    def _log(self) -> ReadLog | None:
        return self._loaded.log if self._loaded is not None else None

    def remembered(self) -> dict[str, Any]:
        return {
            "order": self._wish.order, "by_folder": self._wish.by_folder,
            "only_problems": self._wish.only_problems, "session": self._sessions.remembered(),
            "place": self.view.place,
        }  # fmt: skip

    def recall(self, values: Mapping[str, Any]) -> None:
        self.view.want(values.get("place"))
        self._sessions.recall(values.get("session"))
        order = values.get("order")
        self._wish = replace(
            self._wish,
            order=order if order in ORDERS else self._wish.order,
            by_folder=values.get("by_folder") is True,
            only_problems=values.get("only_problems") is True,
        )
        self._show()

    def reason_against(self, action: Action) -> str | None:
        log = self._log
        if action.name == "reads.leave":
            return None  # where there is nothing to leave, Escape does nothing, quietly
        if self._loaded is None:
            return self.reason_unloaded
        if action.name == "reads.session":
            return None if self._loaded.sessions else "No session is known for this folder."
        if action.name == "reads.restore":
            return None if self._forgetting.can_restore else "Nothing was forgotten from here."
        if log is None:
            if action.name == "reads.copy" and _is_text(self._root):
                return None  # a line for the journal, which the empty pane tells of
            return "No session is known for this folder."
        if action.name in _FORGETS and self._workspace.read_only:
            return "memlens was opened so that nothing can be written."
        if action.name in _FORGETS and log.session.source == "transcript":
            return (
                "This session is known from Claude Code's own transcript, which memlens never "
                "changes; only what stands in memlens' journal can be forgotten."
            )
        entry = self._entry
        if action.name in _NEEDS_PATH and entry is None:
            return "Select a file first."
        if entry is None:
            return None
        if action.name == "reads.tree" and entry.path not in self._memory_files:
            return "This file is no part of the prompt."
        if action.name == "reads.copy_refusal" and entry.problem is None:
            return "A write would pass, so there is no refusal to copy."
        if action.name == "reads.copy" and not _is_text(entry.path):
            return "The name of this file is no UTF-8, so a clipboard cannot hold it."
        if action.name == "reads.edit" and entry.state == "gone":
            return "The file is not there any more."
        return None

    def _show_loaded(self, event: ReadsLoaded) -> None:
        self._loaded, self._progress = event, None
        self._sessions.renew(event)
        self._show()

    def _show_progress(self, event: Progress) -> None:
        if event.what == LoadReads.doing:
            self._progress = event
            self._say_state(0, 0)

    def _end_progress(self, event: WorkEnded) -> None:
        if self._progress is not None and self._progress.work == event.work:
            self._progress = None
            self._show()

    def _take_context(self, event: ContextLoaded) -> None:
        items = event.plan.items
        self._memory_files = frozenset(
            path for item in items for path in (item.file, *item.imports)
        )

    def _failed(self, event: Failed) -> None:
        if self._loaded is None and event.what == "read the session":
            self.say("", "could not be read; F5 tries again")

    def _show(self) -> None:
        event = self._loaded
        if event is None:
            return
        log = event.log
        if log is None:
            self._teach(no_session(event, self._workspace.home))
            self.say("no session")
            return
        rows = rows_of(log, self._root, self._wish)
        self.view.show(ReadLines(rows, event.now))
        self._teach("" if rows else no_rows(log, self._wish))
        paths = sum(row.entry is not None for row in rows)
        self._say_state(paths, len(log.paths))

    @property
    def _workspace(self) -> Workspace:
        return cast("MemlensApp", self.app).workspace

    @property
    def _root(self) -> str:
        return self._workspace.root

    def _teach(self, text: str) -> None:
        """Shows `text` instead of the list; empty: the list."""
        had_focus = self.main.has_focus
        self.set_class(bool(text), "-empty")
        if text:
            self.query_one(EmptyState).say(text)
        if had_focus and not self.main.has_focus:
            self.main.focus()

    def _say_state(self, shown: int, total: int) -> None:
        if self._progress is not None:
            self.say(f"{progress_words(self._progress)} …  Esc ends it")
            return
        event, log = self._loaded, self._log
        if event is None or log is None:
            return
        parts = [f"session {log.session.id[:8]}"]
        count = numbered(total, "file")
        parts.append(count if shown == total else f"{shown} of {count}")
        if self._wish.order != "time":
            parts.append(f"by {self._wish.order}")
        problems = []
        refused = sum(entry.problem is not None for entry in log.paths)
        if refused:
            problems.append(f"✗ {refused} refused")
        if event.unread_bytes:
            problems.append(f"{event.unread_bytes / _MEGABYTE:,.0f} MB not read: F5")
        if log.skipped:
            problems.append(f"{numbered(log.skipped, 'entry', 'entries')} not understood")
        self.say(" · ".join(parts), " · ".join(problems))

    @on(LineView.Moved, "#read-lines")
    def _moved(self) -> None:
        detail = self.query_one("#read-detail", Static)
        row, event = self.selected, self._loaded
        if row is None or event is None or event.log is None:
            detail.update("")
            return
        entry = row.entry
        if entry is None:
            refused = f", {row.refused} would be refused" if row.refused else ""
            detail.update(Content(visible(f"{row.title}: {numbered(row.count, 'file')}{refused}")))
            return
        lane = lane_titles(event.log).get(entry.lane, entry.lane)
        about = facts(entry, lane, is_memory=entry.path in self._memory_files)
        told = entry.problem or "A write would pass."
        style = "$text-error" if entry.problem else "$text-success"
        detail.update(
            Content.assemble(
                visible(about), "\n", visible(entry.reason), "\n",
                (visible(told), style),
            )
        )  # fmt: skip

    @on(LineView.Chosen, "#read-lines")
    def _chosen(self) -> None:
        self.do_reads_compare()

    @on(Input.Changed, "#read-filter")
    def _narrow(self, event: Input.Changed) -> None:
        if event.value != self._wish.query:
            self._wish = replace(self._wish, query=event.value)
            self._show()

    @on(Input.Submitted, "#read-filter")
    def _narrowed(self) -> None:
        self._end_typing()

    def _end_typing(self) -> None:
        self.set_class(bool(self._wish.query), "-filtered")
        self.main.focus()

    def do_reads_filter(self) -> None:
        self.add_class("-filtered")
        self.query_one("#read-filter").focus()

    def do_reads_leave(self) -> None:
        if self._progress is not None:
            self.ask(Cancel(work=self._progress.work))
            return
        self.query_one("#read-filter", Input).value = ""
        self._wish = replace(self._wish, query="")
        self._show()
        self._end_typing()

    def do_reads_problems(self) -> None:
        self._wish = replace(self._wish, only_problems=not self._wish.only_problems)
        self._show()

    def do_reads_folders(self) -> None:
        self._wish = replace(self._wish, by_folder=not self._wish.by_folder)
        self._show()

    def do_reads_order(self) -> None:
        following = ORDERS[(ORDERS.index(self._wish.order) + 1) % len(ORDERS)]
        self._wish = replace(self._wish, order=following)
        self._show()

    def do_reads_session(self) -> None:
        self._sessions.ask()

    def _take_session(self, session: str) -> None:
        if self._progress is not None:
            self.ask(Cancel(work=self._progress.work))
        self.say("loading …")
        self.ask(LoadReads(session=session))

    def do_reads_compare(self) -> None:
        if self._entry is not None:
            self._comparing.show(self._entry)

    def do_reads_edit(self) -> None:
        if self._entry is not None:
            self._comparing.edit(self._entry)

    def do_reads_why(self) -> None:
        entry = self._entry
        if entry is not None:
            self._show_why(entry)

    def _show_why(self, entry: PathReads) -> None:
        log = self._log
        title = f"{label(entry.path, self._root)}: may it be written?"
        if self.screen.is_current:
            self.app.push_screen(Show(title, why(entry, log, self._root)))

    def do_reads_check(self) -> None:
        def ask(path: str | None) -> None:
            if path:
                self.ask(CheckWrite(path=path))

        self.app.push_screen(
            Ask(
                "What would a write of the main agent be told? The file, relative or absolute:",
                check=lambda path: "" if path.strip() else "Name a file.",
            ),
            ask,
        )

    def _show_checked(self, event: WriteChecked) -> None:
        if event.entry is not None:
            self._show_why(event.entry)

    def do_reads_tree(self) -> None:
        entry = self._entry
        if entry is not None:
            self.bridge.tell(SourcePointed(file=entry.path, line=0, origin=self.id or ""))
            self.bridge.tell(PaneWanted(area="tree"))

    def do_reads_copy(self) -> None:
        if self._entry is not None:
            copy(self.app, self._entry.path, "The path")
        elif self._loaded is not None and self._log is None:
            copy(self.app, journal_line(self._root, self._loaded.now), "A line for the journal")

    def do_reads_copy_refusal(self) -> None:
        if self._entry is not None and self._entry.problem is not None:
            copy(self.app, self._entry.problem, "The refusal")

    def do_reads_forget(self) -> None:
        if self._entry is not None:
            self._forgetting.forget(self._entry)

    def do_reads_clear(self) -> None:
        if self._log is not None:
            self._forgetting.clear(self._log)

    def do_reads_restore(self) -> None:
        self._forgetting.restore()


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
