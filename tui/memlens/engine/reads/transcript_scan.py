"""Finds the lines about files in a transcript, by their bytes, without parsing the others.

A long session is hundreds of megabytes, most of it not about files. A key such as `"filePath":`
cannot stand inside a JSON string without backslashes, so looking for the bytes finds every line
that has the key, and hardly another.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable
from typing import Final

from memlens.engine.reads.chain import Chain
from memlens.engine.reads.lines import behind_hole, open_regular

CHUNK: Final = 512 << 10
"""Bytes. They are looked through several times, so they should fit the processor's cache."""
LINE_LIMIT: Final = 64 << 20
"""Bytes. A longer line (an image of that size) is skipped and counted."""

_PATH: Final = b'ath":'
"""The end of `file_path`, `notebook_path`, `filePath` and `path`."""
_OTHER_MARKS: Final = (b'"attachment"', b"compact_boundary")
_WAITING: Final = 64
_WAIT_CHUNKS: Final = 8
_NEAR: Final = 600

Handle = Callable[[bytes, int, int], list[bytes]]
"""Gets a line, its offset and its index in the chain (-1 without one); returns the ids of the
calls in it whose results are awaited."""


class Scanner:
    """One transcript file, read as far as it is written, again and again while it grows."""

    def __init__(self, path: str, *, chunk: int = CHUNK) -> None:
        self.path = path
        self.offset = 0
        """Where the next line begins, in bytes."""
        self.chain = Chain()
        self.too_long = 0
        """Lines left out because of their length."""
        self._chunk = chunk
        self._waiting: dict[bytes, int] = {}
        self._skipping = False
        self._before = b""
        """The id of the last line in the chain, with its quotes."""
        self._identity: tuple[int, int] | None = None

    def replaced(self) -> bool:
        """Whether the file is another one now, or shorter, so that all begins anew."""
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        identity = (status.st_dev, status.st_ino)
        return status.st_size < self.offset or self._identity not in (None, identity)

    def advance(self, handle: Handle, cancelled: Callable[[], bool] | None = None) -> bool:
        """Hands on what has come since the last time; whether there was anything.

        Raises `OSError` when the file cannot be read.
        """
        begin = self.offset
        with open_regular(self.path, buffering=0) as file:
            status = os.fstat(file.fileno())
            self._identity = (status.st_dev, status.st_ino)
            if status.st_size <= self.offset:
                return False
            file.seek(self.offset)
            rest = b""
            # A line of many megabytes comes in ever larger pieces, so that it is copied rarely.
            while piece := file.read(max(self._chunk, len(rest))):
                if cancelled is not None and cancelled():
                    break
                if self._skipping:
                    piece = self._skip(piece)
                block = rest + piece if rest else piece
                end = block.rfind(b"\n", len(rest)) + 1
                if end:
                    self._block(block, end, handle)
                    rest = block[end:]
                else:
                    rest = self._grown(block)
                if self._skipping:
                    behind = behind_hole(file.fileno(), self.offset)
                    self.offset = max(self.offset, file.seek(max(self.offset, behind)))
            else:
                self._last(rest, handle)
        return self.offset > begin

    def _skip(self, piece: bytes) -> bytes:
        """What stands behind a line that is too long."""
        end = piece.find(b"\n") + 1
        self._skipping = not end
        self.offset += end or len(piece)
        return piece[end:] if end else b""

    def _grown(self, rest: bytes) -> bytes:
        """A piece of a line whose end has not come yet."""
        if len(rest) <= LINE_LIMIT:
            return rest
        self._skipping = True
        self.too_long += 1
        self.offset += len(rest)
        return b""

    def _last(self, rest: bytes, handle: Handle) -> None:
        """A last line without its end: it counts when it is whole, else it waits."""
        if self._skipping or not rest.endswith(b"}"):
            return
        import json

        try:
            json.loads(rest)
        except (ValueError, RecursionError):
            return
        self._block(rest, len(rest), handle)

    def _block(self, block: bytes, size: int, handle: Handle) -> None:
        """Takes the whole lines in the first `size` bytes of `block`."""
        base = self.offset
        self.offset += size
        found: set[int] = set()
        indexes = self._link(block, size, found)
        at = block.find(_PATH, 0, size)
        while at >= 0:
            found.add(block.rfind(b"\n", 0, at) + 1)
            end = block.find(b"\n", at, size)
            at = block.find(_PATH, end, size) if end >= 0 else -1
        for name in self._waiting:
            at = block.find(name, 0, size)
            if at >= 0:
                found.add(block.rfind(b"\n", 0, at) + 1)
        heap = sorted(found)
        done = -1
        while heap:
            start = heapq.heappop(heap)
            if start == done:
                continue
            done = start
            end = block.find(b"\n", start, size)
            end = size if end < 0 else end
            for name in handle(block[start:end], base + start, indexes.get(start, -1)):
                at = block.find(name, end, size)
                if at >= 0:
                    heapq.heappush(heap, block.rfind(b"\n", 0, at) + 1)
                self._waiting[name] = 0
        self._age()

    def answered(self, name: bytes) -> None:
        """The result of a call has come: nothing more is awaited for it."""
        self._waiting.pop(name, None)

    def _age(self) -> None:
        old = {name: age + 1 for name, age in self._waiting.items() if age < _WAIT_CHUNKS}
        while len(old) > _WAITING:
            del old[next(iter(old))]
        self._waiting = old

    def _link(self, block: bytes, size: int, found: set[int]) -> dict[int, int]:
        """Adds the lines of a block to the chain; their index there by where they start.

        Lines that are neither a person's nor an assistant's and have one of the marks go into
        `found`. All this runs for each line of a transcript, so the forms that Claude Code
        writes are looked for first.
        """
        indexes: dict[int, int] = {}
        find, rfind, begins, chain = block.find, block.rfind, block.startswith, self.chain
        start, index, before = 0, len(chain), self._before
        follows = b'{"parentUuid":' + before + b',"isSidechain":false'
        while start < size:
            end = find(b"\n", start, size)
            if end < 0:
                end = size
            near = min(start + _NEAR, end)
            if (
                find(b'"user"', start, near) < 0
                and find(b'"assistant"', start, near) < 0
                and any(find(mark, start, end) >= 0 for mark in _OTHER_MARKS)
            ):
                found.add(start)
            at = rfind(b'"uuid"', start, end)
            if at >= 0:
                if begins(b':"', at + 6):
                    uuid = block[at + 7 : find(b'"', at + 8, at + 140) + 1]  # with its quotes
                else:
                    uuid = _string(block, at + 6)
                plain = begins(follows, start)
                if uuid and (plain or not _is_side(block, start, end)):
                    if plain or (parent := _parent(block, start, end)) == before:
                        chain.follow(uuid)
                    else:
                        chain.jump(uuid, parent, is_prompt=_is_prompt(block, start, end))
                    indexes[start] = index
                    index += 1
                    before = uuid
                    follows = b'{"parentUuid":' + before + b',"isSidechain":false'
            start = end + 1
        self._before = before
        return indexes


