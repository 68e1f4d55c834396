"""All keys, by area, out of the registry."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from memlens.app.actions import AREAS, actions_of, key_sign

_EVERY_LIST = (
    ("↑ k / ↓ j", "One line up or down"),
    ("PgUp / PgDn", "One page up or down"),
    ("^u / ^d", "Half a page up or down"),
    ("Home g / End G", "First or last line"),
    ("H / L", "Scroll left or right"),
)


class Help(ModalScreen[None]):
    """The keys; the area that had the focus comes first."""

    BINDINGS: ClassVar = [
        Binding("escape,q,question_mark", "leave", "Close"),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, first: str) -> None:
        super().__init__()
        self._first = first

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -wide") as dialog:
            dialog.border_title = "Keys"
            dialog.border_subtitle = "Esc closes"
            with VerticalScroll(id="help-text"):
                yield Static(self._text())

    def on_mount(self) -> None:
        self.query_one("#help-text").focus()

    def _text(self) -> Content:
        areas = sorted(AREAS, key=lambda area: area != self._first)
        parts: list[Content | tuple[str, str] | str] = []
        for area in areas:
            parts.append((f"{AREAS[area]}\n", "bold $primary"))
            for action in actions_of(area):
                keys = " ".join(key_sign(key) for key in action.keys)
                parts += [("  " + keys.ljust(16), "$accent"), f"{action.sentence}\n"]
            parts.append("\n")
        parts.append(("In every list\n", "bold $primary"))
        for keys, sentence in _EVERY_LIST:
            parts += [("  " + keys.ljust(16), "$accent"), f"{sentence}\n"]
        return Content.assemble(*parts)

    def action_leave(self) -> None:
        if self.is_current:
            self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        self.query_one("#help-text").scroll_relative(y=step, animate=False)
