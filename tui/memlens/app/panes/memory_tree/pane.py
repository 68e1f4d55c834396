"""Pane 1: what is in, in the order in which the agent gets it, and what is not, with its reason."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from textual import on
from textual.app import ComposeResult

from memlens.app.links import EditWanted, PaneWanted, SourcePointed, TouchWanted
from memlens.app.panes.base import Pane
from memlens.app.panes.memory_tree.deeds import TreeDeeds
from memlens.app.panes.memory_tree.in_prompt import prompt_line, prompt_offset
from memlens.app.panes.memory_tree.lines import TreeLines
from memlens.app.panes.memory_tree.nodes import INDEX, Node, each_node, percent
from memlens.app.panes.memory_tree.outline import Outline
from memlens.app.panes.memory_tree.session import session_mark, session_nodes
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import BREATH, LineView
from memlens.app.widgets.long_text import STEP
from memlens.app.widgets.share_bar import Share, ShareBar
from memlens.app.widgets.texts import WrappedLines
from memlens.app.words import gone_words
from memlens.engine.commands.verify import VerifyContext
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.events.verify import ContextVerified
from memlens.engine.events.workspace import ContextLoaded, PathTouched, TouchesReset

if TYPE_CHECKING:
    from memlens.app.actions import Action

_NEEDS_FILE: Final = {
    "tree.edit", "tree.outside", "tree.copy_path",
}  # fmt: skip


class MemoryTree(Pane):
    """The memory files with their imports, problems and shares."""

    AREA = "tree"
    PARTS = frozenset(["workspace"])
    TITLE = "Memory tree"
    NUMBER = 1

    def compose(self) -> ComposeResult:
        yield ShareBar(id="tree-shares")
        yield LineView(id="tree-lines")
        yield EmptyState(id="tree-empty")
        yield LineView(id="tree-detail")

    def on_mount(self) -> None:
        self._newest: ContextLoaded | None = None
        self._snapshot: ContextLoaded | None = None
        """What is shown: the newest one, once its nodes are made."""
        self._outline = Outline()
        self._given: frozenset[str] = frozenset()
        self._verified: ContextVerified | None = None
        self._making: Iterator[Node] = iter(())
        self._made: list[Node] = []
        self._parts: tuple[Node, ...] = ()
        """The nodes of what the prompt consists of."""
        self._waiting = False
        self._deeds = TreeDeeds(self)
        self.query_one("#tree-detail").can_focus = False
        self.listen(ContextLoaded, self._loaded)
        self.listen(SourcePointed, self._pointed)
        self.listen(PathTouched, self._touched)
        self.listen(TouchesReset, self._touches_reset)
        self.listen(ContextVerified, self._checked)
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

    @property
    def awaits(self) -> bool:
        return self._snapshot is None and (self._waiting or self.bridge.awaits(LoadContext))

    def remembered(self) -> dict[str, Any]:
        return {"notes": self._outline.notes, "place": self.main.place}

    def recall(self, values: Mapping[str, Any]) -> None:
        self.main.want(values.get("place"))
        if isinstance(values.get("notes"), bool):
            self._outline.notes = values["notes"]
            self._show()

    def reason_against(self, action: Action) -> str | None:
        node = self.selected
        if self._snapshot is None:
            return self.reason_unloaded
        if action.name in ("tree.notes", "tree.touch", "tree.fold_all"):
            return None
        if node is None:
            return "There is nothing in the tree."
        if action.name == "tree.toggle" and not node.foldable:
            return "Nothing is folded here."
        if action.name == "tree.show" and not node.in_prompt:
            return "This is not in the prompt, so the preview does not show it."
        if action.name in _NEEDS_FILE and not node.file:
            return "No file stands behind this line."
        if action.name == "tree.copy_text" and not node.file and node.key != INDEX:
            return "There is no text behind this line."
        if action.name == "tree.told" and not (self._verified and self._verified.difference):
            told = self._verified.verified if self._verified else None
            if told is None:
                return "No session here holds what it was told."
            return "The prompt is what the session was told."
        if action.name in ("tree.problem", "tree.problem_before") and not self._problems():
            return "There are no problems."
        return None

    # What is shown.

    def _loaded(self, event: ContextLoaded) -> None:
        if self._newest is not None and self._newest.agent != event.agent:
            self._verified = None
        self._newest = event
        if event.plan.profile.keeps_sessions:
            self.ask(VerifyContext())
        if not event.plan.items:
            left_out = any(one.state == "out" for one in event.reasons)
            none = "No memory files here, and none above."
            self.query_one(EmptyState).say(
                gone_words(event)
                or f"{'No memory file here reaches the agent.' if left_out else none}\n\n"
                "An agent reads CLAUDE.md in this folder and in those above it, up to the top of "
                "the checkout; AGENTS.md where there is no CLAUDE.md; CLAUDE.local.md for what is "
                "yours alone; ~/.claude/CLAUDE.md for all projects.\n\n"
                "n shows the places that were looked at; e on one of them writes the file."
            )
        self._make_nodes()

    def _make_nodes(self) -> None:
        """Begins to make the nodes; shows them when all are made."""
        if self._newest is not None:
            told = session_nodes(self._verified, self._newest.label_of)
            self._making = chain(each_node(self._newest, self._given), told)
            self._made = []
            self._make_some()

    def _make_some(self) -> None:
        end = perf_counter() + STEP
        for node in self._making:
            self._made.append(node)
            if len(self._made) % 16 == 0 and perf_counter() > end:
                if not self._waiting:
                    self._waiting = True
                    self.set_timer(BREATH, self._make_more)
                return
        self._snapshot = self._newest
        self._outline.nodes = tuple(self._made)
        self._parts = tuple(node for node in self._made if node.is_part and node.share)
        self._show()

    def _make_more(self) -> None:
        self._waiting = False
        self._make_some()

    def _checked(self, event: ContextVerified) -> None:
        if self._newest is not None and self._newest.agent == event.agent:
            self._verified = event
            self._make_nodes()

    def _show(self) -> None:
        if self._snapshot is None:
            return
        outline = self._outline
        self.set_class(not self._snapshot.plan.items and not outline.notes, "-empty")
        self.main.show(TreeLines(outline.seen(), outline.folded))
        self._say_state()
        self._show_selected()

    def _say_state(self) -> None:
        problems = len(self._problems())
        hidden = sum(node.quiet for node in self._outline.nodes)
        parts = [f"{problems} problem{'s' if problems != 1 else ''}"] if problems else []
        if hidden:
            state = "" if self._outline.notes else " hidden"
            parts.append(f"{hidden} note{'s' if hidden != 1 else ''}{state}")
        if mark := session_mark(self._verified):
            parts.insert(0, mark)
        self.say("  ".join(parts))

    def _problems(self) -> list[Node]:
        return self._outline.problems

    def _show_selected(self) -> None:
        node = self.selected
        detail = self.query_one("#tree-detail", LineView)
        told = [(text, style, 2) for text, style in node.details] if node is not None else []
        detail.show(WrappedLines(told))
        self._show_shares(node)

    def _show_shares(self, node: Node | None) -> None:
        shares = tuple(
            Share(one.key, one.scope if one.key == INDEX else one.label, one.scope, one.share,
                  percent(one.share))
            for one in self._parts
        )  # fmt: skip
        selected: Hashable = None
        if node is not None and node.in_prompt:
            item = node.item
            selected = next(
                (
                    one.key
                    for one in self._parts
                    if one.item == item and (item >= 0 or node.key == INDEX)
                ),
                None,
            )  # fmt: skip
        self.query_one(ShareBar).show(shares, selected)

    @on(ShareBar.Picked)
    def _picked(self, event: ShareBar.Picked) -> None:
        self.main.focus()
        lines = self.main.lines
        if isinstance(lines, TreeLines) and isinstance(event.key, Hashable):
            index = lines.index(event.key)
            if index is not None:
                self.main.go_to(index)

    # The link with the preview.

    def _pointed(self, event: SourcePointed) -> None:
        lines = self.main.lines
        if event.origin == self.id or not isinstance(lines, TreeLines) or self._snapshot is None:
            return
        item, file = None, event.file
        if event.at:
            source = self._snapshot.plan.source(event.at)
            item = source.item
            file = source.file if source.chain else ""
        found = self._node_of(lines, item, file)
        if found is not None:
            self.main.go_to(found, quietly=True)
            self._show_selected()

    @staticmethod
    def _node_of(lines: TreeLines, item: int | None, file: str) -> int | None:
        """The node of a file in an item, else that of the item."""
        best = None
        for index, node in enumerate(lines.nodes):
            if not node.in_prompt or node.problem_only:
                continue
            if item is None:
                if node.file == file:
                    return index
                continue
            if node.item != item or (item < 0 and node.key != INDEX):
                continue
            if file and node.record >= 0 and node.file == file:
                return index
            if best is None:
                best = index
        return best

    @on(LineView.Moved, "#tree-lines")
    def _moved(self) -> None:
        self._show_selected()
        if self.main.has_focus:
            self._point()

    def _point(self) -> None:
        node = self.selected
        if node is not None and node.in_prompt and self._snapshot is not None:
            plan = self._snapshot.plan
            at = prompt_line(plan, node)
            if at:
                self.bridge.tell(
                    SourcePointed(
                        file=node.file, line=node.line, origin=self.id or "", at=at,
                        offset=prompt_offset(plan, node),
                    )
                )  # fmt: skip

    @on(LineView.Chosen, "#tree-lines")
    def _chosen(self) -> None:
        self.action_perform("tree.show")

    def do_tree_show(self) -> None:
        self._point()
        self.bridge.tell(PaneWanted(area="preview"))

    # Folding and moving.

    def do_tree_toggle(self) -> None:
        node = self.selected
        if node is not None:
            self._outline.toggle(node)
            self._show()

    def do_tree_open(self) -> None:
        node = self.selected
        if node is not None and node.key in self._outline.folded:
            self.do_tree_toggle()

    def do_tree_close(self) -> None:
        node = self.selected
        if node is None:
            return
        if node.foldable and node.key not in self._outline.folded:
            self.do_tree_toggle()
            return
        lines = self.main.lines
        if isinstance(lines, TreeLines):
            above = range(self.main.cursor - 1, -1, -1)
            parent = next((at for at in above if lines.nodes[at].depth < node.depth), None)
            if parent is not None:
                self.main.go_to(parent)

    def do_tree_fold_all(self) -> None:
        self._outline.fold_all()
        self._show()

    def do_tree_notes(self) -> None:
        self._outline.toggle_notes()
        self._show()

    def do_tree_problem(self) -> None:
        self._to_problem(1)

    def do_tree_problem_before(self) -> None:
        self._to_problem(-1)

    def _to_problem(self, step: int) -> None:
        wanted = self._outline.problem_from(self.selected, step)
        if self._outline.unfold_to(wanted):
            self._show()
        lines = self.main.lines
        index = lines.index(wanted.key) if isinstance(lines, TreeLines) else None
        if index is not None:
            self.main.go_to(index)

    # Doing something with a file.

    def do_tree_edit(self) -> None:
        node = self.selected
        if node is not None:
            self.bridge.tell(EditWanted(file=node.file, line=max(1, node.line), origin="tree"))

    def do_tree_outside(self) -> None:
        if self.selected is not None:
            self._deeds.open_outside(self.selected)

    def do_tree_copy_path(self) -> None:
        if self.selected is not None:
            self._deeds.copy_path(self.selected)

    def do_tree_copy_text(self) -> None:
        if self.selected is not None and self._snapshot is not None:
            self._deeds.copy_text(self.selected, self._snapshot.plan)

    def do_tree_told(self) -> None:
        if self._verified is not None:
            self._deeds.show_told(self._verified)

    def do_tree_touch(self) -> None:
        node = self.selected
        self.bridge.tell(TouchWanted(path=node.touch if node is not None else ""))

    def _touched(self, event: PathTouched) -> None:
        self._give(self._given | {item.file for item in event.items})

    def _touches_reset(self, _: TouchesReset) -> None:
        self._give(frozenset())

    def _give(self, given: frozenset[str]) -> None:
        if given != self._given and self._newest is not None:
            self._given = given
            self._make_nodes()
