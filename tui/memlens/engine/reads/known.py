"""What is known about one file, and the question whether it is still so (seed, R1 to R20).

The rule itself, without a memory or locks: `ReadState` keeps it for a process, the hook applies it
to what the journal says. Nothing here is heavy to import, because each hook call pays for it.
"""

from __future__ import annotations

import os
import stat
import time

from memlens.engine.reads.quick import sha256
from memlens.engine.reads.texts import MODIFIED, NEVER_READ

RACY_NS = 2_000_000_000
"""A file whose time lies this close to the moment of recording may be changed again within the
same tick of the clock, so its time proves nothing (R1)."""

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip
_CHUNK = 1 << 20


class Known:
    """What a file was when it was read or written. Compared, replaced, never changed."""

    __slots__ = ("mtime_ns", "sha256", "size", "trusted")

    def __init__(
        self, size: int | None, mtime_ns: int | None, sha256: str | None, *, trusted: bool
    ) -> None:
        self.size = size
        """Bytes; None when the file could not be looked at."""
        self.mtime_ns = mtime_ns
        """None when no time can be told for these bytes."""
        self.sha256 = sha256
        """In hex, of the raw bytes; None where only part was read."""
        self.trusted = trusted
        """Whether an equal time and size prove equal bytes. Without it they are hashed, where
        there is a hash."""


def real_path(path: str | os.PathLike[str]) -> str:
    """The absolute path with all links resolved, under which a file is known (seed).

    A path that no file can have (a zero byte in it) is given back as it is.
    """
    name = os.fspath(path)
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):
        return os.path.abspath(name)


def known_now(path: str, content: bytes | None) -> Known | None:
    """What can be recorded of the file at `path`, with the bytes that were read or written.

    None when there is no such file (R4). The time is not trusted before a first comparison has
    shown that these bytes belong to it (R5).
    """
    digest = None if content is None else sha256_of(content)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return Known(None, None, digest, trusted=False)
    if content is not None and len(content) != status.st_size:
        return Known(len(content), None, digest, trusted=False)
    return Known(status.st_size, status.st_mtime_ns, digest, trusted=False)


def problem_with(path: str, known: Known | None) -> tuple[str | None, Known | None]:
    """The text that a write to `path` gets, or None, and what is known from now on.

    The second is `known` itself, or the same bytes under the time they have now (R15).
    """
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None, known
    except (OSError, ValueError):
        return (NEVER_READ if known is None else MODIFIED), known
    if known is None:
        return NEVER_READ, None
    if not stat.S_ISREG(status.st_mode):
        return MODIFIED, known
    same = known.mtime_ns == status.st_mtime_ns and known.size == status.st_size
    if known.sha256 is None:
        return (None if same else MODIFIED), known
    if same and known.trusted:
        return None, known
    if known.size is not None and known.size != status.st_size:
        return MODIFIED, known
    try:
        digest, seen = hash_file(path)
    except FileNotFoundError:
        return None, known
    except (OSError, ValueError):
        # By the letter of the seed an equal time and size suffice; only a time that is too close
        # to the present is no evidence at all.
        return (None if same and not is_racy(status.st_mtime_ns) else MODIFIED), known
    if digest != known.sha256:
        return MODIFIED, known
    return None, seen


def is_racy(mtime_ns: int, now_ns: int | None = None) -> bool:
    """Whether a file with this time may change again without getting another one (R1)."""
    return mtime_ns > (time.time_ns() if now_ns is None else now_ns) - RACY_NS


def hash_file(path: str) -> tuple[str, Known]:
    """The SHA-256 of a regular file's bytes, in hex, and what is known with it.

    The file is read in pieces, so its size does not matter. Raises `OSError`, also for anything
    but a regular file.
    """
    handle = os.open(path, _FLAGS)
    try:
        before = os.fstat(handle)
        now = time.time_ns()
        if not stat.S_ISREG(before.st_mode):
            raise OSError(f"no regular file: {path!r}")
        digest = sha256(before.st_size)
        total = 0
        while piece := os.read(handle, _CHUNK):
            digest.update(piece)
            total += len(piece)
        after = os.fstat(handle)
    finally:
        os.close(handle)
    still = before.st_mtime_ns == after.st_mtime_ns and total == before.st_size == after.st_size
    value: str = digest.hexdigest()
    trusted = still and not is_racy(before.st_mtime_ns, now)
    return value, Known(total, before.st_mtime_ns if still else None, value, trusted=trusted)


def sha256_of(content: bytes) -> str:
    """SHA-256 in hex."""
    digest = sha256(len(content))
    digest.update(content)
    return str(digest.hexdigest())
