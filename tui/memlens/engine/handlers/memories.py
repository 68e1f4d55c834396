"""Commands about durable memory."""

from __future__ import annotations

import os
from pathlib import Path

from memlens.engine.commands.memories import (
    LoadMemories,
    OpenMemory,
    SaveMemory,
    SearchMemories,
)
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.memories import (
    FoundMemory,
    MemoriesFound,
    MemoriesLoaded,
    MemoryClashed,
    MemoryOpened,
    MemorySaved,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.durable.results import Fact
    from memlens.engine.handlers.desk import Desk


class MemoriesHandler:
    """Keeps the facts of the workspace and answers questions about them."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    def load(self, command: LoadMemories) -> None:
        changed = self._desk.refresh_facts()
        self._publish_loaded(command.request, changed=changed)

    def follow_disk(self, command: DiskChanged) -> None:
        if self._desk.refresh_facts():
            self._publish_loaded(command.request)

    def _publish_loaded(self, request: int, *, changed: bool = True) -> None:
        from memlens.engine.durable import memory_roots

        facts = self._desk.facts
        roots = tuple(memory_roots(self._desk.workspace.root))
        self._desk.publish(
            MemoriesLoaded(
                request=request,
                entries=facts.entries if facts else (),
                roots=roots,
                truncated=facts.truncated if facts else False,
                visible=facts.visible if facts else 0,
                index_bytes=facts.index_bytes if facts else 0,
                cap_bytes=self._desk.memory_config.index_cap_bytes,
                changed=changed,
            )
        )
        self._desk.watch("memories", frozenset(root.path for root in roots))

    def search(self, command: SearchMemories) -> None:
        facts = self._desk.loaded_facts()
        entries = facts.entries if facts else ()
        hits: tuple[FoundMemory, ...]
        if not command.query.strip():
            hits = tuple(FoundMemory(entry=entry) for entry in entries)
        else:
            from memlens.engine.durable import search

            hits = tuple(
                FoundMemory(entry=hit.entry, snippet=hit.snippet)
                for hit in search(self._desk.workspace.root, command.query)
            )
        self._desk.publish(
            MemoriesFound(
                request=command.request, query=command.query, hits=hits, total=len(entries)
            )
        )

    def open(self, command: OpenMemory) -> None:
        fact = self._read(command.path)
        self._desk.publish(MemoryOpened(request=command.request, fact=fact))

    def _read(self, path: str) -> Fact:
        """The fact at `path`, as it is now. Raises `FactMissing` and others of the store."""
        from memlens.engine.durable import memory_roots, read_fact

        folder = os.path.dirname(path)
        for root in memory_roots(self._desk.workspace.root):
            if root.path == folder:
                return read_fact(path, root.scope)
        facts = self._desk.loaded_facts()
        entries = facts.entries if facts else ()
        known = next((entry for entry in entries if entry.path == path), None)
        if known is None:
            from memlens.engine.durable import FactMissing

            raise FactMissing(f"{path} is no fact of this folder")
        return read_fact(known)

    def save(self, command: SaveMemory) -> None:
        from memlens.engine.durable import FactChanged, FactMissing, edit

        fact = command.fact
        try:
            result = edit(
                Path(self._desk.workspace.root), fact, name=command.name,
                description=command.description, tags=command.tags, body=command.body,
            )  # fmt: skip
        except FactChanged as clash:
            try:
                theirs = self._read(fact.path)
            except FactMissing:
                theirs = None
            self._desk.publish(
                MemoryClashed(
                    request=command.request, path=fact.path, problem=str(clash), base=clash.base,
                    mine=clash.mine, theirs=theirs,
                )
            )  # fmt: skip
            return
        self._desk.publish(
            MemorySaved(
                request=command.request, path=result.path, name=result.name,
                redacted=result.redacted, moved_from=result.moved_from, undo_id=result.undo_id,
            )
        )  # fmt: skip
        self._desk.refresh_facts()
        self._publish_loaded(0)


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = MemoriesHandler(desk)
    return {
        LoadMemories: part.load,
        DiskChanged: part.follow_disk,
        SearchMemories: part.search,
        OpenMemory: part.open,
        SaveMemory: part.save,
    }
