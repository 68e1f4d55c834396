"""Writing facts: a new one whole, an old one by the lines of the fields that changed.

Everything that is not a changed field stays byte for byte: unknown keys, comments, order, line
ends. What is written reads back exactly, by YAML and wherever it can by the simple reader.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .header import Parts, compose_fields, read_header, split
from .index import without_escapes
from .plain import is_plain, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yaml.nodes import Node

KEYS: Final = ("name", "description", "scope", "created", "tags")
"""The fields of a fact, in the order of the format (spec 1)."""

_ESCAPED: Final = re.compile(
    '[\\\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\U000e0000-\U000e0fff]'
)
_TAG_PLAIN: Final = re.compile(r"[^,\[\]{}?\\\"']*")
_ESCAPES: Final = re.compile("[\udc80-\udcff]")


class CannotEdit(Exception):
    """The header is written in a way that line edits cannot change safely."""


def render(
    *, name: str, description: str, scope: str, created: str, tags: Sequence[str], body: str
) -> str:
    """A new fact (spec 1). Name and description are on one line, the body's end is trimmed."""
    return (
        f"---\nname: {scalar(name)}\ndescription: {scalar(description)}\nscope: {scope}\n"
        f"created: {created}\ntags: {tag_list(tags)}\n---\n\n{clean_body(body)}\n"
    )


def clean(text: str) -> str:
    """A name, description or tag as it is saved: trimmed, on one line, valid Unicode."""
    return one_line(text.encode("utf-8", "replace").decode() if not _encodes(text) else text)


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags as they are saved: trimmed, empty ones dropped."""
    return tuple([tag for tag in map(clean, tags) if tag])


def clean_body(body: str) -> str:
    """A body as it is saved: LF, its end trimmed, valid Unicode."""
    if not _encodes(body):
        body = body.encode("utf-8", "replace").decode()
    return body.replace("\r\n", "\n").rstrip()


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def scalar(value: str) -> str:
    """`value` for the place behind `key: `, quoted where YAML needs it."""
    if is_plain(value):
        return value
    return f'"{_ESCAPED.sub(_escape, value)}"'


def tag_list(tags: Sequence[str]) -> str:
    """Tags as a list on one line."""
    return "[" + ", ".join(
        tag if _TAG_PLAIN.fullmatch(tag) and is_plain(tag) and ":" not in tag else
        f'"{_ESCAPED.sub(_escape, tag)}"'
        for tag in tags
    ) + "]"  # fmt: skip


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character in '\\"':
        return "\\" + character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_broken(text: str) -> bool:
    """Whether there is a header and YAML cannot read it."""
    return bool(read_header(_readable(split(text).header)).problem)


def change(text: str, fields: Mapping[str, str | Sequence[str]], body: str | None = None) -> str:
    """`text` with the given fields, and the body, replaced; all other characters stay.

    `text` has invalid bytes as surrogate escapes. Raises `CannotEdit` where the header is
    written in a way that no line edit can change so that it reads back as wanted.
    """
    parts = split(text)
    if fields:
        header = _changed_header(parts, fields)
        if header is None:
            raise CannotEdit("its header cannot be changed line by line; edit the file by hand")
        if parts.fenced:
            parts = parts._replace(header=header)
        else:
            newline = _newline(text)
            gap = "" if parts.rest.startswith(("\n", "\r\n")) else newline
            parts = Parts(f"{parts.opening}---{newline}", header, f"---{newline}", gap + parts.rest)
    if body is not None:
        parts = parts._replace(rest=_changed_body(parts, body, _newline(text)))
        if parts.fenced and not parts.closing.endswith("\n"):
            parts = parts._replace(closing=parts.closing + _newline(text))
    return "".join(parts)


def _newline(text: str) -> str:
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def _changed_body(parts: Parts, body: str, newline: str) -> str:
    """The text behind the header: its leading empty lines stay, its end is one line end."""
    body = clean_body(body).replace("\n", newline)
    rest = parts.rest
    blank = len(rest) - len(rest.lstrip())
    lead = rest[: rest.rfind("\n", 0, blank) + 1] if rest.strip() else ""
    if not lead and parts.fenced:
        lead = newline
    return lead + body + newline


def _changed_header(parts: Parts, fields: Mapping[str, str | Sequence[str]]) -> str | None:
    """The header with the fields set; `None` where it would not read back as wanted."""
    newline = _newline(parts.opening + parts.header)
    header = parts.header
    before = read_header(_readable(header))
    attempts = [fields]
    if before.problem:
        # YAML reads nothing here. Where the new value needs YAML to be read, the old ones are
        # quoted too, so that it can be.
        read = read_header(without_escapes(header))
        attempts.append({"name": read.name, "description": read.description, **fields})
    for attempt in attempts:
        changed = header
        wanted = before._asdict() | {
            key: value if isinstance(value, str) else tuple(value) for key, value in attempt.items()
        }
        for key in KEYS:
            if key in attempt:
                value = attempt[key]
                shown = scalar(value) if isinstance(value, str) else tag_list(value)
                changed = _set(changed, key, shown, newline)
        after = read_header(_readable(changed))._asdict()
        if all(after[key] == wanted[key] for key in KEYS):
            return changed
    return None


def _readable(header: str) -> str:
    """The header as YAML may read it: one character for each, so that places stay the same."""
    return _ESCAPES.sub("\ufffd", header)


def _set(header: str, key: str, shown: str, newline: str) -> str:
    """The header with one field's value replaced, or the field added where its place is."""
    readable = _readable(header)
    nodes, problem, _, _ = compose_fields(readable)
    if problem:
        return _set_line(header, key, shown, newline)
    node = nodes.get(key)
    if node is None:
        return _add(header, key, shown, newline)
    at = _key_end(readable, key, node)
    if at is None:
        return _set_line(header, key, shown, newline)
    start, end = node.start_mark.index, _end(node, readable)
    # An anchor stays, for those who refer to it; a type of YAML's goes, for this is text.
    properties = re.match(r"(?:[&!]\S*[ \t]+)*", header[start:end])
    anchor = re.search(r"&\S+[ \t]+", properties.group() if properties else "")
    shown = (anchor.group() if anchor else "") + shown
    if start >= at and _is_one_line(node, readable, at):
        space = " " if start == at else ""
        return header[:start] + space + shown + header[end:]
    comment = re.match(r"[^\n]*?(\s#[^\n\r]*)", header[at:start]) if start > at else None
    return header[:at] + f" {shown}" + (comment.group(1) if comment else "") + header[end:]


