"""The files behind a prompt, each read and scanned once for as long as it stays as it is."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.model import Outcome
from memlens.engine.context.source import Source, scan
from memlens.engine.files import MEMORY_FILE_LIMIT, Disk, FileProblem, Files, Kind, kind_of
from memlens.engine.work import step

_RECENT_NS = 100_000_000
# Clocks of file systems tick in milliseconds: a file written this shortly before it was read
# could be written again without its stamp showing it.

_MOST_PARTS = 200  # of a way that is looked at part by part; beyond it would exhaust the stack

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

    __slots__ = ("checked", "source")

    def __init__(self, source: Source, checked: int) -> None:
        self.source = source
        self.checked = checked
        """The round in which it led there."""


class Tree:
    """Files by path, kept between questions.

    Within one round nothing is looked at twice. `start_round` makes everything be looked at
    again when it is asked for next; `forget` does so for some paths only.
    """

    def __init__(self, files: Files, rules: ImportRules) -> None:
        self.files = files
        self.rules = rules
        # On a disk the type is known from looking for links; do not ask for it again.
        self._kind = files.kind if isinstance(files, Disk) else partial(kind_of, files)
        self._read = files.read_regular if type(files) is Disk else files.read
        self._on_disk = type(files) is Disk
        self.round = 1
        self.reads = 0
        """How many files have been read so far; tells what an update cost."""
        self._now = time.time_ns()
        self._targets: dict[str, Target] = {}
        self._linked: set[str] = set()
        self._sources: dict[str, Source] = {}
        self._folders: dict[str, str] = {}
        self._no_folders: set[str] = set()
        """Real paths below which there can be nothing."""

    def start_round(self) -> None:
        """Everything known has to be looked at again."""
        self.round += 1
        self._now = time.time_ns()
        self._folders.clear()
        self._no_folders.clear()

    def forget(self, paths: Iterable[str]) -> None:
        """These paths, and what lies below them, may have changed."""
        self._now = time.time_ns()
        self._folders.clear()
        self._no_folders.clear()
        strangers = []
        for path in set(paths):
            source = self._sources.get(path)
            if source is not None:
                source.checked = 0
                source.recent = True
            target = self._targets.get(path)
            if target is not None:
                target.checked = 0
            if source is None or source.problem or self._kind(path) != "file":
                strangers.append(path.rstrip("/") + "/")
        # What a link leads to can change without the path or its target being named.
        for path in self._linked:
            self._targets[path].checked = 0
        if strangers:  # a folder may have come, gone or become another
            below = tuple(strangers)
            for path, source in self._sources.items():
                if path.startswith(below):
                    source.checked = 0
                    source.recent = True
            for path, target in self._targets.items():
                if path.startswith(below):
                    target.checked = 0

    @property
    def known(self) -> int:
        """How many paths are remembered."""
        return len(self._targets)

    @property
    def sources(self) -> dict[str, Source]:
        """The files known, by real path."""
        return self._sources

    def drop_unused(self) -> None:
        """Forgets what nothing asked for in this round."""
        now = self.round
        self._targets = {path: one for path, one in self._targets.items() if one.checked == now}
        self._linked.intersection_update(self._targets)
        self._sources = {path: one for path, one in self._sources.items() if one.checked == now}

    def real_folder(self, folder: str) -> str:
        """The real path of an absolute folder, which need not exist; each part of the way is
        looked at once a round."""
        real = self._folders.get(folder)
        if real is None:
            above, _, name = folder.rpartition("/")
            if folder.count("/") > _MOST_PARTS:
                real = self.files.real_path(folder)
            elif name in ("", ".", ".."):
                real = self.real_folder(above or "/") if folder != "/" else "/"
                if name == "..":
                    real = real.rpartition("/")[0] or "/"
            else:
                real = self.real_folder(above) if above else ""
                if real in self._no_folders:
                    real = f"{real}/{name}"
                    self._no_folders.add(real)
                else:
                    real = f"{real}/{name}" if real != "/" else f"/{name}"
                    kind = self._kind(real)
                    if kind == "link":
                        real = self.files.real_path(real)
                    elif self._on_disk and kind in ("missing", "file", "special"):
                        self._no_folders.add(real)
            self._folders[folder] = real
        return real

    def target(self, path: str, *, read: bool = True) -> Source:
        """The file at an absolute path. With `read` off an unread file may stay unread: then
        it has neither text nor problem."""
        return self.look(path, read=read).source

    def look(self, path: str, *, read: bool = True) -> Target:
        """As `target`. What is returned may be kept and holds for as long as it and its source are
        `checked` in this round."""
        target = self._targets.get(path)
        if (
            target is not None
            and target.checked == self.round
            and target.source.checked == self.round
            and (target.source.loaded or not read)
        ):
            return target
        folder, _, name = path.rpartition("/")
        if name in ("", ".", ".."):
            real = self.files.real_path(path)
            kind = self._kind(real)
            if name != ".." and kind in ("file", "special"):
                kind = "missing"  # such an end asks for a folder
                real = path
        else:
            above = self._folders.get(folder) or self.real_folder(folder or "/")
            real = f"{above}/{name}" if above != "/" else f"/{name}"
            kind = self._kind(real) if above not in self._no_folders else "missing"
            if kind == "link":
                real = self.files.real_path(real)
        if kind == "missing":
            source = self._sources.get(real)
            if source is None or source.problem != "missing":
                source = self._sources[real] = _failed(real, "missing", "there is no such file")
            source.checked = self.round
        else:
            source = self._load(real, kind, read=read)
        if target is None:
            target = self._targets[path] = Target(source, self.round)
        else:
            target.source, target.checked = source, self.round
        if real != path:
            self._linked.add(path)
        return target

    def _load(self, path: str, kind: Kind, *, read: bool) -> Source:
        known = self._sources.get(path)
        if known is not None and known.checked == self.round:
            return known
        try:
            if known is not None and known.unchanged(self.files):
                known.checked = self.round
                return known
            if not read:
                source = Source(path)
                source.set_stamp(self.files.look(path))
                source.checked = self.round
                return source
            step(self.reads, 0, "reading memory files")
            reads = self._read if kind == "file" else self.files.read
            data, stamp = reads(path, MEMORY_FILE_LIMIT)
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
