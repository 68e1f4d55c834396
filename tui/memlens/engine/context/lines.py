"""What can be told of lines of Markdown without parsing their blocks.

For what a line begins with, `first` is its first character that is no white space, and `end` is
where it ends. No pattern is compiled, because scripts wait for this module.
"""

from __future__ import annotations

from itertools import pairwise


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


def fence_end(text: str, character: str, length: int, end: int) -> int:
    """Where the closing line ends of a fence that no container holds and whose first line ends at
    `end`; the end of the text where it is never closed."""
    mark = character * length
    place = text.find(mark, end)
    while place >= 0:
        if text[place - 1] == "\n" and text[place + length : place + length + 1] in ("\n", ""):
            return place + length
        begin = text.rfind("\n", 0, place) + 1
        stop = text.find("\n", place)
        if stop < 0:
            stop = len(text)
        line = text[begin:stop]
        indented = place - begin < 4 and not line[: place - begin].strip(" ")
        if indented and not line.strip(" \t").strip(character):
            return stop
        place = text.find(mark, stop)
    return len(text)


def line_spans(text: str, begin: int, end: int) -> list[tuple[int, int]] | None:
    """The code spans of the whole lines from `begin` to `end`, as offsets, where each is one line's
    alone and nothing but backticks decides: then it is all the same which blocks the lines are.
    None where there is more to it."""
    parts = text[begin:end].split("`")
    inside = parts[1::2]
    # In the definition of a link a backtick is no mark of code either.
    if (
        not len(parts) % 2
        or "\n" in "".join(inside)
        or not all(inside)  # backticks side by side
        or not all(parts[2:-1:2])
        or not is_plain(outside := "`".join(parts[::2]))
        or "]:" in outside
        or (_TAG_MARK in outside and _may_begin_block(outside))
    ):
        return None
    spans = []
    place = begin
    for before, within in zip(parts[::2], inside, strict=False):
        start = place + len(before)
        place = start + len(within) + 2
        spans.append((start, place))
    return spans


_TAG_MARK = "<"
_TAG_SECONDS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/!?")
_NO_TARGET = frozenset("()`<>\"'\\")
_NO_TITLE = frozenset('"\\`\n')


def is_plain(text: str) -> bool:
    """Whether nothing but backticks decides where code is in a paragraph: no escaped one, and none
    that may stand in a tag or in the destination of a link."""
    if "\\`" in text:
        return False
    if _TAG_MARK in text and not all(map(_is_plain_tag, text.split(_TAG_MARK)[1:])):
        return False
    return "](" not in text or all(map(_is_plain_target, text.split("](")[1:]))


def _is_plain_tag(behind: str) -> bool:
    """Whether what stands behind `<` is no tag, or one that ends beyond doubt and holds no
    backtick."""
    if behind[:1] not in _TAG_SECONDS or not behind:
        return True
    inside, closed, _ = behind.partition(">")
    return (
        bool(closed)
        and inside[0] not in "!?"
        and "`" not in inside
        and "'" not in inside
        and not inside.count('"') % 2
    )


def _may_begin_block(text: str) -> bool:
    """Whether a tag may be the first thing on its line, where it could begin an HTML block."""
    pieces = text.split(_TAG_MARK)
    for number, (before, behind) in enumerate(pairwise(pieces)):
        _, feed, line = before.rpartition("\n")
        first = bool(feed) or not number
        if first and behind[:1] in _TAG_SECONDS and not line.strip(" \t>-+*.)0123456789"):
            return True
    return False


def _is_plain_target(behind: str) -> bool:
    """Whether what stands behind `](` begins with a destination, perhaps with a title, that holds
    no backtick and whose end is beyond doubt."""
    inside, closed, rest = behind.partition(")")
    if "(" in inside:
        pairs = inside.count("(")
        inner, closed, _ = rest.partition(")")
        # As in the addresses of encyclopedias: one pair, and nothing else that could matter.
        if pairs > 1 or "(" in inner:
            return False
        inside = inside.replace("(", "", 1) + inner
    target, _, title = inside.partition(" ")
    if title and not (
        len(title) > 1 and title[0] == title[-1] == '"' and _NO_TITLE.isdisjoint(title[1:-1])
    ):
        return False
    return bool(closed) and _NO_TARGET.isdisjoint(target) and target == "".join(target.split())
