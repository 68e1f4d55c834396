"""Making a review: from two sides in git to what agents are told, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Final

from memlens.engine.durable.findings import check_fact
from memlens.engine.durable.model import MemoryScope
from memlens.engine.encodings import in_words, marked_encoding
from memlens.engine.files import MEMORY_FILE_LIMIT
from memlens.engine.findings import SEVERITIES, Finding
from memlens.engine.review import safety
from memlens.engine.review.fact_findings import fact_findings
from memlens.engine.review.facts import FOLDER as FACTS_FOLDER
from memlens.engine.review.facts import FactReader
from memlens.engine.review.git import LINK, SUBMODULE, Change, Entry, Listing, Repository
from memlens.engine.review.library_findings import Changed, caused
from memlens.engine.review.model import ChangedFile, Review, Role, Status
from memlens.engine.review.objects import TooLargeError
from memlens.engine.review.process import GitError
from memlens.engine.review.prompts import prompt_of
from memlens.engine.review.reached import Reached
from memlens.engine.review.roles import is_memory, memory_names
from memlens.engine.review.sides import Sides
from memlens.engine.review.told import Reader, Told
from memlens.engine.review.trees import GitTreeFiles
from memlens.engine.safety.texts import check_text
from memlens.engine.silence import without_ignored
from memlens.engine.work import steps

_STATUSES: Final[dict[str, Status]] = {"A": "added", "D": "deleted", "R": "renamed"}


def root_in(repository: Repository, folder: str | None = None) -> str:
    """The folder whose prompt is compared: the given one, by default the current one where it is
    inside the checkout, else its top. Raises `GitError` for a folder outside of it."""
    root = os.path.realpath(folder if folder is not None else os.getcwd())
    if root == repository.top or root.startswith(repository.top.rstrip("/") + "/"):
        return root
    if folder is None:
        return repository.top
    raise GitError(
        "no-repository",
        "the folder is not in the repository",
        root,
        f"choose one in {repository.top}",
    )


def make_review(sides: Sides, reader: Reader, off: frozenset[str] = frozenset()) -> Review:
    """Compares what agents are told on both sides.

    `off` are names of findings that the settings switch off. `sides` stay open. Raises `GitError`.
    """
    return _Work(sides, reader, off).review()


class _Work:
    def __init__(self, sides: Sides, reader: Reader, off: frozenset[str]) -> None:
        self.sides = sides
        self.reader = reader
        self.off = off
        self.top = sides.repository.top
        self.prefix = self.top.rstrip("/") + "/"
        facts = self.facts = FactReader(reader.root, reader.facts)
        self.before = self._told(sides.files_before(), sides.before, facts)
        self.after = self._told(sides.files_after(), sides.after, facts)
        self.reached = Reached(self.top, self.before, self.after, sides.changes)

    def _told(self, files: GitTreeFiles, listing: Listing, facts: FactReader) -> Told:
        return Told(files, filter(is_memory, listing), self.reader, facts)

    def review(self) -> Review:
        sides = self.sides
        roles = {
            change.path: role
            for change in steps(sides.changes, "finding who reads the files")
            if (role := self.reached.role(change, sides.after))
        }
        unstaged = sides.unstaged(roles)
        files = tuple(
            self._file(change, roles[change.path], change.path in unstaged)
            for change in steps(sides.changes, "reading the files")
            if change.path in roles
        )
        findings, silenced = self._findings(files)
        return Review(
            top=self.top,
            root=self.reader.root,
            mode=sides.mode,
            before_name=sides.before_name,
            after_name=sides.after_name,
            files=files,
            before=prompt_of(self.before.plan, self._is_public),
            after=prompt_of(self.after.plan, self._is_public),
            findings=tuple(findings),
            silenced=silenced,
            private=frozenset(
                finding.file
                for finding in findings
                if not self._is_public(os.path.join(self.top, finding.file))
            ),
        )

    def _file(self, change: Change, role: Role, unstaged: bool) -> ChangedFile:
        before, old_problem = self._text(change.old_path, change.before)
        after, problem = self._text(change.path, change.after)
        if change.path in self.sides.unmerged:
            problem = "git has not merged it yet; this is our side of it"
        return ChangedFile(
            path=change.path,
            old_path=change.old_path,
            status=_STATUSES.get(change.status, "modified"),
            role=role,
            before=before,
            after=after,
            problem=problem or old_problem,
            unstaged=unstaged,
            unmerged=change.path in self.sides.unmerged,
        )

    def _text(self, path: str, entry: Entry | None) -> tuple[str | None, str]:
        """A file's text on one side, and why there is none although there is a file."""
        if entry is None:
            return None, ""
        if entry.mode == SUBMODULE:
            return (
                None,
                "it is a submodule, and memlens does not look into its commits: review them there",
            )
        try:
            data = self.sides.read(path, entry, MEMORY_FILE_LIMIT)
        except TooLargeError as error:
            return None, f"it has {error.size:,} bytes, more than agents are given"
        except KeyError:
            return None, "git does not have its contents here"
        if b"\0" in data:
            encoding = marked_encoding(data)
            return None, in_words(encoding) if encoding else "it is binary"
        text = data.decode("utf-8", "surrogateescape")
        return text, "it is a link, and this is where it leads" if entry.mode == LINK else ""

    def _is_public(self, file: str) -> bool:
        """Whether a report may show text of a file: whoever has the repository has it, too."""
        path = relative(self.top, file)
        if path is None or safety.is_private(path):
            return False
        return path in self.sides.before or path in self.sides.after or path == FACTS_FOLDER

    def _findings(self, files: tuple[ChangedFile, ...]) -> tuple[list[Finding], int]:
        by_text = [*self._in_files(files), *self._in_newly_read(files)]
        kept = without_ignored(by_text, lambda path: self.after.read_text(self.prefix + path))
        found = dict.fromkeys([*kept, *self._in_memory_files(files), *self._in_facts(files)])
        remaining = [finding for finding in found if finding.name not in self.off]
        remaining.sort(key=_order)
        return remaining, len(by_text) - len(kept)

    def _in_memory_files(self, files: tuple[ChangedFile, ...]) -> Iterator[Finding]:
        """What the change breaks in memory files and their imports."""
        places = {self.prefix + path for file in files for path in (file.path, file.old_path)}
        old_places = {self.prefix + file.path: self.prefix + file.old_path for file in files}
        changed = Changed(places, old_places)
        before, after = self.before, self.after
        texts = (before.read_text, after.read_text)
        own = {*before.memory.walk, *after.memory.walk}
        folders = sorted({place.rpartition("/")[0] for place in self.reached.affected} - own)
        found = caused(partial(before.findings, folders), after.findings(folders), changed, texts)
        yield from map(self._shortened, found)

    def _in_facts(self, files: tuple[ChangedFile, ...]) -> Iterator[Finding]:
        """What is wrong with shared facts, and what becomes of the index."""
        changed = [self.prefix + file.path for file in files if file.role == "fact"]
        found = fact_findings(self.before.facts, self.after.facts, changed, self.facts.cap)
        yield from map(self._shortened, found)
        for file in files:
            if file.role == "fact" and file.after is not None:
                data = file.after.encode("utf-8", "surrogateescape")
                # What is in its text is found already, as in any other file.
                yield from check_fact(file.path, MemoryScope.PROJECT_SHARED, data, in_text=False)

    def _shortened(self, finding: Finding) -> Finding:
        """With paths relative to the repository."""
        return finding._replace(
            file=relative(self.top, finding.file) or finding.file,
            message=finding.message.replace(self.prefix, ""),
            hint=finding.hint.replace(self.prefix, ""),
        )

    def _in_files(self, files: tuple[ChangedFile, ...]) -> Iterator[Finding]:
        """What is wrong with the changed files themselves."""
        for file in steps(files, "checking the files"):
            if file.status == "deleted":
                continue
            if file.status in ("added", "renamed"):
                yield from safety.check_path(file.path, self.sides.after, memory_names())
            if file.role == "private":
                yield safety.private_file(file.path)
            if file.path in self.sides.unmerged:
                yield safety.unmerged_file(file.path)
            elif file.after is not None:
                yield from check_text(file.path, file.after)

    def _in_newly_read(self, files: tuple[ChangedFile, ...]) -> Iterator[Finding]:
        """What is wrong with files that did not change, but are read by the agent from now on."""
        changed = {file.path for file in files}
        for place in self.reached.newly_read():
            path = relative(self.top, place)
            entry = self.sides.after.get(path or "")
            if path is None or path in changed or entry is None or entry.mode == LINK:
                continue
            text = self.after.read_text(place)
            if text is not None:
                yield from check_text(path, text)


def relative(top: str, path: str) -> str | None:
    """An absolute path relative to the repository; None outside of it."""
    prefix = top.rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None


def _order(finding: Finding) -> tuple[str, int, int, int, str]:
    rank = SEVERITIES.index(finding.severity)
    return finding.file, finding.line, finding.column, rank, finding.name
