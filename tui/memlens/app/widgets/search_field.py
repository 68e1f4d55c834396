"""A line to type in that narrows or searches what stands below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.binding import Binding
from textual.dom import DOMNode

from memlens.app.actions import BY_NAME, actions_of
from memlens.app.hinting import Hinting
from memlens.app.widgets.safe_text import SafeInput

if TYPE_CHECKING:
    from memlens.app.widgets.line_view import LineView

_ELSEWHERE: Final = ("submit", "scroll", "page")
"""How the actions begin that are none of the text."""


class SearchField(Hinting, SafeInput):
    """The footer tells its keys while it has the focus."""

    HINTS = (("enter", "To the hits"), ("escape", "Clear"))

    def takes(self, event: events.Key) -> bool:
        """Whether a key changes the text or moves in it, and asks nothing of what is listed."""
        found = self._bindings.key_to_bindings.get(event.key, ())
        edits = any(not one.action.startswith(_ELSEWHERE) for one in found)
        return event.is_printable or edits


class Narrowed(DOMNode):
    """Mixed into what holds a list and a search field: the keys of lists that the field has no use
    for move in the list meanwhile."""

    BINDINGS = [
        Binding(",".join(one.keys), f"in_list({one.name!r})", show=False, id=one.name)
        for one in actions_of("lists")
    ]  # fmt: skip

    @property
    def listed(self) -> LineView:
        """What the field narrows."""
        raise NotImplementedError

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _mark_cursor(self) -> None:
        self.listed.mark_always = isinstance(self.screen.focused, SearchField)
        self.listed.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "in_list" or isinstance(self.screen.focused, SearchField)

    def action_in_list(self, name: str) -> None:
        self.listed.perform(BY_NAME[name])
