"""What has happened to the durable memory."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.durable.model import MemoryEntry, MemoryRoot
    from memlens.engine.durable.results import Fact, Redaction, Span
    from memlens.engine.findings import Finding


class MemoriesLoaded(Event):
    """The facts are loaded, or loaded again because something changed."""

    entries: tuple[MemoryEntry, ...]
    roots: tuple[MemoryRoot, ...]
    """Where facts are looked for here, whether the folders exist or not."""
    truncated: bool
    visible: int
    """How many entries, from the first, the agent sees in its index."""
    index_bytes: int
    cap_bytes: int
    findings: tuple[Finding, ...] = ()
    changed: bool = True
    """Whether they differ from what was last told."""


class FoundMemory(Record):
    """One hit: a fact and what of it matched."""

    entry: MemoryEntry
    snippet: str = ""
    """The line of the body that matched; empty where none did."""
    name_marks: tuple[Span, ...] = ()
    description_marks: tuple[Span, ...] = ()
    snippet_marks: tuple[Span, ...] = ()
    score: float = 100.0


class MemoriesFound(Event):
    """The facts that a query finds, best first; all of them for a blank query."""

    query: str
    hits: tuple[FoundMemory, ...]
    total: int
    """Facts there are."""


class MemoryOpened(Event):
    """One fact with its body."""

    fact: Fact


class MemorySaved(Event):
    """A fact was saved."""

    path: str
    name: str
    redacted: tuple[Redaction, ...]
    moved_from: str | None
    undo_id: str


class MemoryClashed(Event):
    """A fact was not saved: its file is no longer what was opened."""

    path: str
    problem: str
    base: str | None
    """The whole file as it was opened."""
    mine: str
    """The whole file as it would have been saved."""
    theirs: Fact | None
    """The fact that is there now; `None`: its file is gone."""
