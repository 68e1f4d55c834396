"""Where each stretch of a prompt comes from: its spans, its blocks, and the source of each line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from memlens.engine.context.model import ImportSite, Span
from memlens.engine.context.render import BLOCK_GAP, framing, header, trimmed

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from memlens.engine.agents.model import AgentProfile
    from memlens.engine.context.model import ImportRecord, MemoryItem, SpanKind
    from memlens.engine.plan import DurableIndex
else:
    from memlens.engine.named import NamedTuple


class PlanPart(NamedTuple):
    """A block of the prompt: one item with its header, or the durable index."""

    item: int
    """Index in `Plan.items`; -1 for the durable index."""
    first_span: int
    end_span: int
    first_line: int
    """Of the prompt, from 1."""
    last_line: int
    bytes: int
    """With the header; UTF-8."""
    share: float
    """Of the whole prompt, 0 to 1."""


class Source(NamedTuple):
    """Where a line of the prompt comes from."""

    kind: SpanKind
    file: str
    """Absolute; for a header the file it announces, for a line of the index the fact's file, empty
    where there is none."""
    line: int
    """From 1; 0 where no line of a file stands behind it."""
    chain: tuple[ImportSite, ...]
    """The imports that brought it in, outermost first."""
    item: int
    """Index in `Plan.items`; -1 for the durable index and for what belongs to no item."""
    span: int
    """Index in `Plan.spans`."""


_NOTHING = Source("separator", "", 0, (), -1, -1)


class Arranged:
    """The spans of a prompt in order, and what they tell. Immutable. Lines count from 1."""

    __slots__ = ("_before", "bytes", "lines", "parts", "spans")

    def __init__(
        self,
        items: Sequence[MemoryItem],
        profile: AgentProfile,
        index: DurableIndex | None,
        frame: str,
    ) -> None:
        spans, borders = _laid_out(items, profile, index, frame)
        self.spans = tuple(spans)
        # Line feeds before each span, and behind the last.
        before = [0, *accumulate([span.breaks for span in spans])]
        self._before = before
        sizes = [0, *accumulate([span.size for span in spans])]
        self.bytes = sizes[-1]
        self.lines = before[-1] + (bool(spans) and not spans[-1].text.endswith("\n"))
        whole = self.bytes or 1
        self.parts = tuple(
            PlanPart(
                item,
                first,
                end,
                before[first] + 1,
                max(before[first] + 1, before[end] + (not spans[end - 1].text.endswith("\n"))),
                sizes[end] - sizes[first],
                (sizes[end] - sizes[first]) / whole,
            )
            for item, first, end in borders
        )

    def source(self, line: int) -> Source:
        """Where the beginning of a line of the prompt (from 1) comes from; a source without a
        file for a line that does not exist."""
        if not 1 <= line <= self.lines:
            return _NOTHING
        return self._source(self._span_at(line), line)

    def sources(self, line: int) -> tuple[Source, ...]:
        """Every source that a line of the prompt (from 1) has text from, left to right."""
        if not 1 <= line <= self.lines:
            return ()
        first = self._span_at(line)
        end = bisect_left(self._before, line, first + 1)
        found = []
        for index in range(first, min(end, len(self.spans))):
            span = self.spans[index]
            # A span that the line only touches with its end has nothing on it.
            if span.text and not (index == first and self._ends_before(index, line)):
                found.append(self._source(index, line))
        return tuple(found)

    def part_at(self, line: int) -> PlanPart | None:
        """The block that a line of the prompt (from 1) belongs to."""
        index = bisect_right(self.parts, line, key=lambda part: part.first_line) - 1
        return self.parts[index] if index >= 0 else None

    def line_of(self, file: str, line: int) -> int | None:
        """The first line of the prompt (from 1) that shows a file's line; where that line does
        not show, the nearest one of the file behind it, else its last. None when the file is not
        in."""
        nearest: int | None = None
        last: int | None = None
        for index, span in enumerate(self.spans):
            if span.file != file or span.kind != "text":
                continue
            if span.line <= line <= span.line + span.breaks:
                return self._before[index] + 1 + line - span.line
            if span.line > line and nearest is None:
                nearest = self._before[index] + 1
            last = self._before[index + 1] + 1
        return nearest if nearest is not None else last

    def import_line(self, item: int, found: ImportRecord, *, apart: bool) -> int | None:
        """The line on which an item's import begins, or its token stays. `apart`: what it brings
        in may stand in an item of its own."""
        part = next((part for part in self.parts if part.item == item), None)
        if part is None:
            return None
        if found.outcome != "imported" or not found.bytes:
            return self._line_inside(part, found.file, found.line)
        site = ImportSite(found.file, found.line, found.column)
        for index in range(part.first_span, len(self.spans) if apart else part.end_span):
            chain = self.spans[index].chain
            if len(chain) >= found.level and chain[found.level - 1] == site:
                return self._before[index] + 1
        return self._line_inside(part, found.file, found.line)

    def offset_source(self, offset: int) -> Source:
        """Where the character at an offset of the prompt comes from."""
        starts = [0, *accumulate([len(span.text) for span in self.spans])]
        index = bisect_right(starts, offset) - 1
        if not 0 <= index < len(self.spans):
            return _NOTHING
        span = self.spans[index]
        inner = span.text.count("\n", 0, offset - starts[index])
        return self._source(index, self._before[index] + 1 + inner)

    def _line_inside(self, part: PlanPart, file: str, line: int) -> int:
        for index in range(part.first_span, part.end_span):
            span = self.spans[index]
            if (
                span.file == file
                and span.kind == "text"
                and span.line <= line <= span.line + span.breaks
            ):
                return self._before[index] + 1 + line - span.line
        return part.first_line

    def _span_at(self, line: int) -> int:
        """The span in which the line begins."""
        if line == 1:
            return 0
        # The line feed that ends the line above stands in the last span with fewer before it.
        index = bisect_left(self._before, line - 1) - 1
        while index + 1 < len(self.spans) and self._ends_before(index, line):
            index += 1
        return index

    def _ends_before(self, index: int, line: int) -> bool:
        """Whether a span ends where the line begins."""
        span = self.spans[index]
        return not span.text or (self._before[index + 1] == line - 1 and span.text.endswith("\n"))

    def _source(self, index: int, line: int) -> Source:
        span = self.spans[index]
        part = bisect_right(self.parts, index, key=lambda part: part.first_span) - 1
        inside = part >= 0 and index < self.parts[part].end_span
        return Source(
            span.kind,
            span.file,
            span.line and span.line + line - 1 - self._before[index],
            span.chain,
            self.parts[part].item if inside else -1,
            index,
        )


def _own(text: str, kind: SpanKind, file: str = "", line: int = 0) -> Span:
    """A span of text that is no slice of a file."""
    size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
    return Span(text, kind, file, 0, 0, line, text.count("\n"), size, ())


def _laid_out(
    items: Sequence[MemoryItem], profile: AgentProfile, index: DurableIndex | None, frame: str
) -> tuple[list[Span], list[tuple[int, int, int]]]:
    """All spans, and for each block its item and the range of its spans."""
    gap = _own(BLOCK_GAP, "separator")
    spans: list[Span] = []
    borders: list[tuple[int, int, int]] = []
    around = framing(profile, frame)
    if items and around.opening:
        spans.append(_own(around.opening, "wrapper"))
    if profile.preamble and items:
        spans += (_own(profile.preamble, "preamble"), gap)
    for number, item in enumerate(items):
        if number:
            spans.append(gap)
        first = len(spans)
        if line := header(item, profile):
            spans.append(_own(line + BLOCK_GAP, "header", item.file))
        spans += trimmed(item.spans, profile.trimmed)
        borders.append((number, first, len(spans)))
    if index is not None and index.text:
        if spans:
            spans.append(gap)
        first = len(spans)
        spans += _index_spans(index)
        borders.append((-1, first, len(spans)))
    if items and around.closing:
        spans.append(_own(around.closing, "wrapper"))
    return spans, borders


def _index_spans(index: DurableIndex) -> list[Span]:
    """One span for each line of the index; a fact's line points to the fact's file."""
    spans = []
    facts = iter(index.facts)
    fact = next(facts, None)
    lines = [line + "\n" for line in index.text.split("\n")]
    lines[-1] = lines[-1][:-1]
    for line in filter(None, lines):
        bare = line.removesuffix("\n")
        # The cut may have left only the beginning of a fact's line.
        if fact is not None and bare.startswith("- [") and fact.line.startswith(bare):
            spans.append(_own(line, "index", fact.path, 1))
            fact = next(facts, None)
        else:
            spans.append(_own(line, "index"))
    return spans
