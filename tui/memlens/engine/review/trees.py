"""A commit, the index or the working tree as `Files`, with this machine's disk around it.

What an agent reads is the checkout as the commit leaves it, plus what no commit speaks of. So,
inside the repository's folder:

- a path that either side of the change holds is exactly what the given side says, links included;
  where that side does not hold it, it is not there, whatever lies on the disk;
- a path that neither side holds (untracked and ignored files, such as `CLAUDE.local.md`, and the
  inside of submodules) is what the disk says, equally on both sides, so it never makes a
  difference by itself.

Outside of that folder the disk speaks, also equally on both sides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator
from typing import Final, Literal, Protocol

from memlens.engine.files import DISK, MEMORY_FILE_LIMIT, FileProblem, Files, Stamp
from memlens.engine.review.git import LINK, SUBMODULE, Entry, Listing
from memlens.engine.review.objects import TooLargeError

_DOTS: Final = re.compile(r"(?:^|/)(?:\.{0,2})(?:/|$)")
"""An empty part of a path, or one of dots only."""

_MOST_LINKS: Final = 40
"""Links on the way to one file; a system gives up there, too."""

_LINK_LIMIT: Final = 4096
"""Bytes of a link's target."""

_TREE_DEVICE: Final = -1
"""The device number in stamps of files in a tree; no disk has it."""


Trouble = Literal["missing", "loop", ""]
"""Why a way leads nowhere; empty where it does not."""


class Contents(Protocol):
    """Where a tree's files have their bytes from."""

    def read(self, path: str, entry: Entry, limit: int) -> bytes:
        """The bytes of a file or link, `path` relative to the top.

        Raises `TooLargeError`, and `KeyError` where they are out of reach.
        """

    def prefetch(self, entries: Iterable[Entry], limit: int) -> None:
        """Reads what will be asked for; only a matter of speed."""


