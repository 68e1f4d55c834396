"""Findings of the context library that a change is to blame for.

The library looks at each side as a whole. Of what it finds after the change, the review keeps what
was not there before, by name, file and the text of the line, and what stands in changed files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from memlens.engine.findings import Finding
from memlens.engine.review.told import Told

TextOf = Callable[[str], str | None]


class Changed(NamedTuple):
    """What has changed, in absolute paths."""

    paths: Collection[str]
    """Changed files after the change, and deleted ones."""
    old_paths: dict[str, str]
    """Where renamed files were."""


def caused(
    before: Iterable[Finding],
    after: Iterable[Finding],
    changed: Changed,
    texts: tuple[TextOf, TextOf],
) -> Iterator[Finding]:
    """The findings of `after` that the change brought, and those in changed files.

    What was there before in a changed file comes along, unless it is only a note. `texts` give the
    text of a file before and after.
    """
    known = Counter(_key(finding, texts[0], {}) for finding in before)
    for finding in after:
        key = _key(finding, texts[1], changed.old_paths)
        if known[key] > 0:
            known[key] -= 1
            if finding.severity == "note" or finding.file not in changed.paths:
                continue
        yield finding


def affected_folders(before: Told, after: Told, changed: Collection[str]) -> list[str]:
    """The folders with memory files that have changed, or that bring in a changed file; without
    those of the reviewed root's own prompt."""
    own = {*before.memory.walk, *after.memory.walk}
    folders = set()
    for told in (before, after):
        for place, reach in told.reach.items():
            folder = place.rpartition("/")[0]
            if folder not in own and folder not in folders and not reach.isdisjoint(changed):
                folders.add(folder)
    return sorted(folders)


def _key(finding: Finding, text_of: TextOf, old_paths: dict[str, str]) -> tuple[str, str, str]:
    line = ""
    if finding.line:
        lines = (text_of(finding.file) or "").split("\n", finding.line)
        line = lines[finding.line - 1] if finding.line <= len(lines) else ""
    return finding.name, old_paths.get(finding.file, finding.file), line
