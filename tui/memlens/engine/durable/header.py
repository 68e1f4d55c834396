"""Reading one fact: where its header ends, and what the header says.

YAML decides, read with the loader of python-frontmatter; name, description and tags are text, so
they are taken as written where YAML would make numbers, dates or truth values of them. The simple
reader is how the Mermaid agent reads: split at the first colon, outer quotes dropped.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    from yaml.nodes import Node
else:
    from memlens.engine.named import NamedTuple

LINE_ENDS: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
"""What must not stand in a value of one line: some reader takes it for a line end."""

# Headers that need no YAML: each line is a key and a value that every reader takes for the same
# text. A letter first, no `: `, no ` #`, nothing that YAML does not print; or double quotes around
# text that needs no escapes; or a date; or a list of words. YAML's own marks are all ASCII.
_BAD: Final = "\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN: Final = (
    f"[A-Za-z\u00c0-\U0010ffff](?<![{_BAD}])[^:#{_BAD}]*"
    f"(?:(?::(?=[^\\s{_BAD}])|(?<!\\s)#)[^:#{_BAD}]*)*(?<!\\s)"
)
_TAG: Final = r"[A-Za-z0-9](?:[A-Za-z0-9_.+/ -]*[A-Za-z0-9_.+/-])?"
_REST: Final = (
    r"\n(?:scope: ([a-z][a-z-]*)\n)?(?:created: ([0-9][0-9TZ.+-]*(?::[0-9TZ.+-]+)*)\n)?"
    rf"(?:tags: \[((?:{_TAG}(?:, {_TAG})*)?)\]\n)?---(?:\n|\Z)"
)
# ASCII without colons and hashes needs no second look.
_ASCII: Final = r"([A-Za-z](?:[ -\"$-9;-~]*[!\"$-9;-~])?)"
_COMMONEST: Final = re.compile(rf"---\nname: {_ASCII}\ndescription: {_ASCII}{_REST}")
_NO_TEXT: Final = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])
_LONGEST_NO_TEXT: Final = 5
_STR_TAG: Final = "tag:yaml.org,2002:str"
_NULL_TAG: Final = "tag:yaml.org,2002:null"


@cache
def _line() -> re.Pattern[str]:
    # Compiled when it is needed: it takes as long as starting Python.
    return re.compile(
        rf"([A-Za-z_][A-Za-z0-9_-]*):(?: ({_PLAIN})| \"([^\"\\{_BAD}]*)\""
        r"| (\d[\dTZ.+-]*(?::\d[\dTZ.+-]*)*)"
        rf"| \[((?:{_TAG}(?:, ?{_TAG})*)?)\])?\r?\n"
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


NO_HEADER: Final = Reading("", "", (), "", "")


class Parts(NamedTuple):
    """A fact's text, taken apart without losing a character: joined they are the text again."""

    opening: str
    """The first fence with its line end, after a BOM; or only the BOM."""
    header: str
    """The lines between the fences."""
    closing: str
    """The second fence with its line end; empty where there is no header."""
    rest: str

    @property
    def fenced(self) -> bool:
        return bool(self.closing)


def split(text: str) -> Parts:
    """Takes a fact's text apart (spec 1)."""
    start = 1 if text.startswith("\ufeff") else 0
    if text.startswith("---\n", start):
        begin = start + 4
    elif text.startswith("---\r\n", start):
        begin = start + 5
    else:
        return Parts(text[:start], "", "", text[start:])
    fence = begin - 1
    while (fence := text.find("\n---", fence)) >= 0:
        end = fence + 4
        if text.startswith("\r", end):
            end += 1
        if text.startswith("\n", end) or end == len(text):
            end = min(end + 1, len(text))
            return Parts(text[:begin], text[begin : fence + 1], text[fence + 1 : end], text[end:])
        fence += 4
    return Parts(text[:start], "", "", text[start:])


def read_header(header: str) -> Reading:
    """What the lines between the fences say; never raises."""
    return read_plain(header) or read_yaml(header)


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
    checked = match is not None
    match = match or _common().match(text)
    if match is None:
        return None
    name, description, _, created, listed = match.groups()
    if not (
        checked and len(name) > _LONGEST_NO_TEXT and len(description) > _LONGEST_NO_TEXT
    ) and not (is_plain(name) and is_plain(description)):
        return None
    return name, description, tuple(listed.split(", ")) if listed else (), created or ""


