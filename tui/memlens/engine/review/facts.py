"""The durable index on one side of a change: shared facts from git, all others from the disk."""

from __future__ import annotations

from collections.abc import Iterable

from memlens.engine.durable.index import build_index, index_line, without_escapes
from memlens.engine.durable.model import (
    FACT_LIMIT,
    MemoryConfig,
    MemoryEntry,
    MemoryScope,
)
from memlens.engine.durable.parse import decode, parse
from memlens.engine.durable.scopes import memory_roots
from memlens.engine.durable.snapshot import scan
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem, Files, Stamp
from memlens.engine.plan import DurableIndex, IndexFact

FOLDER = ".mermaid/memory"
"""Where shared facts lie, relative to the top of a checkout (seed)."""


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
        self._parsed: dict[tuple[str, bytes], MemoryEntry] = {}

    def index(self, files: Files) -> DurableIndex | None:
        """The index as the agent gets it; None without facts."""
        entries: list[MemoryEntry] = []
        for place in self._roots:
            if place.scope is MemoryScope.PROJECT_SHARED:
                entries += sorted(self._shared(files, place.path), key=_order)
            else:
                entries += self._private[place.path]
        if not entries:
            return None
        text = build_index(entries, self._config.index_cap_bytes).text
        lines = (
            IndexFact(entry.name, entry.path, index_line(entry.name, entry.description, entry.path))
            for entry in entries
        )
        return DurableIndex(text, tuple(lines))

    def _shared(self, files: Files, folder: str) -> Iterable[MemoryEntry]:
        try:
            names = files.names(folder)
        except FileProblem:
            return
        for name in names:
            path = f"{folder}/{name}"
            if not name.endswith(".md") or files.is_link(path):
                continue
            try:
                data, stamp = files.read(path, MEMORY_FILE_LIMIT)
            except FileProblem:
                continue
            key = (path, data)
            if key not in self._parsed:
                self._parsed[key] = _entry(path, data, stamp)
            yield self._parsed[key]


def _entry(path: str, data: bytes, stamp: Stamp) -> MemoryEntry:
    if len(data) > FACT_LIMIT:  # only so much of it is read for the index
        data = data[:FACT_LIMIT].decode("utf-8", "ignore").encode()
    stem = path.rpartition("/")[2].removesuffix(".md")
    parsed = parse(decode(data), without_escapes(stem))
    return MemoryEntry(
        parsed.name, parsed.description, MemoryScope.PROJECT_SHARED, path, parsed.tags,
        parsed.created, stamp.mtime_ns, stamp.size, stamp.inode,
    )  # fmt: skip


def _order(entry: MemoryEntry) -> tuple[str, str]:
    return entry.name, entry.path
