"""Reading headers without YAML, where it is certain what YAML would read.

Ten thousand facts are read at a start, and a YAML parser takes ten times as long for each. So each
form here is so narrow that the parser can read nothing else in it; whatever has another form goes
to the parser.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple
else:
    from memlens.engine.named import NamedTuple

LINE_ENDS: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
"""What must not stand in a value of one line: some reader takes it for a line end."""

# A plain value: a letter first, no `: `, no ` #`, nothing that YAML does not print; YAML's own
# marks are all ASCII.
_BAD: Final = "\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_MORE: Final = f"[^:#{_BAD}]*(?:(?::(?=[^\\s{_BAD}])|(?<!\\s)#)[^:#{_BAD}]*)*(?<!\\s)"
_PLAIN: Final = f"[A-Za-z\u00c0-\U0010ffff](?<![{_BAD}]){_MORE}"
_DATE: Final = r"\d[\dTZ.+-]*(?::\d[\dTZ.+-]*)*"
_KEY: Final = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
_INNER: Final = "[A-Za-z0-9_.+/ -]*"
_TAG: Final = rf"[A-Za-z0-9](?:{_INNER}[A-Za-z0-9_.+/-])?"
_ITEM: Final = rf"(?:{_TAG}|\"{_INNER}\"|'{_INNER}')"
_REST: Final = (
    r"\n(?:scope: ([a-z][a-z-]*)\n)?(?:created: ([0-9][0-9TZ.+-]*(?::[0-9TZ.+-]+)*)\n)?"
    rf"(?:tags: \[((?:{_TAG}(?:, {_TAG})*)?)\]\n)?---(?:\n|\Z)"
)
# ASCII without colons and hashes needs no second look, nor do double quotes without escapes.
_ASCII: Final = r"(?:([A-Za-z](?:[ -\"$-9;-~]*[!\"$-9;-~])?)|\"([ !#-\[\]-~]+)\")"
_COMMONEST: Final = re.compile(rf"---\nname: {_ASCII}\ndescription: {_ASCII}{_REST}")
_NO_TEXT: Final = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])
_LONGEST_NO_TEXT: Final = 5


# Compiled when they are needed: that takes as long as starting Python.
@cache
def _line() -> re.Pattern[str]:
    return re.compile(
        rf"({_KEY}):(?: ({_PLAIN})| \"([^\"\\{_BAD}]*)\"| ({_DATE})"
        rf"| \[((?:{_ITEM}(?:, ?{_ITEM})*)?)\])?\r?\n"
    )


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"(?:#[^{_BAD}]*)?\r?\n")


@cache
def _block() -> re.Pattern[str]:
    """What YAML reads and a simple reader does not: single quotes, and values of several lines.

    Of one depth, without blank lines: then folded and literal text differ by line ends alone, and
    these are one space in a value of one line.
    """
    return re.compile(
        rf"(?P<key>{_KEY}):(?: '(?P<quoted>[^'{_BAD}]*)'\r?\n"
        rf"| [|>][+-]?\r?\n(?P<text>(?:  [^\s{_BAD}][^{_BAD}]*\r?\n)+)"
        rf"|\r?\n(?P<items>(?P<depth> {{0,8}})- {_ITEM}\r?\n(?:(?P=depth)- {_ITEM}\r?\n)*)"
        rf"|\r?\n(?P<fields>(?:  {_KEY}:(?: [A-Za-z0-9]{_MORE}| \"[^\"\\{_BAD}]*\")?\r?\n)+))"
    )


@cache
def _common() -> re.Pattern[str]:
    return re.compile(rf"---\nname: ([A-Za-z].*)\ndescription: ([A-Za-z].*){_REST}")


@cache
def _plain_value() -> re.Pattern[str]:
    return re.compile(_PLAIN)


class Reading(NamedTuple):
    """What a header says. Values are stripped text; `""` where there is none."""

    name: str
    description: str
    tags: tuple[str, ...]
    created: str
    scope: str
    problem: str = ""
    """Why YAML could not read the header; empty where it could."""
    odd: tuple[str, ...] = ()
    """Of name and description, those that are no text for YAML."""
    line: int = 0
    """Of the problem, in the file, from 1."""
    column: int = 0


def one_line(text: str) -> str:
    """`text` without blank ends, each run of line ends inside it one space (spec 1)."""
    text = text.strip()
    return LINE_ENDS.sub(" ", text) if LINE_ENDS.search(text) else text


def split_tags(text: str) -> tuple[str, ...]:
    """The tags in a list separated by commas; quotes around one are dropped."""
    tags = (tag.strip().strip("\"'") for tag in text.split(","))
    return tuple([one_line(tag) for tag in tags if tag.strip()])


def is_plain(value: str) -> bool:
    """Whether `value` may stand without quotes and be read as exactly this text by everyone."""
    if (
        value.isascii()
        and value.isprintable()
        and value[:1].isalpha()
        and ": " not in value
        and " #" not in value
        and value[-1] not in ": "
    ) or _plain_value().fullmatch(value):
        return len(value) > _LONGEST_NO_TEXT or value.lower() not in _NO_TEXT
    return False


def read_common(text: str) -> tuple[str, str, tuple[str, ...], str] | None:
    """Name, description, tags and date of a fact whose header has the usual form; else `None`.

    One match and hardly a look more, because ten thousand facts are read at a start.
    """
    match = _COMMONEST.match(text)
    if match is not None:
        plain_name, quoted_name, plain, quoted, _, created, listed = match.groups()
        name = plain_name or quoted_name.strip()
        description = plain or quoted.strip()
        if len(name) <= _LONGEST_NO_TEXT or len(description) <= _LONGEST_NO_TEXT:
            if not (name and description):
                return None
            if (plain_name and not is_plain(name)) or (plain and not is_plain(description)):
                return None
    else:
        match = _common().match(text)
        if match is None:
            return None
        name, description, _, created, listed = match.groups()
        if not (is_plain(name) and is_plain(description)):
            return None
    return name, description, tuple(listed.split(", ")) if listed else (), created or ""


def common_scope(text: str) -> str | None:
    """The scope in a header of the usual form, of which every reader takes name and description
    for the same text.

    `""` where it says none; `None` where the header has another form.
    """
    match = _COMMONEST.match(text)
    if match is None or read_common(text) is None:
        return None
    name, _, description, _, scope, *_ = match.groups("")
    # The agent's simple reader drops a double quote at the end of a plain value, too.
    return None if name.endswith('"') or description.endswith('"') else scope


def read_plain(header: str) -> Reading | None:
    """What a simple header says to every reader; `None` where they might differ."""
    return _read(header, blocks=False)


_NESTED: Final = r"(?m)^[ \t]+(?:name|description)[ \t]*:"


def read_blocks(header: str) -> Reading | None:
    """What a header says to YAML; `None` where only YAML can tell."""
    return _read(header, blocks=True)


def _read(header: str, *, blocks: bool) -> Reading | None:
    name = description = created = scope = ""
    tags: tuple[str, ...] = ()
    position, end = 0, len(header)
    match_line, match_between = _line().match, _between().match
    while position < end:
        match = match_line(header, position)
        text = True
        listed = None
        block = _block().match(header, position) if blocks and _is_bare(match) else None
        if block is not None:
            position = block.end()
            key, value = block["key"], _said(block)
            if block["items"] is not None:
                listed = _items(block["items"])
            text = block["items"] is None and block["fields"] is None
        elif match is not None:
            position = match.end()
            key, plain, quoted, date, flow = match.groups()
            value = plain or quoted or date or ""
            if flow is not None:
                listed = split_tags(flow)
            text = date is None and flow is None and (plain is None or not _is_no_text(plain))
        else:
            between = match_between(header, position)
            if between is None:
                return None
            position = between.end()
            continue
        if key in ("name", "description"):
            if not text:
                return None
            if key == "name":
                name = value.strip()
            else:
                description = value.strip()
        elif key == "tags":
            if listed is not None:
                tags = listed
            else:
                tags = split_tags(value) if text else (value,) if value else ()
        elif key == "created":
            created = value.strip()
        elif key == "scope":
            scope = value.strip()
    if not (name and description) and re.search(_NESTED, header):
        return None  # for the simple reader, such a key fills the empty one
    return Reading(name, description, tags, created, scope)


def _is_bare(match: re.Match[str] | None) -> bool:
    """Whether a line is no whole field, so that the lines below may belong to it."""
    return match is None or match.lastindex == 1


def _is_no_text(value: str) -> bool:
    return len(value) <= _LONGEST_NO_TEXT and value.lower() in _NO_TEXT


def _said(block: re.Match[str]) -> str:
    quoted, text = block["quoted"], block["text"]
    if quoted is not None:
        return str(quoted)
    return " ".join([line.strip("\r")[2:] for line in text.split("\n")]) if text else ""


def _items(lines: str) -> tuple[str, ...]:
    return split_tags(",".join([line.lstrip(" ")[2:] for line in lines.split("\n")]))
