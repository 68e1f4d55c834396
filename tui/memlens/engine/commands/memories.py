"""Questions about durable memory: the facts."""

from __future__ import annotations

from memlens.engine.commands.base import Command
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Literal

    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.durable.results import Fact

    Sort = Literal["relevance", "name", "newest", "oldest", "largest"]


class LoadMemories(Command):
    """Load all facts. Answer: `MemoriesLoaded`."""

    part: ClassVar[str] = "memories"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "loading the facts"


class MemoryFilter(Record):
    """Which facts are wanted; all that is given must hold."""

    scopes: tuple[MemoryScope, ...] = ()
    """One of these; empty: all."""
    tags: tuple[str, ...] = ()
    """All of these."""
    newer_than_days: int = 0
    """0: however old."""
    older_than_days: int = 0
    problem: str = ""
    """The name of a finding, or `any`; as the last `CheckMemories` found them."""


def kept_filter(only: MemoryFilter) -> dict[str, Any]:
    """A filter as JSON has it."""
    return {
        "scopes": [scope.value for scope in only.scopes], "tags": list(only.tags),
        "newer": only.newer_than_days, "older": only.older_than_days, "problem": only.problem,
    }  # fmt: skip


def filter_of(kept: object) -> MemoryFilter:
    """A kept filter; what does not fit is left out."""
    from collections.abc import Mapping

    from memlens.engine.durable.model import MemoryScope

    values = kept if isinstance(kept, Mapping) else {}
    scopes, tags, problem = values.get("scopes"), values.get("tags"), values.get("problem")
    known = {scope.value: scope for scope in MemoryScope}
    newer, older = values.get("newer"), values.get("older")
    return MemoryFilter(
        scopes=tuple(known[one] for one in _texts(scopes) if one in known), tags=_texts(tags),
        newer_than_days=newer if isinstance(newer, int) and newer > 0 else 0,
        older_than_days=older if isinstance(older, int) and older > 0 else 0,
        problem=problem if isinstance(problem, str) else "",
    )  # fmt: skip


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        return ()
    return tuple(one for one in values if isinstance(one, str))


class SearchMemories(Command):
    """Find facts by `query`; a blank one finds all. Answer: `MemoriesFound`."""

    part: ClassVar[str] = "memory_search"
    lane: ClassVar[str] = "keys"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "searching the facts"
    query: str = ""
    fuzzy: bool = True
    """Tolerant of typing errors and ranked; else the substring search of the seed."""
    only: MemoryFilter | None = None
    sort: Sort = "relevance"


class PrepareSearch(Command):
    """Take in some more of the words that facts are searched by. No answer; it asks itself again
    until all are known, so that questions come in between."""

    part: ClassVar[str] = "memory_search"
    lane: ClassVar[str] = "keys"
    overtakes: ClassVar[bool] = True


class OpenMemory(Command):
    """Open the fact at `path` with its body. Answer: `MemoryOpened`."""

    part: ClassVar[str] = "memories"
    leads: ClassVar[bool] = True
    path: str


class PeekMemory(OpenMemory):
    """Open a fact just to be seen: a newer one makes it needless. Answer: `MemoryOpened`.

    No answer where it is gone meanwhile.
    """

    lane: ClassVar[str] = "keys"
    overtakes: ClassVar[bool] = True
    leads: ClassVar[bool] = False


class LookAgain(PeekMemory):
    """Look whether a fact that is being edited is what was opened. Answer: as `PeekMemory` has,
    which does not make it needless."""


class CheckDraft(Command):
    """What saving a form would do, while someone types in it. Answer: `DraftChecked`."""

    part: ClassVar[str] = "memory_search"
    lane: ClassVar[str] = "keys"
    overtakes: ClassVar[bool] = True
    name: str
    scope: MemoryScope
    description: str = ""
    tags: tuple[str, ...] = ()
    body: str = ""
    editing: Fact | None = None
    """The fact that is edited; `None`: a new one."""
