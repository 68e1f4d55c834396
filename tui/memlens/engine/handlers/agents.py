"""Commands about agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.agents import ChooseAgent, CompareAgents, KeepQuestion, LoadAgents
from memlens.engine.events.agents import AgentChosen, AgentsCompared, AgentsLoaded, KnownAgent
from memlens.engine.handlers.resolving import durable_index, fresh_resolver
from memlens.engine.record import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.plan import Plan

ASKED: Final = "agent-asked"
"""The file in the state folder that says that a person was asked which agent they use."""


class AgentsHandler:
    """Changes the agent of the workspace, and compares two of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    def load(self, command: LoadAgents) -> None:
        from memlens.engine.agents import PROFILES
        from memlens.engine.context.layout import default_config_folder
        from memlens.engine.settings import load_settings

        workspace = self._desk.workspace
        known = []
        for profile in PROFILES.values():
            folder = default_config_folder(workspace.home, profile) or ""
            known.append(
                KnownAgent(
                    name=profile.name, title=profile.title, config_folder=folder,
                    is_here=bool(folder) and os.path.isdir(folder),
                )
            )  # fmt: skip
        settings = load_settings()
        is_set = settings.origins["agent"] != "default"
        self._desk.publish(
            AgentsLoaded(
                request=command.request, agents=tuple(known), current=workspace.agent,
                configured=settings.values.agent if is_set else "", settings_file=settings.file,
            )
        )  # fmt: skip

    def choose(self, command: ChooseAgent) -> None:
        from memlens.engine.agents import profile

        chosen = profile(command.name)
        kept_in = ""
        if command.keep:
            from memlens.engine.settings.keep import keep_setting

            self._desk.must_write()
            kept_in = keep_setting("agent", chosen.name)
        self._desk.workspace = replace(self._desk.workspace, agent=chosen.name)
        self._desk.attach_notes()
        self._desk.publish(
            AgentChosen(
                request=command.request, name=chosen.name, title=chosen.title, kept_in=kept_in
            )
        )

    def keep_question(self, command: KeepQuestion) -> None:
        from memlens.engine.files import make_folders, replace_file

        folder = self._desk.workspace.state_dir
        if folder:
            make_folders(folder)
            replace_file(os.path.join(folder, ASKED), b"")

    def compare(self, command: CompareAgents) -> None:
        from memlens.engine.compare import compare

        left, right = compare(self._plan(command.left), self._plan(command.right))
        self._desk.publish(AgentsCompared(request=command.request, left=left, right=right))

    def _plan(self, agent: str) -> Plan:
        from memlens.engine.plan import Plan

        memory = fresh_resolver(self._desk.workspace, agent).resolve()
        profile = memory.profile
        index = durable_index(self._desk.loaded_facts()) if profile.has_durable_index else None
        return Plan(memory.items, profile, index, self._desk.workspace.settings.framing)


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = AgentsHandler(desk)
    return {
        LoadAgents: part.load,
        ChooseAgent: part.choose,
        KeepQuestion: part.keep_question,
        CompareAgents: part.compare,
    }
