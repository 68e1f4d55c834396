"""Pane 1: what is in, in the order in which the agent gets it, and what is not, with its reason."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from memlens.app.links import PaneWanted, SourcePointed
from memlens.app.panes.base import Pane
from memlens.app.panes.tree_nodes import Node, nodes_of
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView, Piece, fit, fit_path
from memlens.engine.events.workspace import ContextLoaded

if TYPE_CHECKING:
    from memlens.app.actions import Action


@dataclass(frozen=True)
class TreeLines:
    """The nodes that are unfolded, one a line."""

    nodes: tuple[Node, ...]
    folded: frozenset[Hashable]

    def count(self, width: int) -> int:
        return len(self.nodes)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.nodes[index].key

    def index(self, key: Hashable) -> int | None:
        return next((at for at, node in enumerate(self.nodes) if node.key == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        node = self.nodes[index]
        glyph = node.glyph
        if node.foldable:
            glyph = "▸" if node.key in self.folded else "▾"
        indent = "  " * node.depth
        numbers = f" {node.size:>6}" if node.size else ""
        bar_width = 8 if width >= 64 and node.share else 0
        scope = node.scope if node.depth == 0 else ""
        note = f"  {node.note}" if node.note else ""
        left = width - len(indent) - 2 - (9 if scope else 0) - len(numbers)
        left -= bar_width + 1 if bar_width else 0
        label_width = max(6, left - len(note)) if note else max(6, left)
        note = fit(note, max(0, left - label_width)) if note else ""
        pieces: list[Piece] = [(f"{indent}{glyph} ", node.glyph_style)]
        if scope:
            pieces.append((fit(scope, 9), node.scope))
        pieces.append((fit_path(node.label, label_width), node.style))
        if note:
            pieces.append((note, node.glyph_style or "dim"))
        pieces.append((numbers, "dim"))
        if bar_width:
            filled = round(node.share * bar_width * 8)
            pieces.append((" " + bar(filled, bar_width), node.scope))
        return pieces


def bar(eighths: int, width: int) -> str:
    """A bar of `eighths` eighths of a cell."""
    full, rest = divmod(min(eighths, width * 8), 8)
    return ("█" * full + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "")).ljust(width)


class MemoryTree(Pane):
    """The memory files with their imports, problems and shares."""

    AREA = "tree"
    TITLE = "Memory tree"
    NUMBER = 1

    def compose(self) -> ComposeResult:
        yield LineView(id="tree-lines")
        yield EmptyState(id="tree-empty")

    def on_mount(self) -> None:
        self._all_nodes: tuple[Node, ...] = ()
        self._folded: frozenset[Hashable] = frozenset()
        self.listen(ContextLoaded, self._loaded)
        self.listen(SourcePointed, self._pointed)
        self.say("loading …")

    @property
    def main(self) -> LineView:
        return self.query_one("#tree-lines", LineView)

    @property
    def selected(self) -> Node | None:
        lines = self.main.lines
        if isinstance(lines, TreeLines) and self.main.cursor < len(lines.nodes):
            return lines.nodes[self.main.cursor]
        return None

    def reason_against(self, action: Action) -> str | None:
        node = self.selected
        if node is None:
            return "There is nothing in the tree."
        if action.name == "tree.toggle" and not node.foldable:
            return "Nothing is folded here: this file imports nothing."
        if action.name == "tree.show" and not node.file:
            return "This is not part of the prompt."
        return None

    def _loaded(self, event: ContextLoaded) -> None:
        self._all_nodes = nodes_of(event)
        loud = sum(finding.severity != "note" for finding in event.findings)
        self.set_class(not event.plan.items, "-empty")
        if not event.plan.items:
            self.query_one(EmptyState).say(
                "No memory files here. An agent would start with an empty head.\n\n"
                "It reads CLAUDE.md (or AGENTS.md) and CLAUDE.local.md in this folder and in\n"
                "those above it up to the checkout's top, and the CLAUDE.md of your home."
            )
        problems = f"{loud} problem{'s' if loud != 1 else ''}" if loud else ""
        self.say(f"{len(event.plan.items)} files", problems)
        self._show()

    def _show(self) -> None:
        shown: list[Node] = []
        hidden_below: int | None = None
        for node in self._all_nodes:
            if hidden_below is not None and node.depth > hidden_below:
                continue
            hidden_below = node.depth if node.key in self._folded else None
            shown.append(node)
        self.main.show(TreeLines(tuple(shown), self._folded))

    def _pointed(self, event: SourcePointed) -> None:
        lines = self.main.lines
        if event.origin == self.id or not isinstance(lines, TreeLines):
            return
        for index, node in enumerate(lines.nodes):
            if node.file == event.file and node.in_prompt:
                self.main.go_to(index, quietly=True)
                return

    @on(LineView.Moved, "#tree-lines")
    def _moved(self) -> None:
        if self.main.has_focus:
            self._point()

    def _point(self) -> None:
        node = self.selected
        if node is not None and node.file and node.in_prompt:
            self.bridge.tell(SourcePointed(file=node.file, line=node.line, origin=self.id or ""))

    @on(LineView.Chosen, "#tree-lines")
    def _chosen(self) -> None:
        self.do_tree_show()

    def do_tree_toggle(self) -> None:
        node = self.selected
        if node is not None and node.foldable:
            self._folded ^= {node.key}
            self._show()

    def do_tree_show(self) -> None:
        self._point()
        self.bridge.tell(PaneWanted(area="preview"))
