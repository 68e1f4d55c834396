"""A bound on the files of all levels together, as some agents have one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memlens.engine.context.model import Details, MemoryItem
from memlens.engine.findings import Finding

if TYPE_CHECKING:
    from memlens.engine.context.model import Span

_LEVELS = ("ancestor", "project", "local")


def capped(
    items: Iterable[MemoryItem], limit: int
) -> tuple[tuple[MemoryItem, ...], dict[str, int]]:
    """The items with at most `limit` bytes of UTF-8 of levels: what is behind is left out, and the
    item that the limit falls into is cut at a whole character. Also the line of each file, by
    real path, from which on it is not read."""
    kept: list[MemoryItem] = []
    cut_at: dict[str, int] = {}
    left = limit
    for item in items:
        if item.scope not in _LEVELS or item.bytes <= left:
            kept.append(item)
            left -= item.bytes if item.scope in _LEVELS else 0
            continue
        cut_at[item.file] = 1
        if left > 0:
            kept.append(_cut(item, left))
            cut_at[item.file] = kept[-1].text.count("\n") + 1
            left = 0
    return tuple(kept), cut_at


def cut_findings(cut_at: Mapping[str, int], limit: int) -> Iterable[Finding]:
    """What to say of files that the bound falls into or leaves out."""
    for path, line in cut_at.items():
        yield Finding(
            "file-too-large", "warning", path, line, 0,
            f"from line {line} on it is not read: the files of all folders together have more "
            f"than {limit:,} bytes",
            "shorten them; those of upper folders are read first",
        )  # fmt: skip


def _cut(item: MemoryItem, limit: int) -> MemoryItem:
    spans: list[Span] = []
    left = limit
    for span in item.spans:
        if span.size > left:
            text = span.text.encode()[:left].decode(errors="ignore")
            size = len(text.encode())
            if text:
                end = span.start + len(text)
                breaks = text.count("\n")
                spans.append(span._replace(text=text, end=end, breaks=breaks, size=size))
            break
        spans.append(span)
        left -= span.size
    size = sum(span.size for span in spans)
    details = Details(tuple(spans), item.records, size, sum(span.breaks for span in spans), size)
    return MemoryItem(
        file=item.file,
        label=item.label,
        scope=item.scope,
        kind=item.kind,
        parts=[span.text for span in spans],
        imports=item.imports,
        found=item.found,
        parent=item.parent,
        size=size,
        details=lambda: details,
    )
