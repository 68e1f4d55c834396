"""The words around memory files: block headers, the distance between blocks, wrappers (part 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlens.engine.agents.model import AgentProfile, Framing
from memlens.engine.context.model import MemoryItem, Span

BLOCK_GAP = "\n\n"


def header(item: MemoryItem, profile: AgentProfile) -> str:
    """The line above an item's text; empty for an agent that writes none."""
    if not profile.header:
        return ""
    path = item.found if profile.header_path == "found" else item.file
    words = next(
        (
            description.text
            for description in profile.descriptions
            if description.scope in (None, item.scope) and description.kind in (None, item.kind)
        ),
        "",
    )
    # Not by `format`: a path may hold braces.
    return profile.header.replace("{description}", words).replace("{path}", path)


def framing(profile: AgentProfile, name: str = "") -> Framing:
    """The framing called `name`, with today's date in it; by default the agent's first one."""
    chosen = next((one for one in profile.framings if one.name == name), profile.framings[0])
    if "{date}" not in chosen.closing:
        return chosen
    import time

    return chosen._replace(closing=chosen.closing.replace("{date}", time.strftime("%Y-%m-%d")))


def prompt(
    items: Iterable[MemoryItem], profile: AgentProfile, frame: str = "", index: str = ""
) -> str | None:
    """The items as one text, with the text of an `index` behind the last; None for nothing."""
    blocks = [_block(item, profile, item.text.strip(profile.trimmed)) for item in items]
    if not blocks:
        return index or None
    if profile.preamble:
        blocks.insert(0, profile.preamble)
    if index:
        blocks.append(index)
    around = framing(profile, frame)
    return around.opening + BLOCK_GAP.join(blocks) + around.closing


def touched(items: Iterable[MemoryItem], profile: AgentProfile) -> str | None:
    """What an agent is given when a path is touched, in its wrapper; None for nothing new."""
    apart = profile.touched_apart
    blocks = [
        _block(item, profile, item.text if apart else item.text.strip(profile.trimmed))
        for item in items
    ]
    if not blocks:
        return None
    before, behind = profile.wrapper
    if apart:
        return BLOCK_GAP.join(f"{before}\n{block}\n{behind}" for block in blocks)
    return f"{before}\n{BLOCK_GAP.join(blocks)}\n{behind}"


def _block(item: MemoryItem, profile: AgentProfile, text: str) -> str:
    line = header(item, profile)
    return f"{line}{BLOCK_GAP}{text}" if line else text


def trimmed(spans: Sequence[Span], characters: str = "\r\n") -> list[Span]:
    """An item's spans without `characters` at both ends of its text."""
    kept = list(spans)
    while kept:
        last = kept[-1]
        text = last.text.rstrip(characters)
        lost = len(last.text) - len(text)
        if text:
            if lost:
                kept[-1] = last._replace(
                    text=text,
                    end=last.end - lost,
                    breaks=last.breaks - last.text.count("\n", len(text)),
                    size=last.size - len(last.text[len(text) :].encode()),
                )
            break
        kept.pop()
    for index, first in enumerate(kept):
        text = first.text.lstrip(characters)
        if text:
            lost = len(first.text) - len(text)
            if lost:
                breaks = first.text.count("\n", 0, lost)
                kept[index] = first._replace(
                    text=text,
                    start=first.start + lost,
                    line=first.line + breaks,
                    breaks=first.breaks - breaks,
                    size=first.size - len(first.text[:lost].encode()),
                )
            return kept[index:]
    return []
