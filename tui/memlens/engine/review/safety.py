"""What may be hostile or should not be committed at all: a path, or a file itself."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from memlens.engine.findings import Finding
from memlens.engine.safety.hidden import hidden_spots
from memlens.engine.safety.lookalikes import mixed_letters, plain_form

PRIVATE_NAMES: Final = ("CLAUDE.local.md", ".claude/settings.local.json")
"""Files that are a person's own: the ends of their paths."""


def check_path(path: str, others: Container[str], names: Container[str]) -> list[Finding]:
    """What is wrong with a path itself; `path` is relative to the repository.

    `others` are the paths that are there, `names` the file names that agents look for: a path that
    is neither, but looks like one of them, deceives.
    """
    hint = "rename it"
    findings = [
        Finding(spot.name, "error", path, 0, 0, f"its path has {spot.message}", hint)
        for spot in hidden_spots(path)
    ]
    letters = next(mixed_letters(path), None)
    if letters is not None:
        message = f"a letter in its path deceives: {letters.words}"
        findings.append(Finding("hidden-characters", "error", path, 0, 0, message, hint))
    elif seems := what_it_seems(path, others, names):
        message = f"its path only looks like {seems}"
        findings.append(Finding("hidden-characters", "error", path, 0, 0, message, hint))
    return findings


def what_it_seems(path: str, others: Container[str], names: Container[str]) -> str:
    """The path or name that `path` looks like without being it; empty where there is none."""
    plain = plain_form(path)
    if plain == path:
        return ""
    name = plain.rpartition("/")[2]
    if plain in others:
        return plain
    return name if name in names and name != path.rpartition("/")[2] else ""


def is_private(path: str) -> bool:
    """Whether a file is meant for one person only and should not be committed."""
    return any(path == name or path.endswith("/" + name) for name in PRIVATE_NAMES)


def private_file(path: str) -> Finding:
    """The finding about such a file."""
    return Finding(
        "private-file-staged", "error", path, 0, 0,
        "this file is for one person, and the commit would hand it to everyone",
        "take it out (git rm --cached) and name it in .gitignore",
    )  # fmt: skip


def unmerged_file(path: str) -> Finding:
    """The finding about a file with several versions in the index."""
    return Finding(
        "conflict-markers", "error", path, 0, 0, "git has not merged it yet",
        "resolve the conflict and stage the file (git add)",
    )  # fmt: skip
