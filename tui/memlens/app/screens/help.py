"""All keys, by area, out of the registry; typing narrows them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Input, Static

from memlens.app.actions import AREAS, BY_NAME, Action, Area, actions_of, key_sign
from memlens.app.hosting import keys_of
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView, Piece, fit
from memlens.app.widgets.search_field import Narrowed, SearchField

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp

Row = tuple[str, str, str, str]
"""Keys, title, sentence, and why it cannot be done now; a heading has no keys and no sentence."""
_KEYS: Final = 17
_TITLE: Final = 16
"""Cells of these two columns."""
_APART: Final = 70
"""Cells from which titles have a column of their own."""


class HelpLines:
    """A heading for each area, then each action, on as many lines as the width asks for."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows: Final = rows
        self._laid_out: tuple[int, Sequence[Sequence[Piece]]] = (0, ())

    def count(self, width: int) -> int:
        if self._laid_out[0] != width:
            self._laid_out = width, [line for row in self.rows for line in _lines(row, width)]
        return len(self._laid_out[1])

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return index

    def index(self, key: Hashable) -> int | None:
        return key if isinstance(key, int) else None

    def line(self, index: int, width: int) -> Sequence[Piece]:
        self.count(width)
        return self._laid_out[1][index]


def _lines(row: Row, width: int) -> Iterator[Sequence[Piece]]:
    keys, title, sentence, off = row
    if not keys and not sentence:
        yield ((title, "heading"),)
        return
    apart = width >= _APART
    room = width - _KEYS - (_TITLE if apart else 0)
    told = sentence if apart or not title else f"{title}. {sentence}"
    for at, text in enumerate(textwrap.wrap(told, max(10, room)) or [""]):
        named = title if at == 0 and not apart and text.startswith(title) else ""
        yield (
            (fit("" if at else f"  {keys}", _KEYS), "marked"),
            (fit("" if at else title, _TITLE) if apart else named, "strong"),
            (text[len(named) :], ""),
        )
    for text in textwrap.wrap(f"not now: {off}" if off else "", max(10, room)):
        yield (("", ""), (" " * (_KEYS + (_TITLE if apart else 0)), ""), (text, "dim"))


def help_rows(
    first: str,
    query: str = "",
    keys: Callable[[Action], Sequence[str]] = attrgetter("keys"),
    off: Callable[[Action], str] = lambda _: "",
) -> tuple[Row, ...]:
    """The rows of the help, the area `first` before the others; only those that `query` names.
    `keys` tells the keys of an action, `off` why it cannot be done now."""
    words = query.casefold().split()

    def wanted(*texts: str) -> bool:
        text = " ".join(texts).casefold()
        return all(word in text for word in words)

    rows: list[Row] = []
    areas: list[Area] = sorted(AREAS, key=lambda area: area != first)
    for area in areas:
        found = [
            (
                "  ".join(key_sign(key) for key in keys(action)) or "–",
                action.title,
                action.sentence,
                off(action),
            )
            for action in actions_of(area)
        ]
        found = [row for row in found if wanted(AREAS[area], *row)]
        if found:
            rows += [("", AREAS[area], "", ""), *found, ("", "", "", "")]
    return tuple(rows)


class Help(Dialog[None], Narrowed):
    """The keys; the area that had the focus comes first."""

    def __init__(self, first: str) -> None:
        super().__init__()
        self._first = first

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog -help") as dialog:
            dialog.border_title = "Keys"
            dialog.border_subtitle = "Esc closes"
            yield SearchField(placeholder="type to search", id="help-search", compact=True)
            yield LineView(id="help-lines")
            words = "Keys of your own: memlens config --keys, --edit"
            yield Static(words, classes="hint", markup=False)

    @property
    def listed(self) -> LineView:
        return self.query_one(LineView)

    def on_mount(self) -> None:
        self.listed.show(HelpLines(self._rows()))
        self.query_one(Input).focus()

    def _rows(self, query: str = "") -> tuple[Row, ...]:
        return help_rows(self._first, query, partial(keys_of, self.app), self._reason_against)

    def _reason_against(self, action: Action) -> str:
        """Why it cannot be done now, where its area is open."""
        app = cast("MemlensApp", self.app)
        main = app.main_screen
        host = app if action.area == app.AREA else main.host_of(action.area) if main else None
        return (host.reason_against(action) or "") if host is not None else ""

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        if event.value == "?":  # the key that opens it closes it, too
            self._leave()
            return
        self.listed.show(HelpLines(self._rows(event.value)))
        self.listed.go_to(0, quietly=True)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" or event.key in self._openers():
            event.stop()
            event.prevent_default()
            self._leave()

    def _openers(self) -> Sequence[str]:
        """The keys that open it here, where they are no letters for the search."""
        main = cast("MemlensApp", self.app).main_screen
        action = BY_NAME.get(f"{main.AREA}.help") if main is not None else None
        return keys_of(self.app, action) if action is not None else ()

    def _leave(self) -> None:
        if self.is_current:
            self.dismiss(None)
