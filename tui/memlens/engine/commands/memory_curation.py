"""Questions of curating: what is wrong, doubled, or out of use. They take longer than others."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class CheckMemories(Command):
    """Look for what is wrong with facts. Answer: `MemoriesChecked`."""

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "curation"
    overtakes: ClassVar[bool] = True
    near_duplicates: bool = False


class FindDuplicates(Command):
    """Pairs of facts that say the same, or nearly. Answer: `DuplicatesFound`."""

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "curation"
    overtakes: ClassVar[bool] = True


class CompareMemories(Command):
    """Two facts side by side, and what they would be in one. Answer: `MemoriesCompared`."""

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "keys"
    overtakes: ClassVar[bool] = True
    first: str
    """Absolute path."""
    second: str


class FindStale(Command):
    """Facts that nobody has changed for long, with who read them. Answer: `StaleFound`.

    Progress is told while sessions are read.
    """

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "curation"
    overtakes: ClassVar[bool] = True


class StopCurating(Command):
    """Whoever asked for stale facts no longer wants to know. No answer."""

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "keys"
