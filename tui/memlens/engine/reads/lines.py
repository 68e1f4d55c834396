"""Files of JSON lines that several processes append to and others follow.

A log is one or more parts, `<name>.jsonl`, `<name>.1.jsonl`, `<name>.2.jsonl` and so on, read as
one. Nothing is ever renamed or cut: when a part has reached its size, writers go on in the next
one, so an offset in a part stays good for ever and no line can be lost.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

PART_LIMIT = 8 * 1024 * 1024
"""Bytes after which a new part is begun."""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


def safe_name(session: str) -> str:
    """A file name's stem for a session's id; different ids get different names.

    Ids of small letters, digits, `-` and `_`, such as UUIDs, are kept. All others are cut down to
    that and get a hash, so that no id can reach another folder or mean another file on a system
    that ignores case.
    """
    if 0 < len(session) <= 100 and _PLAIN.issuperset(session) and session not in _RESERVED:
        return session
    import hashlib

    digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    kept = "".join(sign if sign in _PLAIN else "-" for sign in session[:40].lower())
    return f"{kept}~{digest}"


def part_path(folder: str, name: str, number: int) -> str:
    return os.path.join(folder, f"{name}.{number}.jsonl" if number else f"{name}.jsonl")


def parts(folder: str, name: str) -> list[str]:
    """The paths of all parts there are, oldest first."""
    found: list[str] = []
    while os.path.exists(path := part_path(folder, name, len(found))):
        found.append(path)
    return found


def append(folder: str, name: str, line: bytes, *, limit: int = PART_LIMIT) -> str:
    """Appends one line (without its end) by one `write` call and returns the part's path.

    Safe with several writers. A line that another writer left torn is ended first. The folder is
    made, for the owner only. Raises `OSError`.
    """
    number = 0
    while os.path.exists(part_path(folder, name, number + 1)):
        number += 1
    while True:
        path = part_path(folder, name, number)
        handle = _open(folder, path)
        try:
            _lock(handle)
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "it is no regular file", path)
            size = status.st_size
            if size >= limit:
                number += 1
                continue
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            data = (b"\n" if torn else b"") + line + b"\n"
            if os.write(handle, data) != len(data):
                raise OSError(errno.ENOSPC, "the disk took only part of a line", path)
            return path
        finally:
            os.close(handle)  # gives the lock back too


def _open(folder: str, path: str) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0)  # should a FIFO stand there
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(folder, 0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def open_regular(path: str, buffering: int = -1) -> BinaryIO:
    """Opens a regular file for reading, a link followed. Raises `OSError` for anything else.

    What kind of file it is is looked at before it is opened, which for a device can have effects,
    and again on the handle; a FIFO that nobody writes to hangs nobody.
    """
    _check_regular(os.stat(path), path)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0))
    try:
        _check_regular(os.fstat(handle), path)
        return os.fdopen(handle, "rb", buffering)
    except BaseException:
        os.close(handle)
        raise


def _check_regular(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        code = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
        raise OSError(code, "it is no regular file", path)


def behind_hole(handle: int, offset: int) -> int:
    """Where data begin at or behind `offset`: a sparse file has gigabytes that nobody wrote."""
    now = os.lseek(handle, 0, os.SEEK_CUR)
    try:
        return os.lseek(handle, offset, os.SEEK_DATA)
    except OSError as error:
        return os.fstat(handle).st_size if error.errno == errno.ENXIO else offset
    except AttributeError:  # this system cannot tell
        return offset
    finally:
        os.lseek(handle, now, os.SEEK_SET)  # whoever buffers relies on it


def _lock(handle: int) -> None:
    """Takes turns with other writers, where the system can; a single append is whole without."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
    except (ImportError, OSError):
        pass
