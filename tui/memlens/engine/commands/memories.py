"""Questions about durable memory: the facts."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from memlens.engine.durable.results import Fact


class LoadMemories(Command):
    """Load all facts. Answer: `MemoriesLoaded`."""

    part: ClassVar[str] = "memories"
    overtakes: ClassVar[bool] = True


class SearchMemories(Command):
    """Find facts by `query`; a blank one finds all. Answer: `MemoriesFound`."""

    part: ClassVar[str] = "memories"
    overtakes: ClassVar[bool] = True
    query: str = ""
    fuzzy: bool = True
    """Tolerant of typing errors and ranked; else the substring search of the seed."""


class OpenMemory(Command):
    """Open the fact at `path` with its body. Answer: `MemoryOpened`."""

    part: ClassVar[str] = "memories"
    path: str


class SaveMemory(Command):
    """Change a fact. Answers: `MemorySaved`, `MemoryClashed`."""

    part: ClassVar[str] = "memories"
    fact: Fact
    """As it was opened: when its file is another by now, that is a clash."""
    name: str
    description: str
    tags: tuple[str, ...]
    body: str
