"""From a fact's bytes to what the index and the searches need of it."""

from __future__ import annotations

from .header import NO_HEADER, read_header, split
from .plain import LINE_ENDS, Reading, read_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple
else:
    from memlens.engine.named import NamedTuple

_MAY_BE_FENCED: Final = ("-", " ", "\t")


class Parsed(NamedTuple):
    """One fact read."""

    name: str
    """Never empty: the file's stem where the header has none."""
    description: str
    """The first line of the body with text where the header has none."""
    tags: tuple[str, ...]
    created: str
    body: str
    """Line ends are LF, blank ends are trimmed."""
    reading: Reading
    fenced: bool
    """Whether there is a header."""


def decode(data: bytes) -> str:
    """A fact's text: invalid bytes as U+FFFD, one BOM dropped (spec 1)."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    return text[1:] if text.startswith("\ufeff") else text


def parse_for_index(text: str, stem: str) -> tuple[str, str, tuple[str, ...], str]:
    """Name, description, tags and creation date of a decoded fact, without looking at its body."""
    if text.startswith(_MAY_BE_FENCED):
        common = read_common(text)
        if common is not None:
            return common
        parts = split(text)
        reading = read_header(parts.header) if parts.closing else NO_HEADER
        if reading.description:
            return reading.name or stem, reading.description, reading.tags, reading.created
    parsed = parse(text, stem)
    return parsed.name, parsed.description, parsed.tags, parsed.created


def parse(text: str, stem: str) -> Parsed:
    """Reads a decoded fact; `stem` is the file's name without `.md`."""
    if text.startswith(_MAY_BE_FENCED):
        parts = split(text)
        reading = read_header(parts.header) if parts.closing else NO_HEADER
        body = parts.rest
        fenced = bool(parts.closing)
    else:
        reading, body, fenced = NO_HEADER, text, False
    if "\r" in body:
        body = body.replace("\r\n", "\n")
    trimmed = body.strip()
    name = reading.name or stem
    description = reading.description or first_line(trimmed if fenced else body)
    return Parsed(name, description, reading.tags, reading.created, trimmed, reading, fenced)


def body_of(text: str) -> str:
    """The body of a decoded fact, with LF, its header not looked at.

    Blank ends are trimmed behind a header; without one the whole text is the body (spec 1).
    """
    parts = split(text)
    body = parts.rest.strip() if parts.closing else text
    return body.replace("\r\n", "\n") if "\r" in body else body


def first_line(body: str) -> str:
    """The first line of a body that is not blank, as it stands (spec 1), but one line for every
    reader."""
    start = len(body) - len(body.lstrip())
    if start == len(body):
        return ""
    end = body.find("\n", start)
    line = body[body.rfind("\n", 0, start) + 1 : end if end >= 0 else len(body)]
    return LINE_ENDS.sub(" ", line) if LINE_ENDS.search(line) else line
