"""The index: the text about all facts that the agent always has."""

from __future__ import annotations

from .scopes import label_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, NamedTuple

    from .model import MemoryEntry
else:
    from memlens.engine.named import NamedTuple

HEADER: Final = (
    "# Memory\n\n"
    "Durable facts you have saved across sessions. Read a file with `read_file` when its "
    "description is relevant; change memory with the `memory` tool.\n"
)
CUT_MARKER: Final = "\n\n[Memory index truncated - too many entries; run /consolidate-memory]"


class Index(NamedTuple):
    """The index of some entries under a cap."""

    text: str
    truncated: bool
    full_bytes: int
    """Bytes before the cut."""
    visible: int
    """How many entries, from the first, have their whole line before the cut."""


NO_INDEX: Final = Index("", truncated=False, full_bytes=0, visible=0)


def index_line(name: str, description: str, path: str) -> str:
    """A fact's line, without line end."""
    return f"- [{name}] {description} — {path}"


_AROUND: Final = len(f"{index_line('', '', '')}\n".encode())
"""Bytes of a line besides what it says of a fact."""


def build_index(entries: Iterable[MemoryEntry], cap: int) -> Index:
    """The index of entries that are in order; `cap` in bytes (spec 3)."""
    data = bytearray(HEADER.encode())
    size = len(data)
    scope = None
    count = visible = 0
    for entry in entries:
        name, description, place, path = entry[:4]
        if place is not scope:
            scope = place
            heading = f"\n## {label_of(scope)}\n".encode()
            size += len(heading)
            data += heading
        if size > cap and name.isascii() and description.isascii() and path.isascii():
            size += len(name) + len(description) + len(path) + _AROUND  # behind the cut
        else:
            line = _encoded(f"{index_line(name, description, path)}\n")
            size += len(line)
            data += line
        count += 1
        if size <= cap + 1:  # its line end may lie behind the cut
            visible = count
    if size <= cap:
        return Index(data.decode(), truncated=False, full_bytes=size, visible=count)
    kept = data[: max(0, cap)].decode(errors="ignore")
    return Index(kept + CUT_MARKER, truncated=True, full_bytes=size, visible=visible)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # a path that is no UTF-8: the agent gets it as Mermaid shows it
        return without_escapes(text).encode()


def without_escapes(text: str) -> str:
    """`text` with the bytes that are no UTF-8 as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
