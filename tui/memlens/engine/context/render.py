"""The words around memory files: block headers, the distance between blocks, wrappers (part 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlens.engine.agents import AgentProfile
from memlens.engine.context.model import MemoryItem, Span

BLOCK_GAP = "\n\n"
_LINE_ENDS = "\r\n"


def header(item: MemoryItem, profile: AgentProfile) -> str:
    """The line above an item's text."""
    for description in profile.descriptions:
        if description.scope in (None, item.scope) and description.kind in (None, item.kind):
            return f"Contents of {item.file}{description.text}:"
    return f"Contents of {item.file}:"


def prompt(items: Iterable[MemoryItem], profile: AgentProfile) -> str | None:
    """The items as one text; None when there are none."""
    blocks = [f"{header(item, profile)}{BLOCK_GAP}{item.text.strip(_LINE_ENDS)}" for item in items]
    if not blocks:
        return None
    if profile.preamble:
        blocks.insert(0, profile.preamble)
    return BLOCK_GAP.join(blocks)


def touched(items: Iterable[MemoryItem], profile: AgentProfile) -> str | None:
    """What an agent is given when a path is touched, in its wrapper; None for nothing new."""
    blocks = [f"{header(item, profile)}{BLOCK_GAP}{item.text.strip(_LINE_ENDS)}" for item in items]
    if not blocks:
        return None
    before, behind = profile.wrapper
    return f"{before}\n{BLOCK_GAP.join(blocks)}\n{behind}"


def trimmed(spans: Sequence[Span]) -> list[Span]:
    """An item's spans without the line ends at both ends of its text."""
    kept = list(spans)
    while kept:
        last = kept[-1]
        text = last.text.rstrip(_LINE_ENDS)
        lost = len(last.text) - len(text)
        if text:
            if lost:
                kept[-1] = last._replace(
                    text=text,
                    end=last.end - lost,
                    breaks=last.breaks - last.text.count("\n", len(text)),
                    size=last.size - lost,
                )
            break
        kept.pop()
    for index, first in enumerate(kept):
        text = first.text.lstrip(_LINE_ENDS)
        if text:
            lost = len(first.text) - len(text)
            if lost:
                breaks = first.text.count("\n", 0, lost)
                kept[index] = first._replace(
                    text=text,
                    start=first.start + lost,
                    line=first.line + breaks,
                    breaks=first.breaks - breaks,
                    size=first.size - lost,
                )
            return kept[index:]
    return []
