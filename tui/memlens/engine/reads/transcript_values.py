"""The values on a line of a transcript, without the long texts that nobody asks for.

Most of a line about a file is the file's text, and to parse it is most of the work on a session
that reads many files. Where a text ends can be told without parsing it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from memlens.engine.reads.values import as_count, as_dict

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

_BLANKS: Final = " \t\n\r"
_decode: Final = json.JSONDecoder().raw_decode
_WORTH: Final = 1500
"""Bytes of a line from which it is looked at for texts, before it is parsed."""
_LONG: Final = 200
"""Bytes of a text that is left out."""
_TEXTS: Final = (b'"content":"', b'"originalFile":"', b'"base64":"', b'"data":"')
"""Keys of texts. A key with its quotes and colon cannot stand inside a string, whose quotes have
backslashes; where they are not as Claude Code writes them, nothing is left out."""
_LONGEST: Final = max(map(len, _TEXTS))
_AHEAD: Final = 1000
"""Bytes between two long texts, usually."""
_quote: Final = re.compile(rb'"(?<![^\\]\\")').search
"""A quote that is not behind a single backslash."""


def on_line(
    block: bytes, start: int, end: int
) -> tuple[dict[str, object] | None, list[dict[str, object]]]:
    """The object on the line at `start:end` of `block`, and the results in a person's message.

    None when there is no object. Never raises. Long texts may be empty, where nothing that this
    package reads from the values rests on them.
    """
    data = without_texts(block, start, end)
    values = parsed(data)
    if values is None:
        return None, []
    results = items_of(values, "tool_result") if values.get("type") == "user" else []
    if len(data) < end - start and not _is_enough(values, results):
        values = parsed(block[start:end]) or {}
        results = items_of(values, "tool_result") if values.get("type") == "user" else []
    return values, results


def without_texts(block: bytes, start: int, end: int) -> bytes:
    """The line at `start:end` of `block`, its long texts made empty.

    It is a JSON text exactly when the line is one, but for signs in a text that JSON forbids.
    """
    if end - start < _WORTH:
        return block[start:end]
    kept = []
    at = done = start
    while end - at > _WORTH and (text := _next_text(block, at, end)) >= 0:
        at = _closing(block, text, end)
        if at < 0:
            break
        if at - text > _LONG:
            kept.append(block[done:text])
            done = at
    if not kept:
        return block[start:end]
    kept.append(block[done:end])
    return b"".join(kept)


def _next_text(block: bytes, at: int, end: int) -> int:
    """Where the next text begins, behind its quote, or one soon after it; or -1."""
    ahead = _AHEAD
    while True:
        last = min(at + ahead, end)
        for key in _TEXTS:
            found = block.find(key, at, last)
            if found >= 0:
                return found + len(key)
        if last == end:
            return -1
        at, ahead = last - _LONGEST, 2 * ahead  # no part is looked through again and again


def _closing(block: bytes, at: int, end: int) -> int:
    """Where the string ends whose signs begin at `at`: its closing quote, or -1."""
    while match := _quote(block, at, end):
        quote = match.start()
        if block[quote - 1] != 92:
            return quote
        backslashes = quote - at - len(block[at:quote].rstrip(b"\\"))
        if backslashes % 2 == 0:
            return quote
        at = quote + 1
    return -1


def _is_enough(values: dict[str, object], results: list[dict[str, object]]) -> bool:
    """Whether nothing rests on the texts that were left out of a line."""
    kind = values.get("type")
    if kind == "user":
        answer = values.get("toolUseResult")
        if not answer or len(results) != 1 or results[0].get("is_error") is True:
            return False  # what the tool said has to do
        return isinstance(answer, dict) and _is_counted(answer)
    if kind == "attachment":
        given = as_dict(values.get("attachment"))
        return _is_counted(given) and _is_counted(as_dict(given.get("content")))
    return True


def _is_counted(answer: dict[str, object]) -> bool:
    """Whether the lines of a file's text need not be counted."""
    file = as_dict(answer.get("file"))
    return "content" not in file or as_count(file.get("numLines")) is not None


def parsed(data: bytes) -> dict[str, object] | None:
    """The object on a line; None when there is none. Never raises."""
    text = data.decode("utf-8", "replace").strip(_BLANKS)
    try:
        values, end = _decode(text)  # what `json.loads` does, without looking for blanks twice
    except (ValueError, RecursionError):
        return None
    return values if end == len(text) and isinstance(values, dict) else None


def items_of(values: dict[str, object], kind: str) -> list[dict[str, object]]:
    """The parts of a line's message that are of a type."""
    message = values.get("message")
    parts = message.get("content") if isinstance(message, dict) else None
    if not isinstance(parts, list):
        return []
    return [part for part in parts if isinstance(part, dict) and part.get("type") == kind]


def list_of(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def timestamp(values: dict[str, object]) -> float:
    """Seconds since 1970 of a line; 0 where it does not say."""
    value = values.get("timestamp")
    if not isinstance(value, str):
        return 0.0
    read, utc = _calendar()
    try:
        moment = read(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=utc)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


@cache
def _calendar() -> tuple[Callable[[str], datetime], tzinfo]:
    from datetime import UTC, datetime

    return datetime.fromisoformat, UTC
