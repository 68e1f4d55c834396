"""Questions about the read state: what the agent has read, and what a write would be told.

They have a lane of their own, because reading a long session takes seconds.
"""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from memlens.engine.events.reads import JournalStep


class LoadReads(Command):
    """Read the log of `session`, or of the newest one. Answer: `ReadsLoaded`.

    From then on that session is followed. Where it is cancelled, what was read is the answer.
    """

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading the session"
    session: str | None = None


class FollowReads(Command):
    """Look at the session again. Answer: `ReadsLoaded`, where it differs."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading the session"


class CountSessions(Command):
    """Count the reads of the sessions, which takes reading them. Answer: `SessionsCounted`."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "counts"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "counting reads"
    limit: int = 512 * 1024 * 1024
    """Bytes of transcripts that are read at most, the newest first."""


class CheckWrite(Command):
    """What would a write to `path` be told? Answer: `WriteChecked`."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    leads: ClassVar[bool] = True
    path: str
    """Relative to the workspace's root, or absolute."""
    agent: str = "main"
    """The lane: the main agent, or the id of a subagent."""


class CompareRead(Command):
    """What differs between what was read of `path` and what is there? Answer: `ReadCompared`."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing the file"
    leads: ClassVar[bool] = True
    path: str
    agent: str = "main"


class ForgetReads(Command):
    """Forget one path, or all without one, in memlens' own journal. Answer: `ReadsForgotten`."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    writes: ClassVar[bool] = True
    path: str = ""
    agent: str = "main"


class RestoreReads(Command):
    """Take a `ReadsForgotten` back. Answer: `ReadsRestored`."""

    part: ClassVar[str] = "reads"
    lane: ClassVar[str] = "reads"
    writes: ClassVar[bool] = True
    step: JournalStep
