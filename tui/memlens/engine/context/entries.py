"""Memory files and imports as entries of their own, one behind the other (spec A, placement)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from memlens.engine.context.code import inside
from memlens.engine.context.conditions import frontmatter
from memlens.engine.context.globs import expand_braces, matches
from memlens.engine.context.model import (
    Details,
    ImportRecord,
    ImportSite,
    MemoryItem,
    Outcome,
    Span,
)

if TYPE_CHECKING:
    from memlens.engine.agents.model import FileRule, Scope
    from memlens.engine.configured import Configured, Exclude
    from memlens.engine.context.expand import Shown, Surroundings
    from memlens.engine.context.source import Source, Token
    from memlens.engine.context.tree import Tree

_MOST_LEVELS: Final = 200
"""Imports inside one another, however many a caller wants."""


class EntryReader:
    """Makes items of files: one for each, and behind it one for each import."""

    def __init__(
        self,
        tree: Tree,
        around: Surroundings,
        shown: Shown,
        label: Callable[[str], str],
        configured: Configured,
    ) -> None:
        self.tree = tree
        self.profile = configured.profile
        self.configured = configured
        self.around = around
        self.shown = shown
        self.label = label
        self.found_as: dict[object, str] = {}
        """The path under which each file that is in was found, by `Source.key`."""
        self.cut_at: dict[str, int] = {}
        """Where the text of a file was cut because it is too long: the line, by real path."""

    def is_blank(self, rule: FileRule | None, source: Source) -> bool:
        """Whether nothing of a file is left once what is cut has gone."""
        if source.blank:
            return True
        chars, text = self.profile.trimmed, source.text
        return not any(text[start:end].strip(chars) for start, end in kept(source, rule)[0])

    def read(
        self,
        rule: FileRule,
        scope: Scope,
        found: str,
        source: Source,
        chain: tuple[ImportSite, ...] = (),
    ) -> list[MemoryItem]:
        """The item of a file and, behind it, those of its imports."""
        self.found_as[source.key] = found
        slices, cut = kept(source, rule if not chain else None)
        if cut:
            self.cut_at[source.path] = cut
        spans = _spans(source, slices, chain)
        size = sum(span.size for span in spans)
        records: list[ImportRecord] = []
        imports: list[str] = []
        behind: list[MemoryItem] = []
        if rule.follows_imports:
            for token in source.numbered:
                if not inside(slices, token.start):
                    continue
                record, items = self._follow(rule, scope, source, token, chain)
                records.append(record)
                if record.outcome == "imported" and record.target is not None:
                    imports += [record.target, *(path for one in items[:1] for path in one.imports)]
                behind += items
        breaks = sum(span.breaks for span in spans)
        details = Details(spans, tuple(records), size, breaks, size)
        item = MemoryItem(
            file=source.path,
            label=self.label(source.path),
            scope=scope,
            kind=rule.kind,
            parts=[span.text for span in spans],
            imports=tuple(imports),
            found=found,
            parent=chain[-1].file if chain else None,
            size=size,
            details=lambda: details,
        )
        return [item, *behind]

    def _follow(
        self,
        rule: FileRule,
        scope: Scope,
        source: Source,
        token: Token,
        chain: tuple[ImportSite, ...],
    ) -> tuple[ImportRecord, list[MemoryItem]]:
        """What becomes of one token."""
        level = len(chain) + 1
        around = self.around
        path = around.path(source.folder, token.written)
        outcome, target = self._admit(rule, path, level)
        site = ImportSite(source.path, token.line, token.column)
        shown_at = None
        items: list[MemoryItem] = []
        if target is not None and outcome == "already-shown":
            shown_at = self.shown.site(target)
        if target is not None and path is not None and outcome == "imported":
            self.shown.add(target, site)
            if self.is_blank(None, target):
                self.found_as[target.key] = os.path.normpath(path)
            else:
                items = self.read(rule, scope, os.path.normpath(path), target, (*chain, site))
        record = ImportRecord(
            file=source.path,
            line=token.line,
            column=token.column,
            offset=token.start,
            written=token.written,
            level=level,
            outcome=outcome,
            target=None if target is None else target.path,
            external=target is not None and not target.path.startswith(around.inside),
            shown_at=shown_at,
            bytes=sum(item.bytes for item in items),
            lines=sum(item.lines for item in items),
            own_bytes=items[0].bytes if items else 0,
        )
        return record, items

    def _admit(self, rule: FileRule, path: str | None, level: int) -> tuple[Outcome, Source | None]:
        rules = self.profile.imports
        if path is None:
            return "no-home", None
        deep = level > min(self.around.max_depth, _MOST_LEVELS)
        extension = os.path.splitext(path)[1].lower()
        text = not extension or not rules.text_extensions or extension in rules.text_extensions
        near = path.startswith(self.around.inside)  # else it may turn out not to be read at all
        target = self.tree.target(path, read=near and text and not deep)
        if target.problem:
            return target.problem, target
        if not text:
            return "not-text", target
        if target in self.shown:
            return "already-shown", target
        if deep:
            return "too-deep", target
        if rule.excludable and excluding(self.configured, os.path.normpath(path), target.path):
            return "excluded", target
        if (
            rules.outside_needs_approval
            and not rule.trusted
            and not target.path.startswith(self.around.inside)
            and self.configured.approval.state != "approved"
        ):
            return "not-approved", target
        if not target.loaded:
            target = self.tree.target(path)
        return target.problem or "imported", target


def excluding(configured: Configured, *paths: str) -> Exclude | None:
    """What in the settings excludes one of these spellings of a file, if anything does."""
    for exclude in configured.excludes:
        if not exclude.matches_something:
            continue
        patterns = expand_braces([exclude.glob])
        if any(matches(path, patterns) for path in paths):
            return exclude
    return None


def kept(source: Source, rule: FileRule | None) -> tuple[Sequence[tuple[int, int]], int]:
    """The stretches of a file's text that are read, as offsets, and the line on which it was cut
    for its length, 0 where it was not. An import, which has no rule, is never cut so."""
    text = source.text
    begin = 0
    if rule is not None and rule.cuts_frontmatter:
        header = frontmatter(text)
        begin = header[2] if header is not None else 0
    slices = []
    position = begin
    for start, end in source.cuts:
        if end <= begin:
            continue
        if start > position:
            slices.append((position, start))
        position = max(position, end)
    if position < len(text):
        slices.append((position, len(text)))
    if rule is None or not (rule.max_lines or rule.max_bytes):
        return slices, 0
    return _first(text, slices, rule)


def _first(
    text: str, slices: Sequence[tuple[int, int]], rule: FileRule
) -> tuple[Sequence[tuple[int, int]], int]:
    """As much of the slices as a rule allows, ending with a whole line; empty lines in front do
    not count. A first line that is too long by itself is cut inside."""
    lines = size = 0
    taken: list[tuple[int, int]] = []
    leading = True
    for start, end in slices:
        position = start
        while position < end:
            stop = text.find("\n", position, end) + 1 or end
            piece = text[position:stop]
            if leading and not piece.strip():
                position = stop
                continue
            leading = False
            cost = len(piece.rstrip("\r\n").encode())
            over_bytes = rule.max_bytes and size + cost > rule.max_bytes
            if (rule.max_lines and lines >= rule.max_lines) or over_bytes:
                if over_bytes and not size:
                    short = piece.encode()[: rule.max_bytes].decode(errors="ignore")
                    taken.append((position, position + len(short)))
                elif position > start:
                    taken.append((start, position))
                return taken, text.count("\n", 0, position) + 1
            size += len(piece.encode())
            lines += piece.endswith("\n") or stop == end
            position = stop
        taken.append((start, end))
    return taken, 0


def _spans(
    source: Source, slices: Sequence[tuple[int, int]], chain: tuple[ImportSite, ...]
) -> tuple[Span, ...]:
    spans = []
    whole = source.text
    line, counted = 1, 0
    for start, end in slices:
        text = whole[start:end]
        size = len(text) if text.isascii() else len(text.encode())
        line += whole.count("\n", counted, start)
        counted = start
        breaks = text.count("\n")
        spans.append(Span(text, "text", source.path, start, end, line, breaks, size, chain))
    return tuple(spans)
