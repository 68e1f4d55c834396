"""What has happened to the read state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlens.engine.events.base import Event

if TYPE_CHECKING:
    from memlens.engine.reads.model import ReadLog, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadsLoaded(Event):
    """The read log of one session against the disk, and the sessions there are."""

    sessions: tuple[Session, ...]
    """Newest first."""
    log: ReadLog | None
    """`None`: there is no session."""
    journal_folder: str
    """Where agents may write journals."""
