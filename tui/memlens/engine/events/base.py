"""What every event has, and the events of no part in particular."""

from __future__ import annotations

from memlens.engine.record import Record


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


class Progress(Event):
    """Work that takes longer than a second goes on; `Cancel` ends it."""

    what: str
    done: int
    total: int
    """0 where it is not known."""
