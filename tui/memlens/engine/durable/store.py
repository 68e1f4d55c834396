"""Touching facts on disk: one writer at a time, whole files, never through a link."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.files import DISK, FileProblem, replace_file, sync_folder

from .errors import FactMissing, NotWritable, ScopeUnavailable, StoreBusy, WriteFailed
from .folders import data_dir
from .model import MemoryEntry, MemoryScope
from .parse import decode, parse
from .results import Fact
from .scopes import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK_SECONDS: Final = 10.0
"""How long a writer waits for another one."""
READ_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a file that is to be changed, or of one in the trash, that are read at most."""
_TEMPORARY: Final = re.compile(r"\..+\.[0-9a-f]{12}\.tmp")
_TEMPORARY_SECONDS: Final = 60


class State(NamedTuple):
    """The bytes of a file and its permissions."""

    data: bytes
    mode: int


class Changed(Exception):
    """A file is not what the caller took it for; `state` is what it is."""

    def __init__(self, path: str, state: State | None) -> None:
        super().__init__(path)
        self.path = path
        self.state = state


@contextmanager
def locked() -> Iterator[None]:
    """Holds all other writers of this person's facts off, in whatever process they are.

    Raises `StoreBusy` when another one keeps the lock for ten seconds. The kernel gives the lock
    back when a process dies.
    """
    path = os.path.join(data_dir(), "trash", ".lock")
    make_folder(os.path.dirname(path), shared=False)
    try:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise nothing_writable(os.path.dirname(os.path.dirname(path)), error) from error
    try:
        _acquire(handle)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EINTR):
                return  # a file system without locks
            if time.monotonic() > deadline:
                raise StoreBusy("another program has been writing facts for too long") from None
            time.sleep(0.005)


def make_folder(path: str, *, shared: bool) -> None:
    """Creates a folder and those above it; all that are private get 0700 (spec 1)."""
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        parent = os.path.dirname(path)
        if parent == path:
            break
        path = parent
    for folder in reversed(missing):
        try:
            os.mkdir(folder, 0o755 if shared else 0o700)
        except FileExistsError as error:
            if not os.path.isdir(folder):
                raise write_failed(folder, error) from error
        except OSError as error:
            raise write_failed(folder, error) from error


def check_folder(folder: str, scope: MemoryScope) -> None:
    """Raises `ScopeUnavailable` where writing would leave the checkout through a link (spec 1)."""
    boundary = PLACES[scope].boundary
    root = boundary(folder) if boundary else None
    if root is None:
        return
    real_root, real = os.path.realpath(root), os.path.realpath(folder)
    if real != real_root and not real.startswith(real_root.rstrip("/") + "/"):
        raise ScopeUnavailable(f"{folder} lies behind a link out of the checkout: {real}")


def state_of(path: str) -> State | None:
    """What is at `path`; `None`: nothing. Raises `NotWritable` for all but a readable file."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotWritable(path, os.strerror(error.errno or 0)) from error
    if not stat.S_ISREG(status.st_mode):
        link = stat.S_ISLNK(status.st_mode)
        raise NotWritable(path, "it is a link" if link else "it is no regular file")
    try:
        data, _ = DISK.read_regular(path, READ_LIMIT)
    except FileProblem as problem:
        if problem.kind == "missing":
            return None
        raise NotWritable(path, str(problem)) from problem
    return State(data, stat.S_IMODE(status.st_mode))


def put(path: str, data: bytes, mode: int, expected: bytes | None) -> None:
    """Puts `data` at `path` where `expected` stands now; `None`: where nothing is.

    Raises `Changed` when something else is there, and `WriteFailed`; the file is as it was then.
    """

    def check() -> None:
        state = state_of(path)
        if (state.data if state else None) != expected:
            raise Changed(path, state)

    try:
        replace_file(path, data, new_mode=mode, create=expected is None, check=check)
    except FileExistsError:
        raise Changed(path, state_of(path)) from None
    except FileProblem as problem:
        raise NotWritable(path, str(problem)) from problem
    except OSError as error:
        raise write_failed(path, error) from error


def remove(path: str, expected: bytes) -> None:
    """Removes the file at `path` if it still holds `expected`. Raises as `put` does."""
    state = state_of(path)
    if state is None or state.data != expected:
        raise Changed(path, state)
    try:
        os.unlink(path)
    except OSError as error:
        raise write_failed(path, error) from error
    sync_folder(os.path.dirname(path))


def write_failed(path: str, error: OSError) -> WriteFailed:
    """The sentence for what the system refused."""
    reason, hint = _refusal(error)
    return WriteFailed(f"{path} was not written: {reason}; what was there before still is", hint)


def nothing_writable(folder: str, error: OSError) -> WriteFailed:
    """The sentence for a folder without which no change could be taken back."""
    reason, hint = _refusal(error)
    return WriteFailed(
        f"nothing was changed, because it could not be taken back: {folder} cannot be written to, "
        f"{reason}",
        hint,
    )


def _refusal(error: OSError) -> tuple[str, str]:
    """Why the system refused, and what to do."""
    number = error.errno or 0
    room = "Make room on the disk, and try again."
    known = {
        errno.ENOSPC: ("the disk is full", room),
        errno.EDQUOT: ("the disk quota is used up", room),
        errno.EFBIG: ("the file would be larger than is allowed here", room),
        errno.EROFS: ("the disk is read-only", "Make the disk writable, and try again."),
    }
    allowed = "Give yourself the right to write there, and try again."
    hint = allowed if number in (errno.EACCES, errno.EPERM) else ""
    return known.get(number) or (os.strerror(number), hint)


def sweep(folder: str) -> None:
    """Removes what a killed writer has left half written, a minute later."""
    try:
        with os.scandir(folder) as listing:
            for item in listing:
                if _TEMPORARY.fullmatch(item.name) and item.is_file(follow_symlinks=False):
                    age = time.time() - item.stat(follow_symlinks=False).st_mtime
                    if age > _TEMPORARY_SECONDS:
                        os.unlink(item.path)
    except OSError:
        return


def digest_of(data: bytes) -> str:
    """Hexadecimal SHA-256."""
    from hashlib import sha256

    return sha256(data).hexdigest()


def as_text(data: bytes) -> str:
    """Bytes as text that turns back into exactly these bytes."""
    return data.decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def read_fact(fact: MemoryEntry | str, scope: MemoryScope | None = None) -> Fact:
    """Opens a fact for reading or editing: an entry, or a path with its scope.

    Raises `FactMissing` when the file is gone, `NotWritable` when it is a link or unreadable.
    """
    if isinstance(fact, str):
        path, kind = fact, scope or MemoryScope.PROJECT_PRIVATE
    else:
        path, kind = fact.path, fact.scope
    state = state_of(path)
    if state is None:
        raise FactMissing(f"there is no file {path}")
    return fact_from(path, kind, state.data)


def fact_from(path: str, scope: MemoryScope, data: bytes) -> Fact:
    """The fact that a file's bytes are."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    parsed = parse(decode(data), stem)
    tags = parsed.tags
    if PLACES[scope].index_file:
        from .notes import kind_tags

        tags = kind_tags(decode(data))
    return Fact(
        path, scope, parsed.name, parsed.description, tags, parsed.created, parsed.body,
        as_text(data), digest_of(data),
    )  # fmt: skip
