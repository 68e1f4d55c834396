"""What every command has."""

from __future__ import annotations

from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar, Final


KEYS: Final = "keys"
"""The lane of what is asked with each key: all other work makes way for its answers."""
EVERY_PART: Final = "*"
"""The `part` of a command that goes to all handlers that have been used and know it."""


class Command(Record):
    """Something a front end asks the engine for.

    `request` is the front end's number for it, growing; the events that answer carry it, so that
    an answer that a newer question overtook can be told. 0: nobody waits for an answer.
    """

    part: ClassVar[str] = ""
    """Which of the engine's handlers answers: the name of a module in `engine.handlers`."""
    lane: ClassVar[str] = ""
    """Commands of one lane run one after another, and wait for none of another lane."""
    overtakes: ClassVar[bool] = False
    """Whether a newer command of this class makes the older ones that still wait needless."""
    doing: ClassVar[str] = ""
    """What people are told when it takes long, such as `loading the facts`."""
    writes: ClassVar[bool] = False
    """Whether it writes what a person asked for, so that an end of the program waits for it."""

    leads: ClassVar[bool] = False
    """Whether its answer opens or closes something, or changes a list, so that what a person types
    next is meant for what is there then."""

    request: int = 0

    def absorbing(self, waiting: Command) -> Command:
        """This command as it is done when it overtakes `waiting`, one of its class."""
        return self


class Cancel(Command):
    """End work that `Progress` told of, or what was asked for with a number, also if it has not
    begun. No answer of its own: what ends is answered by `Cancelled`, or by what it has so far
    where that is of use."""

    work: int = 0
    """That of the progress."""
    of: int = 0
    """The `request` of a command."""
