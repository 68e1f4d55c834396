"""Findings of the context library that a change is to blame for.

The library looks at each side as a whole. Of what it finds after the change, the review keeps what
stands in changed files, and elsewhere what was not there before: by name, file and the text of the
line. Notes it keeps only in lines that a changed file did not have before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from memlens.engine.findings import Finding

TextOf = Callable[[str], str | None]


class Changed(NamedTuple):
    """What has changed, in absolute paths."""

    paths: Collection[str]
    """Changed files after the change, and deleted ones."""
    old_paths: dict[str, str]
    """Where renamed files were."""


def caused(
    before: Callable[[], Sequence[Finding]],
    after: Sequence[Finding],
    changed: Changed,
    texts: tuple[TextOf, TextOf],
) -> Iterator[Finding]:
    """The findings of `after` that the change brought, and those in changed files.

    What was there before in a changed file comes along, unless it is only a note. `before` is only
    asked where it matters. `texts` give the text of a file before and after.
    """
    known: Counter[tuple[str, str, str]] | None = None
    old_lines: dict[str, frozenset[str]] = {}
    for finding in after:
        here = finding.file
        if finding.severity == "note":
            if here in changed.paths:
                if here not in old_lines:
                    text = texts[0](changed.old_paths.get(here, here)) or ""
                    old_lines[here] = frozenset(text.split("\n"))
                if _line(finding, texts[1]) not in old_lines[here]:
                    yield finding
            continue
        if here in changed.paths:
            yield finding
            continue
        if known is None:
            known = Counter(_key(found, texts[0]) for found in before())
        key = _key(finding, texts[1])
        if known[key] > 0:
            known[key] -= 1
        else:
            yield finding


def _key(finding: Finding, text_of: TextOf) -> tuple[str, str, str]:
    return finding.name, finding.file, _line(finding, text_of)


def _line(finding: Finding, text_of: TextOf) -> str:
    """The text of the line that a finding is about; empty for one about the whole file."""
    if not finding.line:
        return ""
    lines = (text_of(finding.file) or "").split("\n", finding.line)
    return lines[finding.line - 1] if finding.line <= len(lines) else ""
