"""What a journal says of each path, for the log."""

from __future__ import annotations

from memlens.engine.reads.coverage import merged
from memlens.engine.reads.entry import Entry
from memlens.engine.reads.follow import Cursor
from memlens.engine.reads.journal import READS, RESETS, ReadJournal
from memlens.engine.reads.known import Known

_REFUSED = 100


class JournalTrack:
    """What a lane knows of one path, by the journal."""

    __slots__ = (
        "coverage", "first", "known", "last", "ranges", "reads", "refused", "status", "total",
        "writes",
    )  # fmt: skip

    def __init__(self) -> None:
        self.status = "unread"
        """`unread`, `known`, or `lost`."""
        self.known: Known | None = None
        self.coverage = ""
        """`whole`, `partial` or `written`."""
        self.first: float | None = None
        self.last: float | None = None
        self.ranges: list[tuple[int, int]] = []
        self.total: int | None = None
        self.reads = 0
        self.writes = 0
        self.refused: list[Entry] = []

    def read(self, entry: Entry) -> None:
        keeps = (
            entry.action == "partial"
            and self.status == "known"
            and self.known is not None
            and entry.known is not None
            and self.known.mtime_ns is not None
            and (self.known.size, self.known.mtime_ns) == (entry.known.size, entry.known.mtime_ns)
        )
        if entry.action != "partial":
            self.coverage = "whole" if entry.action == "read" else "written"
            self.known, self.ranges = entry.known, []
        elif not keeps:
            self.coverage, self.known, self.ranges = "partial", entry.known, entry.ranges()
        elif self.coverage == "partial":
            self.known, self.ranges = entry.known, merged(self.ranges + entry.ranges())
        self.total = entry.total_lines() or (self.total if keeps else None)
        writes = entry.action in ("write", "edit")
        self.writes += writes
        self.reads += not writes
        self.status = "known"
        self.first = entry.time if self.first is None else self.first
        self.last = entry.time

    def lose(self) -> None:
        if self.status == "known":
            self.status, self.known = "lost", None


class JournalLog:
    """One session's journal, followed while it grows."""

    def __init__(self, journal: ReadJournal) -> None:
        self.journal = journal
        self.tracks: dict[tuple[str, str], JournalTrack] = {}
        """By lane and path."""
        self.loads: list[Entry] = []
        self.skipped = 0
        self.resets = 0
        """Compactions of the main context."""
        self.reads = 0
        self.agent = journal.agent
        self._cursor: Cursor = {}

    def advance(self) -> bool:
        """Reads what has come since the last time; whether there was anything.

        Raises `OSError`.
        """
        news = False
        for entry in self.journal.entries(self._cursor):
            news = True
            if entry is None:
                self.skipped += 1
            else:
                self.agent = entry.agent or self.agent
                self._take(entry)
        return news

    def _take(self, entry: Entry) -> None:
        key = (entry.lane, entry.path)
        if entry.action == "compact":
            self.resets += entry.lane == "main"
            for (lane, _), track in self.tracks.items():
                if lane == entry.lane:
                    track.lose()
        elif entry.action in RESETS:
            self.tracks.clear()
            self.resets = 0
        elif entry.action == "forget":
            self.tracks.pop(key, None)
        elif entry.action == "load":
            self.loads.append(entry)
        else:
            track = self.tracks.setdefault(key, JournalTrack())
            if entry.action in READS:
                self.reads += 1
                track.read(entry)
            else:
                track.refused = [*track.refused[-_REFUSED:], entry]
