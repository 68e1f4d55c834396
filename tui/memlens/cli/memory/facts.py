"""What the verbs share: finding the fact that is meant, and its JSON."""

from __future__ import annotations

from memlens.cli.common import CommandError
from memlens.engine.commands.memories import LoadMemories
from memlens.engine.events.memories import MemoriesLoaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memlens.engine.core import Engine
    from memlens.engine.durable.model import MemoryEntry


def load(engine: Engine) -> MemoriesLoaded:
    """The facts as they are now."""
    return engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded)


def in_scope(loaded: MemoriesLoaded, scope: str | None) -> list[MemoryEntry]:
    return [entry for entry in loaded.entries if scope in (None, entry.scope.value)]


def find_one(loaded: MemoriesLoaded, wanted: str, scope: str | None) -> MemoryEntry:
    """The one fact with this name, file stem or path; several are an error that names them."""
    entries = in_scope(loaded, scope)
    found = [entry for entry in entries if wanted in (entry.name, entry.stem, entry.path)]
    if not found:
        where = f" in {scope}" if scope else ""
        raise CommandError(f"there is no fact {wanted!r}{where}; memlens memory list shows all")
    if len(found) > 1:
        candidates = "\n".join(f"  {entry.scope.value:16} {entry.path}" for entry in found)
        raise CommandError(
            f"{wanted!r} names {len(found)} facts:\n{candidates}\n"
            "Say which: --scope (edit: --in), or give its path."
        )
    return found[0]


def fact_json(entry: MemoryEntry) -> dict[str, Any]:
    """A fact in the documented shape."""
    return {
        "name": entry.name,
        "description": entry.description,
        "scope": entry.scope.value,
        "path": entry.path,
        "tags": list(entry.tags),
        "created": entry.created,
    }
