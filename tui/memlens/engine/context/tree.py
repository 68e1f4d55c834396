"""The files behind a prompt, each read and scanned once for as long as it stays as it is."""

from __future__ import annotations

import time
from collections.abc import Iterable

from memlens.engine.agents import ImportRules
from memlens.engine.context.model import Outcome
from memlens.engine.context.source import Source, scan
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem, Files

_RECENT_NS = 100_000_000
# Clocks of file systems tick in milliseconds: a file written this shortly before it was read
# could be written again without its stamp showing it.

_OUTCOMES: dict[str, Outcome] = {
    "missing": "missing",
    "folder": "folder",
    "special": "special",
    "unreadable": "unreadable",
    "too-large": "too-large",
    "loop": "loop",
    "name-too-long": "name-too-long",
}


class Target:
    """What a path leads to."""

    __slots__ = ("checked", "linked", "path", "source")

    def __init__(self, path: str) -> None:
        self.path = path
        """Absolute, as asked for: links and dots are not resolved."""
        self.source = Source(path)
        self.linked = True
        """Whether links or dots stand between the path and the file."""
        self.checked = 0


class Tree:
    """Files by path, kept between questions.

    Within one round nothing is looked at twice. `start_round` makes everything be looked at
    again when it is asked for next; `forget` does so for some paths only.
    """

    def __init__(self, files: Files, rules: ImportRules) -> None:
        self.files = files
        self.rules = rules
        self.round = 1
        self.reads = 0
        """How many files have been read so far; tells what an update cost."""
        self._now = time.time_ns()
        self._targets: dict[str, Target] = {}
        self._sources: dict[str, Source] = {}
        self._folders: dict[str, str] = {}

    def start_round(self) -> None:
        """Everything known has to be looked at again."""
        self.round += 1
        self._now = time.time_ns()
        self._folders.clear()

    def forget(self, paths: Iterable[str]) -> None:
        """These paths, and what lies below them, may have changed."""
        self._now = time.time_ns()
        exact = set(paths)
        below = tuple(path.rstrip("/") + "/" for path in exact)
        self._folders.clear()
        for path, source in self._sources.items():
            if path in exact or path.startswith(below):
                source.checked = 0
                source.recent = True
        for path, target in self._targets.items():
            named = path in exact or path.startswith(below)
            # What a link leads to can change without the path or its target being named.
            if named or target.linked or not target.source.checked:
                target.checked = 0

    def drop_unused(self, used: set[str]) -> None:
        """Forgets the targets that are not among `used`, and files that none leads to."""
        if len(self._targets) > 2 * len(used) + 100:
            self._targets = {path: t for path, t in self._targets.items() if path in used}
            kept = {target.source.path for target in self._targets.values()}
            self._sources = {path: s for path, s in self._sources.items() if path in kept}

    def paths(self) -> set[str]:
        """Every path that was asked for, and every real path it led to."""
        found = set(self._targets)
        found.update(target.source.path for target in self._targets.values())
        return found

    def real_folder(self, folder: str) -> str:
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = self.files.real_path(folder)
        return real

    def target(self, path: str, *, read: bool = True) -> Target:
        """The file at an absolute path. With `read` off an unread file may stay unread: then
        its source has neither text nor problem."""
        target = self._targets.get(path)
        if target is None:
            target = self._targets[path] = Target(path)
        elif target.checked == self.round and (target.source.loaded or not read):
            return target
        real = self._real_path(path)
        target.linked = real != path
        target.source = self._load(real, read=read)
        if path.endswith("/") and target.source.problem != "folder":
            target.source = _failed(real, "missing", "")
        target.checked = self.round
        return target

    def _real_path(self, path: str) -> str:
        folder, _, name = path.rpartition("/")
        if name in ("", ".", ".."):
            return self.files.real_path(path)
        real = self.real_folder(folder or "/")
        real = real + name if real == "/" else f"{real}/{name}"
        return self.files.real_path(real) if self.files.is_link(real) else real

    def _load(self, path: str, *, read: bool) -> Source:
        known = self._sources.get(path)
        if known is not None and known.checked == self.round:
            return known
        try:
            if known is not None and known.unchanged(self.files):
                known.checked = self.round
                return known
            if not read:
                source = Source(path)
                source.stamp = self.files.look(path)
                return source
            data, stamp = self.files.read(path, MEMORY_FILE_LIMIT)
        except FileProblem as problem:
            source = _failed(path, _OUTCOMES[problem.kind], str(problem))
        else:
            self.reads += 1
            source = scan(path, data, stamp, self.rules)
            source.recent = stamp.mtime_ns > self._now - _RECENT_NS
        source.checked = self.round
        self._sources[path] = source
        return source


def _failed(path: str, outcome: Outcome, detail: str) -> Source:
    source = Source(path)
    source.loaded = True
    source.problem = outcome
    source.detail = detail
    return source
