"""The two sides of a change: what they hold, and which paths differ."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import Final

from memlens.engine.review.git import (
    LINK,
    SUBMODULE,
    Change,
    Entry,
    Listing,
    Repository,
)
from memlens.engine.review.listings import decode, read_changes, read_index, read_tree
from memlens.engine.review.model import Mode
from memlens.engine.review.objects import Blobs, TooLargeError, WorkingBlobs
from memlens.engine.review.process import GitError
from memlens.engine.review.trees import GitTreeFiles

_DIFF: Final = ("--raw", "-z", "-M", "-l400", "--no-abbrev", "--no-relative", "--no-ext-diff")
_TREE: Final = ("ls-tree", "-r", "-z", "--full-tree")
_MOST_NAMED: Final = 400
"""Paths that are given to git by name; for more it is asked about all."""

_NOTHING_YET: Final = "nothing yet"


class Sides:
    """Both sides of a change, open for reading until `close`."""

    def __init__(self, repository: Repository, mode: Mode, names: tuple[str, str]) -> None:
        self.repository = repository
        self.mode: Mode = mode
        self.before_name, self.after_name = names
        self.before: Listing = {}
        self.after: Listing = {}
        self.changes: list[Change] = []
        self.unmerged: frozenset[str] = frozenset()
        self._known: set[str] = set()
        self._blobs = Blobs(repository)
        self._working = WorkingBlobs(repository)

    def __enter__(self) -> Sides:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends what git processes there are."""
        self._blobs.close()
        self._working.close()

    def files_before(self) -> GitTreeFiles:
        """The side before the change."""
        return GitTreeFiles(self.repository.top, self.before, self, known=self._known)

    def files_after(self) -> GitTreeFiles:
        """The side after the change."""
        return GitTreeFiles(self.repository.top, self.after, self, known=self._known)

    def read(self, path: str, entry: Entry, limit: int) -> bytes:
        """The bytes of a file of either side, as git keeps them or would."""
        if entry.oid.strip("0"):
            return self._blobs.read(entry.oid, limit)
        place = os.path.join(self.repository.top, path)
        try:
            if entry.mode == LINK and os.path.islink(place):
                return os.fsencode(os.readlink(place))
            size = os.stat(place).st_size
        except OSError:
            raise KeyError(path) from None
        if size > limit:
            raise TooLargeError(size)
        return self._working.read(path, limit)

    def prefetch(self, entries: Iterable[Entry], limit: int) -> None:
        """Reads what will be asked for; only a matter of speed."""
        self._blobs.prefetch((entry.oid for entry in entries if entry.oid.strip("0")), limit)

    def unstaged(self, paths: Iterable[str]) -> frozenset[str]:
        """Those of the given paths whose working file is not what is staged. Raises `GitError`."""
        wanted = [path for path in paths if path in self.after]
        if self.mode != "staged" or not wanted:
            return frozenset()
        named = wanted if len(wanted) <= _MOST_NAMED else []
        answer = self.repository.ask(
            "-c", "core.fsmonitor=false", "diff-files", "--ignore-submodules", *_DIFF, "--", *named
        )
        # git tells by time stamps, so each file that it names is looked at.
        return frozenset(
            change.path
            for change in read_changes(answer)
            if change.path in self.after and self._differs(change.path)
        )

    def _differs(self, path: str) -> bool:
        place = os.path.join(self.repository.top, path)
        if self.after[path].mode in (LINK, SUBMODULE) or not _is_plain_file(place):
            return True
        return self._working.id_of(path) != self.after[path].oid

    def settle(self, before: Listing, changes: list[Change], known: set[str]) -> None:
        """Takes what git has answered."""
        self.before = before
        self.after = dict(before)
        self.unmerged = frozenset(change.path for change in changes if change.status == "U")
        merged = {
            change.path: change
            for change in changes
            if change.status != "U"
            and (
                change.before != change.after
                or change.path != change.old_path
                or change.path in self.unmerged
            )
        }
        for change in merged.values():
            if change.old_path != change.path:
                self.after.pop(change.old_path, None)
        for change in merged.values():
            if change.after is None:
                self.after.pop(change.path, None)
            else:
                self.after[change.path] = change.after
        self.changes = sorted(merged.values(), key=lambda change: change.path)
        self._known = {*before, *self.after, *known}


