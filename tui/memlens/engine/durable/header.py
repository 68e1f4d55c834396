"""Reading one fact: where its header ends, and what the header says.

YAML decides, read with the loader of python-frontmatter; name, description and tags are text, so
they are taken as written where YAML would make numbers, dates or truth values of them. The simple
reader is how the Mermaid agent reads: split at the first colon, outer quotes dropped.
"""

from __future__ import annotations

from .plain import Reading, one_line, read_blocks, split_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    from yaml.nodes import Node
else:
    from memlens.engine.named import NamedTuple

_STR_TAG: Final = "tag:yaml.org,2002:str"
_NULL_TAG: Final = "tag:yaml.org,2002:null"


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
    """Takes a fact's text apart (spec 1).

    Blanks around a fence do not matter to the agent. A closing fence at the start of its line goes
    before an indented one, which may be part of a value.
    """
    start = 1 if text.startswith("\ufeff") else 0
    begin = text.find("\n", start) + 1
    if begin and _is_fence(text, start, begin):
        indented = None
        at = text.find("---", begin)
        while at >= 0:
            line = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at) + 1 or len(text)
            if _is_fence(text, line, end):
                if at == line:
                    return _parts(text, begin, line, end)
                indented = indented or (line, end)
            at = text.find("---", end)
        if indented is not None:
            return _parts(text, begin, *indented)
    return Parts(text[:start], "", "", text[start:])


def _is_fence(text: str, start: int, end: int) -> bool:
    return text.find("---", start, end) >= 0 and text[start:end].strip() == "---"


def _parts(text: str, begin: int, line: int, end: int) -> Parts:
    return Parts(text[:begin], text[begin:line], text[line:end], text[end:])


def read_header(header: str) -> Reading:
    """What the lines between the fences say; never raises."""
    return read_blocks(header) or read_yaml(header)


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
    """The fields as the Mermaid agent's reader sees them: all double quotes around a value are
    dropped, and of equal keys the last one counts."""
    fields = {}
    for line in header.split("\n"):
        key, colon, value = line.partition(":")
        if colon:
            fields[key.strip()] = value.strip().strip('"')
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
