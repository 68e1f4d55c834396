"""A memory file with its imports in place, as spans (spec, part 3)."""

from __future__ import annotations

from typing import Final

from memlens.engine.agents import ImportRules
from memlens.engine.context.model import ImportRecord, ImportSite, Outcome, Span
from memlens.engine.context.source import Source, Token
from memlens.engine.context.tree import Tree

EXPANSION_LIMIT: Final = 16 * 1024 * 1024
"""Bytes that one memory file may grow to with its imports (A26)."""

_Identity = str | tuple[str, int, int]


def identity(source: Source) -> _Identity:
    """What tells one file from another also where letter case does not (A34)."""
    stamp = source.stamp
    if stamp is None or not stamp.inode:
        return source.path
    return source.path.casefold(), stamp.device, stamp.inode


class Shown:
    """What one object has shown already: nothing comes twice (A4), and a file that is an item of
    its own never comes as an import (A5)."""

    def __init__(self) -> None:
        self.places: dict[_Identity, ImportSite] = {}
        self.reserved: set[_Identity] = set()

    def reserve(self, source: Source) -> None:
        key = identity(source)
        self.reserved.add(key)
        self.places[key] = ImportSite(source.path, 0, 0)

    def add(self, source: Source, site: ImportSite) -> None:
        self.places[identity(source)] = site

    def __contains__(self, source: Source) -> bool:
        return identity(source) in self.places


class Surroundings:
    """Where paths are resolved from and what counts as outside."""

    __slots__ = ("home", "inside", "max_depth", "rules")

    def __init__(
        self, rules: ImportRules, home: str | None, inside: tuple[str, ...], max_depth: int
    ) -> None:
        self.rules = rules
        self.home = home
        self.inside = inside
        """Real folders with a slash behind: a target below none of them is external."""
        self.max_depth = max_depth

    def path(self, folder: str, written: str) -> str | None:
        """The absolute path that a token names, dots and links not resolved."""
        if written.startswith("~/"):
            return None if self.home is None else f"{self.home}/{written[2:]}"
        if written.startswith("/"):
            return written
        return f"{folder}/{written}" if folder != "/" else f"/{written}"


class _Frame:
    """A file being expanded; kept on a list, so depth is bounded by settings, not by Python."""

    __slots__ = (
        "chain",
        "cursor",
        "first_breaks",
        "first_size",
        "first_span",
        "level",
        "line",
        "own",
        "record",
        "source",
        "token",
    )  # fmt: skip

    def __init__(self, source: Source, chain: tuple[ImportSite, ...], level: int) -> None:
        self.source = source
        self.chain = chain
        self.level = level
        self.token = 0
        self.cursor = 0
        self.line = 1
        self.record = -1
        self.first_span = 0
        self.first_size = 0
        self.first_breaks = 0
        self.own = 0


