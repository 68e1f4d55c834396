"""Questions about the read state: what the agent has read."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class LoadReads(Command):
    """Read the log of `session`, or of the newest one. Answer: `ReadsLoaded`."""

    part: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    session: str | None = None