def _key_end(header: str, key: str, node: Node) -> int | None:
    """Where the colon behind the key that `node` belongs to ends; `None` where it has no line."""
    found = None
    for match in re.finditer(rf"(?m)^(?:{key}|\"{key}\"|'{key}')[ \t]*:(?=\s|\Z)", header):
        if match.end() <= node.start_mark.index or found is None:
            found = match.end()
    # An alias has the place of its anchor, which lies before the key.
    return found if found is not None and found <= node.start_mark.index else None


def _is_one_line(node: Node, header: str, at: int) -> bool:
    if getattr(node, "style", None) in ("|", ">"):
        return False
    if isinstance(node.value, list) and not node.flow_style:  # type: ignore[attr-defined]
        return False
    return "\n" not in header[at : node.end_mark.index]


def _end(node: Node, header: str) -> int:
    """The end of what a value covers, without line ends and comments that follow it."""
    if isinstance(node.value, list) and not node.flow_style and node.value:  # type: ignore[attr-defined]
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last, header)
    end: int = node.end_mark.index
    if getattr(node, "style", None) in ("|", ">"):
        start = node.start_mark.index
        end = start + len(header[start:end].rstrip())
    return end


def _set_line(header: str, key: str, shown: str, newline: str) -> str:
    """Without YAML's help: the rest of the last line that has the key."""
    found = None
    for found in re.finditer(rf"(?m)^[ \t]*{key}[ \t]*:([^\r\n]*)", header):  # noqa: B007
        pass
    if found is None:
        return _add(header, key, shown, newline)
    return header[: found.start(1)] + " " + shown + header[found.end(1) :]


def _add(header: str, key: str, shown: str, newline: str) -> str:
    """The header with a new line, behind the fields that come before it in the format."""
    at = 0
    nodes, problem, _, _ = compose_fields(_readable(header))
    for earlier in KEYS[: KEYS.index(key)]:
        if earlier in nodes:
            end = max(_end(nodes[earlier], header), nodes[earlier].start_mark.index)
            line_end = header.find("\n", end)
            at = max(at, len(header) if line_end < 0 else line_end + 1)
        elif problem:
            for match in re.finditer(rf"(?m)^{earlier}[ \t]*:[^\n]*\n", header):
                at = max(at, match.end())
    return f"{header[:at]}{key}: {shown}{newline}{header[at:]}"
