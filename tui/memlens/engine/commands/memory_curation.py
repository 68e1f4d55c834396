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
    doing: ClassVar[str] = "checking facts"
    near_duplicates: bool = False


class FindDuplicates(Command):
    """Pairs of facts that say the same, or nearly. Answer: `DuplicatesFound`."""

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "curation"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing facts"


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

    Where it is cancelled while sessions are read, those that were read are the evidence.
    """

    part: ClassVar[str] = "memory_curation"
    lane: ClassVar[str] = "curation"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "finding facts out of use"
