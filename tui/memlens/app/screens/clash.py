"""What to do when something changed on disk while it was edited: a fact, or a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.menu import open_menu
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.texts import DiffLines
from memlens.app.widgets.wrapping import as_wished, toggle_wrap
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.review.model import DiffLine

Answer = Literal["mine", "theirs", "merge"] | None
"""Whose text is kept, or both in one; None: the person goes on editing."""


class Clash(Dialog[Answer], ActionHost):
    """Shows where the two versions differ, and asks whose it shall be."""

    AREA = "clash"
    BINDINGS = bindings_of("clash")

    def __init__(
        self,
        path: str,
        problem: str,
        difference: Sequence[DiffLine],
        *,
        gone: str = "",
        against_theirs: str = "",
        against_merge: str = "",
    ) -> None:
        """`problem`: what an agent would be told. `gone`: what is to be said where there is no
        other version. `against_…`: why that cannot be chosen."""
        super().__init__()
        self._path, self._problem, self._difference = path, problem, difference
        self._gone = gone
        self._against = {"clash.theirs": against_theirs, "clash.merge": against_merge}

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog -full") as dialog:
            dialog.border_title = "Changed on disk"
            named = "" if self._path in self._problem else f"{visible(self._path)}\n"
            yield Static(
                Content.assemble(
                    (named, "bold"), visible_text(self._problem), "\n",
                    (self._gone or "- is on disk now   + is yours", "dim"),
                ),
                classes="clash-problem",
            )  # fmt: skip
            yield LineView(id="clash-lines")
            yield ActionBar()

    def on_mount(self) -> None:
        view = self.query_one(LineView)
        lines = as_wished(self, DiffLines(self._difference))
        view.show(lines)
        view.focus()
        view.go_to(lines.first_change or 0)

    def on_line_view_menu_asked(self, event: LineView.MenuAsked) -> None:
        event.stop()
        open_menu(self)

    def reason_against(self, action: Action) -> str | None:
        return self._against.get(action.name) or None

    def _leave(self, answer: Answer) -> None:
        if self.is_current:
            self.dismiss(answer)

    def do_clash_mine(self) -> None:
        self._leave("mine")

    def do_clash_theirs(self) -> None:
        self._leave("theirs")

    def do_clash_merge(self) -> None:
        self._leave("merge")

    def do_clash_wrap(self) -> None:
        toggle_wrap(self.query_one(LineView))

    def do_clash_back(self) -> None:
        self._leave(None)
