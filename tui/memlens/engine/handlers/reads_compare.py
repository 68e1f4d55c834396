"""What an agent read of a file against what is there now, where the text of then can be had."""

from __future__ import annotations

import os

from memlens.engine.files import DISK, FileProblem
from memlens.engine.reads.texts_of import decoded, normalised
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.reads import LogFollower, PathReads
    from memlens.engine.review.model import DiffLine

_LIMIT = 16 * 1024 * 1024
"""Bytes of a file up to which it is compared."""
_COMMITS = 20
"""Commits in which the text of then is looked for."""


class Comparison(Record):
    """See `ReadCompared`."""

    lines: tuple[DiffLine, ...] = ()
    problem: str = ""
    source: str = ""
    first_line: int = 0


def compare(follower: LogFollower, path: str, lane: str) -> Comparison:
    """Compares what a lane of the session read of `path` with the file. Never raises for files."""
    entry = follower.check(path, lane)
    if entry.state in ("unread", "lost") or entry.coverage is None:
        return Comparison(problem=f"{entry.reason} There is nothing to compare with.")
    if entry.state in ("unchanged", "touched") and entry.coverage != "partial":
        return Comparison()
    try:
        data = b"" if entry.state == "gone" else DISK.read(entry.path, _LIMIT)[0]
    except FileProblem as problem:
        return Comparison(problem=f"It cannot be compared: {problem}.")
    before, source = follower.content_of(path, lane), "transcript"
    if before is None:
        told, source = _from_git(entry), "git"
        if told is None:
            return Comparison(problem=_why_no_text(entry), first_line=_first_read(entry))
        before = normalised(decoded(told))
    after = normalised(decoded(data))
    if "\0" in before or "\0" in after:
        return Comparison(problem="It is no text, so there are no lines to compare.")
    if source == "transcript" and entry.coverage == "whole" and after.endswith("\n"):
        before += "" if before.endswith("\n") else "\n"  # which an answer may leave out
    if before == after:
        return Comparison(problem="Only its line ends or the mark at its start differ.")
    from memlens.engine.review.differences import difference

    lines = difference(before, after)
    return Comparison(lines=lines, source=source, first_line=_first_changed(lines))


def _first_changed(lines: tuple[DiffLine, ...]) -> int:
    """The first line of the later text at which something was added or is missing."""
    last = 0
    for line in lines:
        if line.kind == "added":
            return line.after
        if line.kind == "removed":
            return last + 1
        if line.kind == "gap":
            last = line.after + int(line.text.split()[0]) - 1
        elif line.after:
            last = line.after
    return 0


def _first_read(entry: PathReads) -> int:
    return entry.ranges[0].first if entry.ranges else 0


def _why_no_text(entry: PathReads) -> str:
    if entry.coverage == "partial":
        spans = ", ".join(
            f"{one.first}–{one.last}" if one.last > one.first else str(one.first)
            for one in entry.ranges[:6]
        )
        which = f"lines {spans} were" if spans else "a part of it was"
        return f"Only {which} read, so there is no whole text to compare with."
    if entry.evidence.hash_then is None:
        return "Nobody has kept the text that was read."
    if entry.evidence.hash_of == "text":
        return "The transcript does not hold the text any more."
    return (
        "The journal keeps a hash of what was read and never its text, and no version in git's "
        "index or the last commits has that hash."
    )


def _from_git(entry: PathReads) -> bytes | None:
    """The bytes that were read, where git has them: it is they when their hash is the same."""
    wanted = entry.evidence.hash_then
    if wanted is None or entry.evidence.hash_of != "bytes":
        return None
    from memlens.engine.reads.known import sha256_of
    from memlens.engine.review.git import open_repository
    from memlens.engine.review.process import GitError

    try:
        repository = open_repository(os.path.dirname(entry.path))
        name = os.path.relpath(entry.path, repository.top)
    except (GitError, OSError, ValueError):
        return None
    revisions = ["", "HEAD"]
    try:
        found = repository.ask("rev-list", f"--max-count={_COMMITS}", "HEAD", "--", name)
        revisions += found.decode("ascii").split()
    except GitError:  # no commit yet
        pass
    for revision in revisions:
        try:
            if int(repository.ask("cat-file", "-s", f"{revision}:./{name}")) > _LIMIT:
                continue
            data = repository.ask("cat-file", "blob", f"{revision}:./{name}")
        except (GitError, ValueError):
            continue
        if sha256_of(data) == wanted:
            return data
    return None
