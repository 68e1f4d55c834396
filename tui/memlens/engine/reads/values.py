"""Claude Code's file tools, and values out of JSON that may be of any type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

READERS = frozenset(["Read"])
WRITERS = frozenset(["Write", "Edit", "MultiEdit", "NotebookEdit"])
TOOLS = READERS | WRITERS


def as_dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53:
        return value
    return None


def path_in(values: Mapping[str, object]) -> str:
    """The path that a tool's input or answer names; empty when there is none."""
    for key in ("file_path", "filePath", "notebook_path", "filename", "path"):
        value = values.get(key)
        if isinstance(value, str) and value:
            return value
    return ""
