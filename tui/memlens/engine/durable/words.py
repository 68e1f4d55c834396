"""The words of texts, in the form in which facts are searched and compared: folded, as UTF-8."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"\w+")
_PASS: Final = "surrogatepass"
_APART: Final = bytes(
    [code if chr(code).isalnum() or chr(code) == "_" else 32 for code in range(128)]
) + bytes(128)
"""From ASCII to ASCII: words stay, what stands between them is blank."""


def encoded(text: str) -> bytes:
    """Any text as UTF-8."""
    return text.encode("utf-8", _PASS)


def decoded(data: bytes) -> str:
    """The reverse."""
    return data.decode("utf-8", _PASS)


def words_of(folded: bytes) -> list[str]:
    """The words of a folded text, as often as they stand there."""
    if folded.isascii():  # five times as fast as the pattern
        return folded.translate(_APART).decode().split()
    return _WORD.findall(decoded(folded))
