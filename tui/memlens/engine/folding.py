"""Text for comparing in any case, place by place the same as the text it comes from."""

from __future__ import annotations


def fold(text: str) -> str:
    """`text` in lower case, with as many characters: what a place in it is, it is in `text`."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(character.lower()[:1] or character for character in text)
    # At the end of a word the sigma has a form of its own, which is no other letter.
    return low if low.isascii() else low.replace("ς", "σ")
