"""Which facts are listed and in what order: choices, and the chips that show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.app.panes.memory_browser.lines import scope_word
from memlens.app.screens.choose import Choice
from memlens.engine.commands.memories import MemoryFilter
from memlens.engine.record import replace
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.commands.memories import Sort
    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.events.memories import MemoriesLoaded
    from memlens.engine.events.memory_curation import Problems

SORTS: Final[tuple[tuple[Sort, str, str], ...]] = (
    ("relevance", "relevance", "best match first; without a search as in the index"),
    ("name", "name", "A to Z"),
    ("newest", "newest", "made last first"),
    ("oldest", "oldest", "made first first"),
    ("largest", "largest", "most bytes first"),
)
"""The orders, their names, and what they mean."""

_NEWER: Final = (1, 7, 30)
_OLDER: Final = (30, 90, 180, 365)


def is_filtering(only: MemoryFilter) -> bool:
    """Whether anything is left out."""
    return only != MemoryFilter()


class Tag(str):
    """A tag to be filtered by beside what is; there may be thousands, and one is taken."""

    __slots__ = ()


def with_choice(only: MemoryFilter, choice: MemoryFilter | Tag) -> MemoryFilter:
    """The filter that a choice makes."""
    if not isinstance(choice, Tag):
        return choice
    rest = tuple(tag for tag in only.tags if tag != choice)
    return replace(only, tags=rest if len(rest) < len(only.tags) else (*rest, str(choice)))


def filter_choices(
    only: MemoryFilter,
    loaded: MemoriesLoaded | None,
    scopes: Sequence[MemoryScope],
    problems: Problems,
) -> list[Choice[MemoryFilter | Tag]]:
    """What can be filtered by, each with the filter that choosing it makes; again takes it off."""
    choices: list[Choice[MemoryFilter | Tag]] = []

    def offer(title: str, detail: str, chosen: MemoryFilter, without: MemoryFilter) -> None:
        on = chosen == only
        choices.append(Choice(without if on else chosen, f"{'✓' if on else ' '} {title}", detail))

    per_scope = loaded.per_scope if loaded else {}
    for scope in scopes:
        offer(
            f"scope {scope_word(scope)}", f"{per_scope.get(scope, 0):,} facts",
            replace(only, scopes=(scope,)), replace(only, scopes=()),
        )  # fmt: skip
    for days in _NEWER:
        offer(
            f"made in the last {_days(days)}", "",
            replace(only, newer_than_days=days, older_than_days=0),
            replace(only, newer_than_days=0),
        )  # fmt: skip
    for days in _OLDER:
        offer(
            f"older than {_days(days)}", "",
            replace(only, older_than_days=days, newer_than_days=0),
            replace(only, older_than_days=0),
        )  # fmt: skip
    if problems.names:
        offer("any problem", "", replace(only, problem="any"), replace(only, problem=""))
    for name, number in problems.names.items():
        offer(
            f"problem {name}", f"{number:,}", replace(only, problem=name),
            replace(only, problem=""),
        )  # fmt: skip
    chosen = frozenset(only.tags)
    choices += [
        Choice(Tag(tag), f"{'✓' if tag in chosen else ' '} #{visible(tag)}", f"{number:,}")
        for tag, number in (loaded.per_tag.items() if loaded else ())
    ]
    return choices


def _days(days: int) -> str:
    return "day" if days == 1 else "a year" if days == 365 else f"{days} days"


class Chip(Static):
    """One filter; a click takes it off."""

    def __init__(self, text: str, without: MemoryFilter) -> None:
        super().__init__(Content(f"{visible(text)} ×"), classes="chip")
        self._without: Final = without

    def on_click(self) -> None:
        self.post_message(Chips.Changed(self._without))


class SortChip(Static):
    """The order, where it is not the usual one; a click takes it back."""

    def __init__(self, text: str) -> None:
        super().__init__(Content(f"{text} ×"), classes="chip -sort")

    def on_click(self) -> None:
        self.post_message(Chips.Unsorted())


class Chips(Horizontal):
    """What is filtered by, in one line; nothing where nothing is."""

    class Changed(Message):
        """Another filter is wanted."""

        def __init__(self, only: MemoryFilter) -> None:
            super().__init__()
            self.only: Final = only

    class Unsorted(Message):
        """The usual order is wanted."""

    def show(self, only: MemoryFilter, sort: Sort) -> None:
        """Shows a chip for each part of the filter."""
        chips: list[Static] = [
            Chip(scope_word(scope), replace(only, scopes=())) for scope in only.scopes
        ]
        for tag in only.tags:
            rest = tuple(one for one in only.tags if one != tag)
            chips.append(Chip(f"#{tag}", replace(only, tags=rest)))
        if only.newer_than_days:
            text = f"last {_days(only.newer_than_days)}"
            chips.append(Chip(text, replace(only, newer_than_days=0)))
        if only.older_than_days:
            text = f"older than {_days(only.older_than_days)}"
            chips.append(Chip(text, replace(only, older_than_days=0)))
        if only.problem:
            text = "any problem" if only.problem == "any" else only.problem
            chips.append(Chip(text, replace(only, problem="")))
        if sort != "relevance":
            chips.append(SortChip(f"by {sort}"))
        self.remove_children()
        self.mount_all(chips)
        self.set_class(bool(chips), "-shown")
