"""Who goes first: the answer to what somebody types, before work that nobody waits for so closely.

The interpreter does one thing at a time, so whatever goes on beside an answer takes its time from
it. Work therefore waits, from one item to the next, while somebody does.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

HELD: Final = 1.0
"""Seconds that work waits at most for one answer."""
PAINTED: Final = 0.05
"""Seconds behind an answer in which the screen draws it."""
_LOOK: Final = 0.004
"""Seconds from one look whether the way is free to the next."""


class RightOfWay:
    """Taken by questions, waited for by all else. From any thread."""

    def __init__(self) -> None:
        self._until = 0.0

    def take(self) -> None:
        """Somebody waits for an answer."""
        self._until = time.monotonic() + HELD

    def give(self) -> None:
        """The answer is there."""
        self._until = time.monotonic() + PAINTED

    def wait(self, wanted: Callable[[], bool]) -> None:
        """Returns when nobody waits for an answer, or when the work is not `wanted` any more."""
        while (left := self._until - time.monotonic()) > 0 and wanted():
            time.sleep(min(left, _LOOK))
