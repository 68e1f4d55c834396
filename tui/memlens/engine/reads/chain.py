"""Which lines of a transcript still belong to the conversation, and which were rewound.

Each line names its parent. The conversation is the chain from the last line up. A line beside it
is not yet rewound: calls made at the same time also branch. It is where a new prompt took the
place of an earlier one. Lines whose parents are unknown count as part of the conversation.

Eight bytes are kept for a line, and a little for each place where the chain does not simply go on.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final

_NONE: Final = -1
_UNKNOWN: Final = -2
_NEAR: Final = 64
_BUDGET: Final = 50_000_000
"""Ids that are looked at for distant parents in all, so that no file can make this slow."""


class Chain:
    """The lines of one file that have a `uuid`, in the order of the file."""

    def __init__(self) -> None:
        self._ids = array("q")
        self._starts = array("q")
        """Where a run of lines begins that follow one another as child and parent."""
        self._parents = array("q")
        """Of the first line of each run: its parent's index, `_NONE` or `_UNKNOWN`."""
        self._budget = _BUDGET
        self._prompts = bytearray()
        """Of each run: whether it begins with a prompt."""

    def __len__(self) -> int:
        return len(self._ids)

    def follow(self, uuids: Iterable[bytes]) -> None:
        """Adds lines, each of which has the line before as its parent."""
        self._ids.extend(map(hash, uuids))

    def jump(self, uuid: bytes, parent: bytes | None, *, is_prompt: bool) -> None:
        """Adds a line whose parent is another one than the line before, or none."""
        index = len(self._ids)
        self._starts.append(index)
        self._parents.append(_NONE if parent is None else self._find(hash(parent)))
        self._prompts.append(is_prompt)
        self._ids.append(hash(uuid))

    def _find(self, key: int) -> int:
        """The latest line with this id. Most parents are near: those are looked at first."""
        ids = self._ids
        near = max(0, len(ids) - _NEAR)
        for index in range(len(ids) - 1, near - 1, -1):
            if ids[index] == key:
                return index
        if self._budget < near:
            return _UNKNOWN
        self._budget -= near
        try:
            return ids.index(key, 0, near)
        except ValueError:
            return _UNKNOWN

    def rewound(self) -> Callable[[int], bool]:
        """A function that tells whether the line with an index is on a branch that was left."""
        if not self._ids:
            return lambda _index: False
        reach: dict[int, tuple[int, bool]] = {}
        at, by_prompt = len(self._ids) - 1, False
        root_is_prompt = False
        while at >= 0:
            run = self._run(at)
            if run in reach:  # a loop: such a file is damaged, and nothing in it is provably left
                return lambda _index: False
            reach[run] = (at, by_prompt)
            by_prompt = root_is_prompt = bool(self._prompts[run])
            at = self._parents[run]
            if at >= self._starts[run]:
                return lambda _index: False
        from_nothing = at == _NONE and root_is_prompt
        return lambda index: self._is_left(index, reach, from_nothing=from_nothing)

    def _run(self, index: int) -> int:
        return bisect_right(self._starts, index) - 1

    def _is_left(
        self, index: int, reach: dict[int, tuple[int, bool]], *, from_nothing: bool
    ) -> bool:
        while index >= 0:
            run = self._run(index)
            on_chain = reach.get(run)
            if on_chain is not None:
                last, by_prompt = on_chain
                return index > last and by_prompt
            parent = self._parents[run]
            if self._prompts[run] and (parent >= 0 or (parent == _NONE and from_nothing)):
                return True
            if parent >= self._starts[run]:
                return False
            index = parent
        return False
