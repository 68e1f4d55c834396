"""What has happened to the read state."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.reads.model import PathReads, ReadLog, Session
    from memlens.engine.review.model import DiffLine


class ReadsLoaded(Event):
    """The read log of one session against the disk, and the sessions there are."""

    sessions: tuple[Session, ...]
    """Newest first."""
    log: ReadLog | None
    """`None`: there is no session."""
    journal_folder: str
    """Where agents may write journals; empty where no home folder is known."""
    now: float = 0.0
    """When the disk was asked, in seconds since 1970."""
    unread_bytes: int = 0
    """What of the session was not read, because that was cancelled; else 0."""
    near: tuple[str, ...] = ()
    """Without a session: folders above and below in which there are some, the latest first."""


class SessionsCounted(Event):
    """The sessions with their numbers of reads; -1 where there was too much to count."""

    sessions: tuple[Session, ...]
    now: float


class WriteChecked(Event):
    """What a write would be told."""

    session: Session | None
    """`None`: there is no session, so nobody would refuse anything."""
    entry: PathReads | None


class ReadCompared(Event):
    """What was read against what is there now."""

    path: str
    agent: str
    lines: tuple[DiffLine, ...]
    """Empty where both are equal, or where they cannot be compared."""
    problem: str
    """Why they cannot be compared, as a sentence; empty where they were."""
    source: str
    """Where the text that was read was found: `transcript` or `git`; empty where it was not."""
    first_line: int
    """The first line of the file as it is that differs, from 1; 0 where none is known."""


class JournalStep(Record):
    """What a journal forgot, so that it can be taken back."""

    session: str
    agent: str
    """The program that the journal names."""
    entries: tuple[tuple[tuple[str, object], ...], ...]
    """Of each path and lane what to append, as the pairs of a journal's entry."""


class ReadsForgotten(Event):
    """A journal has forgotten one path, or all."""

    path: str
    """Empty: all."""
    count: int
    """How many it knew."""
    step: JournalStep
    still_told: bool
    """Whether the session's transcript, which memlens never changes, still tells of it."""


class ReadsRestored(Event):
    """What a journal had forgotten stands in it again."""

    count: int
