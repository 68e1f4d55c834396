"""Questions about the read state: what the agent has read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from memlens.engine.commands.base import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReads(Command):
    """Read the log of `session`, or of the newest one. Answer: `ReadsLoaded`."""

    part: ClassVar[str] = "reads"
    overtakes: ClassVar[bool] = True
    session: str | None = None
