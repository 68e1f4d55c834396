"""Finds the lines about files in a transcript, by their bytes, without parsing the others.

A long session is hundreds of megabytes, most of it not about files. A key such as `"filePath":`
cannot stand inside a JSON string without backslashes, so looking for the bytes finds every line
that has the key, and hardly another.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable
from functools import partial
from typing import Final

from memlens.engine.reads.chain import Chain

CHUNK: Final = 4 << 20
LINE_LIMIT: Final = 64 << 20
"""Bytes. A longer line (an image of that size) is skipped and counted."""

_MARKS: Final = (b'ath":', b'ath" :', b'"attachment"', b"compact_boundary")
"""`ath":` ends `file_path`, `notebook_path`, `filePath` and `path`."""
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
        with open(self.path, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            self._identity = (status.st_dev, status.st_ino)
            if status.st_size <= self.offset:
                return False
            file.seek(self.offset)
            rest = b""
            while piece := file.read(self._chunk):
                if cancelled is not None and cancelled():
                    break
                end = piece.rfind(b"\n") + 1
                if not end:
                    rest = self._grown(rest, piece)
                    continue
                if self._skipping:
                    cut = piece.find(b"\n") + 1
                    self.offset += cut
                    self._skipping = False
                    block, rest = piece[cut:end], piece[end:]
                else:
                    block, rest = rest + piece[:end] if rest else piece[:end], piece[end:]
                self._block(block, handle)
            else:
                self._last(rest, handle)
        return self.offset > begin

    def _grown(self, rest: bytes, piece: bytes) -> bytes:
        if self._skipping:
            self.offset += len(piece)
            return b""
        if len(rest) + len(piece) <= LINE_LIMIT:
            return rest + piece
        self._skipping = True
        self.too_long += 1
        self.offset += len(rest) + len(piece)
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
        self._block(rest, handle)

    def _block(self, block: bytes, handle: Handle) -> None:
        base = self.offset
        self.offset += len(block)
        indexes = self._link(block)
        found: set[int] = set()
        for mark in _MARKS:
            at = block.find(mark)
            while at >= 0:
                found.add(block.rfind(b"\n", 0, at) + 1)
                end = block.find(b"\n", at)
                at = block.find(mark, end) if end >= 0 else -1
        for name in self._waiting:
            at = block.find(name)
            if at >= 0:
                found.add(block.rfind(b"\n", 0, at) + 1)
        heap = sorted(found)
        done = -1
        while heap:
            start = heapq.heappop(heap)
            if start == done:
                continue
            done = start
            end = block.find(b"\n", start)
            end = len(block) if end < 0 else end
            for name in handle(block[start:end], base + start, indexes.get(start, -1)):
                at = block.find(name, end)
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

    def _link(self, block: bytes) -> dict[int, int]:
        """Adds the lines of a block to the chain; their index there by where they start."""
        indexes: dict[int, int] = {}
        find, rfind, add = block.find, block.rfind, self.chain.add
        start, size = 0, len(block)
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            at = rfind(b'"uuid"', start, end)
            if at >= 0 and not _is_side(block, start, end):
                uuid = _string(block, at + 6)
                if uuid:
                    parent = _parent(block, start, end)
                    indexes[start] = add(uuid, parent, partial(_is_prompt, block, start, end))
            start = end + 1
        return indexes


def _string(block: bytes, at: int) -> bytes | None:
    """The short JSON string after a key that ends at `at`; None when there is none."""
    opening = block.find(b'"', at, at + 8)
    if opening < 0 or block[at:opening].strip() != b":":
        return None
    closing = block.find(b'"', opening + 1, opening + 130)
    return block[opening + 1 : closing] if closing >= 0 else None


def _parent(block: bytes, start: int, end: int) -> bytes | None:
    at = block.find(b'"parentUuid"', start, end)
    parent = _string(block, at + 12) if at >= 0 else None
    if parent is None:  # a compaction cuts the chain, but says where it was
        at = block.find(b'"logicalParentUuid"', start, end)
        parent = _string(block, at + 19) if at >= 0 else None
    return parent


def _is_side(block: bytes, start: int, end: int) -> bool:
    """Whether it is a line of a subagent in the file of the session, as older versions did."""
    for first, last in ((start, min(end, start + _NEAR)), (max(start, end - _NEAR), end)):
        at = block.find(b'"isSidechain"', first, last)
        if at >= 0:
            return block[at + 13 : at + 20].lstrip(b": ").startswith(b"tru")
    return False


def _is_prompt(block: bytes, start: int, end: int) -> bool:
    def has(mark: bytes) -> bool:
        return block.find(mark, start, end) >= 0

    if has(b'"compact_boundary"'):
        return True
    user = has(b'"type":"user"') or has(b'"type": "user"')
    return user and not has(b'"tool_use_id"') and not has(b'"progress"')
