"""Where things stand in a JSON text, so that it can be changed without writing it anew."""

from __future__ import annotations

import json
import re
from typing import Final

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_SCALAR: Final = re.compile(r"[-+.\w]+")


class Span:
    """A value: where it starts and ends, and what it holds."""

    __slots__ = ("end", "items", "kind", "members", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        """`object`, `array`, `string` or `scalar`."""
        self.start = start
        self.end = start
        self.items: list[Span] = []
        """The values of an array or object, in order."""
        self.members: list[tuple[str, int]] = []
        """The keys of an object, and where each begins; beside `items`."""
        self.value = ""
        """The text of a string."""

    def get(self, key: str) -> Span | None:
        """The value of a member; of the last, where the key stands several times."""
        for (name, _), item in zip(reversed(self.members), reversed(self.items), strict=True):
            if name == key:
                return item
        return None

    def starts(self) -> list[int]:
        """Where each item begins; in an object with its key."""
        if self.kind == "object":
            return [start for _, start in self.members]
        return [item.start for item in self.items]


def spans(text: str) -> Span:
    """The spans of a JSON text that is known to be valid. Raises `RecursionError` when deep."""
    return _value(text, _skip(text, 0))


def insert(text: str, box: Span, item: str, *, newline: str, indent: str, inline: bool) -> str:
    """`text` with one more item at the end of a container.

    `item` is written for the indentation `indent` of the items. `inline`: when the container is
    empty, put the item right behind its bracket. `remove` takes out exactly what this puts in.
    """
    if box.items:
        at = box.items[-1].end
        first = box.starts()[0]
        apart = newline + indent if "\n" in text[box.start : first] else " "
        return text[:at] + "," + apart + item + text[at:]
    at = box.start + 1
    inner = text[at : box.end - 1]
    if inline or "\n" in inner or "\r" in inner:
        return text[:at] + item + text[at:]
    outer = indent_of(text, box.start)
    return text[:at] + inner + newline + indent + item + newline + outer + text[box.end - 1 :]


def remove(text: str, box: Span, index: int) -> str:
    """`text` without the item at `index` of a container."""
    starts = box.starts()
    if len(box.items) > 1:
        if index == len(box.items) - 1:
            return text[: box.items[index - 1].end] + text[box.items[index].end :]
        return text[: starts[index]] + text[starts[index + 1] :]
    before = text[box.start + 1 : starts[0]]
    if not before:
        return text[: box.start + 1] + text[box.items[0].end :]
    inner = before.split("\n")[0].rstrip("\r") if "\n" in before else ""
    return text[: box.start + 1] + inner + text[box.end - 1 :]


def is_spread(text: str, box: Span) -> bool:
    """Whether a container's first item stands on a line of its own."""
    starts = box.starts()
    return bool(starts) and "\n" in text[box.start : starts[0]]


def indent_of(text: str, at: int) -> str:
    """The white space at the beginning of the line in which `at` is."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> Span:
    sign = text[at]
    if sign == '"':
        span = Span("string", at)
        span.value, span.end = _string(text, at)
        return span
    if sign not in "{[":
        span = Span("scalar", at)
        match = _SCALAR.match(text, at)
        if match is None:
            raise ValueError(f"no JSON value at {at}")
        span.end = match.end()
        return span
    span = Span("object" if sign == "{" else "array", at)
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        if sign == "{":
            key, end = _string(text, at)
            span.members.append((key, at))
            at = _skip(text, _skip(text, end) + 1)
        item = _value(text, at)
        span.items.append(item)
        at = _skip(text, item.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    span.end = at + 1
    return span


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    if match is None:
        raise ValueError(f"no JSON string at {at}")
    return str(json.loads(match.group())), match.end()
