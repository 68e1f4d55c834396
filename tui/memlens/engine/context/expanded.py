"""What a file with imports was expanded to: told as spans and records when somebody asks.

To put the text together takes a third of what spans and records take, and who only wants the
prompt needs no more.
"""

from __future__ import annotations

from memlens.engine.context.model import Details, ImportRecord, ImportSite, Outcome, Span
from memlens.engine.context.source import Source

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple, TypeAlias

    from memlens.engine.context.source import Token
else:
    from memlens.engine.named import NamedTuple

_new = tuple.__new__  # half the price of calling the class, and there are many


class Refused(NamedTuple):
    """Why a token stayed as written, where not only its target tells."""

    outcome: Outcome
    target: Source | None
    shown_at: ImportSite | None


if TYPE_CHECKING:
    Became: TypeAlias = "Source | Refused | Expanded"
    """What a token became: a file without imports, also one that cannot be read; a file with
    imports; or nothing."""


class Expanded:
    """A file and what its tokens became. Nothing changes in it once it is made: `details` are
    worked out once, and whoever works them out finds the same."""

    __slots__ = ("became", "chain", "inside", "known", "source", "tokens")

    def __init__(
        self,
        source: Source,
        chain: tuple[Token, ...],
        tokens: Sequence[Token],
        became: Sequence[Became],
        inside: tuple[str, ...],
    ) -> None:
        self.source = source
        self.chain = chain
        """The imports that brought it in, outermost first; empty for a memory file."""
        self.tokens = tokens
        """Its imports; where all lead nowhere, literal ones may be among them."""
        self.became = became
        """For each token."""
        self.inside = inside
        """Real folders with a slash behind: what lies below none of them is external."""
        self.known: Details | None = None
        """Its details, once somebody asked."""

    def details(self) -> Details:
        """Its spans and records, those of its imports included."""
        if self.known is None:
            waiting = [self]
            found = []  # whoever imports stands in front of what it imports
            while waiting:
                one = waiting.pop()
                found.append(one)
                _ = one.source.numbered  # which also tells where its imports stand
                waiting += [
                    inner
                    for inner in one.became
                    if isinstance(inner, Expanded) and inner.known is None
                ]
            for one in reversed(found):
                one.known = _details(one)
        assert self.known is not None
        return self.known


def _details(expanded: Expanded) -> Details:
    """All of what is inside must have its details."""
    source = expanded.source
    chain = _sites(expanded.chain)
    path, ascii_only = source.path, source.ascii
    inside = expanded.inside
    level = len(chain) + 1
    spans: list[Span] = []
    records: list[ImportRecord] = []
    total = feeds = own = 0
    cursor, line = 0, 1
    for token, became in zip(expanded.tokens, expanded.became, strict=True):
        if token.is_literal:
            continue
        if isinstance(became, Refused) or (isinstance(became, Source) and became.problem):
            records.append(_failure(expanded, token, became))
            continue
        if cursor < token.start:
            text = source.before(token, cursor)
            size = len(text) if ascii_only else len(text.encode())
            own += size
            total += size
            breaks = token.line - line
            feeds += breaks
            spans.append(
                _new(Span, (text, "text", path, cursor, token.start, line, breaks, size, chain))
            )
        cursor, line = token.end, token.line
        inner_records: Sequence[ImportRecord] = ()
        if isinstance(became, Expanded):
            child = became.source
            inner = became.details()
            size, own_size = inner.bytes, inner.own_bytes
            lines = inner.breaks + 1 if size else 0
            feeds += inner.breaks
            total += size
            spans += inner.spans
            inner_records = inner.records
        else:
            child = became
            size = own_size = lines = 0
            if not child.blank:
                text, size, breaks = child.body, child.body_size, child.body_breaks
                own_size, lines = size, breaks + 1
                feeds += breaks
                total += size
                spans.append(
                    _new(
                        Span,
                        (
                            text, "text", child.path, 0, len(text), 1, breaks, size,
                            (*chain, source.site(token)),
                        ),
                    )
                )  # fmt: skip
        records.append(
            _new(
                ImportRecord,
                (
                    path, line, token.column, token.start, token.written, level, "imported",
                    child.path, not child.path.startswith(inside), None, size, lines, own_size,
                ),
            )
        )  # fmt: skip
        records += inner_records
    breaks = source.body_breaks if chain else source.breaks
    end = len(source.body) + (0 if chain else len(source.tail))
    if cursor < end:
        text = source.behind(cursor) if chain else source.text[cursor:]
        size = len(text) if ascii_only else len(text.encode())
        own += size
        total += size
        breaks -= line - 1
        feeds += breaks
        spans.append(_new(Span, (text, "text", path, cursor, end, line, breaks, size, chain)))
    elif chain:
        own -= _trim(spans, chain)
        total = sum([span.size for span in spans])
        feeds = sum([span.breaks for span in spans])
    return Details(tuple(spans), tuple(records), total, feeds, own)


def _sites(chain: Sequence[Token]) -> tuple[ImportSite, ...]:
    """Where tokens stand, in files whose lines were counted."""
    sites = []
    for token in chain:
        assert token.site is not None
        sites.append(token.site)
    return tuple(sites)


def _trim(spans: list[Span], chain: tuple[ImportSite, ...]) -> int:
    """Drops the line ends at the end of an import (A12). How many bytes of the file itself, which
    `chain` brought in, went."""
    lost_own = 0
    while spans:
        last = spans.pop()
        kept = last.text.rstrip("\r\n")
        lost = len(last.text) - len(kept)
        if last.chain == chain:
            lost_own += lost
        if kept:
            spans.append(
                last._replace(
                    text=kept,
                    end=last.end - lost,
                    breaks=last.breaks - last.text.count("\n", len(kept)),
                    size=last.size - lost,
                )
                if lost
                else last
            )
            break
    return lost_own


def _failure(expanded: Expanded, token: Token, became: Source | Refused) -> ImportRecord:
    shown_at = None
    target: Source | None
    outcome: Outcome
    if isinstance(became, Refused):
        outcome, target, shown_at = became
    else:
        assert became.problem
        outcome, target = became.problem, became
    path = None if target is None else target.path
    external = path is not None and not path.startswith(expanded.inside)
    return ImportRecord(
        expanded.source.path, token.line, token.column, token.start, token.written,
        len(expanded.chain) + 1, outcome, path, external, shown_at, 0, 0, 0,
    )  # fmt: skip
