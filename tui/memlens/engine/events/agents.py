"""What has happened about agents."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.compare import ComparedSide


class KnownAgent(Record):
    """One agent that can be looked at."""

    name: str
    title: str
    config_folder: str
    """Where it keeps what belongs to a person, absolute; empty where there is no home folder."""
    is_here: bool
    """Whether that folder exists."""


class AgentsLoaded(Event):
    """Which agents can be looked at, and which one is."""

    agents: tuple[KnownAgent, ...]
    current: str
    configured: str
    """What the settings say; empty where nobody has set anything."""
    settings_file: str
    """Where it would be kept; empty where there is no home folder."""


class AgentChosen(Event):
    """The folder is looked at as this agent sees it."""

    name: str
    title: str
    kept_in: str
    """The settings file it was written to; empty where it holds for this start alone."""


class AgentsCompared(Event):
    """What each of two agents gets that the other does not."""

    left: ComparedSide
    right: ComparedSide
