"""One fact's file, read for the index."""

from __future__ import annotations

import os

from .index import without_escapes
from .model import FACT_LIMIT, MemoryEntry, MemoryScope
from .parse import decode, parse_for_index
from .scopes import PLACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# No link is followed, nothing hangs on a FIFO that took a file's place between look and open.
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip


def read_entry(
    path: str, file_name: str, scope: MemoryScope, status: os.stat_result
) -> MemoryEntry | None:
    """The fact in a regular file that was looked at; `None` where it cannot be read."""
    # The look comes before the reading: should the file change in between, the next refresh sees
    # another time and reads again.
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return None
    try:
        data = os.read(handle, min(status.st_size, FACT_LIMIT) + 1)
        if len(data) != status.st_size:
            data = _more(handle, data)
    except OSError:
        return None
    finally:
        os.close(handle)
    stem = file_name[:-3]
    if not stem.isascii():
        stem = without_escapes(stem)
    text = decode(data)
    if len(data) > FACT_LIMIT:
        text = decode(data[:FACT_LIMIT].decode("utf-8", "ignore").encode())
    name, description, tags, created = parse_for_index(text, stem)
    if PLACES[scope].index_file:
        from .notes import kind_tags

        tags = kind_tags(text)
    return MemoryEntry(
        name, description, scope, path, tags, created,
        status.st_mtime_ns, status.st_size, status.st_ino,
    )  # fmt: skip


def _more(handle: int, data: bytes) -> bytes:
    while len(data) <= FACT_LIMIT and (part := os.read(handle, FACT_LIMIT + 1 - len(data))):
        data += part
    return data
