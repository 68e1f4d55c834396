"""Why a phrase reaches the prompt, and through which imports, or why it does not.

Stands above the plan and the context library; reads files that are not in the prompt only to find
the phrase in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memlens.engine.files import DISK, MEMORY_FILE_LIMIT, FileProblem

if TYPE_CHECKING:
    from memlens.engine.arranged import Source
    from memlens.engine.context.memory import ContextMemory
    from memlens.engine.context.model import FileReason, ImportRecord, NestedSurvey, Span
    from memlens.engine.files import Files
    from memlens.engine.plan import Plan


_NAMED = 5
"""Files that are named in one sentence."""


class Why(NamedTuple):
    """An answer."""

    reached: bool
    chain: tuple[tuple[str, int], ...]
    """File and line, from 1: the imports on the way, outermost first, and at the end the place
    where the phrase stands. For a phrase that is not reached, as far as it is known."""
    reason: str
    """One sentence for people."""
    line: int = 0
    """The line of the prompt on which the phrase begins, from 1; 0 when it is not reached."""


class _Elsewhere(NamedTuple):
    """A file that is not in the prompt, or not as it stands."""

    path: str
    reason: str
    """With `{file}` and `{line}` for where the phrase stands in it."""
    chain: tuple[tuple[str, int], ...] = ()


def why(text: str, plan: Plan, memory: ContextMemory) -> Why:
    """Whether `text` reaches the prompt. White space is compared exactly first, then any stretch
    of it counts as any other."""
    if not text.strip():
        return Why(reached=False, chain=(), reason="nothing was asked for")
    pattern = _pattern(text)
    found = _in_plan(text, pattern, plan)
    if found is not None:
        return found
    for item in memory.handed_out:
        match = _search(text, pattern, item.text)
        if match is not None:
            chain = _chain(_span_at(item.spans, match[0]), match[0])
            return Why(True, chain, f"it stands in what a touch adds: {item.found}")
    files = memory.files
    unloaded = cache(memory.unloaded)  # a search of folders, so once at most
    for other in _elsewhere(plan, memory, unloaded):
        content = _read(files, other.path)
        match = _search(text, pattern, content)
        if match is not None:
            line = content.count("\n", 0, match[0]) + 1
            reason = other.reason.replace("{file}", other.path).replace("{line}", str(line))
            return Why(False, (*other.chain, (other.path, line)), reason)
    folders = dict.fromkeys(one.touch for one in unloaded().files if not one.is_glob)
    return _imported_by_a_touch(text, pattern, memory, folders) or Why(
        False,
        (),
        "it stands in none of the files that could bring it in" + _unread(memory, unloaded),
    )


def _unread(memory: ContextMemory, unloaded: Callable[[], NestedSurvey]) -> str:
    """Which files nobody could look into, and why not."""
    reasons = [
        one
        for one in (*memory.reasons, *unloaded().out)
        if one.reason in ("too-large", "unreadable", "binary", "special")
    ]
    if not reasons:
        return ""
    named = ", ".join(f"{one.path} ({one.text.rpartition(': ')[2]})" for one in reasons[:_NAMED])
    more = f", and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
    return f"; what could not be looked into: {named}{more}"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, text.split())))


def _search(text: str, pattern: re.Pattern[str], content: str) -> tuple[int, bool] | None:
    """Where the phrase begins, and whether to the letter."""
    place = content.find(text)
    if place >= 0:
        return place, True
    match = pattern.search(content)
    return (match.start(), False) if match else None


def _in_plan(text: str, pattern: re.Pattern[str], plan: Plan) -> Why | None:
    match = _search(text, pattern, plan.text)
    if match is None:
        return None
    place, exact = match
    source = plan.offset_source(place)
    if _is_agents_own(source):  # a path there can hold the word that a file is asked for
        for other in (re.compile(re.escape(text)) if exact else pattern).finditer(plan.text, place):
            there = plan.offset_source(other.start())
            if not _is_agents_own(there):
                place, source = other.start(), there
                break
    line = plan.text.count("\n", 0, place) + 1
    chain = tuple((site.file, site.line) for site in source.chain)
    if source.file and source.line:
        chain += ((source.file, source.line),)
    if source.kind == "index":
        reason = "it stands in the index of the durable memory"
    elif _is_agents_own(source):
        reason = "the agent writes it around the memory files"
    elif source.chain:
        reason = f"it is imported from {source.file}"
    else:
        reason = f"it stands in {source.file}"
    if not exact:
        reason += ", with other white space"
    return Why(True, chain, reason, line)


def _is_agents_own(source: Source) -> bool:
    """Whether the agent writes it around what it is given."""
    return not source.line and source.kind != "index"


def _imported_by_a_touch(
    text: str, pattern: re.Pattern[str], memory: ContextMemory, folders: Iterable[str]
) -> Why | None:
    for folder in folders:
        for item in memory.would_add(folder):
            match = _search(text, pattern, item.text)
            if match is not None:
                chain = _chain(_span_at(item.spans, match[0]), match[0])
                reason = f"it is imported by a file that is only read when something in {folder} "
                return Why(False, chain, reason + "is touched")
    return None


def _span_at(spans: tuple[Span, ...], place: int) -> tuple[Span, int]:
    """The span that holds an offset, and where it begins."""
    begin = 0
    for span in spans:
        if begin + len(span.text) > place:
            return span, begin
        begin += len(span.text)
    return spans[-1], begin


def _chain(at: tuple[Span, int], place: int) -> tuple[tuple[str, int], ...]:
    span, begin = at
    line = span.line + span.text.count("\n", 0, max(0, place - begin))
    return (*((site.file, site.line) for site in span.chain), (span.file, line))


def _elsewhere(
    plan: Plan, memory: ContextMemory, unloaded: Callable[[], NestedSurvey]
) -> Iterator[_Elsewhere]:
    """Where else the phrase may stand, the likeliest first."""
    taken_out = "{file}:{line} has it where an import is put in its place"
    if memory.profile.imports.placement == "own-entry":
        taken_out = (
            "{file}:{line} has it in what the agent takes out: a comment, frontmatter, or what is "
            "too long"
        )
    for item in plan.items:
        for path in (item.file, *item.imports):
            yield _Elsewhere(path, taken_out)
    yield from _failed_imports(memory)
    yield from _left_out(memory.reasons)
    for nested in unloaded().files:
        yield _Elsewhere(
            nested.file,
            f"it stands in {{file}}:{{line}}, which is only read when something in {nested.touch} "
            "is touched",
        )
    yield from _left_out(unloaded().out)
    yield from _facts(plan)
    yield from _above(memory)


def _left_out(reasons: Iterable[FileReason]) -> Iterator[_Elsewhere]:
    for reason in reasons:
        if reason.state == "out" and reason.reason not in ("same-file", "empty", "folder"):
            about = reason.about
            words = "is " * (not about.startswith("is ")) + about
            told = f"which {words}" if about else f"and {reason.text}"
            yield _Elsewhere(reason.path, f"it stands in {{file}}:{{line}}, {told}")


def _failed_imports(memory: ContextMemory) -> Iterator[_Elsewhere]:
    from memlens.engine.context.meant import Judge

    judge = Judge(memory.files)
    importers = {one.target: one for one in memory.records if one.outcome == "imported"}
    for record in memory.records:
        target = record.target
        if record.outcome == "missing" and target is not None:
            folder = record.file.rpartition("/")[0]
            path = (
                target if record.written.startswith(("/", "~/")) else (f"{folder}/{record.written}")
            )
            target = judge.guess(folder, path, record.written).path
        elif record.outcome in ("imported", "already-shown", "reserved", "folder", "special"):
            continue
        if target is not None:
            yield _Elsewhere(
                target,
                f"it stands in {{file}}:{{line}}, which @{record.written} in {record.file}:"
                f"{record.line} does not bring in: {_outcome(memory, record)}",
                _way_to(record, importers),
            )


def _outcome(memory: ContextMemory, record: ImportRecord) -> str:
    words = record.outcome.replace("-", " ")
    if record.outcome == "excluded" and memory.configured is not None and record.target:
        from memlens.engine.context.entries import excluding

        exclude = excluding(memory.configured, record.target)
        if exclude is not None:
            return f"the settings exclude it with {exclude}"
    return words


def _way_to(
    record: ImportRecord, importers: Mapping[str | None, ImportRecord]
) -> tuple[tuple[str, int], ...]:
    """The tokens that lead to one that was not followed, it being the last."""
    way = [(record.file, record.line)]
    while (above := importers.get(way[0][0])) is not None and len(way) <= record.level:
        way.insert(0, (above.file, above.line))
    return tuple(way)


def _facts(plan: Plan) -> Iterator[_Elsewhere]:
    if plan.index is None:
        return
    shown = {span.file for span in plan.spans if span.kind == "index"}
    for fact in plan.index.facts:
        if fact.path in shown:
            yield _Elsewhere(
                fact.path,
                f"it stands in the fact {fact.name}, {{file}}:{{line}}: only its line of the index "
                "is in the prompt, the agent has to read the file",
            )
        else:
            yield _Elsewhere(
                fact.path,
                f"it stands in the fact {fact.name}, {{file}}:{{line}}, which lies behind the cut "
                "of the index",
            )


def _above(memory: ContextMemory) -> Iterator[_Elsewhere]:
    folder = memory.walk[0]
    while folder != "/":
        folder = folder.rpartition("/")[0] or "/"
        for rule in memory.profile.files:
            if rule.place == "level":
                yield _Elsewhere(
                    f"{folder.rstrip('/')}/{rule.name}",
                    "it stands in {file}:{line}, above the folders that are read: the walk begins "
                    f"at {memory.walk[0]}",
                )


def _read(files: Files, path: str) -> str:
    for tree in (files, DISK):  # facts may lie outside of a tree that is no disk
        try:
            data, _ = tree.read(path, MEMORY_FILE_LIMIT)
        except FileProblem:
            continue
        return data.removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    return ""
