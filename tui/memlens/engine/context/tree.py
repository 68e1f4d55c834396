"""The files behind a prompt, each read and scanned once for as long as it stays as it is."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from functools import partial

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.model import Outcome
from memlens.engine.context.source import Missing, Source, says_something, scan
from memlens.engine.files import (
    MEMORY_FILE_LIMIT,
    Disk,
    FileProblem,
    Files,
    Kind,
    Stamp,
    kind_of,
    regular_names,
)
from memlens.engine.work import step

_RECENT_NS = 100_000_000
# Clocks of file systems tick in milliseconds: a file written this shortly before it was read
# could be written again without its stamp showing it.

_BYTES_AT_ONCE = 1 << 18  # that are read before they are scanned

_MANY = 200  # files wanted of one folder at once, from which on it is listed

_NO_NAMES = frozenset(["", ".", ".."])

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


class Link:
    """Where a path leads that is no real one."""

    __slots__ = ("checked", "source")

    def __init__(self, source: Source, checked: int) -> None:
        self.source = source
        self.checked = checked
        """The round in which it led there."""


class Tree:
    """Files by path, kept between questions.

    Within one round nothing is looked at twice. `start_round` makes everything be looked at
    again when it is asked for next; `forget` does so for some paths only. A file is known to be
    as its `Source` says while that is `checked` in this round.
    """

    def __init__(self, files: Files, rules: ImportRules) -> None:
        self.files = files
        self.rules = rules
        # On a disk the type is known from looking for links; do not ask for it again.
        self._kind = files.kind if isinstance(files, Disk) else partial(kind_of, files)
        self._read = files.read_regular if type(files) is Disk else files.read
        self._on_disk = type(files) is Disk
        self.round = 1
        self.looks_ahead = True
        """Whether many files have to be looked at."""
        self.reads = 0
        """How many files have been read so far; tells what an update cost."""
        self._now = time.time_ns()
        self._sources: dict[str, Source] = {}
        self._unread: dict[str, Source] = {}
        """By real path: files that were only looked at."""
        self._sound: dict[str, Stamp] = {}
        """By real path: files that were read, and of which nothing was kept but that they can be,
        and what they looked like."""
        self._links: dict[str, Link] = {}
        self._keys: dict[object, int] = {}
        """Numbers for what tells files apart, which are quicker to look up."""
        self._folders: dict[str, str] = {}
        self._regular: dict[str, frozenset[str]] = {}
        """By real path of a folder that was listed: its regular files."""
        self._files: set[str] = set()
        """Real paths of regular files that are listed in their folders."""
        self._seen: dict[str, tuple[str, Kind]] = {}
        """What `_find` tells of paths that were looked at before they are asked for."""
        self._no_folders: set[str] = set()
        """Real paths below which there can be nothing."""

    def start_round(self) -> None:
        """Everything known has to be looked at again."""
        self.round += 1
        self.looks_ahead = True
        self._look_again()

    def _look_again(self) -> None:
        self._now = time.time_ns()
        self._folders.clear()
        self._regular.clear()
        self._files.clear()
        self._seen.clear()
        self._no_folders.clear()
        for source in self._unread.values():
            source.checked = 0
        self._unread.clear()

    def forget(self, paths: Iterable[str]) -> None:
        """These paths, and what lies below them, may have changed."""
        self.looks_ahead = False
        self._look_again()
        strangers = []
        for path in set(paths):
            source = self._sources.get(path)
            if source is not None:
                source.checked = 0
                source.recent = True
            if source is None or source.problem or self._kind(path) != "file":
                strangers.append(path.rstrip("/") + "/")
        # What a link leads to can change without the path or its target being named.
        for link in self._links.values():
            link.checked = 0
        if strangers:  # a folder may have come, gone or become another
            below = tuple(strangers)
            for path, source in self._sources.items():
                if path.startswith(below):
                    source.checked = 0
                    source.recent = True

    @property
    def known(self) -> int:
        """How many paths are remembered."""
        return len(self._sources) + len(self._links)

    @property
    def sources(self) -> dict[str, Source]:
        """The files known, by real path."""
        return self._sources

    def drop_unused(self) -> None:
        """Forgets what nothing asked for in this round."""
        now = self.round
        self._sources = {path: one for path, one in self._sources.items() if one.checked == now}
        self._links = {path: one for path, one in self._links.items() if one.checked == now}
        self._sound.clear()

    def real_folder(self, folder: str) -> str:
        """The real path of an absolute folder, which need not exist; each part of the way is
        looked at once a round."""
        real = self._folders.get(folder)
        if real is None:
            above, _, name = folder.rpartition("/")
            if folder.count("/") > _MOST_PARTS:
                real = self.files.real_path(folder)
            elif name in _NO_NAMES:
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
        now = self.round
        source = self._sources.get(path)  # a path that was found to be a real one
        if source is not None and source.checked == now:
            return source
        link = self._links.get(path)
        if (
            link is not None
            and link.checked == now
            and link.source.checked == now
            and (link.source.loaded or not read)
        ):
            return link.source
        real, kind = self._find(path)
        source = self._load(real, kind, read=read)
        if real != path:
            self._links[path] = Link(source, now)
        return source

    def assess(self, path: str) -> Source:
        """The file at an absolute path, to tell whether it can be read. Of one that can, the text
        is not kept, since nobody wants it yet: then there is neither text nor problem, and the
        file is not `blank`."""
        real, kind = self._find(path)
        known = self._unread.get(real)
        if known is not None and not known.blank:
            return known
        if real in self._sources or kind not in ("file", "link"):
            return self._load(real, kind, read=True)
        try:
            stamp = self.files.look(real) if real in self._sound else None
            if stamp is None or stamp != self._sound[real]:
                step(self.reads, 0, "reading memory files")
                reads = self._read if kind == "file" else self.files.read
                data, stamp = reads(real, MEMORY_FILE_LIMIT)
                if not says_something(data):
                    self._scan_all([(real, data, stamp)])
                    return self._sources[real]
                self.reads += 1
                if stamp.mtime_ns <= self._now - _RECENT_NS:
                    self._sound[real] = stamp
        except FileProblem as problem:
            return self._keep(_failed(real, _OUTCOMES[problem.kind]))
        source = self._unread[real] = self._unloaded(real, stamp)
        source.blank = False
        return source

    def _unloaded(self, path: str, stamp: Stamp) -> Source:
        source = Source(path)
        source.set_stamp(stamp)
        source.key = self._keys.setdefault(source.key, len(self._keys))
        source.checked = self.round
        return source

    def look_at(self, paths: Iterable[str]) -> None:
        """Looks at what stands at absolute paths, and reads nothing: where there is nothing at a
        real path, that is known from then on. Only a matter of speed."""
        now = self.round
        sources, seen, files = self._sources, self._seen, self._files
        folders: dict[str, list[str]] = {}
        for path in dict.fromkeys(paths):
            source = sources.get(path)
            if (source is None or source.checked != now) and path not in seen:
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        for folder, inside in folders.items():
            if self.real_folder(folder or "/") != folder:
                for path in inside:
                    seen[path] = self._find(path)
                continue
            regular = self._listed(folder, len(inside))
            is_gone = folder in self._no_folders
            name_at = len(folder) + 1
            for path in inside:
                name = path[name_at:]
                if name in regular:
                    files.add(path)
                elif name in _NO_NAMES:
                    seen[path] = self._find(path)
                elif is_gone or (kind := self._kind(path)) == "missing":
                    self._miss(path)
                else:
                    seen[path] = (path if kind != "link" else self.files.real_path(path)), kind

    def _listed(self, folder: str, count: int) -> frozenset[str]:
        """Names of regular files in a real folder, if it pays to ask for them where `count` of its
        files are wanted."""
        regular = self._regular.get(folder)
        if regular is None:
            if count < _MANY or not self._on_disk:
                return frozenset()
            # Where it has many more files than are wanted, it takes less to look at each.
            regular = self._regular[folder] = regular_names(folder, 4 * count)
        return regular

    def read_ahead(self, paths: Iterable[str]) -> None:
        """Reads the files at absolute paths that will be asked for; only a matter of speed."""
        now = self.round
        sources, files = self._sources, self._files
        begun: dict[str, None] = {}
        linked: list[tuple[str, str]] = []
        for path in paths:
            source = sources.get(path)
            if path in begun or (source is not None and source.checked == now):
                continue
            if path in files and path not in sources:
                begun[path] = None
                continue
            real, kind = self._find(path)
            if kind != "file" or real in sources:
                source = self._load(real, kind, read=True)
                if real != path:
                    self._links[path] = Link(source, now)
                continue
            begun[real] = None
            if real != path:
                linked.append((path, real))
        self._read_all(begun)
        for path, real in linked:
            self._links[path] = Link(sources[real], now)

    def _read_all(self, paths: Iterable[str]) -> None:
        """Reads regular files of which nothing is known, and scans them when all are read, or
        when they would take much room."""
        read: list[tuple[str, bytes, Stamp]] = []
        size = 0
        for path in paths:
            step(self.reads + len(read), 0, "reading memory files")
            try:
                data, stamp = self._read(path, MEMORY_FILE_LIMIT)
            except FileProblem as problem:
                self._keep(_failed(path, _OUTCOMES[problem.kind]))
                continue
            read.append((path, data, stamp))
            size += len(data)
            if size > _BYTES_AT_ONCE:
                self._scan_all(read)
                read.clear()
                size = 0
        self._scan_all(read)

    def _scan_all(self, read: Collection[tuple[str, bytes, Stamp]]) -> None:
        now, rules, keys, sources = self.round, self.rules, self._keys, self._sources
        recent_from = self._now - _RECENT_NS
        for path, data, stamp in read:
            sources[path] = source = scan(path, data, stamp, rules)
            source.key = keys.setdefault(source.key, len(keys))
            source.checked = now
            if stamp.mtime_ns > recent_from:
                source.recent = True
        self.reads += len(read)

    def _keep(self, source: Source) -> Source:
        source.checked = self.round
        self._sources[source.path] = source
        return source

    def _miss(self, path: str) -> Source:
        """There is nothing at a real path."""
        known = self._sources.get(path)
        if known is None or known.problem != "missing":
            known = self._sources[path] = Missing(path)
        known.checked = self.round
        return known

    def _find(self, path: str) -> tuple[str, Kind]:
        """The real path of an absolute one, and what stands there; at a link, what it leads to is
        not looked at."""
        if path in self._files:
            return path, "file"
        seen = self._seen.get(path)
        if seen is not None:
            return seen
        folder, _, name = path.rpartition("/")
        if name in _NO_NAMES:
            real = self.files.real_path(path)
            kind = self._kind(real)
            if name != ".." and kind in ("file", "special"):
                return f"{real}/", "missing"  # such an end asks for a folder
            return real, kind
        above = self._folders.get(folder) or self.real_folder(folder or "/")
        real = path if above == folder else f"{above.rstrip('/')}/{name}"
        if above in self._no_folders:
            return real, "missing"
        kind = self._kind(real)
        return (self.files.real_path(real) if kind == "link" else real), kind

    def _load(self, path: str, kind: Kind, *, read: bool) -> Source:
        """The file at a real path at which `kind` was seen."""
        now = self.round
        known = self._sources.get(path)
        if known is not None and known.checked == now:
            return known
        if kind == "missing":
            return self._miss(path)
        try:
            if known is not None and known.unchanged(self.files):
                return self._keep(known)
            if not read:
                source = self._unread.get(path)
                if source is None:
                    source = self._unread[path] = self._unloaded(path, self.files.look(path))
                return source
            step(self.reads, 0, "reading memory files")
            reads = self._read if kind == "file" else self.files.read
            data, stamp = reads(path, MEMORY_FILE_LIMIT)
        except FileProblem as problem:
            return self._keep(_failed(path, _OUTCOMES[problem.kind]))
        self._scan_all([(path, data, stamp)])
        return self._sources[path]


def _failed(path: str, outcome: Outcome) -> Source:
    source = Source(path)
    source.loaded = True
    source.problem = outcome
    return source
