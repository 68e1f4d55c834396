"""Facts out of use: what speaks for that, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Final

from textual import on

from memlens.app.panes.memory_browser.lines import TextLines, scope_word
from memlens.app.panes.memory_browser.screen import READ_ONLY, MemoryScreen
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit
from memlens.app.words import age_words, at_home
from memlens.engine.commands.base import Cancel
from memlens.engine.commands.memories import PeekMemory
from memlens.engine.commands.memory_changes import DeleteMemories, UndoMemory
from memlens.engine.commands.memory_curation import FindStale
from memlens.engine.events.memories import MemoryOpened
from memlens.engine.events.memory_changes import MemoriesChanged
from memlens.engine.events.memory_curation import StaleFound

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.durable.model import MemoryEntry
    from memlens.engine.events.memory_curation import StaleEvidence

_DAY = 86_400.0


class StaleLines:
    """Facts with their evidence, one a line."""

    def __init__(self, event: StaleFound, marked: Collection[str]) -> None:
        self._event = event
        self._marked = marked
        self.rows: list[tuple[MemoryEntry, StaleEvidence | None]] = [
            (one.fact.entry, one) for one in event.facts
        ]
        stale = {entry.path for entry, _ in self.rows}
        self.rows += [(entry, None) for entry in event.repeating if entry.path not in stale]

    def count(self, width: int) -> int:
        return len(self.rows)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.rows[index][0].path if index < len(self.rows) else None

    def index(self, key: Hashable) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row[0].path == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        entry, evidence = self.rows[index]
        scope = scope_word(entry.scope)
        whole = width - 11 - _LEAST >= _EVIDENCE
        told = _EVIDENCE if whole else _SHORT
        name_width = max(_LEAST, min(36, width - 11 - told))
        pieces: list[Piece] = [
            ("✓ " if entry.path in self._marked else "  ", "marked"),
            (fit(entry.name, name_width), "strong"),
            (" " + fit(scope, 8), scope),
        ]
        rest = width - name_width - 11
        if evidence is None:
            pieces.append((fit("says no more than its name", rest), "note"))
        else:
            pieces.append((fit(self._evidence(evidence, whole=whole), rest), "dim"))
        return pieces

    def _evidence(self, evidence: StaleEvidence, *, whole: bool) -> str:
        fact = evidence.fact
        age = age_words(fact.age_days * _DAY) if fact.age_days >= 0 else "?"
        read = "never"
        if evidence.last_read is not None:
            read = age_words(self._event.now - evidence.last_read)
        changed = age_words(fact.untouched_days * _DAY)
        made = f"made {age:<5} " if whole else ""
        return f"{made}changed {changed:<5} read {read}"


_EVIDENCE: Final = len("made 12345 changed 12345 read never")
"""Cells that the evidence takes; the name gives way to it."""
_SHORT: Final = len("changed 12345 read never")
"""Cells that it takes where there is little room: when it was made is told below."""
_LEAST: Final = 12
"""Cells of a name."""


def _teaching(event: StaleFound) -> str:
    return (
        f"A fact that nobody makes or changes for {event.stale_days} days (stale_days in the "
        "settings) is listed here, with when a session of this folder read it last, and so is one "
        "whose description says no more than its name.\n\nThat is evidence, no verdict: you look, "
        "and keep, edit or delete."
    )


class Stale(MemoryScreen):
    """Lists the facts, the longest untouched first."""

    AREA = "stale"
    PARTS = frozenset(["memory_curation"])
    TITLE_TEXT = "Out of use"

    def __init__(self) -> None:
        super().__init__()
        self._marked: set[str] = set()
        self._found: StaleFound | None = None
        self._request = 0
        self._peek = 0

    def start(self) -> None:
        self.listen(StaleFound, self._show_found)
        self.listen(MemoryOpened, self._opened)
        self.listen(MemoriesChanged, self._changed)
        self.say("looking …")

    def look(self) -> None:
        self._request = self.ask(FindStale())

    def _changed(self, event: MemoriesChanged) -> None:
        self._marked -= set(event.paths)
        self.look()

    @property
    def selected(self) -> MemoryEntry | None:
        row = self._row
        return row[0] if row else None

    @property
    def _row(self) -> tuple[MemoryEntry, StaleEvidence | None] | None:
        lines = self.listing.lines
        if isinstance(lines, StaleLines) and self.listing.cursor < len(lines.rows):
            return lines.rows[self.listing.cursor]
        return None

    def reason_against(self, action: Action) -> str | None:
        if action.name in ("stale.delete", "stale.undo") and self.read_only:
            return READ_ONLY
        if action.name not in ("stale.close", "stale.undo") and self.selected is None:
            return "No fact is out of use."
        return None

    def _show_found(self, event: StaleFound) -> None:
        self._found = event
        number, days = len(event.facts), event.stale_days
        if not number:
            more = len(event.repeating)
            words = f"; {more} say{'s' if more == 1 else ''} no more than the name" if more else ""
            self.say(f"Every fact was made or changed within {days} days{words}.")
        else:
            sessions = f"{event.sessions} session{'s' if event.sessions != 1 else ''}"
            stopped = ", then stopped" if event.stopped else ""
            self.say(
                f"{number} not changed for {days} days; looked through {sessions} of this folder"
                f"{stopped}"
            )
        self._show()

    def _show(self) -> None:
        if self._found is not None:
            lines = StaleLines(self._found, frozenset(self._marked))
            self.list_all(lines, empty=_teaching(self._found))

    @on(LineView.Moved, "#memory-screen-list")
    def _moved(self) -> None:
        entry = self.selected
        if entry is None:
            self.detail.show(NoLines())
        else:
            self._peek = self.ask(PeekMemory(path=entry.path))

    def _opened(self, event: MemoryOpened) -> None:
        row = self._row
        if event.request != self._peek or row is None or self._found is None:
            return
        heads: list[Piece] = [(event.fact.description, "strong")]
        evidence = row[1]
        if evidence is not None:
            if evidence.last_read is None:
                sessions = self._found.sessions
                read = (
                    f"none of {sessions} sessions of this folder read it"
                    if sessions != 1
                    else "the one session of this folder did not read it"
                )
            else:
                age = age_words(self._found.now - evidence.last_read)
                times = f"{evidence.reads} time{'s' if evidence.reads != 1 else ''}"
                read = f"read {times}, last {age} ago by session {evidence.read_by}"
            made = event.fact.created[:10] or "a day it does not say"
            untouched = evidence.fact.untouched_days
            heads.append((f"made on {made}, file unchanged for {untouched} days, {read}", "dim"))
        heads.append((at_home(event.fact.path, self.home), "dim"))
        heads.append(("", ""))
        self.detail.show(TextLines(event.fact.body, heads))

    def do_stale_mark(self) -> None:
        if self.selected is not None:
            self._marked ^= {self.selected.path}
            self._show()
            self.listing.go_to(self.listing.cursor + 1)

    @on(LineView.Chosen, "#memory-screen-list")
    def do_stale_edit(self) -> None:
        if self.selected is not None:
            self._stop()
            self.leave(self.selected.path)

    def do_stale_delete(self) -> None:
        lines = self.listing.lines
        if isinstance(lines, StaleLines) and self.selected is not None:
            wanted = self._marked or {self.selected.path}
            facts = tuple(entry for entry, _ in lines.rows if entry.path in wanted)
            self.ask(DeleteMemories(facts=facts))

    def do_stale_undo(self) -> None:
        self.ask(UndoMemory())

    def do_stale_close(self) -> None:
        self._stop()
        self.leave()

    def _stop(self) -> None:
        """Whoever leaves does not want to know any more."""
        self.ask(Cancel(of=self._request))
