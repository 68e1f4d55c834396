"""The facts that a form replaces: they go when it is saved, if they still are what was merged."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memlens.engine.durable.results import Fact

_FIELD: Final = "replaces"
"""The field of a draft that names them."""


class Replaced:
    """Facts that go when another one, made of all of them, is saved.

    One that changes meanwhile stays: nobody has seen its new text in the form.
    """

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self.facts: tuple[Fact, ...] = tuple(facts)
        """Those that are still to go."""
        self._told: dict[str, str] = {}
        """By path, what became of the others."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What saving does to them, for people."""
        names = ", ".join(fact.name for fact in self.facts)
        going = f"saving deletes the other fact: {names}; name and scope stay as they are"
        return (*self._told.values(), *([going] if names else []))

    def keep(self, present: Collection[str]) -> None:
        """Lets go of those that are not among the paths `present` any more."""
        for fact in self.facts:
            if fact.path not in present:
                self._leave(fact.path, f"{fact.name} is gone already")

    def look_at(self, now: Fact) -> None:
        """Lets go of a fact that is not any more what was merged."""
        for fact in self.facts:
            if fact.path == now.path and fact.digest != now.digest:
                self._leave(fact.path, _changed(fact.name))

    def _leave(self, path: str, why: str) -> None:
        self.facts = tuple(fact for fact in self.facts if fact.path != path)
        self._told[path] = why

    def fields(self) -> dict[str, str]:
        """What a draft has to keep of them."""
        kept = [[fact.path, fact.name, fact.digest] for fact in self.facts]
        return {_FIELD: json.dumps(kept)} if kept else {}


def replaced_by(fields: Mapping[str, str], found: Mapping[str, Fact]) -> Replaced:
    """The facts that a draft replaces, of which `found` are there, by path, as they are now."""
    replaced = Replaced()
    for path, name, digest in _kept(fields):
        fact = found.get(path)
        if fact is None:
            replaced._told[path] = f"{name} is gone already"  # noqa: SLF001 - its own
        elif fact.digest != digest:
            replaced._told[path] = _changed(name)  # noqa: SLF001 - its own
        else:
            replaced.facts += (fact,)
    return replaced


def paths_replaced_by(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Where those facts are, or were."""
    return tuple(path for path, _, _ in _kept(fields))


def _kept(fields: Mapping[str, str]) -> list[tuple[str, str, str]]:
    try:
        values = json.loads(fields.get(_FIELD, "[]"))
    except (ValueError, RecursionError):
        return []
    if not isinstance(values, list):
        return []
    return [
        (one[0], one[1], one[2])
        for one in values
        if isinstance(one, list) and len(one) == 3 and all(isinstance(part, str) for part in one)
    ]


def _changed(name: str) -> str:
    return f"{name} has changed since it was merged: saving leaves it as it is"
