"""One fact's file, read for the index."""

from __future__ import annotations

import os
import stat

from .index import without_escapes
from .model import FACT_LIMIT, MemoryEntry, MemoryScope
from .parse import decode, parse_for_index
from .plain import read_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# No link is followed, nothing hangs on a FIFO that took a file's place between look and open.
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip
_make: Final = tuple.__new__


def read_entry(path: str, file_name: str, scope: MemoryScope, note: bool) -> MemoryEntry | None:
    """The fact in what was listed as a regular file; `None` where it is none, or unreadable.

    `note`: it is one that the agent keeps by itself; its kind is its tag.
    """
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return None
    try:
        # The look comes before the reading: should the file change in between, the next refresh
        # sees another time and reads again.
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        data = os.read(handle, FACT_LIMIT + 1)
        size = status.st_size
        if len(data) != size and len(data) <= FACT_LIMIT:
            data = _more(handle, data)
    except OSError:
        return None
    finally:
        os.close(handle)
    if len(data) > FACT_LIMIT:
        data = data[:FACT_LIMIT].decode("utf-8", "ignore").encode()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = decode(data)
    name, description, tags, created = read_common(text) or _parsed(decode(data), file_name)
    if note:
        from .notes import kind_tags

        tags = kind_tags(decode(data))
    # Made the short way, because ten thousand are made at a start.
    return _make(
        MemoryEntry,
        (name, description, scope, path, tags, created, status.st_mtime_ns, size, status.st_ino),
    )


def _parsed(text: str, file_name: str) -> tuple[str, str, tuple[str, ...], str]:
    stem = file_name[:-3]
    return parse_for_index(text, stem if stem.isascii() else without_escapes(stem))


def _more(handle: int, data: bytes) -> bytes:
    while len(data) <= FACT_LIMIT and (part := os.read(handle, FACT_LIMIT + 1 - len(data))):
        data += part
    return data
