"""Made-up prose and code, from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

_COMMON: Final = """
the a of to in is for and with on by not when before after every only from it this that must
never always use run keep write read check test build deploy merge branch commit review file
folder path name key value table column index query cache queue worker server client request
response header token session user account order invoice payment refund report error warning
retry timeout limit batch stream schema migration database postgres sqlite redis kafka docker
python typescript rust module package import function class method argument option default
setting config secret log metric trace alert release version change format lint style naming
spaces tabs comment docstring fixture mock snapshot screen button form dialog layout colour
"""
_ONSETS: Final = "b c d f g h j k l m n p r s t v w br cl dr fl gr pl pr st tr sh ch"
_VOWELS: Final = ("a", "e", "i", "o", "u", "ai", "ea", "io", "ou")
_CODAS: Final = ("", "", "n", "r", "s", "t", "l", "m", "nd", "st", "rk", "x")
_RARE: Final = 6000
"""Words beyond the common ones: about what ten thousand notes of a team use."""


class Words:
    """Words, sentences and code. Equal seeds make equal texts."""

    def __init__(self, seed: int) -> None:
        self.random: Final = random.Random(seed)
        self._onsets: Final = _ONSETS.split()
        common = _COMMON.split()
        rare = {self._made_up() for _ in range(_RARE)}
        self.vocabulary: Final[Sequence[str]] = (*common, *sorted(rare.difference(common)))
        # Common words come often, as in any language.
        self._weights: Final = list(
            accumulate(1 / (rank + 8) for rank in range(len(self.vocabulary)))
        )

    def _made_up(self) -> str:
        choice = self.random.choice
        return "".join(
            choice(self._onsets) + choice(_VOWELS) + choice(_CODAS)
            for _ in range(self.random.choice((1, 2, 2, 2, 3, 3)))
        )

    def some(self, count: int) -> list[str]:
        """Words, common ones often."""
        return self.random.choices(self.vocabulary, cum_weights=self._weights, k=count)

    def sentence(self, count: int) -> str:
        """So many words, with a comma here and there."""
        words = self.some(count)
        if count > 9:
            words[count // 2] += ","
        return f"{' '.join(words).capitalize()}."

    def prose(self, size: int) -> str:
        """Paragraphs of wrapped lines, about `size` characters."""
        lines: list[str] = []
        length = 0
        while length < size:
            for _ in range(self.random.randint(2, 5)):
                line = self.sentence(self.random.randint(7, 14))
                lines.append(line)
                length += len(line) + 1
            lines.append("")
            length += 1
        return "\n".join(lines)

    def code(self, size: int) -> str:
        """Lines of code, about `size` characters."""
        lines: list[str] = []
        length = 0
        while length < size:
            one, two, three, four = self.some(4)
            lines += [
                f"def {one}_{two}(self, {three}: str) -> int:",
                f'    """{self.sentence(8)}"""',
                f"    {four} = self._{two}.get({three}, {self.random.randint(0, 999)})",
                f"    return len({four}) + {self.random.randint(0, 99)}",
                "",
            ]
            length += sum(map(len, lines[-5:])) + 5
        return "\n".join(lines)
