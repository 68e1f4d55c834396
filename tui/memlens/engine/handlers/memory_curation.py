"""Commands of curating. Whatever joins facts with what was read stands here, above both."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.memory_curation import (
    CheckMemories,
    CompareMemories,
    FindDuplicates,
    FindStale,
)
from memlens.engine.events.memory_curation import (
    DuplicatesFound,
    MemoriesChecked,
    MemoriesCompared,
    Problems,
    SideBySide,
    StaleEvidence,
    StaleFound,
)
from memlens.engine.work import is_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from memlens.engine.durable.results import StaleFact
    from memlens.engine.findings import Finding
    from memlens.engine.handlers.desk import Desk
    from memlens.engine.reads import Session


_NO_NAMES: Final[frozenset[str]] = frozenset()


class _Reads:
    """Who read one fact."""

    def __init__(self) -> None:
        self.last: float | None = None
        self.by = ""
        self.count = 0

    def add(self, last: float | None, session: str, count: int) -> None:
        self.count += count
        if last is not None and (self.last is None or last > self.last):
            self.last, self.by = last, session


class MemoryCurationHandler:
    """Looks for what is worth a person's look; changes nothing."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    @property
    def _root(self) -> str:
        return self._desk.workspace.root

    def check(self, command: CheckMemories) -> None:
        from memlens.engine.durable import check

        findings = check(
            self._root, self._desk.memory_config, self._desk.loaded_facts(),
            near_duplicates=command.near_duplicates,
        ) + self._notes_findings()  # fmt: skip
        wanted = self._wanted(findings)
        self._desk.fact_problems = _names_by_file(wanted)
        self._desk.publish(
            MemoriesChecked(request=command.request, findings=wanted, problems=Problems(wanted))
        )

    def _notes_findings(self) -> tuple[Finding, ...]:
        """What is wrong with the notes that the agent keeps by itself."""
        from memlens.engine.handlers.notes import notes_place

        place = notes_place(self._desk.workspace)
        if place is None:
            return ()
        from memlens.engine.auto_memory import check_notes
        from memlens.engine.durable import MemoryScope

        facts = self._desk.loaded_facts()
        notes = [one for one in (facts.entries if facts else ()) if one.scope is MemoryScope.AUTO]
        return tuple(check_notes(place[0].profile, *place, notes))

    def _wanted(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Without those that the settings, or a comment on their line, switch off."""
        from memlens.engine.files import DISK, FileProblem
        from memlens.engine.silence import without_ignored

        ignored = self._desk.workspace.settings.ignore
        left = [one for one in findings if one.name not in ignored]
        quiet = {"index-cut", "index-overflow"}  # of the whole store, not of a line

        def text_of(file: str) -> str | None:
            try:
                return DISK.read(file, 1024 * 1024)[0].decode("utf-8", "replace")
            except FileProblem:
                return None

        kept = set(map(id, without_ignored([x for x in left if x.name not in quiet], text_of)))
        return tuple([one for one in left if one.name in quiet or id(one) in kept])

    def find_duplicates(self, command: FindDuplicates) -> None:
        from memlens.engine.durable import duplicates

        facts = self._desk.loaded_facts()
        pairs = duplicates(self._root, self._desk.memory_config, facts) if facts else ()
        self._desk.publish(DuplicatesFound(request=command.request, pairs=pairs))

    def compare(self, command: CompareMemories) -> None:
        from memlens.engine.durable import read_fact
        from memlens.engine.handlers.memories import scope_of
        from memlens.engine.handlers.merging import both, fields_of

        first, second = (
            read_fact(path, scope_of(self._desk, path)) for path in (command.first, command.second)
        )
        self._desk.publish(
            MemoriesCompared(
                request=command.request, first=first, second=second,
                rows=tuple(_side_by_side(first.body, second.body)),
                merged=both(fields_of(first), fields_of(second)),
            )
        )  # fmt: skip

    def find_stale(self, command: FindStale) -> None:
        from memlens.engine.durable.curate import repeats_name, stale
        from memlens.engine.reads import sessions

        facts = self._desk.loaded_facts()
        days = self._desk.memory_config.stale_days
        now = self._desk.now()
        entries = facts.entries if facts else ()
        found = stale(entries, days, now)
        reads: dict[str, _Reads] = {os.path.realpath(one.entry.path): _Reads() for one in found}
        looked_at, stopped = 0, False
        if found:
            listed = sessions(self._root)
            for done, session in enumerate(listed):
                wanted = partial(is_wanted, done, len(listed), "reading sessions")
                if stopped := not wanted():
                    break
                self._count_reads(session, reads, wanted)
                looked_at += 1
        self._desk.publish(
            StaleFound(
                request=command.request, facts=tuple(_with_evidence(found, reads)),
                repeating=tuple([entry for entry in entries if repeats_name(entry)]),
                sessions=looked_at, stale_days=days, now=now, stopped=stopped,
            )
        )  # fmt: skip

    def _count_reads(
        self, session: Session, reads: dict[str, _Reads], wanted: Callable[[], bool]
    ) -> None:
        from memlens.engine.reads import LogFollower

        follower = LogFollower(session)
        follower.advance(lambda: not wanted())
        for entry in follower.snapshot().paths:
            known = reads.get(entry.path) or reads.get(os.path.realpath(entry.path))
            if known is not None and entry.reads:
                known.add(entry.last_read, session.id, entry.reads)


def _names_by_file(findings: Iterable[Finding]) -> Mapping[str, frozenset[str]]:
    """Equal sets of names are one: with a cut index thousands of facts have the same finding."""
    problems: dict[str, frozenset[str]] = {}
    more: dict[tuple[frozenset[str], str], frozenset[str]] = {}
    for finding in findings:
        known = problems.get(finding.file, _NO_NAMES)
        key = known, finding.name
        if key not in more:
            more[key] = known | {finding.name}
        problems[finding.file] = more[key]
    return problems


def _with_evidence(
    found: Iterable[StaleFact], reads: Mapping[str, _Reads]
) -> Iterator[StaleEvidence]:
    for fact in found:
        known = reads[os.path.realpath(fact.entry.path)]
        yield StaleEvidence(fact=fact, last_read=known.last, read_by=known.by, reads=known.count)


def _side_by_side(first: str, second: str) -> Iterator[SideBySide]:
    """The lines of two texts, equal ones beside one another."""
    from itertools import zip_longest

    from memlens.engine.review.differences import matches

    ours, others = first.split("\n"), second.split("\n")
    at_first = at_second = 0
    for left, right, count in (*matches(ours, others), (len(ours), len(others), 0)):
        for here, there in zip_longest(ours[at_first:left], others[at_second:right]):
            yield SideBySide(left=here, right=there, same=False)
        for line in ours[left : left + count]:
            yield SideBySide(left=line, right=line, same=True)
        at_first, at_second = left + count, right + count


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    desk.attach_notes()
    part = MemoryCurationHandler(desk)
    return {
        CheckMemories: part.check,
        FindDuplicates: part.find_duplicates,
        CompareMemories: part.compare,
        FindStale: part.find_stale,
    }
