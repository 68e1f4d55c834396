"""Which files a memory file may bring in, found quickly and rather too many than too few.

Whether an `@path` stands in code is costly to know and seldom matters: most memory files have
nothing to do with most changes. So everything that looks like an import is followed here, and only
where a changed file is among it, the context library is asked for the exact answer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

from memlens.engine.agents import ImportRules
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem
from memlens.engine.review.trees import GitTreeFiles
from memlens.engine.work import step

_TOKEN: Final = re.compile(r"@(?<![\S\x1c-\x1f]@)((?:\\ |[\S\x1c-\x1f])+)")


class Mentions:
    """What memory files mention on one side of a change."""

    def __init__(self, files: GitTreeFiles, rules: ImportRules, home: str | None) -> None:
        self._files = files
        self._rules = rules
        self._home = home
        self._named: dict[str, frozenset[str]] = {}
        self._all: dict[str, frozenset[str]] = {}

    def prepare(self, places: Iterable[str]) -> None:
        """Reads what `of` will need for several files; only a matter of speed."""
        level = set(places)
        seen: set[str] = set()
        for _ in range(self._rules.max_depth + 1):
            self._files.prefetch(level)
            seen |= level
            level = set().union(*map(self._mentioned, level)) - seen
            if not level:
                break

    def of(self, place: str) -> frozenset[str]:
        """Every path that the file at an absolute path may bring in, its own included.

        Absolute, with dots resolved, and where links are involved the real ones, too.
        """
        found = self._all.get(place)
        if found is None:
            found = self._all[place] = self._closure(place)
        return found

    def _closure(self, place: str) -> frozenset[str]:
        paths = {place, self._files.real_path(place)}
        level = set(paths)
        for _ in range(self._rules.max_depth):
            following: set[str] = set()
            for path in level:
                following |= self._mentioned(path)
            level = following - paths
            if not level:
                break
            paths |= level
        return frozenset(paths)

    def _mentioned(self, path: str) -> frozenset[str]:
        named = self._named.get(path)
        if named is None:
            named = self._named[path] = frozenset(self._look_through(path))
        return named

    def _look_through(self, path: str) -> Iterator[str]:
        if not self._files.may_be_there(path):
            return
        step(len(self._named), 0, "looking for imports")
        try:
            data = self._files.read(path, MEMORY_FILE_LIMIT)[0]
        except FileProblem:
            return
        if b"@" not in data or b"\0" in data:
            return
        folder = self._files.real_path(path).rpartition("/")[0] or "/"
        for written in _written(data.decode("utf-8", "replace"), self._rules):
            asked = self._absolute(folder, written)
            if asked is not None:
                yield os.path.normpath(asked)
                if self._files.has_links or not asked.startswith(self._files.prefix):
                    yield self._files.real_path(asked)

    def _absolute(self, folder: str, written: str) -> str | None:
        if written.startswith("~/"):
            return None if self._home is None else f"{self._home}/{written[2:]}"
        return written if written.startswith("/") else f"{folder.rstrip('/')}/{written}"


def _written(text: str, rules: ImportRules) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        token = match.group(1)
        if "\\ " in token:
            token = token.replace("\\ ", " ") if rules.escaped_space else token.split(" ")[0]
        yield token
        if rules.cut_fragment and "#" in token:
            yield token.partition("#")[0]
