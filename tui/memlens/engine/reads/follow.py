"""Reads files of JSON lines (see `lines`) as they grow."""

from __future__ import annotations

import os

from memlens.engine.reads.lines import behind_hole, open_regular, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_LIMIT = 1024 * 1024
"""Bytes of a line that are read at most; longer ones are skipped and counted."""

Cursor = dict[str, int]
"""How far each part (by its file name) has been read, in bytes. Start with an empty one."""

_READ = 1 << 18


def follow(folder: str, name: str, cursor: Cursor) -> Iterator[bytes]:
    """The whole lines that have come since `cursor`, which moves along.

    A last line without an end stays for the next time. A line that is too long comes as `b""`.
    A part that has become shorter was replaced, and is read again. Raises `OSError`.
    """
    for path in parts(folder, name):
        yield from follow_part(path, cursor)


def follow_part(path: str, cursor: Cursor) -> Iterator[bytes]:
    """`follow` for one file."""
    key = os.path.basename(path)
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        start = cursor.get(key, 0)
        if size < start:
            start = 0
        file.seek(start)
        cursor[key] = start
        rest, dropped = b"", 0
        while piece := file.read(_READ):
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            for line in lines:
                cursor[key] += len(line) + 1 + dropped
                yield b"" if dropped or len(line) > LINE_LIMIT else line
                dropped = 0
            if len(rest) > LINE_LIMIT:
                at = file.tell()
                behind = max(at, behind_hole(file.fileno(), at))
                file.seek(behind)
                dropped += len(rest) + behind - at
                rest = b""
