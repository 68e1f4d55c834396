"""Which changed files agents read, before or after, and as what."""

from __future__ import annotations

from collections.abc import Container

from memlens.engine.review.git import LINK, Change
from memlens.engine.review.lookalikes import plain_form
from memlens.engine.review.model import Role
from memlens.engine.review.roles import memory_names, role_of
from memlens.engine.review.safety import what_it_seems
from memlens.engine.review.told import Told


class Reached:
    """The files that agents read on either side."""

    def __init__(self, top: str, before: Told, after: Told) -> None:
        self._prefix = top.rstrip("/") + "/"
        self._in_prompt = {
            path
            for told in (before, after)
            for item in told.plan.items
            for path in (item.file, item.found)
        }
        self._paths = before.all_paths | after.all_paths

    def role(self, change: Change, present: Container[str]) -> Role | None:
        """What a changed file is to agents; None: nothing. `present` are the paths after."""
        for path in dict.fromkeys((change.path, change.old_path)):
            role = role_of(path)
            place = self._prefix + path
            if role == "nested" and place in self._in_prompt:
                return "memory"
            if role is not None:
                return role
            if place in self._paths or self._is_link_to_some(change, place):
                return "import"
        if change.after is not None and self._seems_read(change.path, present):
            return "look-alike"
        return None

    def _is_link_to_some(self, change: Change, place: str) -> bool:
        """Whether files are reached through a link, so that its target matters to all of them."""
        entries = (change.before, change.after)
        if not any(entry is not None and entry.mode == LINK for entry in entries):
            return False
        below = place + "/"
        return any(path.startswith(below) for path in self._paths)

    def _seems_read(self, path: str, present: Container[str]) -> bool:
        if path.isascii():
            return False
        plain = plain_form(path)
        seems = what_it_seems(path, present, memory_names())
        return bool(seems) and (role_of(plain) is not None or self._prefix + plain in self._paths)
