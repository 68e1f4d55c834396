"""The nodes as an outline: what is folded, which of them are seen, and which is a problem."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from memlens.app.panes.memory_tree.nodes import NOT_LOADED, Node

_UNFOLDED: Final[frozenset[Hashable]] = frozenset()


class Outline:
    """All nodes of the tree, and what a person has folded of them."""

    def __init__(self) -> None:
        self.nodes: tuple[Node, ...] = ()
        """Also those that are not seen."""
        self.folded: frozenset[Hashable] = frozenset({NOT_LOADED})
        """Keys of nodes; some may be of an earlier prompt."""
        self.notes = False
        """Whether what is quiet is seen, too."""

    def seen(self) -> list[Node]:
        """The nodes that stand below nothing folded."""
        seen = []
        below: int | None = None
        for node in self.nodes:
            if (node.quiet and not self.notes) or (below is not None and node.depth > below):
                continue
            below = node.depth if node.key in self.folded else None
            seen.append(node)
        return seen

    @property
    def problems(self) -> list[Node]:
        return [node for node in self.nodes if node.problem]

    def toggle(self, node: Node) -> None:
        """Folds a node, or unfolds it."""
        self.folded ^= {node.key}

    def fold_all(self) -> None:
        """Folds all there is to fold; where all is folded, unfolds it."""
        foldable = frozenset(node.key for node in self.nodes if node.foldable)
        self.folded = _UNFOLDED if self.folded >= foldable else foldable

    def toggle_notes(self) -> None:
        """Shows what is quiet, the files that are left out with it; or hides it."""
        self.notes = not self.notes
        if self.notes:
            self.folded -= {NOT_LOADED}

    def problem_from(self, node: Node | None, step: int) -> Node:
        """The next problem behind a node, or with a negative `step` the one before it; at the end
        it goes on at the other. There must be one."""
        places = {one.key: at for at, one in enumerate(self.nodes)}
        here = places.get(node.key, 0) if node is not None else 0
        order = [(at, one) for at, one in enumerate(self.nodes) if one.problem]
        if step > 0:
            return next((one for at, one in order if at > here), order[0][1])
        return next((one for at, one in reversed(order) if at < here), order[-1][1])

    def unfold_to(self, wanted: Node) -> bool:
        """Unfolds what stands above a node; whether anything did."""
        at = self.nodes.index(wanted)
        depth = wanted.depth
        above = set()
        for node in reversed(self.nodes[:at]):
            if node.depth < depth:
                depth = node.depth
                above.add(node.key)
        folded = self.folded
        self.folded -= above
        return self.folded != folded
