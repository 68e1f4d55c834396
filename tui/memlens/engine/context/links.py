"""The destinations and titles of links, in which a backtick is no mark of code (CommonMark)."""

from __future__ import annotations

import re
from functools import cache

_PARENTHESES_LIMIT = 32  # inside one another, as in other implementations


def link_end(text: str, position: int) -> int | None:
    """Where an inline link's `(destination "title")` ends that begins at `position`."""
    if not text.startswith("(", position):
        return None
    size = len(text)
    position += 1
    while position < size and text[position] in " \t\n":
        position += 1
    destination = destination_end(text, position)
    if destination is None:
        return None
    end = _tail().match(text, destination)
    return end.end() if end else None


def destination_end(text: str, position: int) -> int | None:
    """Where the destination at `position` ends, which may be empty; None where it is none."""
    if angle := _angle().match(text, position):
        return angle.end()
    if text.startswith("<", position):
        return position
    size = len(text)
    depth = 0
    while position < size:
        character = text[position]
        if character <= " " or character == "\x7f":
            break
        if character == "\\" and position + 1 < size and text[position + 1] > " ":
            position += 1
        elif character == "(":
            depth += 1
            if depth > _PARENTHESES_LIMIT:
                return None
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        position += 1
    return None if depth else position


@cache
def _angle() -> re.Pattern[str]:
    return re.compile(r"<(?:\\.|[^<>\n\\])*>")


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:(?<=\s)"
        r"(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))\s*)?\)",
        re.DOTALL,
    )
