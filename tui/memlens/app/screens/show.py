"""Lines to read, over everything else: a difference, a text, a list of what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.menu import open_menu
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import Lines, LineView
from memlens.app.widgets.texts import WithChanges
from memlens.app.widgets.wrapping import Wrapping, as_wished, toggle_wrap
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.app.actions import Action


class Show(Dialog[None], ActionHost):
    """Shows lines until Escape or q."""

    AREA = "show"
    BINDINGS = bindings_of("show")

    def __init__(self, title: str, lines: Lines, *, legend: str = "") -> None:
        """`legend`: what the signs in the lines stand for."""
        super().__init__()
        self._title, self._lines, self._legend = title, lines, legend

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog -full") as dialog:
            dialog.border_title = Content(visible(self._title))
            yield LineView(id="show-lines")
            if self._legend:
                yield Static(Content(visible(self._legend)), classes="hint")
            yield ActionBar()

    def on_mount(self) -> None:
        lines = self._lines
        self._view.show(as_wished(self, lines) if isinstance(lines, Wrapping) else lines)
        self._view.focus()

    @property
    def _view(self) -> LineView:
        return self.query_one("#show-lines", LineView)

    def on_line_view_moved(self) -> None:
        self.query_one(ActionBar).refresh()

    def on_line_view_menu_asked(self, event: LineView.MenuAsked) -> None:
        event.stop()
        open_menu(self)

    def reason_against(self, action: Action) -> str | None:
        if action.name == "show.wrap" and not isinstance(self._view.lines, Wrapping):
            return "This text is wrapped always."
        if action.name == "show.next" and self._change_from(1) is None:
            return "There is no change behind."
        if action.name == "show.previous" and self._change_from(-1) is None:
            return "There is no change before."
        return None

    def _change_from(self, step: int) -> int | None:
        lines = self._view.lines
        return (
            lines.change_from(self._view.cursor, step) if isinstance(lines, WithChanges) else None
        )

    def _go_from(self, step: int) -> None:
        row = self._change_from(step)
        if row is not None:
            self._view.go_to(row)

    def do_show_next(self) -> None:
        self._go_from(1)

    def do_show_previous(self) -> None:
        self._go_from(-1)

    def do_show_wrap(self) -> None:
        toggle_wrap(self._view)

    def do_show_leave(self) -> None:
        if self.is_current:
            self.dismiss(None)
