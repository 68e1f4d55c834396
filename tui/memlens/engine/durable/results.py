"""What the operations on facts answer: frozen values that cross the bus."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .model import MemoryEntry, MemoryScope

Field = Literal["name", "description", "tags", "body"]
OperationKind = Literal["write", "edit", "move", "delete", "restore", "merge", "stage"]
Span = tuple[int, int]
"""Start and end of a match, in characters."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """A secret that was, or would be, replaced by `[REDACTED]`."""

    kind: str
    """Such as `aws-access-key`; never the secret itself."""
    field: Field
    line: int
    """From 1, inside the field."""


@dataclass(frozen=True, slots=True)
class WriteResult(os.PathLike[str]):
    """What a write or an edit has done; passes for its path wherever a path is wanted."""

    path: str
    scope: MemoryScope
    name: str
    """As it was saved, redacted and on one line."""
    redacted: tuple[Redaction, ...] = ()
    replaced: bool = False
    """Whether a fact that was there before has new text now."""
    moved_from: str | None = None
    """The path the fact had, where a rename or a move gave it a new one."""
    undo_id: str = ""
    """For `undo`; empty where nothing had to be changed."""

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class DeleteResult(os.PathLike[str]):
    """What a deletion has removed; passes for the path of the (first) removed file."""

    path: str
    undo_id: str
    paths: tuple[str, ...] = ()
    """All removed files, where several went in one step."""
    trashed: str = ""
    """Where the (first) file's bytes are kept now."""

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What an undo has put back."""

    undo_id: str
    """Of the operation that was undone."""
    kind: OperationKind
    title: str
    """One line for people. May hold names from disks: show it through `visible`."""
    restored: tuple[str, ...]
    """Files that have their former bytes again."""
    removed: tuple[str, ...]
    """Files that the operation had made and that are gone again."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """What was recorded with the operation about what was done beside it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One step in the journal of changes, undone or not."""

    undo_id: str
    kind: OperationKind
    title: str
    time: float
    """Seconds since the epoch."""
    paths: tuple[str, ...]
    undone: bool


@dataclass(frozen=True, slots=True)
class StepFile:
    """One file of a step in the journal of changes. Texts have what is no UTF-8 as surrogates."""

    path: str
    state: Literal["done", "before", "changed", "lost", "untouched"]
    """Whether the file is as the step left it, as it was before, or neither; `lost`: the journal
    has not kept what was there; `untouched`: the step did something beside it."""
    before: str | None
    """`None`: there was no file."""
    now: str | None
    """`None`: there is no file."""


@dataclass(frozen=True, slots=True)
class TrashItem:
    """A deleted fact that can be brought back."""

    undo_id: str
    path: str
    """Where it was and will be again."""
    name: str
    deleted: float
    """Seconds since the epoch."""
    kept: str
    """The file in the trash that holds its bytes."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact opened for reading or editing, and the state of its file at that moment."""

    path: str
    scope: MemoryScope
    name: str
    description: str
    tags: tuple[str, ...]
    created: str
    body: str
    """Line ends are LF, blank ends are trimmed."""
    text: str
    """The whole file, bytes that are no UTF-8 as surrogate escapes."""
    digest: str
    """Hexadecimal SHA-256 of the file's bytes: `edit` refuses when the file has another by then."""

    @property
    def stem(self) -> str:
        return self.path.rpartition("/")[2][:-3]


@dataclass(frozen=True, slots=True)
class Draft:
    """A form's content while someone types."""

    name: str
    description: str = ""
    tags: tuple[str, ...] = ()
    scope: MemoryScope = MemoryScope.PROJECT_PRIVATE
    body: str = ""


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """What saving a draft would do."""

    slug: str
    """Empty where the name is."""
    path: str
    """Where it would be saved; empty where it cannot be."""
    file_name: str
    replaces: MemoryEntry | None
    """The fact of the same name in that scope, which a new fact would replace."""
    collision: MemoryEntry | None
    """The other fact that has the plain slug already, so that the file gets a number."""
    redactions: tuple[Redaction, ...]
    index_line: str
    """Without line end."""
    old_line: str
    """The line that it stands for; empty where there is none yet."""
    index_bytes: int
    """Bytes of the whole index after saving."""
    index_growth: int
    """How many more than now; negative where it shrinks."""
    fits: bool
    """Whether this fact's whole line stands before the cut."""
    falls_out: tuple[MemoryEntry, ...]
    """Facts that are in the index now and would not be after saving."""
    description_too_long: bool
    size: int
    """Bytes of the file after saving."""
    lost_bytes: int
    """Bytes of the file that are no UTF-8 and that U+FFFD would stand for after saving."""
    problems: tuple[str, ...]
    """Why it cannot be saved, one sentence each; empty where it can."""
    committed: bool
    """Whether the fact will be part of the repository, for all who work on it."""

    @property
    def can_save(self) -> bool:
        return not self.problems


@dataclass(frozen=True, slots=True)
class MemorySearchHit:
    """A fact that holds the query, and the line to show for it (seed)."""

    entry: MemoryEntry
    snippet: str
    """At most 160 characters, then `…`."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two facts that say the same."""

    first: MemoryEntry
    second: MemoryEntry
    score: float
    """100 for the same text, less for a near duplicate."""
    exact: bool


@dataclass(frozen=True, slots=True)
class StaleFact:
    """A fact that nobody has changed for long, and the evidence."""

    entry: MemoryEntry
    created: str
    age_days: int
    """Since it was made; -1 where the file does not say."""
    untouched_days: int
    """Since its file was changed last."""


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What is worth a look when curating; nothing is changed by it."""

    duplicates: tuple[Duplicate, ...]
    """Exact ones first, then by likeness."""
    repeating: tuple[MemoryEntry, ...]
    """Facts whose description only repeats the name."""
    stale: tuple[StaleFact, ...]
    """The longest untouched first."""
