"""What every event has, and the events of no part in particular."""

from __future__ import annotations

from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.commands.base import Command


class Event(Record):
    """Something that has happened.

    `request` is that of the command it answers, 0 where nobody asked. Snapshots in events are
    immutable: they may be kept and shared between threads.
    """

    request: int = 0


class Failed(Event):
    """A command could not be carried out; nothing was changed by it."""

    what: str
    """What was tried, such as `save the fact`."""
    why: str
    where: str = ""
    """The file or folder, absolute; empty where none is at fault."""
    hint: str = ""
    """What to do next."""


class Cancelled(Failed):
    """A command was ended before it was done, because that was asked for (`Cancel`).

    `why` says what was done and stays; else nothing was changed.
    """

    doing: str
    """What was being done, such as `loading the facts`."""
    part: str
    """That of the command."""
    again: Command
    """What does it again, or what is left of it."""
    asked: bool = True
    """Whether it was this work that was to end; else it needed what another did not finish."""


class Progress(Event):
    """Work that takes longer than a second goes on; `Cancel` ends it. Then comes `WorkEnded`."""

    work: int
    """The number that `Cancel` needs; the later it was asked for, the larger."""
    part: str
    """That of the command."""
    what: str
    """What is being done, such as `reading sessions`."""
    done: int
    total: int
    """0 where it is not known."""


class WorkEnded(Event):
    """Work that `Progress` told of has ended, however."""

    work: int
