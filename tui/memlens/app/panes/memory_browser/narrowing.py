"""What the list of facts is narrowed to and ordered by, as a person chooses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memlens.app.panes.memory_browser.filters import (
    SORTS,
    Chips,
    Tag,
    filter_choices,
    is_filtering,
    with_choice,
)
from memlens.app.screens.choose import Choice, Choose
from memlens.engine.commands.memories import MemoryFilter, filter_of, kept_filter

if TYPE_CHECKING:
    from memlens.app.panes.base import Pane
    from memlens.engine.commands.memories import Sort
    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.events.memories import MemoriesLoaded
    from memlens.engine.events.memory_curation import Problems


class Narrowing:
    """Filter and order, chosen from lists, shown as chips, and kept for the next start."""

    def __init__(self, pane: Pane, changed: Callable[[], None]) -> None:
        """`changed` is called when other facts are to be listed, or in another order."""
        self._pane: Final = pane
        self._changed: Final = changed
        self.only = MemoryFilter()
        self.sort: Sort = "relevance"

    @property
    def filters(self) -> bool:
        """Whether any fact is left out."""
        return is_filtering(self.only)

    def remembered(self) -> dict[str, Any]:
        """For the next start; JSON values only."""
        return {"sort": self.sort, "only": kept_filter(self.only)}

    def recall(self, values: Mapping[str, Any]) -> None:
        """Narrows as at an earlier start; what does not fit is left out."""
        only = filter_of(values.get("only"))
        if is_filtering(only):
            self.filter_by(only)
        orders: dict[object, Sort] = {one[0]: one[0] for one in SORTS}
        self.sort_by(orders.get(values.get("sort"), "relevance"))

    def ask_filter(
        self, loaded: MemoriesLoaded | None, scopes: Sequence[MemoryScope], problems: Problems
    ) -> None:
        """Asks for a filter beside what is."""

        def take(choice: MemoryFilter | Tag | None) -> None:
            if choice is not None:
                self.filter_by(with_choice(self.only, choice))

        choices = filter_choices(self.only, loaded, scopes, problems)
        self._pane.app.push_screen(Choose("List only", choices), take)

    def ask_sort(self) -> None:
        """Asks for an order."""

        def take(order: Sort | None) -> None:
            if order is not None:
                self.sort_by(order)

        choices = [Choice(order, title, text) for order, title, text in SORTS]
        current = next(at for at, one in enumerate(SORTS) if one[0] == self.sort)
        self._pane.app.push_screen(Choose("List by", choices, current=current), take)

    def filter_by(self, only: MemoryFilter) -> None:
        """Lists only these."""
        self.only = only
        self._renew()

    def sort_by(self, order: Sort) -> None:
        """Lists them in this order."""
        if order != self.sort:
            self.sort = order
            self._renew()

    def _renew(self) -> None:
        self._pane.query_one(Chips).show(self.only, self.sort)
        self._changed()
