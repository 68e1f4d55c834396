"""What a line of Markdown begins with, from the first character that is no white space.

`end` is where the line ends; no pattern is compiled, because scripts wait for this module.
"""

from __future__ import annotations


def fence_length(text: str, first: int, end: int) -> int:
    """How many characters the fence at `first` has; 0 where there is none."""
    character = text[first]
    rest = text[first:end]
    length = len(rest) - len(rest.lstrip(character))
    if length < 3 or (character == "`" and "`" in rest[length:]):
        return 0
    return length


def is_heading(text: str, first: int, end: int) -> bool:
    """Whether an ATX heading begins at `first`."""
    rest = text[first:end].lstrip("#")
    return end - first - len(rest) <= 6 and (not rest or rest[0] in " \t")


def is_underline(text: str, first: int, end: int) -> bool:
    """Whether the rest of the line would make the paragraph above it a heading."""
    character = text[first]
    return character in "-=" and not text[first:end].rstrip(" \t").strip(character)


def is_rule(text: str, first: int, end: int) -> bool:
    """Whether the rest of the line is a thematic break."""
    character = text[first]
    if character not in "*_-":
        return False
    rest = text[first:end].replace(" ", "").replace("\t", "")
    return len(rest) >= 3 and not rest.strip(character)


def marker_end(text: str, first: int, end: int) -> int:
    """Where the list marker at `first` ends; 0 where there is none."""
    character = text[first]
    stop = first + 1
    if character in "0123456789":
        while stop < end and text[stop] in "0123456789":
            stop += 1
        if stop - first > 9 or text[stop : stop + 1] not in (".", ")"):
            return 0
        stop += 1
    elif character not in "-+*":
        return 0
    return stop if stop >= end or text[stop] in " \t" else 0


def may_interrupt(text: str, first: int, marker: int, end: int) -> bool:
    """Whether a list item may begin right behind a line of a paragraph."""
    if not text[marker:end].strip(" \t"):
        return False
    return text[first] in "-+*" or int(text[first : marker - 1]) == 1
