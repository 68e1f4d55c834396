"""What was found when curating."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.durable.model import MemoryEntry
    from memlens.engine.durable.results import Duplicate, Fact, StaleFact
    from memlens.engine.events.memory_changes import MergedDraft
    from memlens.engine.findings import Finding


class MemoriesChecked(Event):
    """What is wrong with facts."""

    findings: tuple[Finding, ...]
    """Files are absolute."""


class DuplicatesFound(Event):
    """Pairs that say the same, exact ones first."""

    pairs: tuple[Duplicate, ...]


class SideBySide(Record):
    """One row of two texts; `same` where both lines are equal. `None`: there is no line."""

    left: str | None
    right: str | None
    same: bool


class MemoriesCompared(Event):
    """Two facts side by side."""

    first: Fact
    second: Fact
    rows: tuple[SideBySide, ...]
    """Of the bodies."""
    merged: MergedDraft


class StaleEvidence(Record):
    """A fact out of use, and what speaks for that."""

    fact: StaleFact
    last_read: float | None
    """Seconds since 1970; `None`: no session of this folder read it."""
    read_by: str
    """The session that read it last; empty where none did."""
    reads: int
    """In all sessions of this folder that were looked at."""


class StaleFound(Event):
    """The facts that nobody has changed for long, the longest first."""

    facts: tuple[StaleEvidence, ...]
    repeating: tuple[MemoryEntry, ...]
    """Facts whose description only repeats the name."""
    sessions: int
    """Sessions of this folder that were looked at."""
    stale_days: int
    now: float
    stopped: bool = False
    """Whether the looking was ended before all sessions were seen."""
