"""How the nodes of the tree are drawn, one a line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from rich.cells import cell_len

from memlens.app.panes.memory_tree.nodes import Node, percent
from memlens.app.widgets.line_view import Piece, fit, fit_path
from memlens.engine.visible import visible


class TreeLines:
    """The nodes that are unfolded, one a line."""

    def __init__(self, nodes: Sequence[Node], folded: frozenset[Hashable]) -> None:
        self.nodes: Final = nodes
        self._folded: Final = folded
        self._places: Final = {node.key: at for at, node in enumerate(nodes)}

    def count(self, width: int) -> int:
        return len(self.nodes)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.nodes[index].key

    def index(self, key: Hashable) -> int | None:
        return self._places.get(key)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        node = self.nodes[index]
        fold = " "
        if node.foldable:
            fold = "▸" if node.key in self._folded else "▾"
        indent = "  " * min(node.depth, 12)
        head = f"{indent}{fold}{node.glyph} "
        scope = f"{node.scope:<9}" if node.depth == 0 and node.scope and width >= 40 else ""
        numbers = f" {node.size:>6}" if node.size else ""
        if numbers and width >= 50:
            numbers += f" {percent(node.share) if node.share else '':>4}"
        room = max(6, width - cell_len(head) - len(scope) - len(numbers))
        name = visible(node.label)
        label = min(cell_len(name), room)
        note = ""
        if node.note and room > 16:
            wanted = cell_len(visible(node.note)) + 2
            label = min(label, max(room - wanted, room * 2 // 5 if node.problem else room - 12))
            name = fit_path(name, label).rstrip()
            label = cell_len(name)
            note = "  " + fit(node.note, room - label - 2)
        style = node.glyph_style if node.problem else "dim"
        return [
            (head[: len(indent) + 1], "dim"),
            (head[len(indent) + 1 :], node.glyph_style),
            (scope, node.scope),
            (fit_path(name, label), node.style),
            (note or " " * (room - label), style),
            (numbers, "dim"),
        ]
