"""Files of JSON lines that several processes append to and others follow.

A log is one or more parts, `<name>.jsonl`, `<name>.1.jsonl`, `<name>.2.jsonl` and so on, read as
one. Nothing is ever renamed or cut: when a part has reached its size, writers go on in the next
one, so an offset in a part stays good for ever and no line can be lost.
"""

from __future__ import annotations

import os

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
            size = os.fstat(handle).st_size
            if size >= limit:
                number += 1
                continue
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            data = (b"\n" if torn else b"") + line + b"\n"
            if os.write(handle, data) != len(data):
                raise OSError(f"the disk took only part of a line: {path}")
            return path
        finally:
            os.close(handle)  # gives the lock back too


def _open(folder: str, path: str) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(folder, 0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def _lock(handle: int) -> None:
    """Takes turns with other writers, where the system can; a single append is whole without."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
    except (ImportError, OSError):
        pass