class GitTreeFiles:
    """One side of a change, as `Files`. All methods follow links."""

    def __init__(
        self,
        top: str,
        listing: Listing,
        contents: Contents,
        *,
        known: Container[str] = (),
        outside: Files = DISK,
    ) -> None:
        """`top` is an absolute real path, `known` all paths that either side holds."""
        self.top = top
        self.prefix = top.rstrip("/") + "/"
        """What absolute paths inside begin with."""
        self._listing = listing
        self._contents = contents
        self._known = known
        self._outside = outside
        self._folders = _folders(listing)
        self.has_links = any(entry.mode == LINK for entry in listing.values())
        self._real: dict[str, str] = {}
        self._there: dict[str, bool] = {}
        self._numbers: dict[str, int] = {}

    def real_path(self, path: str) -> str:
        real = self._real.get(path)
        if real is None:
            real = self._real[path] = self._resolve(path)
        return real

    def look(self, path: str) -> Stamp:
        if not self.may_be_there(path):
            raise FileProblem("missing", path)
        real = self.real_path(path)
        inner = self._inner(real)
        if inner is None or not self._speaks(inner):
            return self._outside.look(real)
        try:
            size = len(self._read(inner, real, MEMORY_FILE_LIMIT))
        except TooLargeError as error:
            size = error.size
        return self._stamp(inner, size)

    def read(self, path: str, limit: int) -> tuple[bytes, Stamp]:
        real = self.real_path(path)
        inner = self._inner(real)
        if inner is None or not self._speaks(inner):
            return self._outside.read(real, limit)
        try:
            data = self._read(inner, real, limit)
        except TooLargeError:
            raise FileProblem("too-large", real, f"it has more than {limit:,} bytes") from None
        return data, self._stamp(inner, len(data))

    def names(self, folder: str) -> list[str]:
        real = self.real_path(folder)
        inner = self._inner(real)
        if inner is None:
            return self._outside.names(real)
        held = self._folders.get(inner)
        if held is None and self._speaks(inner) and not self._is_submodule(inner):
            raise FileProblem("special" if inner in self._listing else "missing", folder)
        try:
            there = self._outside.names(real)
        except FileProblem:
            if held is None:
                raise
            there = []
        base = f"{inner}/" if inner else ""
        untracked = (name for name in there if not self._speaks(base + name))
        return sorted({*untracked, *(held or ())})

    def is_link(self, path: str) -> bool:
        if not self.may_be_there(path):
            return False
        if not self.has_links and path.startswith(self.prefix):
            inner = path[len(self.prefix) :]
            if inner in self._listing or inner in self._folders:
                return False
        folder, _, name = path.rstrip("/").rpartition("/")
        if self.has_links and self._trouble(folder):
            return False
        return self._target(f"{self.real_path(folder or '/').rstrip('/')}/{name}") is not None

    def prefetch(self, paths: Iterable[str]) -> None:
        """Says which files will be read, by absolute path; only a matter of speed."""
        start = len(self.prefix)
        entries = (
            self._listing.get(path[start:]) for path in paths if path.startswith(self.prefix)
        )
        wanted = (entry for entry in entries if entry is not None and entry.mode != SUBMODULE)
        self._contents.prefetch(wanted, MEMORY_FILE_LIMIT)

    def may_be_there(self, path: str) -> bool:
        """Whether something may be at a path; False is certain. Quicker than to look."""
        if self.has_links or "/." in path:
            return True
        if path.startswith(self.prefix):
            inner = path[len(self.prefix) :]
            if inner in self._listing or inner in self._folders:
                return True
            if inner in self._known:
                return False
        there = self._there.get(path)
        if there is None:
            there = self._there[path] = os.path.lexists(path)
        return there

    def _inner(self, real: str) -> str | None:
        """A real path relative to the top (the top itself is empty); None outside of it."""
        if real.startswith(self.prefix):
            return real[len(self.prefix) :]
        return "" if real == self.top else None

    def _speaks(self, inner: str) -> bool:
        """Whether git decides about this path; otherwise the disk does."""
        if inner in self._listing or inner in self._folders or inner in self._known:
            return True
        for folder in _parents(inner):
            entry = self._listing.get(folder)
            if entry is not None:
                return entry.mode != SUBMODULE
        return False

    def _is_submodule(self, inner: str) -> bool:
        entry = self._listing.get(inner)
        return entry is not None and entry.mode == SUBMODULE

    def _read(self, inner: str, real: str, limit: int) -> bytes:
        entry = self._listing.get(inner)
        if entry is None:
            for folder in _parents(inner):
                above = self._listing.get(folder)
                if above is not None and above.mode == LINK:
                    raise FileProblem(self._trouble(real) or "loop", real)
            raise FileProblem("folder" if inner in self._folders else "missing", real)
        if entry.mode == SUBMODULE:
            raise FileProblem("folder", real)
        if entry.mode == LINK:  # a link that resolves has been followed before
            raise FileProblem(self._trouble(real) or "loop", real)
        try:
            return self._contents.read(inner, entry, limit)
        except KeyError:
            raise FileProblem("unreadable", real, "git does not have its contents here") from None

    def _stamp(self, inner: str, size: int) -> Stamp:
        number = self._numbers.setdefault(inner, len(self._numbers) + 1)
        return Stamp(size, 0, number, _TREE_DEVICE)

    def _resolve(self, path: str) -> str:
        if path.startswith(self.prefix):
            here, rest = self.top, path[len(self.prefix) :]
            if not self.has_links:
                if rest in self._listing:
                    return path
                here, rest = self._deepest(rest)
        else:
            here, rest = "", os.path.abspath(path) if not path.startswith("/") else path
        return self._walk(here, rest)[0]

    def _trouble(self, path: str) -> Trouble:
        """What a system minds on the way to a folder or through a link.

        Other than for `real_path`, nothing lies behind what is not there, not even `..`.
        """
        real, trouble = self._walk("", path, strict=True)
        return trouble or ("" if self._is_folder(real) else "missing")

    def _walk(self, here: str, rest: str, *, strict: bool = False) -> tuple[str, Trouble]:
        """Follows `rest` from the folder `here`: where it leads, and what is in the way.

        `strict`: only a folder that is there has anything in it.
        """
        pending = rest.split("/")[::-1]
        hops = 0
        while pending:
            name = pending.pop()
            if not name:
                continue
            if strict and not self._is_folder(here):
                return here, "missing"
            if name == ".":
                continue
            if name == "..":
                here = here.rpartition("/")[0]
                continue
            there = f"{here}/{name}"
            target = self._target(there)
            if target is None:
                here = there
                continue
            hops += 1
            if hops > _MOST_LINKS:  # what is left is kept, as for what is missing
                return "/".join([there, *(part for part in pending[::-1] if part)]), "loop"
            if target.startswith("/"):
                here = ""
            pending += target.split("/")[::-1]
        return here or "/", ""

    def _is_folder(self, real: str) -> bool:
        inner = self._inner(real)
        if inner is None or not self._speaks(inner):
            return os.path.isdir(real or "/")
        return inner in self._folders or self._is_submodule(inner)

    def _deepest(self, inner: str) -> tuple[str, str]:
        """The deepest folder of the tree on the way, which is real, and what is left."""
        if not _DOTS.search(inner):
            for folder in _parents(inner):
                if folder in self._folders:
                    return self.prefix + folder, inner[len(folder) + 1 :]
        return self.top, inner

    def _target(self, path: str) -> str | None:
        """Where the link at `path` leads; None where there is none."""
        inner = self._inner(path)
        if inner:
            entry = self._listing.get(inner)
            if entry is not None and entry.mode == LINK:
                try:
                    data = self._contents.read(inner, entry, _LINK_LIMIT)
                except (TooLargeError, KeyError):
                    return None
                return data.decode("utf-8", "surrogateescape").split("\0")[0] or None
            if self._speaks(inner):
                return None
        try:
            return os.readlink(path)
        except (OSError, ValueError):
            return None


def _folders(listing: Listing) -> dict[str, set[str]]:
    """The names in each folder."""
    folders: dict[str, set[str]] = {"": set()}
    for path in listing:
        folder, _, name = path.rpartition("/")
        names = folders.get(folder)
        while names is None:
            names = folders[folder] = {name}
            folder, _, name = folder.rpartition("/")
            names = folders.get(folder)
        names.add(name)
    return folders


def _parents(inner: str) -> Iterator[str]:
    at = inner.rfind("/")
    while at > 0:
        yield inner[:at]
        at = inner.rfind("/", 0, at)
