"""Reading git's `-z` answers: trees, the index, and the paths that differ between them."""

from __future__ import annotations

from typing import NamedTuple

from memlens.engine.review.git import Change, Entry, Listing
from memlens.engine.review.process import GitError

_OURS_FIRST = {"2": 0, "3": 1, "1": 2}
_STAGES = frozenset(["0", *_OURS_FIRST])


class Index(NamedTuple):
    """What the index holds."""

    files: Listing
    """Where a merge has left several versions of a file, ours."""
    unmerged: frozenset[str]


def decode(data: bytes) -> str:
    """Paths and names as memlens keeps them."""
    return data.decode("utf-8", "surrogateescape")


def read_tree(answer: bytes) -> Listing:
    """The answer of `ls-tree -r -z --full-tree`. Raises `GitError` where it is none."""
    files: Listing = {}
    for record in decode(answer).split("\0"):
        if record:
            head, tab, path = record.partition("\t")
            words = head.split(" ")
            if not tab or len(words) != 3:
                raise _not_understood("ls-tree")
            files[path] = Entry(words[0], words[2])
    return files


def read_index(answer: bytes) -> Index:
    """The answer of `ls-files -s -z`. Raises `GitError` where it is none."""
    files: Listing = {}
    unmerged: dict[str, str] = {}
    for record in decode(answer).split("\0"):
        if record:
            head, tab, path = record.partition("\t")
            words = head.split(" ")
            if not tab or len(words) != 3 or words[2] not in _STAGES:
                raise _not_understood("ls-files")
            mode, oid, stage = words
            if stage != "0":
                if path in unmerged and _OURS_FIRST[unmerged[path]] < _OURS_FIRST[stage]:
                    continue
                unmerged[path] = stage
            files[path] = Entry(mode, oid)
    return Index(files, frozenset(unmerged))


def read_changes(answer: bytes) -> list[Change]:
    """The answer of `diff-index`, `diff-tree` or `diff-files` with `--raw -z`.

    Raises `GitError` where it is none.
    """
    parts = decode(answer).split("\0")
    changes: list[Change] = []
    at = 0
    while at + 1 < len(parts):
        head = parts[at]
        words = head[1:].split(" ")
        if not head.startswith(":") or len(words) != 5:
            raise _not_understood("diff")
        old_mode, new_mode, old_oid, new_oid, status = words
        letter = status[:1]
        old_path = path = parts[at + 1]
        at += 2
        if letter in ("R", "C"):
            if at >= len(parts) or not parts[at]:
                raise _not_understood("diff")
            path = parts[at]
            at += 1
        changes.append(
            Change(
                letter,
                path,
                old_path,
                Entry(old_mode, old_oid) if old_mode != "000000" else None,
                Entry(new_mode, new_oid) if new_mode != "000000" else None,
            )
        )
    return changes


def _not_understood(command: str) -> GitError:
    return GitError("failed", f"git {command} says something that memlens does not understand")
