"""Findings that a person has switched off for one line: `<!-- memlens: ignore name -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.findings import Finding

_COMMENT = re.compile(r"<!--[ \t]*memlens:[ \t]*ignore[ \t]+([A-Za-z0-9, \t-]*?)[ \t]*-->")


def ignored_names(text: str) -> dict[int, frozenset[str]]:
    """The names that comments in `text` switch off, by line (from 1).

    One comment may hold several names, with commas or spaces between them.
    """
    found: dict[int, frozenset[str]] = {}
    if "memlens:" not in text:
        return found
    line, counted = 1, 0
    for match in _COMMENT.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        names = frozenset(match.group(1).replace(",", " ").split())
        found[line] = found.get(line, frozenset()) | names
    return found


def without_ignored(
    findings: Iterable[Finding], text_of: Callable[[str], str | None]
) -> list[Finding]:
    """The findings that no comment on their own line switches off.

    `text_of` gives a file's text, or None where there is none. A finding about a file as a whole
    is switched off on its first line.
    """
    names: dict[str, dict[int, frozenset[str]]] = {}
    kept = []
    for finding in findings:
        by_line = names.get(finding.file)
        if by_line is None:
            by_line = names[finding.file] = ignored_names(text_of(finding.file) or "")
        if finding.name not in by_line.get(finding.line or 1, ()):
            kept.append(finding)
    return kept
