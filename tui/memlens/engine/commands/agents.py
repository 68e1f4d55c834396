"""Questions about agents: which there are, which is looked at, and how two of them differ."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class LoadAgents(Command):
    """Which agents can be looked at. Answer: `AgentsLoaded`."""

    part: ClassVar[str] = "agents"
    leads: ClassVar[bool] = True


class ChooseAgent(Command):
    """Look at the folder as another agent sees it. Answer: `AgentChosen`."""

    part: ClassVar[str] = "agents"
    name: str
    keep: bool = False
    """Also write it to the settings, where later starts and scripts find it."""


class KeepQuestion(Command):
    """A person was asked which agent they use, and is not to be asked again. No answer."""

    part: ClassVar[str] = "agents"


class CompareAgents(Command):
    """What each of two agents gets here that the other does not. Answer: `AgentsCompared`."""

    part: ClassVar[str] = "agents"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing agents"
    left: str
    right: str
