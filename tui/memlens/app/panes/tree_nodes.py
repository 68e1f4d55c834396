"""The tree's nodes out of a snapshot: a pure function, to be tested without a screen."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.context.model import ImportRecord, MemoryItem
    from memlens.engine.events.workspace import ContextLoaded
    from memlens.engine.findings import Finding

OUTCOME_WORDS = {
    "missing": "missing",
    "folder": "is a folder",
    "special": "no regular file",
    "unreadable": "cannot be read",
    "binary": "is binary",
    "too-large": "too large",
    "loop": "its links form a loop",
    "name-too-long": "name too long",
    "too-deep": "too deep",
    "already-shown": "already shown",
    "reserved": "is in by itself",
    "expansion-too-large": "the whole would be too large",
    "no-home": "no home folder",
    "not-approved": "not approved",
}


@dataclass(frozen=True, slots=True)
class Node:
    """One line of the tree."""

    key: Hashable
    depth: int
    glyph: str
    glyph_style: str
    label: str
    style: str
    scope: str
    """The scope's word, which is also its style."""
    file: str = ""
    """Absolute; empty where no file stands behind it."""
    line: int = 0
    """Where in the file the preview goes; 0: to its beginning."""
    size: str = ""
    share: float = 0.0
    """Of the whole prompt, 0 to 1."""
    note: str = ""
    foldable: bool = False
    in_prompt: bool = True


def nodes_of(event: ContextLoaded) -> tuple[Node, ...]:
    """All nodes, as if everything were unfolded."""
    loud = {
        (finding.file, finding.line, finding.column): finding
        for finding in event.findings
        if finding.severity != "note"
    }
    nodes: list[Node] = []
    total = max(1, event.plan.bytes)
    for item in event.plan.items:
        below = list(_imports(item, loud, total))
        nodes.append(
            Node(
                key=item.file, depth=0, glyph="●", glyph_style=item.scope, label=item.label,
                style="strong", scope=item.scope, file=item.file, size=amount(item.tokens),
                share=item.bytes / total, foldable=bool(below),
            )
        )  # fmt: skip
        nodes += below
    if event.plan.index_bytes:
        nodes.append(
            Node(
                key="durable index", depth=0, glyph="●", glyph_style="index",
                label="index of the durable memory", style="strong", scope="index",
                size=amount(event.plan.index_bytes // 4), share=event.plan.index_bytes / total,
            )
        )  # fmt: skip
    nodes += [
        Node(
            key=("nested", nested.found), depth=0, glyph="◌", glyph_style="nested",
            label=nested.label, style="dim", scope="nested", file=nested.file,
            size=amount(nested.bytes // 4), note="on touch", in_prompt=False,
        )
        for nested in event.nested.files
    ]  # fmt: skip
    nodes += [
        Node(
            key=("out", reason.path, reason.reason), depth=0, glyph="–", glyph_style="dim",
            label=reason.text, style="dim", scope=reason.scope, file=reason.path, in_prompt=False,
        )
        for reason in event.reasons
        if reason.state == "out"
    ]  # fmt: skip
    return tuple(nodes)


def _imports(
    item: MemoryItem, loud: dict[tuple[str, int, int], Finding], total: int
) -> Iterator[Node]:
    for number, record in enumerate(item.records):
        key = (item.file, record.file, record.line, record.column, number)
        if record.outcome == "imported":
            yield Node(
                key=key, depth=record.level, glyph="└", glyph_style="dim", label=record.written,
                style="", scope=item.scope, file=record.target or "", size=amount(record.tokens),
                share=record.bytes / total,
            )  # fmt: skip
        elif (record.file, record.line, record.column) in loud:
            yield Node(
                key=key, depth=record.level, glyph="✗", glyph_style="error",
                label=f"@{record.written}", style="error", scope=item.scope, file=record.file,
                line=record.line, note=_why_not(record),
            )  # fmt: skip


def _why_not(record: ImportRecord) -> str:
    return f"line {record.line}: {OUTCOME_WORDS.get(record.outcome, record.outcome)}"


def amount(tokens: int) -> str:
    """Estimated tokens, short."""
    return f"≈{tokens}" if tokens < 1000 else f"≈{tokens / 1000:.1f}k"
