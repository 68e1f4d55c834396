"""Finds the lines about files in a transcript, by their bytes, without parsing the others.

A long session is hundreds of megabytes, most of it not about files. A key such as `"filePath":`
cannot stand inside a JSON string without backslashes, so looking for the bytes finds every line
that has the key, and hardly another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import BinaryIO, Final

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

Handle = Callable[[bytes, int, int, int, int], Sequence[bytes]]
"""Gets a piece of the file, where a line begins and ends in it, the line's offset in the file and
its index in the chain (-1 without one); returns the ids of the calls in it whose results are
awaited."""


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
        self._speakers = 0, 0
        """Where in a line its speaker stood last: a person, an assistant."""
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
            self._pieces(file, handle, cancelled)
        return self.offset > begin

    def _pieces(self, file: BinaryIO, handle: Handle, cancelled: Callable[[], bool] | None) -> None:
        """Takes piece by piece; each begins where a line does, so that none is put together."""
        size, before = self._chunk, -1
        file.seek(self.offset)
        while piece := file.read(size):
            if cancelled is not None and cancelled():
                return
            if self._skipping:
                self._skip(piece)
                self.offset = max(self.offset, behind_hole(file.fileno(), self.offset))
            elif end := piece.rfind(b"\n") + 1:
                self._block(piece, end, handle)
            elif len(piece) > LINE_LIMIT:
                self._skipping = True
                self.too_long += 1
                self.offset += len(piece)
            elif len(piece) == before:  # that is all there is
                self._last(piece, handle)
                return
            else:  # a line of many megabytes: read anew in ever larger pieces, so only a few times
                size, before = min(2 * len(piece), LINE_LIMIT + 1), len(piece)
                file.seek(self.offset)
                continue
            size, before = self._chunk, -1
            file.seek(self.offset)

    def _skip(self, piece: bytes) -> None:
        """Goes behind a line that is too long."""
        end = piece.find(b"\n") + 1
        self._skipping = not end
        self.offset += end or len(piece)

    def _last(self, rest: bytes, handle: Handle) -> None:
        """A last line without its end: it counts when it is whole, else it waits."""
        if not rest.endswith(b"}"):
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
        find, rfind = block.find, block.rfind
        found: set[int] = set()
        indexes = self._link(block, size, found)
        wanted = [(start, b"") for start in found]
        """Where lines begin that are to be handed on, and the call each may answer."""
        for name in self._waiting:
            at = find(name, 0, size)
            if at >= 0:
                wanted.append((rfind(b"\n", 0, at) + 1, name))
        heapify(wanted)
        start = 0
        while start < size:
            if wanted and wanted[0][0] < start:
                name = heappop(wanted)[1]  # it was handed on, but was it the answer?
                if name in self._waiting and (at := find(name, start, size)) >= 0:
                    heappush(wanted, (rfind(b"\n", start, at) + 1 or start, name))
                continue
            # A line that is wanted anyway is not looked through for a path.
            stop = wanted[0][0] if wanted else size
            at = find(_PATH, start, stop) if start < stop else -1
            if at >= 0:
                start = rfind(b"\n", start, at) + 1 or start
            elif wanted:
                start = stop
            else:
                break
            end = find(b"\n", start, size)
            if end < 0:
                end = size
            for name in handle(block, start, end, base + start, indexes.get(start, -1)):
                self._waiting[name] = 0
                at = find(name, end, size)
                if at >= 0:
                    heappush(wanted, (rfind(b"\n", end, at) + 1, name))
            start = end + 1
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
        followers: list[bytes] = []
        user, assistant = self._speakers
        while start < size:
            end = find(b"\n", start, size)
            if end < 0:
                end = size
            # Who speaks stands where it did on an earlier line, mostly.
            if not (
                (begins(b'"user"', start + user) and start + user < end)
                or (begins(b'"assistant"', start + assistant) and start + assistant < end)
            ):
                near = min(start + _NEAR, end)
                if (at := find(b'"user"', start, near)) >= 0:
                    user = at - start
                elif (at := find(b'"assistant"', start, near)) >= 0:
                    assistant = at - start
                elif any(find(mark, start, end) >= 0 for mark in _OTHER_MARKS):
                    found.add(start)
            at = rfind(b'"uuid":"', start, end)
            if at >= 0:
                uuid = block[at + 7 : find(b'"', at + 8, at + 140) + 1]  # with its quotes
            else:
                at = rfind(b'"uuid"', start, end)
                uuid = _string(block, at + 6) if at >= 0 else b""
            if uuid:
                plain = begins(follows, start)
                if plain or not _is_side(block, start, end):
                    if plain or (parent := _parent(block, start, end)) == before:
                        followers.append(uuid)
                    else:
                        chain.follow(followers)
                        followers.clear()
                        chain.jump(uuid, parent, is_prompt=_is_prompt(block, start, end))
                    indexes[start] = index
                    index += 1
                    before = uuid
                    follows = b'{"parentUuid":' + before + b',"isSidechain":false'
            start = end + 1
        chain.follow(followers)
        self._before = before
        self._speakers = user, assistant
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
