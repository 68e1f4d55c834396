"""What a person does with the file or the text behind a node of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from memlens.app.outside import copy, edit_outside
from memlens.app.panes.memory_tree.in_prompt import prompt_part
from memlens.app.panes.memory_tree.nodes import Node
from memlens.app.screens.show import Show
from memlens.app.widgets.texts import DiffLines
from memlens.engine.commands.files import ReadText
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.editor import NoEditorError
from memlens.engine.events.files import TextRead

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.app.panes.base import Pane
    from memlens.engine.events.verify import ContextVerified
    from memlens.engine.plan import Plan


class TreeDeeds:
    """Opens, copies and shows."""

    def __init__(self, pane: Pane) -> None:
        self._pane: Final = pane
        self._copying = 0
        pane.listen(TextRead, self._text_read)

    def show_told(self, event: ContextVerified) -> None:
        """Shows how the prompt differs from what a session was told."""
        if event.verified is not None:
            title = f"From what session {event.verified.session[:8]} was told to the prompt now"
            self._pane.app.push_screen(Show(title, DiffLines(event.difference)))

    def open_outside(self, node: Node) -> None:
        """Opens the file in the person's editor, and looks at it again."""
        app = cast("MemlensApp", self._pane.app)
        if app.workspace.read_only:
            app.notify(
                "memlens was opened with --read-only.", title="Your editor", severity="warning"
            )
            return
        try:
            edit_outside(app, node.file, max(1, node.line))
        except NoEditorError as error:
            app.notify(str(error), title="Your editor", severity="warning", markup=False)
            return
        self._pane.ask(DiskChanged())

    def copy_path(self, node: Node) -> None:
        copy(self._pane.app, node.file, "The path")

    def copy_text(self, node: Node, plan: Plan) -> None:
        """Copies what the prompt holds of a node; of what is not in, the file."""
        text = prompt_part(plan, node)
        if text:
            copy(self._pane.app, text, f"The text of {node.label}")
        else:
            self._copying = self._pane.ask(ReadText(path=node.file))

    def _text_read(self, event: TextRead) -> None:
        if event.request == self._copying:
            copy(self._pane.app, event.text, f"The text of {event.path}")
