"""Where a text has capital letters: what its folded form needs to be that text again.

A search needs the folded text at hand and shows the text itself now and then; to keep both would
take twice the memory.
"""

from __future__ import annotations

import re
from typing import Final

_CAPITAL: Final = re.compile("[A-Z]")
_FAR: Final = 255
"""How much one byte can say of a distance, and a bit more is to come."""


def capitals_of(text: str, folded: str) -> bytes | None:
    """The distances between the capital letters of `text`, of which `folded` is the folded form.

    `None` where more than capital letters tells the two apart.
    """
    if text.isascii():
        apart = list(map(len, _CAPITAL.split(text)))
        if max(apart) < _FAR:
            return bytes(apart[:-1])
        places = [match.start() for match in _CAPITAL.finditer(text)]
    else:
        pairs = enumerate(zip(text, folded, strict=True))
        places = [place for place, (one, other) in pairs if one != other]
        if any(folded[place].upper() != text[place] for place in places):
            return None
    distances = bytearray()
    at = 0
    for place in places:
        distance = place - at
        while distance >= _FAR:
            distances.append(_FAR)
            distance -= _FAR
        distances.append(distance)
        at = place + 1
    return bytes(distances)


def with_capitals(folded: str, distances: bytes) -> str:
    """The text whose folded form and capital letters these are."""
    letters = list(folded)
    at = 0
    for distance in distances:
        at += distance
        if distance < _FAR:
            letters[at] = letters[at].upper()
            at += 1
    return "".join(letters)
