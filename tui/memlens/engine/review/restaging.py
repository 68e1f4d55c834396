"""Putting a corrected text into the commit, and into the working file that it came from."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.files import DISK, MEMORY_FILE_LIMIT, FileProblem, replace_file
from memlens.engine.review.git import LINK, SUBMODULE, Repository
from memlens.engine.review.listings import decode, read_changes, read_index, read_tree
from memlens.engine.review.objects import Blobs, TooLargeError, WorkingBlobs, quoted
from memlens.engine.safety.conflicts import conflict_spots

if TYPE_CHECKING:
    from collections.abc import Callable

_PARTIAL_INDEX: Final = re.compile(r"next-index-\d+\.lock$")
"""The index of `git commit -- paths`, which is thrown away after the commit."""


class Staging(NamedTuple):
    """One file that is staged anew: what is needed to put git's index back."""

    top: str
    """The top folder of the checkout."""
    path: str
    """Relative to that."""
    before: str
    """What the index held for it, a line each: mode, blob and number of the side, 0 for the only
    one; empty for nothing."""
    after: str
    """What it holds instead."""
    head: str
    """The blob that the last commit has there; empty for none."""
    during: str
    """What was under way in the checkout, such as a merge; empty for nothing."""


def _write(place: str, data: bytes, _: Staging) -> None:
    replace_file(place, data)


