"""Characters in a text that a reader does not see, but an agent or a terminal does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from memlens.engine.safety.spots import Lines, Spot
from memlens.engine.visible import hidden_places

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_DIRECTION_MARKS: Final = "\u200e\u200f\u061c"
# Scripts that are written without spaces mark the ends of words with a zero-width one.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff]")
_SHOWN: Final = 60
"""Characters of a hidden message that are shown."""


def hidden_spots(text: str) -> Iterator[Spot]:
    """`hidden-characters` and `control-characters`, at most one of each in a line.

    A byte order mark at the beginning is the encoding's business, a CR before LF belongs to the
    line end. Direction marks are left alone in lines with right-to-left writing, zero-width spaces
    between letters of scripts that need them; emoji and joiners as in `visible`.
    """
    places = [index for index in hidden_places(text) if not _is_ordinary(text, index)]
    if not places:
        return
    place = Lines(text).place
    for line, group in groupby(places, key=lambda index: place(index)[0]):
        indices = list(group)
        controls = [index for index in indices if _is_control(text[index])]
        hidden = [index for index in indices if not _is_control(text[index])]
        if controls:
            yield Spot(
                "control-characters", "error", line, place(controls[0])[1],
                _counted("control character", [text[index] for index in controls]),
                "remove it: a terminal obeys it",
            )  # fmt: skip
        if hidden:
            yield Spot(
                "hidden-characters", "error", line, place(hidden[0])[1],
                _hidden_message([text[index] for index in hidden]),
                "remove it, or write what it stands for",
            )  # fmt: skip


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"


def _is_ordinary(text: str, index: int) -> bool:
    character = text[index]
    if character == "\r":
        return text.startswith("\n", index + 1)
    if character == "\ufeff":
        return index == 0
    if "\udc80" <= character <= "\udcff":  # a byte in another encoding
        return True
    if character in _DIRECTION_MARKS:
        start = text.rfind("\n", 0, index) + 1
        end = text.find("\n", index)
        return _RIGHT_TO_LEFT.search(text, start, end if end >= 0 else len(text)) is not None
    if character == "\u200b" and index:
        return bool(_UNSPACED.match(text, index - 1) and _UNSPACED.match(text, index + 1))
    return False


def _hidden_message(characters: list[str]) -> str:
    message = _counted("hidden character", characters)
    tags = "".join(
        chr(ord(character) - 0xE0000)
        for character in characters
        if "\U000e0020" <= character <= "\U000e007e"
    )
    if tags:
        return f"{message}; as text they say “{_shortened(tags)}”"
    data = bytes(value for value in map(_selector_value, characters) if value is not None)
    if len(data) > 1:
        words = data.decode("ascii", "replace")
        if words.isprintable() and "\ufffd" not in words:
            return f"{message}; as data they say “{_shortened(words)}”"
        return f"{message}; as data they are {len(data)} bytes"
    return message


def _selector_value(character: str) -> int | None:
    """The byte that a variation selector stands for when it is used as data."""
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    if 0xE0100 <= code <= 0xE01EF:
        return code - 0xE0100 + 16
    return None


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _counted(what: str, characters: list[str]) -> str:
    kinds: dict[str, int] = {}
    for character in characters:
        kinds[character] = kinds.get(character, 0) + 1
    told = [
        _name(character) + (f" ×{count}" if count > 1 else "")
        for character, count in list(kinds.items())[:3]
    ]
    if len(kinds) > len(told):
        told.append(f"{len(kinds) - len(told)} more kinds")
    number = f"{len(characters)} {what}s" if len(characters) > 1 else f"a {what}"
    return f"{number}: {', '.join(told)}"


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    name = _CONTROLS.get(character) or unicodedata.name(character, "").lower()
    return f"{code} ({name})" if name else code


_CONTROLS: Final = {
    "\x00": "null",
    "\x07": "bell",
    "\x08": "backspace",
    "\x0b": "vertical tab",
    "\x0c": "form feed",
    "\r": "carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
    "\x9b": "control sequence introducer",
    "\x9d": "operating system command",
}
