"""What every command has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

EVERY_PART: Final = "*"
"""The `part` of a command that goes to all handlers that have been used and know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something a front end asks the engine for.

    `request` is the front end's number for it, growing; the events that answer carry it, so that
    an answer that a newer question overtook can be told. 0: nobody waits for an answer.
    """

    part: ClassVar[str] = ""
    """Which of the engine's handlers answers: the name of a module in `engine.handlers`."""
    overtakes: ClassVar[bool] = False
    """Whether a newer command of this class makes the older ones that still wait needless."""

    request: int = 0
