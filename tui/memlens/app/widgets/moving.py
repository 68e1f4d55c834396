"""A cursor in lines, and what a person does with it: the actions of every list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.reactive import reactive
from textual.scroll_view import ScrollView

from memlens.app.hosting import ActionHost, bindings_of

if TYPE_CHECKING:
    from memlens.app.actions import Action

_SIDEWAYS: Final = frozenset(("lists.left", "lists.right"))
_SIDE: Final = 8
"""Cells by which one scrolls sideways."""


class Moving(ScrollView, ActionHost, inherit_bindings=False):
    """Lines of which one has the cursor; whoever takes it up says what they are."""

    AREA = "lists"
    SERVES = True
    BINDINGS = bindings_of("lists")

    cursor: reactive[int] = reactive(0, repaint=False)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._count = 0
        """How many lines there are."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where no line is wider than the list, the keys for that are those of what holds it."""
        sideways = action == "perform" and parameters[0] in _SIDEWAYS
        return self.allow_horizontal_scroll if sideways else True

    def reason_against(self, action: Action) -> str | None:
        if not self.size.height:
            return "The list is not shown now."
        if action.name in _SIDEWAYS and not self.allow_horizontal_scroll:
            return "Nothing is out of sight at the sides."
        return None

    def validate_cursor(self, value: int) -> int:
        return max(0, min(value, self._count - 1))

    @property
    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height - 1)

    @property
    def _half_page(self) -> int:
        return max(1, self.scrollable_content_region.height // 2)

    def do_lists_up(self) -> None:
        self.cursor -= 1

    def do_lists_down(self) -> None:
        self.cursor += 1

    def do_lists_page_up(self) -> None:
        self.cursor -= self._page

    def do_lists_page_down(self) -> None:
        self.cursor += self._page

    def do_lists_half_up(self) -> None:
        self.cursor -= self._half_page

    def do_lists_half_down(self) -> None:
        self.cursor += self._half_page

    def do_lists_first(self) -> None:
        self.cursor = 0

    def do_lists_last(self) -> None:
        self.cursor = self._count - 1

    def do_lists_left(self) -> None:
        self.scroll_relative(x=-_SIDE, animate=False)

    def do_lists_right(self) -> None:
        self.scroll_relative(x=_SIDE, animate=False)