class Expansion:
    """Expands one memory file."""

    def __init__(self, tree: Tree, surroundings: Surroundings, shown: Shown) -> None:
        self.tree = tree
        self.surroundings = surroundings
        self.shown = shown
        self.spans: list[Span] = []
        self.records: list[ImportRecord] = []
        self.imports: list[str] = []
        self.size = 0
        """Bytes of all spans."""
        self.breaks = 0
        self._total = 0

    def run(self, source: Source) -> None:
        """Fills `spans`, `records` and `imports` for the memory file `source`."""
        self._total = source.size
        stack = [_Frame(source, (), 0)]
        while stack:
            frame = stack[-1]
            child = self._go_on(frame)
            if child is not None:
                stack.append(child)
                continue
            stack.pop()
            source = frame.source
            self._flush(frame, len(source.text))
            if stack:
                self._close(frame)

    def _go_on(self, frame: _Frame) -> _Frame | None:
        """Works on a file until one of its imports has imports of its own."""
        tokens = frame.source.tokens
        while frame.token < len(tokens):
            token = tokens[frame.token]
            frame.token += 1
            child, record = self._admit(frame, token)
            if child is None:
                self.records.append(record)
                continue
            self._flush(frame, token.start)
            frame.cursor, frame.line = token.end, token.line
            site = ImportSite(frame.source.path, token.line, token.column)
            self.shown.add(child, site)
            self.imports.append(child.path)
            if child.tokens and not child.blank:
                inner = _Frame(child, (*frame.chain, site), frame.level + 1)
                inner.record = len(self.records)
                inner.first_span = len(self.spans)
                inner.first_size = self.size
                inner.first_breaks = self.breaks
                self.records.append(record._replace(span=len(self.spans)))
                return inner
            self._leaf(child, (*frame.chain, site), record)
        return None

    def _leaf(self, child: Source, chain: tuple[ImportSite, ...], record: ImportRecord) -> None:
        """An import without imports of its own, at once."""
        size = breaks = 0
        place = len(self.spans)
        if not child.blank:
            end, size, breaks = child.body_end, child.body_size, child.body_breaks
            text = child.text if end == len(child.text) else child.text[:end]
            self.spans.append(Span(text, "text", child.path, 0, end, 1, breaks, size, chain))
            self.size += size
            self.breaks += breaks
        self.records.append(
            record._replace(bytes=size, own_bytes=size, lines=breaks + 1 if size else 0, span=place)
        )

    def _admit(self, frame: _Frame, token: Token) -> tuple[Source | None, ImportRecord]:
        """Decides about one token: the file to put in its place, or why there is none."""
        around = self.surroundings
        level = frame.level + 1
        path = around.path(frame.source.folder, token.written)
        outcome: Outcome
        target: Source | None = None
        shown_at: ImportSite | None = None
        if path is None:
            outcome = "no-home"
        else:
            deep = level > around.max_depth
            target = self.tree.target(path, read=not deep).source
            key = identity(target)
            if target.problem:
                outcome = target.problem
            elif key in self.shown.reserved:
                outcome, shown_at = "reserved", self.shown.places[key]
            elif key in self.shown.places:
                outcome, shown_at = "already-shown", self.shown.places[key]
            elif deep:
                outcome = "too-deep"
            elif self._total + target.body_size - token.size > EXPANSION_LIMIT:
                outcome = "expansion-too-large"
            else:
                outcome = "imported"
                self._total += target.body_size - token.size
        return target if outcome == "imported" else None, ImportRecord(
            frame.source.path,
            token.line,
            token.column,
            token.start,
            token.written,
            level,
            outcome,
            None if target is None else target.path,
            target is not None and not target.path.startswith(around.inside),
            shown_at,
            0,
            0,
            0,
            len(self.spans),
        )

    def _flush(self, frame: _Frame, end: int) -> None:
        """Adds what stands between the last import and `end`."""
        start = frame.cursor
        if start >= end:
            return
        source = frame.source
        text = source.text[start:end]
        breaks = text.count("\n")
        size = len(text) if source.ascii else len(text.encode())
        self.spans.append(
            Span(text, "text", source.path, start, end, frame.line, breaks, size, frame.chain)
        )
        frame.own += size
        self.size += size
        self.breaks += breaks

    def _close(self, frame: _Frame) -> None:
        """Drops the line ends behind an import (A12) and completes its record."""
        spans = self.spans
        while len(spans) > frame.first_span:
            last = spans[-1]
            kept = last.text.rstrip("\r\n")
            lost = len(last.text) - len(kept)
            if not lost:
                break
            lost_breaks = last.text.count("\n", len(kept))
            self.size -= lost
            self.breaks -= lost_breaks
            if last.chain == frame.chain:
                frame.own -= lost
            if kept:
                spans[-1] = last._replace(
                    text=kept,
                    end=last.end - lost,
                    breaks=last.breaks - lost_breaks,
                    size=last.size - lost,
                )
                break
            spans.pop()
        size = self.size - frame.first_size
        self.records[frame.record] = self.records[frame.record]._replace(
            bytes=size,
            own_bytes=frame.own,
            lines=self.breaks - frame.first_breaks + 1 if size else 0,
        )
