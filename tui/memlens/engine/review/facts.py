"""The facts on one side of a change: shared ones from git, all others from the disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlens.engine.durable.index import build_index, index_line, without_escapes
from memlens.engine.durable.model import (
    FACT_LIMIT,
    MemoryConfig,
    MemoryEntry,
    MemoryScope,
)
from memlens.engine.durable.parse import decode, parse
from memlens.engine.durable.scopes import is_fact_name, memory_roots
from memlens.engine.durable.snapshot import scan
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem, Files, Stamp
from memlens.engine.plan import DurableIndex, IndexFact

FOLDER = ".mermaid/memory"
"""Where shared facts lie, relative to the top of a checkout (seed)."""


class FactSide(NamedTuple):
    """The facts on one side."""

    told: DurableIndex | None
    """As the agent gets it; None without facts."""
    entries: tuple[MemoryEntry, ...]
    """In the order of the index."""
    hidden: frozenset[str]
    """The facts that lie behind the cut of the index, absolute paths."""
    bytes: int
    """Of the whole index, before any cut."""
    bodies: dict[str, str]
    """Of shared facts, by absolute path."""


class FactReader:
    """Makes the index of either side; what both share is read once."""

    def __init__(self, root: str, config: MemoryConfig) -> None:
        """`root` is the folder from which the agent looks."""
        self._config = config
        self._roots = memory_roots(root) if config.enabled else ()
        self._private = {
            place.path: sorted(scan(place.path, place.scope).values(), key=_order)
            for place in self._roots
            if place.scope is not MemoryScope.PROJECT_SHARED
        }
        self._parsed: dict[tuple[str, bytes], tuple[MemoryEntry, str]] = {}

    def read(self, files: Files) -> FactSide:
        """The facts of one side."""
        entries: list[MemoryEntry] = []
        bodies: dict[str, str] = {}
        for place in self._roots:
            if place.scope is MemoryScope.PROJECT_SHARED:
                shared = sorted(self._shared(files, place.path), key=lambda one: _order(one[0]))
                entries += (entry for entry, _ in shared)
                bodies = {entry.path: body for entry, body in shared}
            else:
                entries += self._private[place.path]
        if not entries:
            return FactSide(None, (), frozenset(), 0, {})
        index = build_index(entries, self._config.index_cap_bytes)
        lines = (
            IndexFact(entry.name, entry.path, index_line(entry.name, entry.description, entry.path))
            for entry in entries
        )
        return FactSide(
            DurableIndex(index.text, tuple(lines)),
            tuple(entries),
            frozenset(entry.path for entry in entries[index.visible :]),
            index.full_bytes,
            bodies,
        )

    @property
    def cap(self) -> int:
        """Bytes of the index that the agent is given."""
        return self._config.index_cap_bytes

    def _shared(self, files: Files, folder: str) -> Iterable[tuple[MemoryEntry, str]]:
        try:
            names = files.names(folder)
        except FileProblem:
            return
        for name in names:
            path = f"{folder}/{name}"
            if not is_fact_name(name) or files.is_link(path):
                continue
            try:
                data, stamp = files.read(path, MEMORY_FILE_LIMIT)
            except FileProblem:
                continue
            key = (path, data)
            if key not in self._parsed:
                self._parsed[key] = _entry(path, data, stamp)
            yield self._parsed[key]


def _entry(path: str, data: bytes, stamp: Stamp) -> tuple[MemoryEntry, str]:
    if len(data) > FACT_LIMIT:  # only so much of it is read for the index
        data = data[:FACT_LIMIT].decode("utf-8", "ignore").encode()
    stem = path.rpartition("/")[2].removesuffix(".md")
    parsed = parse(decode(data), without_escapes(stem))
    entry = MemoryEntry(
        parsed.name, parsed.description, MemoryScope.PROJECT_SHARED, path, parsed.tags,
        parsed.created, stamp.mtime_ns, stamp.size, stamp.inode,
    )  # fmt: skip
    return entry, parsed.body


def _order(entry: MemoryEntry) -> tuple[str, str]:
    return entry.name, entry.path
