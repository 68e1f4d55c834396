"""Where the prompt has what a node of the tree stands for: its line, its offset, its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.app.panes.memory_tree.nodes import INDEX, Node

if TYPE_CHECKING:
    from memlens.engine.plan import Plan


def prompt_line(plan: Plan, node: Node) -> int:
    """The line of the prompt that shows a node, from 1; 0: none does."""
    if node.record >= 0:
        return plan.import_line(node.item, node.record) or 0
    if node.key == INDEX or node.item >= 0:
        return next((part.first_line for part in plan.parts if part.item == node.item), 0)
    return plan.line_of(node.file, node.line or 1) or 0 if node.in_prompt else 0


def prompt_offset(plan: Plan, node: Node) -> int:
    """The first character of the prompt that an import brought in; -1 for anything else."""
    part = next((one for one in plan.parts if one.item == node.item), None)
    if node.record < 0 or node.problem_only or part is None:
        return -1
    record = plan.items[node.item].records[node.record]
    site = (record.file, record.line, record.column)
    above = record.level - 1
    offset = 0
    for index, span in enumerate(plan.spans[: part.end_span]):
        if index >= part.first_span and len(span.chain) > above and span.chain[above] == site:
            return offset
        offset += len(span.text)
    return -1


def prompt_part(plan: Plan, node: Node) -> str:
    """What the prompt holds of a node: of a memory file its text with all imports, of an import
    what it brought in, of the index all of it. Empty for what is not in."""
    part = next((one for one in plan.parts if one.item == node.item), None)
    if node.key == INDEX and part is not None:
        return "".join(span.text for span in plan.spans[part.first_span : part.end_span])
    if node.item < 0 or node.problem_only:
        return ""
    item = plan.items[node.item]
    if node.record < 0:
        return item.text
    record = item.records[node.record]
    site = (record.file, record.line, record.column)
    above = record.level - 1
    return "".join(
        span.text for span in item.spans if len(span.chain) > above and span.chain[above] == site
    )