class RestageRefusedError(Exception):
    """Why a text was not staged; nothing was changed. The message says it, `hint` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def staged_bytes(repository: Repository, path: str) -> bytes:
    """What the index holds for a file, without any conversion; `path` relative to the top.

    Raises `RestageRefusedError` for what is no plain file there, and `GitError`.
    """
    oid = _staged(repository, path)[1]
    blobs = Blobs(repository)
    try:
        return blobs.read(oid, MEMORY_FILE_LIMIT)
    except TooLargeError:
        raise RestageRefusedError("it is too large", "edit it with your editor") from None
    except KeyError:
        raise RestageRefusedError(
            "git does not have its contents here", "fetch them, then try again"
        ) from None
    finally:
        blobs.close()


def check_restage(repository: Repository, path: str) -> None:
    """Raises `RestageRefusedError` where a corrected text could not be staged, and `GitError`."""
    _check(repository, path)


def restage(
    repository: Repository,
    path: str,
    text: bytes,
    expected: bytes,
    write: Callable[[str, bytes, Staging], object] = _write,
) -> None:
    """Makes `text` the staged content of a file and writes it into the working file.

    Both texts are as git keeps them: `expected` is what the reviewer saw, and what must still be
    staged. The working file gets the line ends and filters that a checkout would give it, and keeps
    its mode. It is only done where nothing unstaged would be swept along: the working file must be
    what is staged; `write` writes it, given its path and bytes, and what `put_back` needs.

    Raises `GitError`, `OSError`, and `RestageRefusedError`: nothing was changed.
    """
    mode, oid = _check(repository, path)
    blobs = Blobs(repository)
    try:
        now = blobs.read(oid, MEMORY_FILE_LIMIT)
    except (TooLargeError, KeyError):
        now = None
    finally:
        blobs.close()
    if now != expected:
        raise RestageRefusedError(
            "what is staged has changed since it was shown", "look at the review again"
        )
    running = repository.start("hash-object", "-w", "--stdin", "--no-filters", talk=True)
    fresh = running.told(text).decode("ascii").strip()
    checked_out = repository.ask("cat-file", "--filters", f"--path={path}", fresh)
    place = os.path.join(repository.top, path)
    staging = _staging(repository, path, f"{mode} {oid} 0", f"{mode} {fresh} 0")
    try:
        write(place, checked_out, staging)
    except FileProblem as problem:
        raise RestageRefusedError(str(problem), "edit it with your editor") from None
    # The index goes last: until then the old text is staged, and the new one is an unstaged change.
    repository.ask("update-index", "--cacheinfo", f"{mode},{fresh},{path}")
    repository.start("update-index", "-q", "--refresh").answer(fine=(0, 1))


def put_back(repository: Repository, staging: Staging) -> str:
    """Stages again what was staged before; where git has thrown it away, it is made anew of the
    working file, if that has this text again.

    Only where the index still holds what was staged instead, and no commit has come between: what
    somebody else has staged or committed meanwhile stays. Returns why it stays; empty where it is
    as before. Raises `GitError`.
    """
    path = staging.path
    try:
        _check_index(repository)
    except RestageRefusedError as refusal:
        return str(refusal)
    held = _held(repository, path)
    if held == staging.before:
        return ""
    if held != staging.after:
        return "something else is staged by now" if held else "it is not staged"
    if (_committed(repository, path), repository.operation()) != (staging.head, staging.during):
        return "it has been committed"
    entries = staging.before.splitlines()
    if not all(_is_there(repository, path, entry.split(" ")[1]) for entry in entries):
        return "git has thrown away what was staged before"
    # Without the first one, a file that is merged would stay beside its sides.
    nothing = f"0 {'0' * len(repository.empty_tree)} 0"
    told = "".join(f"{entry}\t{path}\0" for entry in (nothing, *entries))
    running = repository.start("update-index", "-z", "--index-info", talk=True)
    running.told(told.encode("utf-8", "surrogateescape"))
    repository.start("update-index", "-q", "--refresh").answer(fine=(0, 1))
    return ""


def _is_there(repository: Repository, path: str, oid: str) -> bool:
    """Whether git has a blob, after it was made of the working file where that makes it."""
    running = repository.start("cat-file", "-e", oid)
    running.answer(fine=(0, 1, 128))
    if running.code == 0:
        return True
    if not os.path.isfile(os.path.join(repository.top, path)):
        return False
    running = repository.start("hash-object", "-w", "--stdin-paths", talk=True)
    return running.told(quoted(path) + b"\n").decode("ascii").strip() == oid


def _held(repository: Repository, path: str) -> str:
    """What the index holds for a file, as `Staging` has it."""
    answer = decode(repository.ask("ls-files", "-s", "-z", "--", path)).split("\0")
    return "\n".join(record.partition("\t")[0] for record in answer if record)


def _staging(repository: Repository, path: str, before: str, after: str) -> Staging:
    head = _committed(repository, path)
    return Staging(repository.top, path, before, after, head, repository.operation())


def _committed(repository: Repository, path: str) -> str:
    """The blob that the last commit has at a path; empty for none."""
    head = repository.head()
    if head is None:
        return ""
    tree = read_tree(repository.ask("ls-tree", "-r", "-z", "--full-tree", head, "--", path))
    entry = tree.get(path)
    return entry.oid if entry is not None else ""


def stage_working(repository: Repository, path: str) -> Staging:
    """Stages a working file as it is, or that it is gone. `path` is relative to the top. Returns
    what `put_back` needs.

    Raises `GitError`, and `RestageRefusedError`: nothing was changed.
    """
    _check_index(repository)
    if path in read_index(repository.ask("ls-files", "-s", "-z", "--", path)).unmerged:
        _check_merged(os.path.join(repository.top, path))
    before = _held(repository, path)
    repository.ask("update-index", "--add", "--remove", "--", path)
    after = _held(repository, path)
    if after == before:
        raise RestageRefusedError("it is staged already", "look at the review again")
    return _staging(repository, path, before, after)


def _check_merged(place: str) -> None:
    """Staging a file tells git that it is merged."""
    if not os.path.isfile(place):
        return
    try:
        data, _ = DISK.read(place, MEMORY_FILE_LIMIT)
    except FileProblem as problem:
        raise RestageRefusedError(str(problem), "stage it yourself (git add)") from None
    spots = conflict_spots(data.decode("utf-8", "surrogateescape"))
    if any(spot.severity == "error" for spot in spots):
        raise RestageRefusedError(
            "it still holds both sides of the merge", "keep one side or join both, then stage it"
        )


def _check_index(repository: Repository) -> None:
    if _PARTIAL_INDEX.search(repository.index_file):
        raise RestageRefusedError(
            "this commit takes named paths only, and git would lose what is staged for it now",
            "stop the commit, edit and stage the file, then commit again",
        )


def _check(repository: Repository, path: str) -> tuple[str, str]:
    """Mode and id of the staged file, if the working file is exactly that."""
    _check_index(repository)
    mode, oid = _staged(repository, path)
    place = os.path.join(repository.top, path)
    try:
        status = os.lstat(place)
    except OSError:
        raise RestageRefusedError(
            "the working file is gone, and that is not staged", "stage or restore it first"
        ) from None
    if not stat.S_ISREG(status.st_mode):
        raise RestageRefusedError(
            "the working file is no regular file", "stage or restore it first"
        )
    folder = os.path.dirname(place)
    if os.path.realpath(folder) != folder:
        raise RestageRefusedError(
            "its folder is reached through a link", "edit it with your editor"
        )
    working = WorkingBlobs(repository)
    try:
        same = working.id_of(path) == oid
    finally:
        working.close()
    if not same:
        raise RestageRefusedError(
            "the working file has changes that are not staged, and they would be swept along",
            "stage them, or put them aside (git stash --keep-index), then try again",
        )
    if any(one.path == path for one in read_changes(_unstaged(repository, path))):
        raise RestageRefusedError(
            "git only knows that it will come (git add -N)", "stage it first (git add)"
        )
    return mode, oid


def _unstaged(repository: Repository, path: str) -> bytes:
    """What a file that is as it is staged does not have, unless the index holds but its name."""
    return repository.ask("diff-files", "--raw", "-z", "--diff-filter=A", "--", path)


def _staged(repository: Repository, path: str) -> tuple[str, str]:
    index = read_index(repository.ask("ls-files", "-s", "-z", "--", path))
    entry = index.files.get(path)
    if entry is None:
        raise RestageRefusedError("it is not staged", "stage it first (git add)")
    if path in index.unmerged:
        raise RestageRefusedError(
            "git has not merged it yet", "resolve the conflict and stage the file (git add)"
        )
    if entry.mode in (LINK, SUBMODULE):
        raise RestageRefusedError("it is no regular file", "change it by hand")
    return entry.mode, entry.oid
