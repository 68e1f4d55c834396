"""The contents of files as git keeps them, from long-lived git processes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import Final

from memlens.engine.review.git import Repository
from memlens.engine.review.process import Running
from memlens.engine.work import step

_KEPT: Final = 64 * 1024 * 1024
"""Bytes of contents that are kept at most, so that a second look costs nothing."""

_AT_ONCE: Final = 90
"""Blobs that are asked for at once: as many as surely fit into a pipe nobody reads yet."""


class TooLargeError(Exception):
    """A blob that is larger than asked for."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes")
        self.size = size


class Blobs:
    """Blobs by their id, through one `git cat-file --batch`."""

    def __init__(
        self, repository: Repository, environment: Mapping[str, str] | None = None
    ) -> None:
        self._repository = repository
        self._environment = {**repository.environment, **(environment or {})}
        self._running: Running | None = None
        self._kept: dict[str, bytes] = {}
        self._total = 0
        self._sizes: dict[str, int] = {}

    def read(self, oid: str, limit: int) -> bytes:
        """The blob's bytes, without any conversion.

        Raises `TooLargeError`, `KeyError` where git does not have it (a partial clone out of
        reach), and `GitError`.
        """
        known = self._kept.get(oid)
        if known is None:
            known = self._fetch(oid, limit)
        if len(known) > limit:
            raise TooLargeError(len(known))
        return known

    def prefetch(self, oids: Iterable[str], limit: int) -> None:
        """Reads blobs that will be asked for, with few turns between the processes.

        Those with more than `limit` bytes, and those that git does not have, are left out.
        """
        wanted = [oid for oid in dict.fromkeys(oids) if oid not in self._kept]
        for start in range(0, len(wanted), _AT_ONCE):
            step(start, len(wanted), "reading from git")
            some = wanted[start : start + _AT_ONCE]
            running = self._talk()
            running.say("".join(f"{oid}\n" for oid in some).encode("ascii"))
            for oid in some:
                head = running.line().split(b" ")
                if len(head) == 3:
                    size = self._sizes[oid] = int(head[2])
                    if size > limit or self._total + size > _KEPT:
                        running.skip(size + 1)
                    else:
                        self._keep(oid, running.exactly(size + 1)[:-1])

    def _talk(self) -> Running:
        if self._running is None:
            self._running = Running(
                ("cat-file", "--batch"), self._repository.top, self._environment, talk=True
            )
        return self._running

    def _keep(self, oid: str, data: bytes) -> None:
        if self._total + len(data) <= _KEPT:
            self._kept[oid] = data
            self._total += len(data)

    def _fetch(self, oid: str, limit: int) -> bytes:
        size = self._sizes.get(oid, 0)
        if size > limit:
            raise TooLargeError(size)
        running = self._talk()
        running.say(oid.encode("ascii") + b"\n")
        head = running.line().split(b" ")
        if len(head) != 3:
            raise KeyError(oid)
        size = self._sizes[oid] = int(head[2])
        if size > limit:
            self.close()  # cheaper than to read on to its end
            raise TooLargeError(size)
        data = running.exactly(size + 1)[:-1]
        self._keep(oid, data)
        return data

    def close(self) -> None:
        """Ends git; the next read starts it again."""
        if self._running is not None:
            self._running.close()
            self._running = None


class WorkingBlobs:
    """Working files as git would commit them: line ends and filters applied.

    The contents go through `git hash-object` into an object store in a temporary folder, so the
    repository gets nothing.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._folder = ""
        self._running: Running | None = None
        self._blobs: Blobs | None = None
        self._ids: dict[str, str] = {}

    def read(self, path: str, limit: int) -> bytes:
        """The bytes that git would commit for a regular file, `path` relative to the top.

        Raises `TooLargeError` and `GitError`.
        """
        if self._blobs is None:
            self._open()
        assert self._blobs is not None
        return self._blobs.read(self.id_of(path), limit)

    def id_of(self, path: str) -> str:
        """The id of the blob that git would commit for a regular file."""
        if path not in self._ids:
            if self._running is None:
                self._open()
            assert self._running is not None
            self._running.say(quoted(path) + b"\n")
            self._ids[path] = self._running.line().decode("ascii")
        return self._ids[path]

    def close(self) -> None:
        """Ends git and removes the temporary folder."""
        for process in (self._running, self._blobs):
            if process is not None:
                process.close()
        self._running = self._blobs = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    def _open(self) -> None:
        import tempfile

        self._folder = tempfile.mkdtemp(prefix="memlens-objects-")
        environment = self._repository.environment
        store = environment.get("GIT_OBJECT_DIRECTORY") or os.path.join(
            self._repository.common_dir, "objects"
        )
        others = environment.get("GIT_ALTERNATE_OBJECT_DIRECTORIES")
        own = {
            "GIT_OBJECT_DIRECTORY": self._folder,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _listed(store)
            + (os.pathsep + others if others else ""),
        }
        self._running = Running(
            ("-c", "core.fsync=none", "hash-object", "-w", "--stdin-paths"),
            self._repository.top, environment | own, talk=True,
        )  # fmt: skip
        self._blobs = Blobs(self._repository, own)


def _listed(folder: str) -> str:
    """A folder as one element of a list of folders: git takes quotes as in C."""
    if os.pathsep in folder or folder.startswith('"'):
        return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return folder


def quoted(path: str) -> bytes:
    """A path as git reads it from a line."""
    data = path.encode("utf-8", "surrogateescape")
    if not data.startswith(b'"') and min(data, default=0x20) >= 0x20:
        return data
    escaped = b"".join(
        b"\\%03o" % byte if byte < 0x20 or byte in b'"\\' else bytes((byte,)) for byte in data
    )
    return b'"' + escaped + b'"'
