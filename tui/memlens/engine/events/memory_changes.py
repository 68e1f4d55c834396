"""What has been done to durable memory."""

from __future__ import annotations

from memlens.engine.events.base import Event
from memlens.engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.durable.results import Fact, Operation, Redaction, TrashItem
    from memlens.engine.findings import Finding
    from memlens.engine.review.model import DiffLine


MARKERS = ("<<<<<<< yours", "=======", ">>>>>>> on disk")
"""Lines around the two texts of a place that both changed: before, between, behind."""


class MemorySaved(Event):
    """A fact was saved, made, moved or merged."""

    path: str
    name: str
    scope: MemoryScope
    redacted: tuple[Redaction, ...]
    moved_from: str | None
    undo_id: str
    """Empty where nothing had to be changed."""
    committed: bool
    """Whether the fact is part of the repository, for all who work on it."""


class MergedDraft(Record):
    """What becomes of two versions of a fact; where both changed one place, both stand there."""

    name: str
    description: str
    tags: tuple[str, ...]
    body: str
    conflicts: int
    """Places in the body that a person must look at; each is between marker lines."""
    notes: tuple[str, ...]
    """Fields that both changed, and which value was taken, one sentence each."""


class MemoryClashed(Event):
    """A fact was not saved: its file is no longer what was opened."""

    path: str
    problem: str
    base: str | None
    """The whole file as it was opened."""
    mine: str
    """The whole file as it would have been saved."""
    theirs: Fact | None
    """The fact that is there now; `None`: its file is gone."""
    difference: tuple[DiffLine, ...]
    """From theirs to mine."""
    merged: MergedDraft | None
    """Both in one; `None` where there is only one."""


class MemoriesChanged(Event):
    """One step changed facts."""

    title: str
    """What was done, such as `deleted a and 2 more`; may hold names from disks."""
    paths: tuple[str, ...]
    undo_id: str
    """Of the (last) step; empty where nothing had to be changed."""
    committed: bool = False
    """Whether the facts are part of the repository now."""
    failed: str = ""
    """Why the rest was left as it was, where it was."""


class MemoryUndone(Event):
    """A change was taken back."""

    undo_id: str
    title: str
    """What was done before, in one line; may hold names from disks."""
    restored: tuple[str, ...]
    removed: tuple[str, ...]
    left: str = ""
    """What could not be taken back with it, and why; no sentence yet. Empty: nothing."""


class HistoryLoaded(Event):
    """The steps that changed facts, the newest first."""

    operations: tuple[Operation, ...]
    now: float


class StepDifference(Record):
    """What a step did to one file."""

    path: str
    state: Literal["done", "before", "changed", "lost", "untouched"]
    """As `StepFile` has it."""
    existed: bool
    """Whether there was a file before."""
    exists: bool
    difference: tuple[DiffLine, ...]
    """From before the step to what is there now; empty but for `done` and
    `changed`."""


class StepPeeked(Event):
    """What a step did to its files."""

    undo_id: str
    files: tuple[StepDifference, ...]


class TrashLoaded(Event):
    """The deleted facts, the last deleted first."""

    items: tuple[TrashItem, ...]
    now: float


class TrashPeeked(Event):
    """A deleted fact as it was."""

    item: TrashItem
    fact: Fact


class EditAdopted(Event):
    """What another program did to a fact's file."""

    path: str
    name: str
    changed: bool
    gone: bool
    findings: tuple[Finding, ...]
    """What is wrong with the file now."""
    undo_id: str