def read_plain(header: str) -> Reading | None:
    """What a simple header says; `None` where only YAML can tell."""
    name = description = created = scope = ""
    tags: tuple[str, ...] = ()
    position, end = 0, len(header)
    match_line = _line().match
    while position < end:
        match = match_line(header, position)
        if match is None:
            return None
        position = match.end()
        key, plain, quoted, date, listed = match.groups()
        value = plain or quoted or date or ""
        no_text = plain is not None and plain.lower() in _NO_TEXT
        if key in ("name", "description"):
            if no_text or date is not None or listed is not None:
                return None
            if key == "name":
                name = value.strip()
            else:
                description = value.strip()
        elif key == "tags":
            if listed is not None:
                tags = tuple([tag.strip() for tag in listed.split(",")]) if listed else ()
            else:
                tags = (value,) if no_text or date is not None else split_tags(value)
        elif key == "created":
            created = value.strip()
        elif key == "scope":
            scope = value.strip()
    return Reading(name, description, tags, created, scope)


def read_yaml(header: str) -> Reading:
    """What YAML says of a header, and the simple reader where YAML fails (spec 1); never raises."""
    nodes, problem, line, column = compose_fields(header)
    if problem:
        simple = read_simple(header)
        return Reading(
            one_line(simple.get("name", "")),
            one_line(simple.get("description", "")),
            split_tags(simple.get("tags", "").strip("[]")),
            one_line(simple.get("created", "")),
            one_line(simple.get("scope", "")),
            problem, (), line, column,
        )  # fmt: skip
    odd: list[str] = []
    simple_fields: dict[str, str] | None = None
    texts = {}
    for key in ("name", "description"):
        node = nodes.get(key)
        if node is None:
            texts[key] = ""
            continue
        if node.tag != _STR_TAG:
            if simple_fields is None:
                simple_fields = read_simple(header)
            texts[key] = one_line(simple_fields.get(key, ""))
            if not (node.tag == _NULL_TAG and not texts[key]):
                odd.append(key)
        else:
            texts[key] = one_line(node.value)
    return Reading(
        texts["name"], texts["description"], _tags_of(nodes.get("tags")),
        _text_of(nodes.get("created")), _text_of(nodes.get("scope")), "", tuple(odd),
    )  # fmt: skip


def read_simple(header: str) -> dict[str, str]:
    """The fields as the Mermaid agent's reader sees them; of equal keys the last one counts."""
    fields = {}
    for line in header.split("\n"):
        key, colon, value = line.partition(":")
        if colon:
            value = value.strip()
            if len(value) > 1 and value[0] == value[-1] == '"':
                value = value[1:-1]
            fields[key.strip()] = value
    return fields


def compose_fields(header: str) -> tuple[dict[str, Node], str, int, int]:
    """The nodes of the top-level keys, or why YAML cannot read it, with line and column.

    Line and column count from 1, in the file whose first line is the fence.
    """
    import yaml
    from frontmatter.default_handlers import SafeLoader

    try:
        root = yaml.compose(header, Loader=SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = (mark.line + 2, mark.column + 1) if mark else (1, 0)
        return {}, error.problem or error.context or "it cannot be read", *where
    except yaml.reader.ReaderError as error:
        character = error.character
        code = character if isinstance(character, int) else ord(str(character)[:1] or "?")
        return {}, f"the character U+{code:04X} is not allowed in YAML", 1, 0
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return {}, str(error).partition("\n")[0] or "it cannot be read", 1, 0
    if root is None:
        return {}, "", 0, 0
    if not isinstance(root, yaml.MappingNode):
        return {}, "it holds no keys", 2, 1
    fields = {key.value: value for key, value in root.value if isinstance(key, yaml.ScalarNode)}
    return fields, "", 0, 0


def one_line(text: str) -> str:
    """`text` without blank ends, each run of line ends inside it one space (spec 1)."""
    text = text.strip()
    return LINE_ENDS.sub(" ", text) if LINE_ENDS.search(text) else text


def split_tags(text: str) -> tuple[str, ...]:
    """The tags in a list separated by commas; quotes around one are dropped."""
    tags = (tag.strip().strip("\"'") for tag in text.split(","))
    return tuple([one_line(tag) for tag in tags if tag.strip()])


def _text_of(node: Node | None) -> str:
    value = node.value if node is not None else ""
    return one_line(value) if isinstance(value, str) else ""


def _tags_of(node: Node | None) -> tuple[str, ...]:
    if node is None or node.tag == _NULL_TAG:
        return ()
    if isinstance(node.value, str):
        return split_tags(node.value) if node.tag == _STR_TAG else (node.value,)
    tags = (item.value for item in node.value if not isinstance(item, tuple))
    texts = [one_line(tag) for tag in tags if isinstance(tag, str)]
    return tuple([tag for tag in texts if tag])