def staged(repository: Repository, base: str | None = None) -> Sides:
    """What the index holds against HEAD, or against the commit `base`.

    In a first commit everything is new. What is only meant to be added (`git add -N`) is not
    part of the commit, so it counts as untracked. Raises `GitError`.
    """
    commit = repository.commit(base) if base is not None else repository.head()
    sides = Sides(repository, "staged", (base or ("HEAD" if commit else _NOTHING_YET), "index"))
    tree = commit or repository.empty_tree
    listing = repository.start(*_TREE, tree)
    difference = repository.start(
        "diff-index", "--cached", "--ita-invisible-in-index", *_DIFF, tree, "--"
    )
    try:
        before = read_tree(listing.answer())
        changes = read_changes(difference.answer())
        if any(change.status == "U" for change in changes):
            ours = read_index(repository.ask("ls-files", "-s", "-z")).files
            changes += _versions_of_ours(changes, before, ours)
        sides.settle(before, changes, set())
    finally:
        listing.close()
        difference.close()
    return sides


def everything(repository: Repository) -> Sides:
    """The working tree, untracked files included, against HEAD. Raises `GitError`.

    Its files are read as git would commit them.
    """
    commit = repository.head()
    sides = Sides(repository, "all", ("HEAD" if commit else _NOTHING_YET, "working tree"))
    tree = commit or repository.empty_tree
    listing = repository.start(*_TREE, tree)
    difference = repository.start(
        "-c", "core.fsmonitor=false", "diff-index", "--ignore-submodules=dirty", *_DIFF, tree, "--"
    )
    others = repository.start("ls-files", "-o", "-z", "--exclude-standard", "--full-name")
    try:
        before = read_tree(listing.answer())
        changes = read_changes(difference.answer())
        untracked = [path for path in decode(others.answer()).split("\0") if path]
        changes += [
            change for path in untracked if (change := _untracked(repository, path, before))
        ]
        sides.settle(before, changes, set())
    finally:
        for running in (listing, difference, others):
            running.close()
    return sides


def between(repository: Repository, commits: str) -> Sides:
    """Two commits: `A..B`, or `A...B` for what B changed since it parted from A.

    A missing side stands for HEAD, and a single commit is compared with HEAD. What the index
    holds beside them counts as known, so the checkout's own state takes no part. Raises `GitError`.
    """
    left, dots, right = commits.partition("..")
    since_parting = right.startswith(".")
    right = right.removeprefix(".")
    if not commits.strip("."):
        raise GitError("no-such-commit", f"{commits!r} names no commits", hint="give A..B")
    old = repository.commit(left or "HEAD")
    new = repository.commit((right if dots else "") or "HEAD")
    if since_parting:
        old = repository.merge_base(old, new)
    sides = Sides(repository, "range", (left or "HEAD", right or "HEAD"))
    listing = repository.start(*_TREE, old)
    difference = repository.start("diff-tree", "-r", *_DIFF, old, new, "--")
    index = repository.start("ls-files", "-z")
    try:
        before = read_tree(listing.answer())
        known = {path for path in decode(index.answer()).split("\0") if path}
        sides.settle(before, read_changes(difference.answer()), known)
    finally:
        for running in (listing, difference, index):
            running.close()
    return sides


def _versions_of_ours(changes: list[Change], before: Listing, ours: Listing) -> list[Change]:
    """What an unmerged path would be if our version were taken."""
    return [
        Change("M", change.path, change.path, before.get(change.path), ours.get(change.path))
        for change in changes
        if change.status == "U"
    ]


def _is_plain_file(place: str) -> bool:
    return os.path.isfile(place) and not os.path.islink(place)


def _untracked(repository: Repository, path: str, before: Listing) -> Change | None:
    """The addition of an untracked file; None for what git would not add as a file."""
    place = os.path.join(repository.top, path)
    if path.endswith("/"):  # a repository of its own
        return None
    mode = LINK if os.path.islink(place) else "100644"
    if mode != LINK and not os.path.isfile(place):
        return None
    old = before.get(path)
    new = Entry(mode, "0" * len(repository.empty_tree))
    return Change("M" if old else "A", path, path, old, new)
