"""All keys, by area, out of the registry; typing narrows them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from memlens.app.actions import AREAS, Area, actions_of, key_sign
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.line_view import LineView, Piece, fit

EVERY_LIST: Final = (
    ("↑ k  ↓ j", "One line up or down"),
    ("PgUp PgDn", "One page up or down"),
    ("^u ^d", "Half a page up or down"),
    ("Home g  End G", "First or last line"),
    ("H L", "Scroll left or right"),
)
"""What works in every list, beside the actions."""


@dataclass(frozen=True)
class HelpLines:
    """A heading for each area, then a line for each action."""

    rows: tuple[tuple[str, str, str], ...]
    """Keys, title and sentence; a heading has no keys and no sentence."""

    def count(self, width: int) -> int:
        return len(self.rows)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.rows[index]

    def index(self, key: Hashable) -> int | None:
        return self.rows.index(key) if key in self.rows else None

    def line(self, index: int, width: int) -> Sequence[Piece]:
        keys, title, sentence = self.rows[index]
        if not keys and not sentence:
            return ((title, "heading"),)
        return (
            ("  " + fit(keys, 15), "marked"),
            (fit(title, 16), "strong"),
            (fit(sentence, width - 33), ""),
        )


def help_rows(first: str, query: str = "") -> tuple[tuple[str, str, str], ...]:
    """The rows of the help, the area `first` before the others; only those that `query` names."""
    words = query.casefold().split()

    def wanted(*texts: str) -> bool:
        text = " ".join(texts).casefold()
        return all(word in text for word in words)

    rows: list[tuple[str, str, str]] = []
    areas: list[Area] = sorted(AREAS, key=lambda area: area != first)
    for area in areas:
        found = [
            ("  ".join(key_sign(key) for key in action.keys) or "–", action.title, action.sentence)
            for action in actions_of(area)
        ]
        found = [row for row in found if wanted(AREAS[area], *row)]
        if found:
            rows += [("", AREAS[area], ""), *found, ("", "", "")]
    lists = [(keys, "", sentence) for keys, sentence in EVERY_LIST if wanted(keys, sentence)]
    if lists:
        rows += [("", "In every list", ""), *lists]
    return tuple(rows)


class Help(Dialog[None]):
    """The keys; the area that had the focus comes first."""

    def __init__(self, first: str) -> None:
        super().__init__()
        self._first = first

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -help") as dialog:
            dialog.border_title = "Keys"
            dialog.border_subtitle = "Esc closes"
            yield Input(placeholder="type to search", id="help-search", compact=True)
            yield LineView(id="help-lines")
            words = "Keys of your own: [keys] in the settings (memlens config --edit)"
            yield Static(words, classes="hint", markup=False)

    def on_mount(self) -> None:
        self.query_one(LineView).show(HelpLines(help_rows(self._first)))
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        if event.value == "?":  # the key that opened it closes it, too
            self._leave()
            return
        view = self.query_one(LineView)
        view.show(HelpLines(help_rows(self._first, event.value)))
        view.go_to(0, quietly=True)

    def on_key(self, event: events.Key) -> None:
        view = self.query_one(LineView)
        pages = {"down": 1, "up": -1, "pagedown": 10, "pageup": -10}
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self._leave()
        elif event.key in pages and not view.has_focus:
            event.stop()
            event.prevent_default()
            view.scroll_relative(y=pages[event.key], animate=False)

    def _leave(self) -> None:
        if self.is_current:
            self.dismiss(None)
