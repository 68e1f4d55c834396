"""What may be hostile or should not be committed at all, whatever the agent makes of it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from memlens.engine.durable.secrets import find_secrets
from memlens.engine.findings import Finding
from memlens.engine.review.conflicts import conflict_spots
from memlens.engine.review.hidden import hidden_spots
from memlens.engine.review.lookalikes import in_import_tokens, mixed_letters, plain_form
from memlens.engine.review.spots import Spot

NAMES: Final = (
    "secret",
    "hidden-characters",
    "control-characters",
    "conflict-markers",
    "private-file-staged",
)
"""The findings that come from here."""

PRIVATE_NAMES: Final = ("CLAUDE.local.md", ".claude/settings.local.json")
"""Files that are a person's own: the ends of their paths."""


def check_text(file: str, text: str) -> list[Finding]:
    """What is in a text, by line and column. `file` is put into the findings as it is."""
    text = text.removeprefix("\ufeff")  # no column counts it
    spots = [*hidden_spots(text), *conflict_spots(text), *_secrets(text), *_token_letters(text)]
    spots.sort(key=lambda spot: (spot.line, spot.column, spot.name))
    return [spot.in_file(file) for spot in spots]


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


def _secrets(text: str) -> Iterator[Spot]:
    for secret in find_secrets(text):
        yield Spot(
            "secret", "error", secret.line, secret.column,
            f"it looks like a secret ({secret.kind})",
            "take it out and make it invalid: what was committed once is known",
        )  # fmt: skip


def _token_letters(text: str) -> Iterator[Spot]:
    if text.isascii() or "@" not in text:
        return
    for number, line in enumerate(text.split("\n"), 1):
        found = next(in_import_tokens(line), None)
        if found is not None:
            yield Spot(
                "hidden-characters", "error", number, found.at + 1,
                f"a letter in an import's path deceives: {found.words}",
                "write the path with plain letters",
            )  # fmt: skip
