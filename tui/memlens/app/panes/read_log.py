"""Pane 4: what the agent has read, against the disk as it is now."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memlens.app.panes.base import Pane
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView, Piece, fit, fit_path
from memlens.engine.events.reads import ReadsLoaded
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.reads.model import PathReads, ReadLog

GLYPHS = {
    "unchanged": ("✓", "ok"),
    "touched": ("≈", "note"),
    "changed": ("✗", "error"),
    "gone": ("–", "dim"),
    "unread": ("?", "warning"),
    "lost": ("!", "warning"),
}


class ReadLines:
    """One line a path: state, path, coverage, word for the state, time."""

    def __init__(self, paths: tuple[PathReads, ...], root: str) -> None:
        self._paths = paths
        self._root = root + "/"
        self._places = {(entry.path, entry.lane): at for at, entry in enumerate(paths)}

    def entry(self, index: int) -> PathReads | None:
        return self._paths[index] if 0 <= index < len(self._paths) else None

    def count(self, width: int) -> int:
        return len(self._paths)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        entry = self.entry(index)
        return (entry.path, entry.lane) if entry else None

    def index(self, key: Hashable) -> int | None:
        return self._places.get(key)  # type: ignore[call-overload, no-any-return]

    def line(self, index: int, width: int) -> Sequence[Piece]:
        entry = self._paths[index]
        glyph, style = GLYPHS[entry.state]
        path = entry.path.removeprefix(self._root)
        when = clock(entry.last_read)
        coverage = entry.coverage or "–"
        path_width = max(8, width - 2 - 9 - 11 - 6)
        return (
            (f"{glyph} ", style),
            (fit_path(path, path_width), ""),
            (" " + fit(coverage, 8), "dim"),
            (" " + fit(entry.state, 10), style),
            (fit(when, 6), "dim"),
        )


def clock(moment: float | None) -> str:
    """Hours and minutes of a time, local."""
    return time.strftime("%H:%M", time.localtime(moment)) if moment else ""


class ReadLogPane(Pane):
    """The newest session's reads, each with its state and what a write would be told."""

    AREA = "reads"
    TITLE = "Read state"
    NUMBER = 4

    def compose(self) -> ComposeResult:
        yield LineView(id="read-lines")
        yield EmptyState(id="read-empty")
        yield Static(id="read-detail")

    def on_mount(self) -> None:
        self._log: ReadLog | None = None
        self._only_problems = False
        self.listen(ReadsLoaded, self._loaded)
        self.say("loading …")

    @property
    def main(self) -> LineView:
        return self.query_one("#read-lines", LineView)

    def reason_against(self, action: Action) -> str | None:
        if action.name == "reads.problems" and self._log is None:
            return "No session has been read yet."
        return None

    def _loaded(self, event: ReadsLoaded) -> None:
        self._log = event.log
        self.set_class(event.log is None, "-empty")
        if event.log is None:
            self.say("no session")
            self.query_one(EmptyState).say(
                "No agent has told what it read here yet.\n\n"
                "Let memlens listen to Claude Code:  memlens hook --install\n"
                f"or let your agent write a journal into  {event.journal_folder}"
            )
            return
        self._show()

    def _show(self) -> None:
        log = self._log
        if log is None:
            return
        refused = [entry for entry in log.paths if entry.problem]
        paths = tuple(refused) if self._only_problems else log.paths
        self.main.show(ReadLines(paths, log.session.folder))
        only = "only problems  " if self._only_problems else ""
        problem = f"{len(refused)} would be refused" if refused else ""
        self.say(f"{only}session {log.session.id[:12]}", problem)

    @on(LineView.Moved, "#read-lines")
    def _moved(self) -> None:
        lines = self.main.lines
        entry = lines.entry(self.main.cursor) if isinstance(lines, ReadLines) else None
        detail = self.query_one("#read-detail", Static)
        if entry is None:
            detail.update("")
            return
        told = entry.problem or "A write would pass."
        detail.update(
            Content.assemble(
                (visible(entry.reason), "dim"), "\n",
                (visible(told), "$text-error" if entry.problem else "$text-success"),
            )
        )  # fmt: skip

    def do_reads_problems(self) -> None:
        self._only_problems = not self._only_problems
        self._show()
