"""Reading git's `-z` answers: trees, the index, and the paths that differ between them."""

from __future__ import annotations

from typing import NamedTuple

from memlens.engine.review.git import Change, Entry, Listing
from memlens.engine.review.process import GitError

_OURS_FIRST = {"2": 0, "3": 1, "1": 2}


class Index(NamedTuple):
    """What the index holds."""

    files: Listing
    """Where a merge has left several versions of a file, ours."""
    unmerged: frozenset[str]


def decode(data: bytes) -> str:
    """Paths and names as memlens keeps them."""
    return data.decode("utf-8", "surrogateescape")


def read_tree(answer: bytes) -> Listing:
    """The answer of `ls-tree -r -z --full-tree`."""
    files: Listing = {}
    for record in decode(answer).split("\0"):
        if record:
            head, path = record.split("\t", 1)
            mode, _, oid = head.split(" ")
            files[path] = Entry(mode, oid)
    return files


def read_index(answer: bytes) -> Index:
    """The answer of `ls-files -s -z`."""
    files: Listing = {}
    unmerged: dict[str, str] = {}
    for record in decode(answer).split("\0"):
        if record:
            head, path = record.split("\t", 1)
            mode, oid, stage = head.split(" ")
            if stage != "0":
                if path in unmerged and _OURS_FIRST[unmerged[path]] < _OURS_FIRST[stage]:
                    continue
                unmerged[path] = stage
            files[path] = Entry(mode, oid)
    return Index(files, frozenset(unmerged))


def read_changes(answer: bytes) -> list[Change]:
    """The answer of `diff-index`, `diff-tree` or `diff-files` with `--raw -z`."""
    parts = decode(answer).split("\0")
    changes: list[Change] = []
    at = 0
    while at + 1 < len(parts):
        head = parts[at]
        if not head.startswith(":"):
            raise GitError("failed", "git diff says something that memlens does not understand")
        old_mode, new_mode, old_oid, new_oid, status = head[1:].split(" ")
        letter = status[:1]
        old_path = path = parts[at + 1]
        at += 2
        if letter in "RC":
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
