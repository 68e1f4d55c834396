"""Where a person's own keys get in one another's way, or in the way of the others' keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from memlens.app.actions import ACTIONS, AREAS
from memlens.app.actions.action import Action, Area

BEHIND: Final[Mapping[Area, tuple[Area, ...]]] = {
    **dict.fromkeys(("tree", "preview", "memories", "reads", "form", "editor"), ("app",)),
    "staged": ("review",),
}
"""Whose actions an area leaves within reach, beside its own. What takes the place of another area,
as the form that of the list, leaves nothing of it; what fills the screen leaves nothing at all.
What works everywhere comes before it, but for what a text field in focus does with a key."""

LISTED: Final[frozenset[Area]] = frozenset(
    ("tree", "preview", "memories", "reads", "review", "compare", "show", "clash", "trash",
     "history", "twins", "stale")
)  # fmt: skip
"""Areas whose focus is in a list, which takes its keys first."""


class Collision(NamedTuple):
    """A key that two actions have where both are within reach; none of it by default."""

    key: str
    """As the framework names it."""
    done: str
    """The action that is done there."""
    hidden: str
    """The one that is not."""


def collisions(own: Mapping[str, str]) -> tuple[Collision, ...]:
    """What collides because of a person's own keys: of the name of an action, its keys with commas
    between. What is alike by default, as the ways out of a form and of the app, is meant so."""
    keys = {one.name: _split(own.get(one.name, "")) or one.keys for one in ACTIONS}
    found: dict[Collision, None] = {}
    for area in AREAS:
        done: dict[str, Action] = {}
        for one in _within_reach(area, own):
            for key in dict.fromkeys(keys[one.name]):
                first = done.setdefault(key, one)
                if first is not one and not (key in first.keys and key in one.keys):
                    found[Collision(key, first.name, one.name)] = None
    return tuple(found)


def _within_reach(area: Area, own: Mapping[str, str]) -> Iterator[Action]:
    """The actions while an area has the focus; of those with one key, the first is done."""
    lists: tuple[Area, ...] = ("lists",) if area in LISTED else ()
    for each in dict.fromkeys(("work", *lists, area, *BEHIND.get(area, ()))):
        # The framework takes a key from whoever has it by default in the same area.
        yield from sorted(
            (one for one in ACTIONS if one.area == each), key=lambda one: one.name not in own
        )


def _split(text: str) -> tuple[str, ...]:
    """The keys of a setting, named as the framework does it."""
    if not text:
        return ()
    from textual.keys import _normalize_key_list  # what the app's keymap goes through, too

    return tuple(filter(None, _normalize_key_list(text).split(",")))
