"""The notes that an agent keeps by itself: their header, in both shapes there are (spec B).

The kind of a note is its one tag: `metadata.type`, in older ones `type` at the top.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .errors import InvalidFact
from .header import split
from .render import clean_body, scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS: Final = ("user", "feedback", "project", "reference")
USUAL: Final = "project"
_VALUE: Final = r"[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<kind>[^\s\"'#,}]+)(?P=quote)"
_PLACES: Final = (
    re.compile(rf"(?m)^metadata[ \t]*:[ \t]*(?:#.*)?\n(?:[ \t]+.*\n)*?[ \t]+type{_VALUE}"),
    re.compile(rf"(?m)^metadata[ \t]*:[ \t]*\{{(?:[^}}\n]*,)?[ \t]*type{_VALUE}"),
    re.compile(rf"(?m)^type{_VALUE}"),
)
_METADATA: Final = re.compile(r"(?m)^metadata[ \t]*:[ \t]*(?:#.*)?\r?\n(?P<indent>[ \t]+)")


def kind_tags(text: str) -> tuple[str, ...]:
    """The kind of a note as its tags; none where it says none."""
    match = _find(split(text).header)
    return (match["kind"],) if match else ()


def kind_of(tags: Sequence[str]) -> str:
    """The kind that tags stand for. Raises `InvalidFact` where they stand for none."""
    if not tags:
        return USUAL
    if len(tags) != 1 or tags[0] not in KINDS:
        raise InvalidFact(f"a note has one tag, its kind: {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    return tags[0]


def with_kind(text: str, tags: Sequence[str]) -> str:
    """`text` with another kind, where its header has it; all else as it was."""
    kind = kind_of(tags)
    parts = split(text)
    match = _find(parts.header)
    if match is not None:
        header = parts.header[: match.start("kind")] + kind + parts.header[match.end("kind") :]
    else:
        newline = "\r\n" if "\r\n" in parts.opening + parts.header else "\n"
        metadata = _METADATA.search(parts.header)
        if metadata is not None:
            at = metadata.start("indent")
            line = f"{metadata['indent']}type: {kind}{newline}"
            header = parts.header[:at] + line + parts.header[at:]
        else:
            header = f"{parts.header}metadata:{newline}  type: {kind}{newline}"
    if parts.fenced:
        return "".join(parts._replace(header=header))
    return f"---\n{header}---\n\n{text}"


def render_note(*, name: str, description: str, tags: Sequence[str], body: str) -> str:
    """A new note."""
    return (
        f"---\nname: {scalar(name)}\ndescription: {scalar(description)}\n"
        f"metadata:\n  type: {kind_of(tags)}\n---\n\n{clean_body(body)}\n"
    )


def _find(header: str) -> re.Match[str] | None:
    unified = header.replace("\r\n", " \n")
    return next((match for place in _PLACES if (match := place.search(unified))), None)
