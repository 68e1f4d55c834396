"""A choice of one out of several, narrowed by typing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Final, Generic, TypeVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from memlens.app.screens.quick import Dialog
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView, Piece, fit
from memlens.app.widgets.search_field import Narrowed, SearchField
from memlens.engine.visible import visible

T = TypeVar("T")

_WIDTH: Final = 78
"""Cells of the dialog, as the sheet has it, where the screen is wide enough."""
_MOST_ROWS: Final = 16
_HINT: Final = "⏎ takes it   Esc closes"
_NOTHING: Final = "Nothing fits these words.   Esc closes"


@dataclass(frozen=True)
class Choice(Generic[T]):
    """One thing that can be chosen."""

    value: T
    title: str
    detail: str = ""
    """What else there is to know, in a few words."""
    off: str = ""
    """Why it cannot be chosen now; it stays visible."""


_LONGEST: Final = 100
"""Titles among which the widest is looked for: those of the most characters."""


class _ChoiceLines(Generic[T]):
    def __init__(self, choices: Sequence[Choice[T]]) -> None:
        self.choices = choices
        longest = nlargest(_LONGEST, [one.title for one in choices], key=len)
        self._widest = max((cell_len(visible(title)) for title in longest), default=0)

    def count(self, width: int) -> int:
        return len(self.choices)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        choice = self.choices[index]
        return choice.title, choice.detail

    def index(self, key: Hashable) -> int | None:
        keys = ((one.title, one.detail) for one in self.choices)
        return next((at for at, one in enumerate(keys) if one == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        choice = self.choices[index]
        detail = choice.off or choice.detail
        title_width = self._title_width(width) if detail else width
        style = "dim" if choice.off else ""
        return (
            (fit(choice.title, title_width), style),
            ("  " + fit(detail, width - title_width - 2) if detail else "", "dim"),
        )

    def _title_width(self, width: int) -> int:
        return min(self._widest, max(10, width * 2 // 3))

    def cuts(self, width: int) -> bool:
        """Whether a line has no room for all that there is to know."""
        room = width - self._title_width(width) - 2
        return any(cell_len(visible(one.off or one.detail)) > room for one in self.choices)


class Choose(Dialog[T | None], Narrowed, Generic[T]):
    """Shows the choices; typing narrows them, Enter takes one, Escape none."""

    def __init__(
        self, title: str, choices: Sequence[Choice[T]], *, current: int = 0, about: str = ""
    ) -> None:
        """`about`: what else there is to know before one chooses."""
        super().__init__()
        self._title, self.choices, self._current = title, choices, current
        self._about = visible(about)

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog -list") as dialog:
            dialog.border_title = Content(visible(self._title))
            if self._about:
                yield Static(Content(self._about), id="choose-about")
            yield SearchField(placeholder="type to narrow", id="choose-filter", compact=True)
            yield LineView(id="choose-lines")
            yield Static(id="choose-detail", markup=False)
            yield Static(_HINT, id="choose-hint", classes="hint")

    @property
    def listed(self) -> LineView:
        return self.query_one(LineView)

    def on_mount(self) -> None:
        view = self.listed
        view.show(_ChoiceLines(self.choices))
        self.call_after_refresh(view.go_to, self._current)
        self.query_one(Input).focus()

    def on_resize(self, event: events.Resize) -> None:
        view = self.query_one(LineView)
        width, height = event.size
        inside = min(_WIDTH, width * 94 // 100) - 4
        cut = _ChoiceLines(self.choices).cuts(inside)
        self.query_one("#choose-detail").display = cut
        taken = 4 + 2 * cut + -(-cell_len(self._about) // inside)
        view.styles.height = max(1, min(len(self.choices), _MOST_ROWS, height * 9 // 10 - taken))

    @on(LineView.Moved)
    def _tell(self, event: LineView.Moved) -> None:
        lines = event.view.lines
        choices = lines.choices if isinstance(lines, _ChoiceLines) else ()
        choice = choices[event.index] if event.index < len(choices) else None
        told = (choice.off or choice.detail) if choice is not None else ""
        self.query_one("#choose-detail", Static).update(Content(visible(told)))

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        words = event.value.casefold().split()
        found = [
            choice
            for choice in self.choices
            if all(word in f"{choice.title} {choice.detail}".casefold() for word in words)
        ]
        # What is meant is more likely named than only told about.
        found.sort(key=lambda one: not all(word in one.title.casefold() for word in words))
        self.query_one("#choose-hint", Static).update(_HINT if found else _NOTHING)
        view = self.query_one(LineView)
        view.show(_ChoiceLines(found))
        if words:
            view.go_to(0, quietly=True)

    def on_key(self, event: events.Key) -> None:
        view = self.listed
        if event.key == "escape":
            event.stop()
            self._leave(None)
        elif event.key == "enter" and view.has_focus:
            event.stop()
            self._take(view.cursor)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._take(self.query_one(LineView).cursor)

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        self._take(event.index)

    def _take(self, index: int) -> None:
        lines = self.query_one(LineView).lines
        if isinstance(lines, _ChoiceLines) and 0 <= index < len(lines.choices):
            choice: Choice[T] = lines.choices[index]
            if choice.off:
                self.app.notify(choice.off, severity="warning", markup=False)
            else:
                self._leave(choice.value)

    def _leave(self, value: T | None) -> None:
        if self.is_current:
            self.dismiss(value)
