"""Commands about the facts of durable memory as they are."""

from __future__ import annotations

import os

from memlens.engine.commands.memories import LoadMemories, LookAgain, OpenMemory, PeekMemory
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.memories import MemoriesLoaded, MemoryOpened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.handlers.desk import Desk


class MemoriesHandler:
    """Keeps the facts of the workspace up to date, and opens them."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    def load(self, command: LoadMemories) -> None:
        changed = self._desk.refresh_facts()
        publish_facts(self._desk, command.request, changed=changed)

    def follow_disk(self, command: DiskChanged) -> None:
        if self._desk.refresh_facts():
            publish_facts(self._desk, command.request)

    def open(self, command: OpenMemory) -> None:
        from memlens.engine.durable import index_line, read_fact

        fact = read_fact(command.path, scope_of(self._desk, command.path))
        line = index_line(fact.name, fact.description, fact.path)
        self._desk.publish(MemoryOpened(request=command.request, fact=fact, line=line))

    def peek(self, command: PeekMemory) -> None:
        from memlens.engine.durable import FactMissing

        try:
            self.open(command)
        except FactMissing:  # it is gone, and the list will say so
            return


def publish_facts(desk: Desk, request: int, *, changed: bool = True) -> None:
    """Tells all facts as they are now."""
    from collections import Counter

    from memlens.engine.durable import memory_roots

    facts = desk.facts
    entries = facts.entries if facts else ()
    per_tag = Counter(tag for entry in entries for tag in entry.tags)
    roots = tuple(memory_roots(desk.workspace.root))
    desk.publish(
        MemoriesLoaded(
            request=request,
            entries=entries,
            roots=roots,
            index=facts.index if facts else "",
            truncated=facts.truncated if facts else False,
            visible=facts.visible if facts else 0,
            index_bytes=facts.index_bytes if facts else 0,
            cap_bytes=desk.memory_config.index_cap_bytes,
            per_scope=Counter(entry.scope for entry in entries),
            per_tag=dict(per_tag.most_common()),
            changed=changed,
        )
    )
    desk.watch("memories", frozenset(root.path for root in roots))


def scope_of(desk: Desk, path: str) -> MemoryScope:
    """The scope whose folder a fact's file lies in. Raises `FactMissing` where it is in none."""
    from memlens.engine.durable import FactMissing, memory_roots

    folder = os.path.dirname(path)
    for root in memory_roots(desk.workspace.root):
        if root.path == folder:
            return root.scope
    raise FactMissing(f"{path} is no fact of this folder")


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    desk.attach_notes()
    part = MemoriesHandler(desk)
    return {
        LoadMemories: part.load,
        DiskChanged: part.follow_disk,
        OpenMemory: part.open,
        PeekMemory: part.peek,
        LookAgain: part.peek,
    }
