"""Secrets in text: found by a small table of rules, and replaced by `[REDACTED]` (spec 5).

Two kinds of rule: shapes that are secrets wherever they stand (`shapes`), and values behind a
name such as `password`, where the name and what surrounds it decide (`assignments`). Whatever
only talks about secrets is left alone.
"""

from __future__ import annotations

from typing import Final, NamedTuple

REDACTED: Final = "[REDACTED]"


class Secret(NamedTuple):
    """A secret in a text; `start` and `end` are what would be replaced, in characters."""

    kind: str
    """Such as `github-token`."""
    line: int
    """From 1."""
    column: int
    """From 1."""
    start: int
    end: int


class Redacted(NamedTuple):
    """A text without its secrets, and what was taken out."""

    text: str
    secrets: tuple[Secret, ...]


def redact(text: str) -> Redacted:
    """`text` with each secret replaced by `[REDACTED]`; names and separators stay as written."""
    secrets = find_secrets(text)
    if not secrets:
        return Redacted(text, ())
    parts = []
    position = 0
    for secret in secrets:
        parts += [text[position : secret.start], REDACTED]
        position = secret.end
    return Redacted("".join(parts) + text[position:], secrets)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in `text`, in order and without overlap."""
    from memlens.engine.safety import assignments, shapes

    spans = sorted(shapes.find(text) + assignments.find(text), key=lambda span: (span[1], -span[2]))
    secrets: list[Secret] = []
    line, line_start = 1, 0
    for kind, start, end in spans:
        if start >= end or (text.startswith(REDACTED, start) and end <= start + len(REDACTED)):
            continue
        if secrets and start < secrets[-1].end:
            if end > secrets[-1].end:
                secrets[-1] = secrets[-1]._replace(end=end)
            continue
        line += text.count("\n", line_start, start)
        line_start = text.rfind("\n", 0, start) + 1
        secrets.append(Secret(kind, line, start - line_start + 1, start, end))
    return tuple(secrets)
