"""Searching in the prompt: what was typed, where it stands, and which place is the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from memlens.app.panes.prompt_preview.search import Search

if TYPE_CHECKING:
    from memlens.app.panes.prompt_preview.lines import PromptLines
    from memlens.app.widgets.line_view import LineView


class _Shown(Protocol):
    """What the finder needs of the pane."""

    @property
    def view(self) -> LineView: ...
    @property
    def lines(self) -> PromptLines | None: ...
    def show(self) -> None: ...
    def say_place(self) -> None: ...


class Finder:
    """Finds what was typed bit by bit, and goes from place to place."""

    def __init__(self, pane: _Shown) -> None:
        self._pane: Final = pane
        self.search: Search | None = None
        self._from = 0
        """The row in which the search began."""
        self._match = -1
        self._wanted: int | None = None
        """The offset behind which the first match is still looked for."""

    @property
    def active(self) -> bool:
        """Whether something is searched for."""
        return self.search is not None and bool(self.search.needle)

    @property
    def said(self) -> str:
        """How much was found, and where one is in it."""
        search = self.search
        if search is None or not search.needle:
            return ""
        more = "" if search.complete else "…"
        at = f"{self._match + 1}/" if 0 <= self._match < len(search.starts) else ""
        return f"{at}{len(search.starts)}{more} found"

    def begin(self) -> None:
        """Remembers where the search begins."""
        self._from = self._pane.view.cursor

    def look_for(self, needle: str) -> None:
        """Searches for something else, from where the search began; for nothing: ends it."""
        lines = self._pane.lines
        if lines is None:
            return
        self.search = Search(lines.plan.text, needle) if needle else None
        self._match = -1
        self._pane.show()
        if self.search is not None:
            self._pane.view.go_to(self._from)
            self._wanted = lines.text.starts.start(lines.number(self._from)) - 1
            self._to_wanted()

    def give_up(self) -> None:
        """Ends the search and goes back to where it began."""
        self.look_for("")
        self._pane.view.go_to(self._from)

    def renew(self, text: str) -> None:
        """Searches for the same in another text."""
        if self.search is not None:
            self.search = Search(text, self.search.needle)

    def advance(self) -> bool:
        """Searches on for a moment; returns whether there was anything left to search."""
        if self.search is None or self.search.complete:
            return False
        if self.search.advance():
            self._pane.view.redraw()
        self._to_wanted()
        self._pane.say_place()
        return True

    def _to_wanted(self) -> None:
        """Goes to the first match behind where the search began, once it is found."""
        search, wanted = self.search, self._wanted
        if search is None or wanted is None:
            return
        number = search.behind(wanted)
        found = number is not None and (search.complete or search.starts[number] > wanted)
        if found or search.complete:
            self._wanted = None
            self._to_match(number)

    def _to_match(self, number: int | None) -> None:
        lines = self._pane.lines
        if number is not None and self.search is not None and lines is not None:
            self._match = number
            self._pane.view.go_to(lines.row_at(self.search.starts[number]))
        self._pane.say_place()

    def step(self, step: int) -> None:
        """Goes to the next place, or to the one before."""
        search, lines = self.search, self._pane.lines
        if search is None or lines is None:
            return
        cursor = self._pane.view.cursor
        at = search.starts[self._match] if 0 <= self._match < len(search.starts) else -1
        if at < 0 or lines.row_at(at) != cursor:  # the cursor was moved since
            number = lines.number(cursor)
            start = lines.text.starts.start(number)
            end = start + len(lines.text.text.lines[number - 1])
            at = end if step > 0 else start
        self._to_match(search.behind(at) if step > 0 else search.before(at))
