"""What the list says where it has nothing to list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.app.panes.memory_browser.lines import scope_word
from memlens.app.words import at_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.engine.durable.model import MemoryRoot
    from memlens.engine.events.memories import MemoriesFound


def nothing_found(event: MemoriesFound) -> str:
    """Where there are facts, and none of them is meant."""
    name = event.query.strip()
    what = f"No fact matches “{name}”" if name else "No fact is like that"
    if event.only is not None:
        what += " under these filters"
    make = "⏎ makes a fact of that name.\n" if name else ""
    return f"{what}.\n{make}Esc clears the search, then the filters."


OFF = "The durable memory is switched off (memory_enabled in the settings)."
"""Why no fact can be made."""


def switched_off() -> str:
    """Where the agent is given no fact, whatever there is."""
    return (
        "The durable memory is switched off: memory_enabled is false in the settings.\n\nSo the "
        "agent is given no facts, and none are listed; their files stay as they are."
    )


def no_facts(roots: Sequence[MemoryRoot], home: str | None) -> str:
    """Where there is no fact at all."""
    folders = "\n".join(f"{scope_word(one.scope):8} {at_home(one.path, home)}" for one in roots)
    return (
        "No facts yet. n makes the first one.\n\nAn agent's durable facts are Markdown files "
        f"in\n\n{folders}\n\neach with a name and a description between two lines of ---."
    )
