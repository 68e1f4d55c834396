"""What has happened to the read state."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.reads.model import ReadLog, Session


class ReadsLoaded(Event):
    """The read log of one session against the disk, and the sessions there are."""

    sessions: tuple[Session, ...]
    """Newest first."""
    log: ReadLog | None
    """`None`: there is no session."""
    journal_folder: str
    """Where agents may write journals."""
