"""Answers that come with each key: searching facts, and what saving a form would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from memlens.engine.commands.memories import CheckDraft, PrepareSearch, SearchMemories
from memlens.engine.events.memories import DraftChecked, FoundMemory, MemoriesFound, made_at
from memlens.engine.work import answered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.commands.memories import MemoryFilter
    from memlens.engine.durable import FuzzyHit, FuzzyIndex
    from memlens.engine.durable.model import MemoryEntry, MemorySnapshot
    from memlens.engine.handlers.desk import Desk

    Hit = FoundMemory | FuzzyHit

_DAY: Final = 86_400
_AT_A_TIME: Final = 150
"""Facts whose words are taken in before the next question is answered: some 7 milliseconds."""
_NO_NAMES: Final[frozenset[str]] = frozenset()


class AllFacts(Sequence[FoundMemory]):
    """Facts as hits of a blank query, each made when it is looked at."""

    def __init__(self, entries: Sequence[MemoryEntry]) -> None:
        self._entries: Final = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, at: int) -> FoundMemory: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[FoundMemory]: ...
    def __getitem__(self, at: int | slice) -> FoundMemory | Sequence[FoundMemory]:
        if isinstance(at, slice):
            return AllFacts(self._entries[at])
        return FoundMemory(self._entries[at])


class MemorySearchHandler:
    """Keeps the facts prepared for searching; the newest query wins."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._index: FuzzyIndex | None = None
        self._indexed: MemorySnapshot | None = None

    def search(self, command: SearchMemories) -> None:
        facts = self._desk.loaded_facts()
        now = self._desk.now()
        hits = self._hits(command, facts)
        if command.only is not None:
            keep = self._filter(command.only, now)
            hits = [hit for hit in hits if keep(hit.entry)]
        self._desk.publish(
            MemoriesFound(
                request=command.request, query=command.query, only=command.only,
                sort=command.sort, hits=_sorted(hits, command.sort),
                total=len(facts.entries) if facts else 0, now=now,
            )
        )  # fmt: skip
        answered()
        if self._prepare(facts).learn(0):
            self._desk.ask(PrepareSearch())

    def prepare(self, command: PrepareSearch) -> None:
        if self._index is not None and self._index.learn(_AT_A_TIME):
            self._desk.ask(PrepareSearch())

    def _hits(self, command: SearchMemories, facts: MemorySnapshot | None) -> Sequence[Hit]:
        if facts is None:
            return ()
        if not command.query.strip():
            return AllFacts(facts.entries)
        if command.fuzzy:
            return self._prepare(facts).search(command.query)
        from memlens.engine.durable import search

        found = search(self._desk.workspace.root, command.query, facts)
        return [FoundMemory(hit.entry, hit.snippet) for hit in found]

    def _prepare(self, facts: MemorySnapshot | None) -> FuzzyIndex:
        """The index of the facts; what it knows already is not read again."""
        if self._index is None or self._indexed is not facts:
            from memlens.engine.durable import FuzzyIndex

            self._index = FuzzyIndex.build(facts, self._index, at_once=False)
            self._indexed = facts
        return self._index

    def _filter(self, only: MemoryFilter, now: float) -> Callable[[MemoryEntry], bool]:
        scopes, tags = frozenset(only.scopes), frozenset(only.tags)
        youngest = now - only.older_than_days * _DAY if only.older_than_days else None
        oldest = now - only.newer_than_days * _DAY if only.newer_than_days else None

        def keep(entry: MemoryEntry) -> bool:
            if scopes and entry.scope not in scopes:
                return False
            if tags and not tags.issubset(entry.tags):
                return False
            if youngest is not None or oldest is not None:
                made = made_at(entry)
                if youngest is not None and made > youngest:
                    return False
                if oldest is not None and made < oldest:
                    return False
            if only.problem:
                names = self._desk.fact_problems.get(entry.path, _NO_NAMES)
                return bool(names) if only.problem == "any" else only.problem in names
            return True

        return keep

    def check_draft(self, command: CheckDraft) -> None:
        from memlens.engine.durable import Draft, check_draft

        draft = Draft(command.name, command.description, command.tags, command.scope, command.body)
        config = self._desk.memory_config
        facts = self._desk.loaded_facts()
        check = check_draft(self._desk.workspace.root, draft, facts, command.editing, config=config)
        self._desk.publish(
            DraftChecked(
                request=command.request, check=check, cap_bytes=config.index_cap_bytes,
                description_limit=config.description_limit,
            )
        )  # fmt: skip


def _sorted(hits: Sequence[Hit], order: str) -> Sequence[Hit]:
    if order == "name":
        return sorted(hits, key=lambda hit: (hit.entry.name.casefold(), hit.entry.path))
    if order == "newest":
        return sorted(hits, key=lambda hit: (-made_at(hit.entry), hit.entry.path))
    if order == "oldest":
        return sorted(hits, key=lambda hit: (made_at(hit.entry), hit.entry.path))
    if order == "largest":
        return sorted(hits, key=lambda hit: (-hit.entry.size, hit.entry.path))
    return hits


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    desk.attach_notes()
    part = MemorySearchHandler(desk)
    return {
        SearchMemories: part.search,
        PrepareSearch: part.prepare,
        CheckDraft: part.check_draft,
    }
