"""A memory file with its imports in place, as spans (spec, part 3)."""

from __future__ import annotations

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.model import ImportRecord, ImportSite, Outcome, Span
from memlens.engine.context.source import Memory, Source, Token
from memlens.engine.context.tree import Tree

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_new = tuple.__new__  # half the price of calling the class, and there are many

_READ = frozenset({"binary", "too-large", "unreadable"})

EXPANSION_LIMIT = 16 * 1024 * 1024
"""Bytes that one memory file may grow to with its imports (A26)."""


class Shown:
    """What one object has shown already: nothing comes twice (A4), and a file that is an item of
    its own never comes as an import (A5). Keys are `Source.key`."""

    def __init__(self) -> None:
        self.places: dict[object, ImportSite] = {}
        self.reserved: set[object] = set()

    def reserve(self, source: Source) -> None:
        self.reserved.add(source.key)
        self.places[source.key] = ImportSite(source.path, 0, 0)

    def add(self, source: Source, site: ImportSite) -> None:
        self.places[source.key] = site

    def __contains__(self, source: Source) -> bool:
        return source.key in self.places


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
        """The absolute path that a token names in a file in the real `folder`; links are not
        resolved, nor dots but those in front, which lead up a way without links."""
        if written.startswith("~/"):
            return None if self.home is None else f"{self.home}/{written[2:]}"
        if written.startswith("/"):
            return written
        while written.startswith("."):
            if written.startswith("../") and len(written) > 3:
                folder, written = folder.rpartition("/")[0] or "/", written[3:]
            elif written.startswith("./") and len(written) > 2:
                written = written[2:]
            else:
                break
        return f"{folder}/{written}" if folder != "/" else f"/{written}"


def look_ahead(
    tree: Tree, surroundings: Surroundings, shown: Shown, sources: Iterable[Source]
) -> None:
    """Reads what the imports of `sources` lead to, level by level.

    Only a matter of speed: to do one thing for many files before the next takes a good deal less
    than to do all of it for one file after another.
    """
    if not tree.looks_ahead:
        return
    now = tree.round
    path_of = surroundings.path
    seen = set(shown.places)
    level = list(sources)
    left = surroundings.max_depth
    while level and left > 0:
        left -= 1
        found: list[Source] = []
        wanted: list[tuple[Token, str]] = []
        for source in level:
            folder = source.folder
            for token in source.tokens:
                child = token.source
                if child is not None and child.checked == now and child.loaded:
                    found.append(child)
                elif (path := path_of(folder, token.written)) is not None:
                    wanted.append((token, path))
        tree.read_ahead([path for _, path in wanted])
        for token, path in wanted:
            child = tree.target(path)
            token.source = child if child.path == path else None
            found.append(child)
        level = []
        for child in found:
            if child.tokens and child.key not in seen:
                seen.add(child.key)
                level.append(child)


class _Frame:
    """A file being expanded; kept on a list, so depth is bounded by settings, not by Python."""

    __slots__ = (
        "breaks_before", "chain", "cursor", "first_span", "level", "line", "own", "parent_token",
        "record", "size_before", "source", "token",
    )  # fmt: skip

    def __init__(
        self,
        source: Source,
        chain: tuple[ImportSite, ...],
        level: int,
        parent_token: Token | None = None,
    ) -> None:
        self.source = source
        self.chain = chain
        self.level = level
        """Of the tokens in it."""
        self.parent_token = parent_token
        self.token = 0
        """Index of the next token."""
        self.cursor = 0
        self.line = 1
        """The line on which `cursor` stands."""
        self.own = 0
        """Bytes of it that are in so far, its imports left out."""
        self.record = self.first_span = self.size_before = self.breaks_before = 0


