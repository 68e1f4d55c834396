"""The record of the files that one run has read (seed: ReadState)."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memlens.engine.files import DISK, MEMORY_FILE_LIMIT, replace_file
from memlens.engine.reads.known import Known, is_racy, known_now, problem_with, real_path, sha256_of

Path = str | os.PathLike[str]


class ReadState:
    """Which files were read or written in this run, and whether they are still what they were.

    One object a run, for any number of threads: check, write and record of one path never mix
    with those of another thread (R16). Paths may be links and relative; a file is known by its
    real absolute path, each hard link by itself (R9).
    """

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}
        self._locks: dict[str, tuple[threading.RLock, int]] = {}
        self._lock = threading.Lock()

    def record(self, path: Path, *, content: bytes | None = None, partial: bool = False) -> None:
        """Notes that the file at `path` is known as it is on disk now.

        `content`: the raw bytes of a whole read, or of what a tool wrote. `partial`: it was read
        with an offset or a limit, so there is no hash; that of an earlier whole read is kept while
        the file is still the same (R2). Without either it counts as a partial read. A file that
        is gone is dropped (R4). Never raises for what the disk does.
        """
        real = real_path(path)
        with self._holding(real):
            whole = None if partial else content
            known = known_now(real, whole)
            if known is not None and whole is None:
                before = self._known.get(real)
                if before is not None and before.sha256 is not None:
                    problem, still = problem_with(real, before)
                    if problem is None and still is not None:
                        known = still
            self._keep(real, known)

    def has_read(self, path: Path) -> bool:
        """Whether the file was read or written in this run; also while it is gone (R7)."""
        return real_path(path) in self._known

    def write_problem(self, path: Path) -> str | None:
        """None when the file may be written; else `NEVER_READ` or `MODIFIED`."""
        real = real_path(path)
        with self._holding(real):
            run = self._known  # a `clear` meanwhile starts another one
            before = run.get(real)
            problem, known = problem_with(real, before)
            if known is not None and known is not before:
                run[real] = known
            return problem

    def forget(self, path: Path) -> None:
        """Drops what is known about one file."""
        real = real_path(path)
        with self._holding(real):
            self._known.pop(real, None)

    def clear(self) -> None:
        """Forgets every file: the start of a new run."""
        self._known = {}

    def read(self, path: Path, *, limit: int = MEMORY_FILE_LIMIT) -> bytes:
        """Reads a whole file and records it, with the time that belongs to these bytes (R5).

        Raises `FileProblem`, also when it has more than `limit` bytes.
        """
        real = real_path(path)
        with self._holding(real):
            data, stamp = DISK.read(real, limit)
            fits = stamp.size == len(data)
            self._known[real] = Known(
                len(data),
                stamp.mtime_ns if fits else None,
                sha256_of(data),
                trusted=fits and not is_racy(stamp.mtime_ns),
            )
            return data

    def write(
        self,
        path: Path,
        content: bytes,
        *,
        anyway: bool = False,
        writer: Callable[[str, bytes], None] = replace_file,
    ) -> str | None:
        """Checks, writes and records under one lock (R16).

        Returns the problem and leaves the file alone, or writes `content` and returns None. A link
        is followed: its target is written. `anyway` writes whatever has changed. `writer` gets the
        real path; when it raises, the file is forgotten (R13) and the error goes on.
        """
        real = real_path(path)
        with self._holding(real):
            problem, _ = problem_with(real, self._known.get(real))
            if problem is not None and not anyway:
                return problem
            try:
                writer(real, content)
            except BaseException:
                self._known.pop(real, None)
                raise
            self._keep(real, known_now(real, content))
            return None

    def _keep(self, real: str, known: Known | None) -> None:
        if known is None:
            self._known.pop(real, None)
        else:
            self._known[real] = known

    @contextmanager
    def _holding(self, real: str) -> Iterator[None]:
        """The lock of one path; it goes when nobody holds or awaits it, so their number stays
        that of the callers."""
        with self._lock:
            lock, users = self._locks.get(real, (None, 0))
            lock = lock or threading.RLock()
            self._locks[real] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._locks[real]
                if users == 1:
                    del self._locks[real]
                else:
                    self._locks[real] = (lock, users - 1)
