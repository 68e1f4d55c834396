"""What was found for the pieces of earlier queries, so that the next key looks through less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LEAST: Final = 150_000
"""Places that are remembered at least: some five megabytes."""
_TIMES: Final = 4
"""How many pieces that stand in every fact are remembered: a letter or two of each of two words."""


class Remembered:
    """Piece to places with their weights; what was used longest ago goes first."""

    def __init__(self, facts: int) -> None:
        self._limit: Final = max(LEAST, _TIMES * facts)
        self._found: Final[dict[str, Mapping[int, int]]] = {}
        """In the order in which they were used."""
        self._places = 0

    def get(self, piece: str) -> Mapping[int, int] | None:
        """What was found for exactly this piece."""
        found = self._found.pop(piece, None)
        if found is not None:
            self._found[piece] = found
        return found

    def left_by(self, piece: str) -> Mapping[int, int] | None:
        """What was found for the longest beginning of the piece: it stands nowhere else."""
        for length in range(len(piece) - 1, 0, -1):
            found = self.get(piece[:length])
            if found is not None:
                return found
        return None

    def put(self, piece: str, found: Mapping[int, int]) -> None:
        """Remembers what was found, and forgets what is too much then."""
        self._found[piece] = found
        self._places += len(found) + 1
        while self._places > self._limit and len(self._found) > 1:
            oldest = next(iter(self._found))
            self._places -= len(self._found.pop(oldest)) + 1