class Expansion:
    """Expands one memory file.

    What a token or a stretch of text became is remembered at the token. When the same text is
    expanded again, as after a change elsewhere, equal spans and records are not made anew.
    """

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
        """Line feeds in all spans."""
        self._total = 0

    def run(self, source: Source) -> None:
        """Fills `spans`, `records` and `imports` for the memory file `source`."""
        self._total = source.size
        stack = [_Frame(source, (), 1)]
        while stack:
            frame = stack[-1]
            child = self._go_on(frame)
            if child is not None:
                stack.append(child)
                continue
            stack.pop()
            source = frame.source
            end = len(source.body)
            breaks = source.body_breaks
            if frame.parent_token is None:
                end, breaks = end + len(source.tail), source.breaks
            if frame.cursor < end:
                self._flush(frame, end, breaks + 1, source)
            if frame.parent_token is not None:
                self._close(frame, frame.parent_token)

    def _go_on(self, frame: _Frame) -> _Frame | None:
        """Works on a file until one of its imports has imports of its own."""
        source, chain, level = frame.source, frame.chain, frame.level
        tokens = source.tokens
        now = self.tree.round
        places = self.shown.places
        add_span, add_record, add_import = (
            self.spans.append, self.records.append, self.imports.append
        )  # fmt: skip
        deep = level > self.surroundings.max_depth
        while frame.token < len(tokens):
            token = tokens[frame.token]
            frame.token += 1
            child = token.source
            if child is None or child.checked != now or not (child.loaded or deep):
                path = self.surroundings.path(source.folder, token.written)
                if path is None:
                    add_record(self._failure(source, token, level, "no-home", None))
                    continue
                child = self.tree.target(path, read=not deep)
                token.source = child if child.path == path else None
            key = child.key
            if child.problem or key in places or deep:
                record = token.failure
                if (  # as it was: most that fail do so because nothing is there
                    record is None
                    or record.outcome != child.problem
                    or record.level != level
                    or record.target != child.path
                    or deep
                ):
                    outcome = self._refusal(child, deep=deep)
                    record = self._failure(source, token, level, outcome, child)
                add_record(record)
                continue
            size = token.end - token.start if source.ascii else len(token.written.encode()) + 1
            total = self._total + child.body_size - size
            if total > EXPANSION_LIMIT:
                outcome = "expansion-too-large"
                add_record(self._failure(source, token, level, outcome, child))
                continue
            self._total = total
            span = token.span
            if span is not None and span.start == frame.cursor and span.chain is chain:
                add_span(span)
                frame.own += span.size
                self.size += span.size
                self.breaks += span.breaks
            elif frame.cursor < token.start:
                self._flush(frame, token.start, token.line, token)
            frame.cursor, frame.line = token.end, token.line
            memory = token.memory
            if memory is None or memory.before is not chain or memory.source is not child:
                memory = token.memory = self._remember(source, token, frame, child)
            places[key] = memory.site
            add_import(child.path)
            if memory.barren is not None and self._is_barren(child, memory.barren[1]):
                record, failed, spans = memory.barren
                add_record(record)
                self.records += failed
                self.spans += spans
                for span in spans:
                    self.size += span.size
                    self.breaks += span.breaks
                continue
            if memory.record is None:
                inner = _Frame(child, memory.chain, level + 1, token)
                inner.record = len(self.records)
                inner.first_span = len(self.spans)
                inner.size_before = self.size
                inner.breaks_before = self.breaks
                add_record(_PENDING)
                return inner
            add_record(memory.record)
            span = memory.span
            if span is not None:
                add_span(span)
                self.size += span.size
                self.breaks += span.breaks
        return None

    def _is_barren(self, source: Source, failed: Sequence[ImportRecord]) -> bool:
        """Whether imports of a file that led nowhere still lead nowhere for the same reasons."""
        now = self.tree.round
        for token, record in zip(source.tokens, failed, strict=True):
            target = token.source
            if (
                target is None
                or target.checked != now
                or target.problem != record.outcome
                or target.path != record.target
            ):
                return False
        return True

    def _refusal(self, target: Source, *, deep: bool) -> Outcome:
        """Why a file does not come, though there would be room for it."""
        # What is too deep is not read, so what only reading tells is not told of it.
        if target.problem and not (deep and target.problem in _READ):
            return target.problem
        if target.key not in self.shown.places:
            return "too-deep"
        return "reserved" if target.key in self.shown.reserved else "already-shown"

    def _failure(
        self, source: Source, token: Token, level: int, outcome: Outcome, target: Source | None
    ) -> ImportRecord:
        shown_at = path = None
        if target is not None:
            path = target.path
            if outcome in ("reserved", "already-shown"):
                shown_at = self.shown.places[target.key]
        record = token.failure
        if (
            record is not None
            and record.outcome == outcome
            and record.level == level
            and record.shown_at == shown_at
            and record.target == path
        ):
            return record
        external = path is not None and not path.startswith(self.surroundings.inside)
        token.failure = ImportRecord(
            source.path, token.line, token.column, token.start, token.written, level, outcome,
            path, external, shown_at, 0, 0, 0,
        )  # fmt: skip
        return token.failure

    def _remember(self, source: Source, token: Token, frame: _Frame, child: Source) -> Memory:
        line, column = token.line, token.column
        site = _new(ImportSite, (source.path, line, column))
        memory = Memory(child, frame.chain, site)
        if child.blank or not child.tokens:
            size = lines = 0
            path = child.path
            if not child.blank:
                text, size, breaks = child.body, child.body_size, child.body_breaks
                lines = breaks + 1
                memory.span = _new(
                    Span, (text, "text", path, 0, len(text), 1, breaks, size, memory.chain)
                )
            external = not path.startswith(self.surroundings.inside)
            memory.record = _new(
                ImportRecord,
                (
                    source.path, line, column, token.start, token.written, frame.level,
                    "imported", path, external, None, size, lines, size,
                ),
            )  # fmt: skip
        return memory

    def _flush(self, frame: _Frame, end: int, end_line: int, place: Token | Source) -> None:
        """Adds what stands between the last import and `end`; `place` remembers it."""
        start = frame.cursor
        span = place.span
        if span is None or span.start != start or span.chain is not frame.chain:
            source = frame.source
            text = source.body[start:end]
            if end > len(source.body):
                text += source.tail
            size = end - start if source.ascii else len(text.encode())
            span = place.span = _new(
                Span,
                (
                    text, "text", source.path, start, end, frame.line, end_line - frame.line,
                    size, frame.chain,
                ),
            )  # fmt: skip
        self.spans.append(span)
        frame.own += span.size
        self.size += span.size
        self.breaks += span.breaks

    def _close(self, frame: _Frame, token: Token) -> None:
        """Drops the line ends behind an import (A12) and completes its record."""
        spans = self.spans
        while len(spans) > frame.first_span:
            last = spans[-1]
            kept = last.text.rstrip("\r\n")
            lost = len(last.text) - len(kept)
            if not lost:
                break
            spans.pop()
            lost_breaks = last.text.count("\n", len(kept))
            self.size -= lost
            self.breaks -= lost_breaks
            if last.chain == frame.chain:
                frame.own -= lost
            if kept:
                spans.append(
                    last._replace(
                        text=kept,
                        end=last.end - lost,
                        breaks=last.breaks - lost_breaks,
                        size=last.size - lost,
                    )
                )
                break
        size = self.size - frame.size_before
        lines = self.breaks - frame.breaks_before + 1 if size else 0
        record = token.success
        if (
            record is None
            or (record.bytes, record.lines, record.own_bytes) != (size, lines, frame.own)
            or record.level != frame.level - 1
            or record.target != frame.source.path
        ):
            importer = frame.chain[-1].file
            path = frame.source.path
            record = token.success = ImportRecord(
                importer, token.line, token.column, token.start, token.written, frame.level - 1,
                "imported", path, not path.startswith(self.surroundings.inside), None,
                size, lines, frame.own,
            )  # fmt: skip
        self.records[frame.record] = record
        memory = token.memory
        if memory is not None and frame.cursor == 0:  # nothing was put into it
            failed = self.records[frame.record + 1 :]
            memory.barren = record, failed, spans[frame.first_span :]


_PENDING = ImportRecord("", 0, 0, 0, "", 0, "missing", None, False, None, 0, 0, 0)
# Keeps the place of a record whose file is still being expanded.
