"""Finding facts: by name or file, or by a piece of their text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memlens.engine.folding import fold
from memlens.engine.work import steps

from .errors import FactAmbiguous, FactMissing
from .model import MemoryConfig, MemoryEntry, MemoryScope, MemorySnapshot
from .parse import body_of, decode
from .results import MemorySearchHit
from .snapshot import DEFAULT_CONFIG, load

if TYPE_CHECKING:
    from collections.abc import Iterator

SNIPPET: Final = 160
"""Characters of a snippet before it is cut (seed)."""
BODY_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of a fact that are searched and listed; no fact written here is nearly as long."""

_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip


def read_body(entry: MemoryEntry) -> str | None:
    """A fact's body now, with LF; `None` when the file cannot be read.

    Blank ends are trimmed behind a header; without one the whole text is the body (spec 1).
    """
    try:
        handle = os.open(entry.path, _FLAGS)
    except OSError:
        return None
    try:
        data = os.read(handle, min(entry.size + 1, BODY_LIMIT))
        if len(data) > entry.size:  # it has grown
            while len(data) < BODY_LIMIT and (part := os.read(handle, BODY_LIMIT - len(data))):
                data += part
    except OSError:
        return None
    finally:
        os.close(handle)
    return body_of(decode(data))


def entries_with_bodies(
    cwd: str | os.PathLike[str], snapshot: MemorySnapshot | None = None
) -> list[tuple[MemoryEntry, str]]:
    """Every fact with its whole body, in the order of the index."""
    return list(each_with_body(cwd, snapshot))


def each_with_body(
    cwd: str | os.PathLike[str], snapshot: MemorySnapshot | None
) -> Iterator[tuple[MemoryEntry, str]]:
    """As `entries_with_bodies`, one body at a time in memory."""
    snapshot = snapshot or load(cwd, MemoryConfig())
    for entry in steps(snapshot.entries if snapshot else (), "reading facts"):
        body = read_body(entry)
        if body is not None:
            yield entry, body


def search(
    cwd: str | os.PathLike[str], query: str, snapshot: MemorySnapshot | None = None
) -> list[MemorySearchHit]:
    """The facts that hold `query` in name, description or one line of the body, in any case.

    In the order of the index, without a limit; nothing for a blank query (seed).
    """
    needle = fold(query.strip())
    if not needle:
        return []
    hits = []
    for entry, body in each_with_body(cwd, snapshot):
        line = matching_line(body, needle)
        if line is None:
            if needle not in fold(entry.name) and needle not in fold(entry.description):
                continue
            line = entry.description
        hits.append(MemorySearchHit(entry, clip(line)))
    return hits


def matching_line(body: str, needle: str) -> str | None:
    """The first line of `body` that holds `needle` (folded), trimmed."""
    if needle not in fold(body):
        return None
    for line in body.split("\n"):
        if needle in fold(line):
            return line.strip()
    return None


def clip(text: str) -> str:
    """`text` as a snippet: at most 160 characters, then `…`."""
    return text if len(text) <= SNIPPET else text[:SNIPPET] + "…"


def find(
    cwd: str | os.PathLike[str], id_: str, scope: MemoryScope | None = None
) -> MemoryEntry | None:
    """The first fact whose name or file stem is exactly `id_`, in the order of the index (seed)."""
    found = find_all(cwd, id_, scope)
    return found[0] if found else None


def find_all(
    cwd: str | os.PathLike[str],
    id_: str,
    scope: MemoryScope | None = None,
    snapshot: MemorySnapshot | None = None,
) -> list[MemoryEntry]:
    """All facts whose name or file stem is exactly `id_`, in the order of the index."""
    snapshot = snapshot or load(cwd, DEFAULT_CONFIG)
    if snapshot is None:
        return []
    return [
        entry
        for entry in snapshot.entries
        if id_ in (entry.name, entry.stem) and (scope is None or entry.scope is scope)
    ]


def find_one(
    cwd: str | os.PathLike[str], id_: str, scope: MemoryScope | None = None
) -> MemoryEntry:
    """The one fact that answers to `id_`, by name, file stem or absolute path.

    Raises `FactMissing`, and `FactAmbiguous` where there are several: nothing is guessed.
    """
    found = find_all(cwd, id_, scope)
    if not found and os.path.isabs(id_):
        snapshot = load(cwd, DEFAULT_CONFIG)
        found = [entry for entry in snapshot.entries if entry.path == id_] if snapshot else []
    if not found:
        where = f" in {scope}" if scope else ""
        raise FactMissing(f"there is no fact “{id_}”{where}")
    if len(found) > 1:
        raise FactAmbiguous(id_, tuple([entry.path for entry in found]))
    return found[0]
