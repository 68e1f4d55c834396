"""One log of a session out of its journal and its transcripts, against the disk as it is now."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import replace

from memlens.engine.reads import judge
from memlens.engine.reads.disk_now import DiskNow
from memlens.engine.reads.journal import ReadJournal, journal_folder
from memlens.engine.reads.journal_log import JournalLog, JournalTrack
from memlens.engine.reads.known import real_path
from memlens.engine.reads.model import (
    MAIN,
    Coverage,
    Lane,
    LineRange,
    LoadedInstruction,
    PathReads,
    ReadLog,
    Refusal,
    Session,
)
from memlens.engine.reads.transcript import Track, Transcript

_Key = tuple[str, str]
_SAME_MOMENT = 10.0
"""Seconds within which both sources tell of the same read; the journal then knows its bytes."""


class LogFollower:
    """Follows one session. Not thread-safe: one thread at a time."""

    def __init__(self, session: Session, *, journals: str | None = None) -> None:
        """`journals`: the folder of the journals, by default that of this person."""
        self.session = session
        self._transcript: Transcript | None = None
        self._journal: JournalLog | None = None
        self._disk = DiskNow()
        if session.source != "journal":
            self._transcript = Transcript(session.file)
        if session.source != "transcript":
            folder = journals if journals is not None else journal_folder()
            self._journal = JournalLog(ReadJournal(session.id, folder=folder))

    def files(self) -> list[str]:
        """What to watch for news: transcripts, and the folder of the journals."""
        watched = [] if self._transcript is None else [self.session.file, *self._transcript.files()]
        if self._journal is not None:
            watched.append(self._journal.journal.folder)
        return list(dict.fromkeys(watched))

    def reads(self) -> int:
        """How many reads and writes the session told of so far."""
        return self._session().reads

    def progress(self) -> tuple[int, int]:
        """Bytes of the transcripts that have been read, and that there are; journals are short."""
        return (0, 0) if self._transcript is None else self._transcript.progress()

    def advance(self, cancelled: Callable[[], bool] | None = None) -> bool:
        """Reads what the session has written since the last time; whether there was anything.

        `cancelled` is asked every half a megabyte; the next call goes on where it ended. Raises
        `OSError` when the session cannot be read.
        """
        news = False
        if self._journal is not None:
            news |= self._journal.advance()
        if self._transcript is not None:
            news |= self._transcript.advance(cancelled)
        return news

    def snapshot(self) -> ReadLog:
        """The log as it is now, the latest read first."""
        transcript, journal = self._transcript, self._journal
        told = {} if transcript is None else transcript.tracks()
        noted = {} if journal is None else journal.tracks
        entries = [
            self._entry(key, told.get(key), noted.get(key))
            for key in dict.fromkeys([*told, *noted])
        ]
        entries.sort(key=lambda entry: (-(entry.last_read or 0.0), entry.path, entry.lane))
        counts: dict[str, int] = {}
        for entry in entries:
            counts[entry.lane] = counts.get(entry.lane, 0) + 1
        labels = {MAIN: MAIN} if transcript is None else transcript.labels
        return ReadLog(
            session=self._session(),
            time=clock.time(),
            paths=tuple(entries),
            lanes=tuple(
                Lane(lane, labels.get(lane, lane), counts.get(lane, 0))
                for lane in dict.fromkeys([*labels, *counts])
            ),
            instructions=self._instructions(),
            epochs=max(
                transcript.epochs if transcript else 1, journal.resets + 1 if journal else 1
            ),
            skipped=(transcript.skipped if transcript else 0) + (journal.skipped if journal else 0),
        )

    def check(self, path: str, lane: str = MAIN) -> PathReads:
        """What would become of a write to any path, also one that the session never touched."""
        real = real_path(path)
        track = None if self._transcript is None else self._transcript.track(lane, real)
        noted = None if self._journal is None else self._journal.tracks.get((lane, real))
        return self._entry((lane, real), track, noted)

    def content_of(self, path: str, lane: str = MAIN) -> str | None:
        """What the agent read or wrote last, whole, with normalised line ends.

        It is read again from the transcript; None where only part was read, where the transcript
        does not tell it, and for journals, which hold no content.
        """
        if self._transcript is None:
            return None
        track = self._transcript.track(lane, real_path(path))
        if track is None or track.status != "known":
            return None
        return self._transcript.content(track)

    def _session(self) -> Session:
        transcript, journal = self._transcript, self._journal
        reads = max(transcript.reads if transcript else 0, journal.reads if journal else 0)
        agent = self.session.agent or (journal.agent if journal else "")
        return replace(self.session, reads=reads, agent=agent)

    def _entry(self, key: _Key, told: Track | None, noted: JournalTrack | None) -> PathReads:
        if noted is not None and (told is None or _journal_wins(told, noted)):
            return self._noted(key, noted, told)
        return self._told(key, told if told is not None else Track(), noted)

    def _told(self, key: _Key, track: Track, other: JournalTrack | None) -> PathReads:
        lane, path = key
        now = self._disk.look(path)
        coverage: Coverage | None = None
        ranges: list[tuple[int, int]] = []
        total, has_content = None, False
        if track.status == "known" and self._transcript is not None and track.last is not None:
            view = self._transcript.view(track)
            coverage = "written" if view.written else "whole" if view.whole else "partial"
            ranges, total = ([] if view.whole else view.ranges), view.total
            has_content = view.digest is not None
            state, reason, evidence = judge.by_text(
                path, now, self._disk,
                time=track.last, digest=view.digest, exact=view.exact, told=track.told,
            )  # fmt: skip
        else:
            state, reason, evidence = judge.not_known(
                now, track.status, rewound=track.rewound, seen=track.first is not None
            )
        refused = [Refusal(e.time, lane, e.more["text"]) for e in track.refused]
        return PathReads(
            path, lane, track.first, track.last, coverage, _ranges(ranges), total,
            track.reads, track.writes, state, judge.problem_for(state, now), reason, evidence,
            _refusals(refused, _refused_by(lane, other)), has_content,
        )  # fmt: skip

    def _noted(self, key: _Key, track: JournalTrack, other: Track | None) -> PathReads:
        lane, path = key
        now = self._disk.look(path)
        known = track.known
        if track.status == "known" and known is not None:
            state, reason, evidence = judge.by_bytes(path, known, now, self._disk)
        else:
            state, reason, evidence = judge.not_known(
                now, track.status, rewound=False, seen=track.first is not None
            )
        refused = [] if other is None else other.refused
        return PathReads(
            path, lane, track.first, track.last, _coverage(track), _ranges(track.ranges),
            track.total, track.reads, track.writes, state, judge.problem_for(state, now), reason,
            evidence,
            _refusals(
                _refused_by(lane, track), [Refusal(e.time, lane, e.more["text"]) for e in refused]
            ),
            self._transcript is not None
            and other is not None
            and self._transcript.has_content(other),
        )  # fmt: skip

    def _instructions(self) -> tuple[LoadedInstruction, ...]:
        loaded = []
        if self._transcript is not None:
            loaded += [
                LoadedInstruction(
                    event.path, event.time, event.lane, event.more["memory_type"],
                    event.more["reason"], event.more["parent"], "",
                )
                for event in self._transcript.loads
            ]  # fmt: skip
        if self._journal is not None:
            loaded += [
                LoadedInstruction(
                    entry.path, entry.time, entry.lane, entry.text("memory_type"),
                    entry.text("reason"), entry.text("parent"), entry.text("trigger"),
                )
                for entry in self._journal.loads
            ]  # fmt: skip
        return tuple(sorted(loaded, key=lambda one: one.time))


def read_log(session: Session, *, journals: str | None = None) -> ReadLog:
    """The log of a session in one go. Raises `OSError` when it cannot be read."""
    follower = LogFollower(session, journals=journals)
    follower.advance()
    return follower.snapshot()


def content_of(session: Session, path: str, lane: str = MAIN) -> str | None:
    """`LogFollower.content_of` in one go. Raises `OSError` when the session cannot be read."""
    if session.source == "journal":
        return None
    follower = LogFollower(replace(session, source="transcript"))
    follower.advance()
    return follower.content_of(path, lane)


def _journal_wins(told: Track, noted: JournalTrack) -> bool:
    if noted.status == "unread" or noted.last is None:
        return told.status == "unread" and not told.refused
    if told.status == "unread" or told.last is None:
        return True
    return noted.last >= told.last - _SAME_MOMENT


def _coverage(track: JournalTrack) -> Coverage | None:
    if track.status != "known":
        return None
    known: dict[str, Coverage] = {"whole": "whole", "partial": "partial", "written": "written"}
    return known.get(track.coverage)


def _ranges(ranges: list[tuple[int, int]]) -> tuple[LineRange, ...]:
    return tuple(LineRange(first, last) for first, last in ranges)


def _refused_by(lane: str, track: JournalTrack | None) -> list[Refusal]:
    if track is None:
        return []
    return [Refusal(entry.time, lane, entry.text("refusal")) for entry in track.refused]


def _refusals(one: list[Refusal], other: list[Refusal]) -> tuple[Refusal, ...]:
    return tuple(sorted([*one, *other], key=lambda refusal: refusal.time))
