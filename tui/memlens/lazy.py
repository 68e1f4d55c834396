"""Public names that are imported when they are first used (PEP 562).

Scripts and hooks are measured in multiples of an empty Python process; a package that imported
all of its rooms would make each of them pay for the others. So this module imports nothing at all.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing costs half of an empty process
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def resolver(package: str, rooms: Mapping[str, str]) -> Callable[[str], object]:
    """A module's `__getattr__` that finds each name of `rooms` in the module it maps to."""

    def resolve(name: str) -> object:
        room = rooms.get(name)
        if room is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(room, package), name)
        setattr(sys.modules[package], name, value)
        return value

    return resolve
