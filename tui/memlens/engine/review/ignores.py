"""Comments in a reviewed text that switch off a finding in one line.

`<!-- memlens: ignore hidden-characters -->` holds for the line it stands in, and for the next one
if it has the line for itself. Several names are separated by commas or spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from memlens.engine.findings import Finding

_COMMENT: Final = re.compile(r"<!--[ \t]*memlens:[ \t]*ignore[ \t]+([a-z][a-z, \t-]*?)[ \t]*-->")


def ignored_in(text: str) -> dict[int, frozenset[str]]:
    """The names that are switched off, by line."""
    if "memlens:" not in text:
        return {}
    ignored: dict[int, frozenset[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for match in _COMMENT.finditer(line):
            names = frozenset(match.group(1).replace(",", " ").split())
            alone = line.strip() == match.group()
            for place in (number, number + 1) if alone else (number,):
                ignored[place] = ignored.get(place, frozenset()) | names
    return ignored


def without_ignored(
    findings: Iterable[Finding],
    text_of: Callable[[str], str | None],
    off: Collection[str] = (),
) -> tuple[list[Finding], int]:
    """The findings that remain, and how many were switched off by comments.

    `text_of` gives a file's text, None where there is none; `off` are the names that the settings
    switch off everywhere.
    """
    remaining: list[Finding] = []
    silenced = 0
    known: dict[str, dict[int, frozenset[str]]] = {}
    for finding in findings:
        if finding.name in off:
            continue
        if finding.line:
            if finding.file not in known:
                known[finding.file] = ignored_in(text_of(finding.file) or "")
            if finding.name in known[finding.file].get(finding.line, ()):
                silenced += 1
                continue
        remaining.append(finding)
    return remaining, silenced
