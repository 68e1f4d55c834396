"""The one gate for text from disks, names, git and transcripts: hidden characters become visible.

A cloned repository must not be able to send an escape sequence to the terminal or to hide an
instruction from the reader. Whatever is shown, printed to a terminal or logged passes through
`visible` (one line) or `visible_text` (several).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Everything a terminal or a reader could be fooled by. Joiners and selectors are looked at in
# `_replace`, because emoji and some scripts need them.
_SUSPECT: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, bidirectional
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tags, further variation selectors
    "\ud800-\udfff"  # bytes of a name that are no UTF-8
    "]"
)
_FLAG: Final = "\U0001f3f4"
_FLAG_TAGS: Final = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_JOINING_SCRIPTS: Final = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af]")


def visible(text: str) -> str:
    """`text` as one line that is safe to show: controls as `␛`, others as `‹U+202E›`."""
    if text.isascii() and text.isprintable():
        return text
    return _SUSPECT.sub(_replace, text)


def visible_text(text: str) -> str:
    """Like `visible`, but line ends and tabs stay what they are."""
    return "\n".join(
        "\t".join(visible(cell) for cell in line.split("\t"))
        for line in text.replace("\r\n", "\n").split("\n")
    )


def is_hidden(text: str, index: int) -> bool:
    """Whether the character at `index` is one that `visible` would replace."""
    match = _SUSPECT.match(text, index)
    return match is not None and _replace(match) != match.group()


def hidden_places(text: str) -> Iterator[int]:
    """Where the characters stand that `visible` would replace; line ends and tabs are not told."""
    for match in _suspect_inside().finditer(text):
        if _replace(match) != match.group():
            yield match.start()


@cache
def _suspect_inside() -> re.Pattern[str]:
    """Suspects but for line ends and tabs, which are in every text; most programs never ask."""
    return re.compile(_SUSPECT.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f", 1))


def _replace(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xDC80 <= code <= 0xDCFF:
        return f"‹0x{code - 0xDC00:02X}›"
    if _is_meant(match.string, match.start(), code):
        return character
    return f"‹U+{code:04X}›"


def _is_meant(text: str, index: int, code: int) -> bool:
    """Whether a joiner, selector or tag stands where a script or an emoji needs it."""
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if code in (0x200C, 0x200D):
        between = _is_pictograph(before) or before == "\ufe0f"
        if code == 0x200D and between and _is_pictograph(after):
            return True
        joins = _JOINING_SCRIPTS.match
        return bool(before and after and joins(before) and joins(after))
    if code in (0xFE0E, 0xFE0F):
        return bool(before) and (_is_pictograph(before) or before in "#*0123456789©®")
    if 0xE0020 <= code <= 0xE007F:
        start = text.rfind(_FLAG, max(0, index - 6), index)
        return start >= 0 and text.startswith(_FLAG_TAGS, start + 1)
    if 0xE0100 <= code <= 0xE01EF:  # ideographic variation sequences
        return bool(before) and "\u3400" <= before <= "\u9fff"
    return False


def _is_pictograph(character: str) -> bool:
    return bool(character) and (
        "\u2190" <= character <= "\u2bff"
        or "\U0001f000" <= character <= "\U0001faff"
        or character in "\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
    )
