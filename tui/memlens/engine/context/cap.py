"""A bound on the files of all levels together, as some agents have one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.context.model import MemoryItem, Span

_LEVELS = ("ancestor", "project", "local")


def capped(items: Iterable[MemoryItem], limit: int) -> tuple[MemoryItem, ...]:
    """The items with at most `limit` bytes of UTF-8 of levels: what is behind is left out, and the
    item that the limit falls into is cut at a whole character."""
    kept = []
    left = limit
    for item in items:
        if item.scope not in _LEVELS or item.bytes <= left:
            kept.append(item)
            left -= item.bytes if item.scope in _LEVELS else 0
        elif left > 0:
            kept.append(_cut(item, left))
            left = 0
    return tuple(kept)


def _cut(item: MemoryItem, limit: int) -> MemoryItem:
    spans: list[Span] = []
    left = limit
    for span in item.spans:
        if span.size > left:
            text = span.text.encode()[:left].decode(errors="ignore")
            size = len(text.encode())
            spans.append(
                span._replace(
                    text=text, end=span.start + len(text), breaks=text.count("\n"), size=size
                )
            )
            break
        spans.append(span)
        left -= span.size
    text = "".join([span.text for span in spans])
    return item._replace(
        text=text,
        spans=tuple(spans),
        bytes=sum(span.size for span in spans),
        lines=text.count("\n") + (0 if not text or text.endswith("\n") else 1),
    )