def _string(block: bytes, at: int) -> bytes:
    """The short JSON string, with its quotes, after a key that ends at `at`; or nothing."""
    opening = block.find(b'"', at, at + 8)
    if opening < 0 or block[at:opening].strip() != b":":
        return b""
    closing = block.find(b'"', opening + 1, opening + 130)
    return block[opening : closing + 1] if closing >= 0 else b""


def _parent(block: bytes, start: int, end: int) -> bytes | None:
    for key in (b'"parentUuid"', b'"logicalParentUuid"'):
        # A compaction cuts the chain, but its second key says where it was.
        at = block.find(key, start, end)
        if at >= 0 and (parent := _string(block, at + len(key))):
            return parent
    return None


def _is_side(block: bytes, start: int, end: int) -> bool:
    """Whether it is a line of a subagent in the file of the session, as older versions did."""
    for first, last in ((start, min(end, start + _NEAR)), (max(start, end - _NEAR), end)):
        at = block.find(b'"isSidechain"', first, last)
        if at >= 0:
            return block[at + 13 : at + 18].lstrip(b": ").startswith(b"tru")
    return False


def _is_prompt(block: bytes, start: int, end: int) -> bool:
    def has(mark: bytes) -> bool:
        return block.find(mark, start, end) >= 0

    if has(b'"compact_boundary"'):
        return True
    user = has(b'"type":"user"') or has(b'"type": "user"')
    return user and not has(b'"tool_use_id"') and not has(b'"progress"')
