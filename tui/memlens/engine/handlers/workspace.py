"""Commands about the folder: memory files, the prompt, touches."""

from __future__ import annotations

import os

from memlens.engine.commands.workspace import DiskChanged, LoadContext, ResetTouches, TouchPath
from memlens.engine.events.workspace import ContextLoaded, PathTouched, TouchesReset
from memlens.engine.files import DISK
from memlens.engine.handlers.resolving import durable_index, fresh_resolver
from memlens.engine.work import Stopped, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.context import ContextMemory, ContextResolver
    from memlens.engine.context.model import MemoryItem, NestedSurvey
    from memlens.engine.events.memories import MemoriesLoaded
    from memlens.engine.findings import Finding
    from memlens.engine.handlers.desk import Desk


class WorkspaceHandler:
    """Keeps the memory files of the workspace and answers questions about the prompt."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._resolver: ContextResolver | None = None
        self._memory: ContextMemory | None = None
        self._session: ContextMemory | None = None
        """Where touches are counted; it lives until they are reset."""
        self._published: ContextLoaded | None = None
        self._following_facts = False

    def load(self, command: LoadContext) -> None:
        self._resolve()
        self._publish(command.request, details=command.details)

    def follow_disk(self, command: DiskChanged) -> None:
        self._resolve(command.paths)
        self._publish(command.request)

    def touch(self, command: TouchPath) -> None:
        if self._session is None or not self._is_current(self._session):
            self._session = fresh_resolver(self._desk.workspace).resolve()
        items = tuple(self._session.nested_for(command.path))
        text = self._session.touch_text(*items) or ""
        self._desk.publish(
            PathTouched(
                request=command.request, path=command.path, items=items, text=text,
                reason="" if text else self._why_nothing(command.path),
                findings=self._findings_in(self._session, items) if command.details else (),
            )
        )  # fmt: skip

    def _findings_in(
        self, session: ContextMemory, items: tuple[MemoryItem, ...]
    ) -> tuple[Finding, ...]:
        if not items:
            return ()
        files = {path for item in items for path in (item.file, *item.imports)}
        return tuple(one for one in self._wanted(session) if one.file in files)

    def _why_nothing(self, path: str) -> str:
        assert self._session is not None
        handed_out = {item.file for item in self._session.handed_out}
        again = fresh_resolver(self._desk.workspace).resolve().nested_for(path)
        if any(item.file in handed_out for item in again):
            return "What it would add was given at an earlier touch of this session."
        if again:
            return "What it would add is in the prompt already."
        return "There is no memory file between the project's folder and this path."

    def reset_touches(self, command: ResetTouches) -> None:
        self._session = None
        self._desk.publish(TouchesReset(request=command.request))

    def _resolve(self, changed: frozenset[str] | None = None) -> ContextMemory:
        if self._resolver is None or (self._memory and not self._is_current(self._memory)):
            self._resolver = fresh_resolver(self._desk.workspace)
        try:
            self._memory = self._resolver.resolve(changed)
        except Stopped:
            self._resolver = None  # it knows half of what has changed
            raise
        return self._memory

    def _is_current(self, memory: ContextMemory) -> bool:
        """Whether it is still this agent that is looked at."""
        return memory.profile.name == self._desk.workspace.agent

    def _publish(self, request: int, *, details: bool = True) -> None:
        """Publishes the plan; unasked, only where it differs from the last one."""
        from memlens.engine.context.model import NestedSurvey
        from memlens.engine.plan import Plan

        workspace = self._desk.workspace
        memory = self._memory
        if memory is None or not self._is_current(memory):
            memory = self._resolve()
        profile = memory.profile
        index = durable_index(self._desk.loaded_facts()) if profile.has_durable_index else None
        plan = Plan(memory.items, profile, index, workspace.settings.framing)
        if details:
            _ = plan.spans  # worked out here, so that the screen does not have to
        nested = memory.unloaded() if details else NestedSurvey((), complete=False, visited=0)
        loaded = ContextLoaded(
            request=request, root=workspace.root, home=workspace.home, agent=profile.name,
            plan=plan,
            reasons=memory.reasons if details else (),
            nested=nested,
            findings=self._wanted(memory, nested) if details else (),
            gone=_why_gone(workspace.root) if details else "",
        )  # fmt: skip
        if self._desk.live:
            self._desk.watch("workspace", memory.watch_folders())
        if details:
            self._follow_facts()
        if request or self._published is None or _differ(loaded, self._published):
            self._published = loaded
            self._desk.publish(loaded)

    def _wanted(
        self, memory: ContextMemory, nested: NestedSurvey | None = None
    ) -> tuple[Finding, ...]:
        ignored = self._desk.workspace.settings.ignore
        below = memory.findings_below(nested) if nested is not None else ()
        return tuple(one for one in (*memory.findings, *below) if one.name not in ignored)

    def _follow_facts(self) -> None:
        if not self._following_facts:
            from memlens.engine.events.memories import MemoriesLoaded

            self._following_facts = True
            self._desk.subscribe(MemoriesLoaded, self._facts_loaded)

    def _facts_loaded(self, event: MemoriesLoaded) -> None:
        if event.changed:
            with whole():  # the facts are loaded, and what is told of them is the prompt, too
                self._publish(0)


def _why_gone(root: str) -> str:
    """Why a folder that was opened cannot be looked into now; empty where it can."""
    if DISK.kind(root) != "folder":
        return "is gone"
    return "" if os.access(root, os.R_OK | os.X_OK) else "cannot be read"


def _differ(one: ContextLoaded, other: ContextLoaded) -> bool:
    def told(event: ContextLoaded) -> tuple[object, ...]:
        plan = event.plan
        return plan.text, plan.spans, event.reasons, event.nested, event.findings, event.gone

    return told(one) != told(other)


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = WorkspaceHandler(desk)
    return {
        LoadContext: part.load,
        DiskChanged: part.follow_disk,
        TouchPath: part.touch,
        ResetTouches: part.reset_touches,
    }
