"""What a review hands over: immutable, complete in itself, and free of any screen.

Paths in a review are relative to the repository's top, with `/`, and keep bytes that are no UTF-8
as surrogate escapes. Texts are what git holds or will hold (blobs), not what lies in the working
tree, so line-end conversion never shows up as a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from memlens.engine.findings import Finding

Status = Literal["added", "modified", "deleted", "renamed"]

Role = Literal[
    "memory", "nested", "import", "fact", "rule", "settings", "private", "look-alike", "submodule",
]  # fmt: skip
"""Why a file is in the review.

`memory` files are in the prompt of the reviewed root, `nested` are the repository's other memory
files, `import` files are brought in by one of these, `fact` is a shared fact, `rule` and
`settings` are what an agent's own folder holds, `private` should not be committed at all, a
`look-alike` only seems to be one of the others, and in a `submodule` there is one of them.
"""

Mode = Literal["staged", "all", "range"]

LineKind = Literal["same", "removed", "added", "gap", "note"]


class DiffLine(NamedTuple):
    """One line of a difference."""

    kind: LineKind
    """`gap` stands for equal lines that are left out, its text says how many; a `note` is about
    the line before it."""
    before: int
    """Line number in the text before, from 1; 0 where the line is not in it."""
    after: int
    """Line number in the text after, from 1; 0 where the line is not in it."""
    text: str
    """Without its LF; a CR stays. From a disk: show it through `visible`."""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A changed file that agents read."""

    path: str
    """Where it is after the change; where it was if it is deleted."""
    old_path: str
    """Where it was; the same as `path` unless the file is renamed."""
    status: Status
    role: Role
    before: str | None
    """Its text before; None where there is none or it cannot be shown, as `problem` says."""
    after: str | None
    problem: str = ""
    """Why a text is missing although the file is there: binary, too large, a submodule."""
    unstaged: bool = False
    """Whether the working file differs from what is staged."""
    unmerged: bool = False
    """Whether git has left both sides of a merge to be put together."""

    def difference(self, context: int = 3) -> tuple[DiffLine, ...]:
        """The lines that differ, with `context` equal lines around them (-1: all of them)."""
        from memlens.engine.review.differences import difference

        return difference(self.before or "", self.after or "", context)


class PromptSource(NamedTuple):
    """Where a run of the prompt's lines comes from."""

    lines: int
    """How many lines of the prompt."""
    file: str
    """Absolute path; empty for what the agent itself puts in, such as headers."""
    line: int
    """The first of these lines in that file, from 1; 0 where there is none."""
    public: bool
    """Whether it is part of the repository, so that a report may show its text."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an agent is told at the reviewed root, on one side of the change."""

    text: str
    """Empty where the agent is told nothing."""
    tokens: int
    """Estimated as bytes / 4."""
    sources: tuple[PromptSource, ...]
    """Of all lines of `text`, in order."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a change does to what agents are told."""

    top: str
    """The repository's top folder, an absolute real path."""
    root: str
    """The folder whose prompt is compared, an absolute real path inside `top`."""
    mode: Mode
    before_name: str
    """What stands on the left, in git's words: `HEAD`, a commit, or `nothing yet`."""
    after_name: str
    """What stands on the right: `index`, `working tree` or a commit."""
    files: tuple[ChangedFile, ...]
    """By path."""
    before: Prompt
    after: Prompt
    findings: tuple[Finding, ...]
    """By file and place. `Finding.file` is relative to `top`, absolute for files outside of it."""
    silenced: int
    """How many findings about safety were switched off by comments in the reviewed texts."""
    private: frozenset[str]
    """The files in `findings` whose text no report may show. A message can quote it."""

    def prompt_difference(self, context: int = 3) -> tuple[DiffLine, ...]:
        """The lines of the prompt that differ. It holds private text: for the screen only."""
        from memlens.engine.review.differences import prompt_difference

        return prompt_difference(self.before.text, self.after.text, context)

    def findings_of(self, path: str) -> tuple[Finding, ...]:
        """The findings in one file of `files`."""
        return tuple(finding for finding in self.findings if finding.file == path)
