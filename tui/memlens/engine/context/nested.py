"""Memory files below the root that nothing has loaded yet (spec, part 6, number 4)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from memlens.engine.agents.model import AgentProfile
from memlens.engine.context.discover import Found
from memlens.engine.context.expand import Shown
from memlens.engine.context.model import NestedFile, NestedSurvey
from memlens.engine.context.reasons import reasons_below
from memlens.engine.context.tree import Tree
from memlens.engine.files import FileProblem, entries_of
from memlens.engine.work import is_wanted

if TYPE_CHECKING:
    from memlens.engine.context.discover import Status
    from memlens.engine.context.gather import Gatherer, Waiting

SKIPPED_FOLDERS: Final = frozenset({
    ".git", ".hg", ".svn", ".jj",
    "node_modules", "bower_components", "site-packages",
    ".venv", "venv", ".tox", ".nox", "__pycache__",
    ".mypy_cache", ".ruff_cache", ".pytest_cache", ".cache",
    ".gradle", ".next", ".nuxt", ".terraform",
})  # fmt: skip
"""Folders that are not searched: what lies in them is made by programs, and there is much of it."""

MAX_ENTRIES: Final = 200_000
MAX_SECONDS: Final = 2.0


def survey(
    tree: Tree,
    profile: AgentProfile,
    root: str,
    shown: Shown,
    label: Callable[[str], str],
    *,
    gatherer: Gatherer | None = None,
    max_entries: int = MAX_ENTRIES,
    max_seconds: float = MAX_SECONDS,
) -> NestedSurvey:
    """Searches the folders below `root`, upper ones first, for memory files that a touch would
    add. Links to folders are not followed; empty files, and those that cannot be read, are left
    out, with their reasons. `gatherer`: who knows what is read in a folder, where the names of the
    rules alone do not tell."""
    rules = [rule for rule in profile.files if rule.place == "nested"]
    deadline = time.monotonic() + max_seconds
    folders = deque([root])
    found: list[NestedFile] = []
    visited = entries_seen = 0
    first_names = {rule.name.partition("/")[0] for rule in rules}
    folded = {name.casefold() for name in first_names}
    left_out: list[Found] = []

    def result(*, complete: bool) -> NestedSurvey:
        out = reasons_below(tree, profile, left_out, shown) if left_out else ()
        return NestedSurvey(tuple(found), complete=complete, visited=visited, out=out)

    if gatherer is not None:
        found += [_nested_file(one, label) for one in gatherer.waiting()]
    while folders:
        wanted = is_wanted(visited, 0, "looking for memory files in folders")
        if entries_seen > max_entries or time.monotonic() > deadline or not wanted:
            return result(complete=False)
        folder = folders.popleft()
        base = folder.rstrip("/")
        try:
            entries = entries_of(tree.files, folder)
        except FileProblem:
            continue
        visited += 1
        entries_seen += len(entries)
        names = set()
        for name, kind in entries:
            names.add(name)
            if kind == "folder" and name not in SKIPPED_FOLDERS:
                folders.append(f"{base}/{name}")
        alike = {name for name in names if name.casefold() in folded}
        if folder == root or not alike:
            continue
        misspelt = not alike <= first_names
        if gatherer is not None:
            for one in gatherer.waiting_in(folder):
                if isinstance(one, Found):
                    if misspelt or one.rule.name.partition("/")[0] in alike:
                        left_out.append(one)
                else:
                    found.append(_nested_file(one, label))
                    rule = next(
                        (rule for rule in rules if one.found == f"{base}/{rule.name}"), None
                    )
                    if misspelt and rule is not None:
                        left_out.append(
                            Found(rule, "nested", folder, one.found, "used", one.source)
                        )
            continue
        for rule in rules:
            if not misspelt and rule.name.partition("/")[0] not in alike:
                continue
            path = f"{base}/{rule.name}"
            source = tree.assess(path)
            if source in shown:
                continue
            if source.problem or source.blank:
                status: Status = "failed" if source.problem else "empty"
                left_out.append(Found(rule, "nested", folder, path, status, source))
                continue
            size = 0 if source.stamp is None else source.stamp.size
            found.append(NestedFile(source.path, path, label(source.path), folder, size))
            if misspelt:  # another one beside it is left out for its name
                left_out.append(Found(rule, "nested", folder, path, "used", source))
    return result(complete=True)


def _nested_file(waiting: Waiting, label: Callable[[str], str]) -> NestedFile:
    source = waiting.source
    size = 0 if source.stamp is None else source.stamp.size
    return NestedFile(
        source.path, waiting.found, label(source.path), waiting.touch, size, waiting.is_glob
    )
