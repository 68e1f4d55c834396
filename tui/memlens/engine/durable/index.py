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


def build_index(entries: Iterable[MemoryEntry], cap: int) -> Index:
    """The index of entries that are in order; `cap` in bytes (spec 3)."""
    parts = [HEADER]
    add = parts.append
    scope = None
    count = 0
    for entry in entries:
        if entry.scope is not scope:
            scope = entry.scope
            add(f"\n## {label_of(scope)}\n")
        add(f"- [{entry.name}] {entry.description} — {entry.path}\n")
        count += 1
    whole = "".join(parts)
    try:
        data = whole.encode()
    except UnicodeEncodeError:  # a path that is no UTF-8: the agent gets it as Mermaid shows it
        parts = [without_escapes(part) for part in parts]
        whole = "".join(parts)
        data = whole.encode()
    if len(data) <= cap:
        return Index(whole, truncated=False, full_bytes=len(data), visible=count)
    kept = data[: max(0, cap)].decode(errors="ignore")
    visible = _whole_lines(parts, cap)
    return Index(kept + CUT_MARKER, truncated=True, full_bytes=len(data), visible=visible)


def without_escapes(text: str) -> str:
    """`text` with the bytes that are no UTF-8 as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _whole_lines(parts: list[str], cap: int) -> int:
    """How many entry lines end within `cap` bytes; their line end may lie behind it."""
    used = count = 0
    for part in parts:
        used += len(part.encode())
        entry = part.startswith("- [")
        if used - entry > cap:
            break
        count += entry
    return count
