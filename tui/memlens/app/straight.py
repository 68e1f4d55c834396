"""Columns that stay straight in terminals that take an emoji for wider or narrower than we do.

An emoji with a colour of skin has two cells by the standard, and four where a terminal draws both
of its characters; one with a variation selector has two or one. Whatever stands behind it in the
line would be moved, borders too, and where it is narrower something old would stay visible.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

if TYPE_CHECKING:
    from textual.driver import Driver

_SIGNS: Final = "\ufe0f\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
"""Selector, joiner and colours of skin; most texts have none of them."""
_BASE: Final = r"[^\x00-\x1f\x7f]"
_MORE: Final = r"[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]"
_JOINED: Final = rf"\u200d{_BASE}{_MORE}*"
_UNCERTAIN: Final = re.compile(
    rf"^\[[0-?]*[ -/]*[@-~]|{_BASE}(?:{_MORE}+(?:{_JOINED})*|(?:{_JOINED})+)"
)
"""Several characters that are one for those who know that; or the rest of a sequence, which is
none of them."""


def straight(sent: str) -> str:
    """What is sent to a terminal, so that the cursor is where we think it is behind each emoji."""
    if not _has_sign(sent):
        return sent
    pieces = sent.split("\x1b")
    return "\x1b".join(
        _UNCERTAIN.sub(_placed, piece) if _has_sign(piece) else piece for piece in pieces
    )


def _has_sign(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def _placed(found: re.Match[str]) -> str:
    """An emoji on blank cells; then the cursor goes to behind these."""
    text = found[0]
    cells = 0 if text.startswith("[") else cell_len(text)
    return f"\x1b7{' ' * cells}\x1b8\x1b7{text}\x1b8\x1b[{cells}C" if cells else text


@lru_cache
def straightened(kind: type[Driver]) -> type[Driver]:
    """The same driver for a terminal, which sends what is `straight`."""

    class Straight(kind):  # type: ignore[valid-type, misc]  # whichever it is here
        def write(self, data: str) -> None:
            super().write(straight(data))

    return Straight
