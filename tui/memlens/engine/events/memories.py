"""What is known of the durable memory."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memlens.engine.commands.memories import MemoryFilter, Sort
    from memlens.engine.durable import FuzzyHit
    from memlens.engine.durable.model import MemoryEntry, MemoryRoot, MemoryScope
    from memlens.engine.durable.results import DraftCheck, Fact, Span


class MemoriesLoaded(Event):
    """The facts are loaded, or loaded again because something changed."""

    entries: tuple[MemoryEntry, ...]
    roots: tuple[MemoryRoot, ...]
    """Where facts are looked for here, whether the folders exist or not."""
    index: str
    """The index as the agent gets it; empty where there are no facts."""
    truncated: bool
    visible: int
    """How many entries, from the first, the agent sees in its index."""
    index_bytes: int
    cap_bytes: int
    per_scope: Mapping[MemoryScope, int]
    """How many entries each scope has."""
    per_tag: Mapping[str, int]
    """How many entries have each tag, the most used first."""
    changed: bool = True
    """Whether they differ from what was last told."""


class FoundMemory:
    """One hit of a blank or plain query; a fuzzy one tells where it matches, too."""

    __slots__ = ("entry", "score", "snippet")
    name_spans: Sequence[Span] = ()
    description_spans: Sequence[Span] = ()
    snippet_spans: Sequence[Span] = ()
    tag_spans: Sequence[Sequence[Span]] = ()
    """For each tag; empty where none matches."""

    def __init__(self, entry: MemoryEntry, snippet: str = "", score: float = 100.0) -> None:
        self.entry = entry
        self.snippet = snippet
        """The line of the body that matched, else the description; empty for a blank query."""
        self.score = score


class MemoriesFound(Event):
    """The facts that a query finds, best first; all of them for a blank query."""

    query: str
    only: MemoryFilter | None
    sort: Sort
    hits: Sequence[FoundMemory | FuzzyHit]
    """Made when they are looked at, so that ten thousand cost nothing."""
    total: int
    """Facts there are."""
    now: float
    """Seconds since 1970; ages are counted from it."""


class MemoryOpened(Event):
    """One fact with its body."""

    fact: Fact
    line: str
    """Its line in the index."""


class DraftChecked(Event):
    """What saving a form would do."""

    check: DraftCheck
    cap_bytes: int
    """Of the index."""
    description_limit: int
    """Characters."""


def made_at(entry: MemoryEntry) -> float:
    """When a fact was made (seconds since 1970): as it says itself, else when its file changed."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(entry.created)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError):
        return entry.mtime_ns / 1e9
