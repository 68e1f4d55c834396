"""Which sessions a folder has had: those with transcripts, those with journals."""

from __future__ import annotations

import os
from typing import Final

from memlens.engine.reads.entry import Entry, entry_of
from memlens.engine.reads.journal import READS, ReadJournal, journal_folder
from memlens.engine.reads.known import real_path
from memlens.engine.reads.lines import open_regular, parts, safe_name
from memlens.engine.reads.model import Session
from memlens.engine.reads.transcript import session_id
from memlens.engine.reads.transcript_files import Head, folder_of, transcripts

_HEAD: Final = 64 * 1024
_COUNTED: Final = 1024 * 1024
"""Bytes of a journal in which reads are counted for the list; a longer one says -1."""
CLAUDE: Final = "claude"


class Seen:
    """What was found of files that have not changed since, for those who ask again and again."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}
        self.journals: dict[tuple[str, str], tuple[tuple[int, int], Session | None]] = {}
        """By file and folder; with the size and time that the newest part had."""


def sessions(
    folder: str,
    *,
    claude_home: str | None = None,
    journals: str | None = None,
    seen: Seen | None = None,
) -> tuple[Session, ...]:
    """The sessions that ran in `folder`, newest first; one entry each, whatever its sources.

    `claude_home`: the configuration folder of Claude Code. `journals`: the folder of memlens'
    journals. Both default to this person's. The reads of transcripts are not counted here (-1):
    that takes reading them. `seen` keeps what was found for the next call. Never raises for what
    is on disk; `RuntimeError` where no home folder is known.
    """
    seen = seen or Seen()
    found: dict[str, Session] = {}
    for path, head in transcripts(folder, claude_home, seen.heads):
        last = _time_of(path)
        if last is not None:
            session = Session(
                session_id(path), "transcript", head.cwd or real_path(folder), path,
                head.started, last, -1, CLAUDE, head.branch,
            )  # fmt: skip
            before = found.get(session.id)
            if before is None or before.last < last:
                found[session.id] = session
    for session in _journals(folder, journals if journals is not None else journal_folder(), seen):
        known = found.get(session.id)
        found[session.id] = session if known is None else _joined(known, session)
    return tuple(sorted(found.values(), key=lambda session: (-session.last, session.id)))


def folder_of_session(
    session: str, *, claude_home: str | None = None, journals: str | None = None
) -> str:
    """The folder in which a session ran, wherever that is; empty where nobody knows it."""
    found = folder_of(session, claude_home)
    if not found and session:
        journal = ReadJournal(session, folder=journals)
        try:
            found = next((entry.cwd for entry in journal.entries() if entry and entry.cwd), "")
        except OSError:
            return ""
    return found


def _joined(transcript: Session, journal: Session) -> Session:
    return Session(
        transcript.id, "both", transcript.folder, transcript.file,
        min(filter(None, (transcript.started, journal.started)), default=0.0),
        max(transcript.last, journal.last), journal.reads, transcript.agent, transcript.title,
    )  # fmt: skip


def _journals(folder: str, place: str, seen: Seen) -> list[Session]:
    try:
        names = sorted(os.listdir(place))
    except (OSError, ValueError):
        return []
    real = real_path(folder)
    found = []
    for name in names:
        if name.endswith(".jsonl") and "." not in name[:-6]:
            path = os.path.join(place, name)
            stamp = _stamp(parts(place, name[:-6])[-1:] or [path])
            known = seen.journals.get((path, real))
            if known is None or known[0] != stamp:
                known = seen.journals[path, real] = (stamp, _journal(path, real))
            if known[1] is not None:
                found.append(known[1])
    return found


def _stamp(newest: list[str]) -> tuple[int, int]:
    try:
        status = os.stat(newest[0])
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _journal(path: str, real: str) -> Session | None:
    """The session of a journal, when it is about the folder."""
    try:
        with open_regular(path) as file:
            head = [entry for line in file.read(_HEAD).split(b"\n") if (entry := entry_of(line))]
    except OSError:
        return None
    first = next((entry for entry in head if entry.session), None)
    if first is None or safe_name(first.session) != os.path.basename(path)[:-6]:
        return None
    cwd = next((entry.cwd for entry in head if entry.cwd), "")
    if cwd:
        if real_path(cwd) != real:
            return None
    elif not any(_is_below(entry, real) for entry in head):
        return None
    journal = ReadJournal(first.session, folder=os.path.dirname(path))
    agent = next((entry.agent for entry in head if entry.agent), "")
    newest = journal.parts()[-1:] or [path]
    last = _time_of(newest[0])
    if last is None:
        return None
    return Session(
        first.session, "journal", cwd or real, newest[0], first.time, last,
        _count(journal), agent,
    )  # fmt: skip


def _is_below(entry: Entry, real: str) -> bool:
    return entry.path.startswith(real.rstrip(os.sep) + os.sep)


def _count(journal: ReadJournal) -> int:
    """How many reads and writes; -1 when counting would take long."""
    try:
        if sum(os.path.getsize(path) for path in journal.parts()) > _COUNTED:
            return -1
        return sum(entry is not None and entry.action in READS for entry in journal.entries())
    except OSError:
        return -1


def _time_of(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
