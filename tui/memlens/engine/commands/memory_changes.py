"""Changes to durable memory: each is one step, and each can be undone."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from memlens.engine.durable.model import MemoryEntry, MemoryScope
    from memlens.engine.durable.results import Fact, TrashItem


class CreateMemory(Command):
    """Make a new fact. Answer: `MemorySaved`; a failure where the name is taken in that scope."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "saving the fact"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    name: str
    scope: MemoryScope
    description: str | None = None
    tags: tuple[str, ...] | None = None
    body: str | None = None
    replace: bool = False
    """Give the fact of that name, where there is one, what is not `None` here."""


class SaveMemory(Command):
    """Change fields of a fact; `None` leaves one as it is. Answers: `MemorySaved`, `MemoryClashed`.

    A new name moves the file, a new scope moves it to that folder.
    """

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "saving the fact"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    fact: Fact | MemoryEntry
    """As it was opened or listed: when its file is another by now, that is a clash."""
    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    body: str | None = None
    scope: MemoryScope | None = None


class MergeMemories(Command):
    """Give `keep` the merged fields and delete the others. Answers: as `SaveMemory` has."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "merging facts"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    keep: Fact
    remove: tuple[Fact, ...]
    description: str
    tags: tuple[str, ...]
    body: str


class TagMemories(Command):
    """Add and remove tags on many facts, all or none. Answer: `MemoriesChanged`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "tagging facts"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    facts: tuple[MemoryEntry, ...]
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


class MoveMemories(Command):
    """Move facts to another scope, each a step of its own. Answer: `MemoriesChanged`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "moving facts"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    facts: tuple[MemoryEntry, ...]
    scope: MemoryScope


class DeleteMemories(Command):
    """Delete facts, all or none; their files go to the trash. Answer: `MemoriesChanged`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "deleting facts"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    facts: tuple[MemoryEntry | Fact, ...]


class UndoMemory(Command):
    """Take back the last change of facts seen from here, or a given one. Answer: `MemoryUndone`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "taking it back"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    undo_id: str = ""


class LoadHistory(Command):
    """What has been done to the facts seen from here. Answer: `HistoryLoaded`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "reading what was done"
    leads: ClassVar[bool] = True
    limit: int = 500


class PeekStep(Command):
    """What a step did to its files. Answer: `StepPeeked`."""

    part: ClassVar[str] = "memory_changes"
    overtakes: ClassVar[bool] = True
    undo_id: str


class LoadTrash(Command):
    """The deleted facts that can come back. Answer: `TrashLoaded`."""

    part: ClassVar[str] = "memory_changes"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading the trash"
    leads: ClassVar[bool] = True


class PeekTrash(Command):
    """The text of a deleted fact. Answer: `TrashPeeked`."""

    part: ClassVar[str] = "memory_changes"
    overtakes: ClassVar[bool] = True
    item: TrashItem


class RestoreMemory(Command):
    """Bring a deleted fact back. Answer: `MemoriesChanged`."""

    part: ClassVar[str] = "memory_changes"
    doing: ClassVar[str] = "bringing the fact back"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    item: TrashItem


class AdoptEdit(Command):
    """Another program was let at the fact's file: see what it did. Answer: `EditAdopted`."""

    part: ClassVar[str] = "memory_changes"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    before: Fact
