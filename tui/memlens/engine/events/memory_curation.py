"""What was found when curating."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.findings import SEVERITIES
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memlens.engine.durable.model import MemoryEntry
    from memlens.engine.durable.results import Duplicate, Fact, StaleFact
    from memlens.engine.events.memory_changes import MergedDraft
    from memlens.engine.findings import Finding


_QUIET = frozenset({"index-cut", "index-overflow"})
"""Findings of the index as a whole, which is told of elsewhere."""


class Problems:
    """The findings by file, the loudest first; put in order on the engine's side, as there may be
    thousands."""

    def __init__(self, findings: Sequence[Finding] = ()) -> None:
        self._by_file: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.name not in _QUIET:
                self._by_file.setdefault(finding.file, []).append(finding)
        order = SEVERITIES
        for found in self._by_file.values():
            found.sort(key=lambda finding: order.index(finding.severity))
        self.names: Mapping[str, int] = _counted(findings)
        """How many facts have a finding of each name."""

    def of(self, path: str) -> Sequence[Finding]:
        return self._by_file.get(path, ())

    def beside(self, facts: Collection[str]) -> Sequence[Finding]:
        """The loudest finding of each file that is none of `facts`, but for mere notes."""
        return [
            found[0]
            for path, found in self._by_file.items()
            if path not in facts and found[0].severity != "note"
        ]

    @property
    def loud(self) -> int:
        """Facts with more than a note."""
        return sum(found[0].severity != "note" for found in self._by_file.values())


def _counted(findings: Sequence[Finding]) -> dict[str, int]:
    files: dict[str, set[str]] = {}
    for finding in findings:
        files.setdefault(finding.name, set()).add(finding.file)
    return {name: len(found) for name, found in sorted(files.items())}


class MemoriesChecked(Event):
    """What is wrong with facts."""

    findings: tuple[Finding, ...]
    """Files are absolute."""
    problems: Problems


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
