"""Which files agents read on either side of a change, and as what."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator

from memlens.engine.review.git import LINK, SUBMODULE, Change
from memlens.engine.review.model import Role
from memlens.engine.review.roles import memory_names, role_of
from memlens.engine.review.safety import what_it_seems
from memlens.engine.review.told import Told
from memlens.engine.safety.lookalikes import plain_form


class Reached:
    """The files that agents read on either side."""

    def __init__(self, top: str, before: Told, after: Told, changes: list[Change]) -> None:
        self._prefix = top.rstrip("/") + "/"
        self._before = before
        self._after = after
        self._in_prompt = {
            path
            for told in (before, after)
            for item in told.plan.items
            for path in (item.file, item.found)
        }
        after.prepare()
        changed = {self._prefix + path for one in changes for path in (one.path, one.old_path)}
        self._links = tuple(
            self._prefix + one.path + "/"
            for one in changes
            if any(entry is not None and entry.mode == LINK for entry in (one.before, one.after))
        )
        self.affected = [
            place
            for place in sorted({*before.memory_files, *after.memory_files})
            if self._is_affected(place, changed)
        ]
        """The memory files that have changed, or may bring in what has changed. Absolute."""

    def role(self, change: Change, present: Container[str]) -> Role | None:
        """What a changed file is to agents; None: nothing. `present` are the paths after."""
        if any(one is not None and one.mode == SUBMODULE for one in (change.before, change.after)):
            return "submodule" if self._is_read_in(change.path) else None
        for path in dict.fromkeys((change.path, change.old_path)):
            role = role_of(path)
            place = self._prefix + path
            if role == "nested" and place in self._in_prompt:
                return "memory"
            if role is not None:
                return role
            if self._is_read(self._before, place) or self._is_read(self._after, place):
                return "import"
        if change.after is not None and self._seems_read(change.path, present):
            return "look-alike"
        return None

    def newly_read(self) -> Iterator[str]:
        """The paths that are read after the change and were not before. Absolute and sorted."""
        candidates = set(self._after.prompt_paths - self._before.prompt_paths)
        for place in self.affected:
            candidates |= self._after.mentions(place) - self._before.mentions(place)
        for place in sorted(candidates):
            if not place.startswith(self._prefix) or self._is_read(self._before, place):
                continue
            if self._is_read(self._after, place):
                yield place

    def _is_affected(self, place: str, changed: set[str]) -> bool:
        """Whether a memory file may differ, or what it brings in.

        Where neither it nor anything that it mentions has changed, both sides are the same, so one
        has to be looked at only.
        """
        if place in changed:
            return True
        mentioned = self._after.mentions(place)
        return not mentioned.isdisjoint(changed) or self._goes_through_link(mentioned)

    def _goes_through_link(self, paths: frozenset[str]) -> bool:
        return bool(self._links) and any(path.startswith(self._links) for path in paths)

    def _is_read(self, told: Told, place: str) -> bool:
        """Whether a path is read on one side, or leads as a link to what is read."""
        below = f"{place}/" if f"{place}/" in self._links else ""

        def among(paths: frozenset[str]) -> bool:
            return place in paths or (bool(below) and any(path.startswith(below) for path in paths))

        return among(told.prompt_paths) or any(
            among(told.mentions(base)) and among(told.brought_in(base)) for base in self.affected
        )

    def _is_read_in(self, folder: str) -> bool:
        """Whether agents read something inside of a submodule, as it lies on the disk."""
        below = f"{self._prefix}{folder}/"
        if any(os.path.isfile(below + name) for name in memory_names()):
            return True
        return any(
            path.startswith(below)
            for told in (self._before, self._after)
            for paths in (told.prompt_paths, *map(told.mentions, told.memory_files))
            for path in paths
        )

    def _seems_read(self, path: str, present: Container[str]) -> bool:
        if path.isascii():
            return False
        plain = plain_form(path)
        if not what_it_seems(path, present, memory_names()):
            return False
        place = self._prefix + plain
        return role_of(plain) is not None or self._is_read(self._after, place)
