"""Commands about the folder: memory files, the prompt, touches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.workspace import DiskChanged, LoadContext
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.context import ContextMemory
    from memlens.engine.durable.model import MemorySnapshot
    from memlens.engine.handlers.desk import Desk
    from memlens.engine.plan import DurableIndex


class WorkspaceHandler:
    """Keeps the memory files of the workspace and answers questions about the prompt."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._loaded = False

    def load(self, command: LoadContext) -> None:
        self._publish(command.request)

    def follow_disk(self, command: DiskChanged) -> None:
        self._publish(command.request)

    def _publish(self, request: int) -> None:
        from memlens.engine.agents import PROFILES
        from memlens.engine.context import ContextMemory, NestedSurvey, walk_dirs_for
        from memlens.engine.plan import Plan

        workspace = self._desk.workspace
        profile = PROFILES[workspace.agent]
        memory = ContextMemory(
            workspace.root,
            walk_dirs_for(workspace.root, whole=workspace.settings.walk == "everything"),
            home=workspace.home,
            profile=profile,
        )
        index = durable_index(self._desk.loaded_facts()) if profile.has_durable_index else None
        self._desk.publish(
            ContextLoaded(
                request=request, root=workspace.root, home=workspace.home, agent=profile.name,
                plan=Plan(memory.items, profile, index), reasons=(),
                nested=NestedSurvey((), True, 0), findings=(),
            )
        )  # fmt: skip
        self._loaded = True
        self._desk.watch("workspace", _folders(memory))


def _folders(memory: ContextMemory) -> frozenset[str]:
    folders = {*memory.walk, *(os.path.dirname(item.file) for item in memory.items)}
    folders.update(os.path.dirname(path) for item in memory.items for path in item.imports)
    if memory.config_folder is not None:
        folders.add(memory.config_folder)
    return frozenset(folders)


def durable_index(facts: MemorySnapshot | None) -> DurableIndex | None:
    """The facts as the plan shows them."""
    if facts is None:
        return None
    from memlens.engine.durable import index_line
    from memlens.engine.plan import DurableIndex, IndexFact

    return DurableIndex(
        facts.index,
        tuple(
            IndexFact(entry.name, entry.path, index_line(entry.name, entry.description, entry.path))
            for entry in facts.entries
        ),
    )


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = WorkspaceHandler(desk)
    return {LoadContext: part.load, DiskChanged: part.follow_disk}
