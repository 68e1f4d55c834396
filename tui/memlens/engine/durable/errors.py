"""What can go wrong with an operation on facts; the message is a sentence for people.

Messages may hold names from disks: show them through `visible`.
"""

from __future__ import annotations


class DurableError(Exception):
    """An operation was refused; nothing has been changed."""

    hint = ""
    """What to do next, as a sentence; empty where the message says it."""


class ScopeUnavailable(DurableError):
    """There is no such scope here, or its folder must not be written to."""


class InvalidFact(DurableError):
    """What was to be written is no fact: it has no name, or is too long."""


class NameTaken(DurableError):
    """Another fact in that scope has the name already."""

    hint = "Choose another name, or change that fact."

    def __init__(self, name: str, path: str) -> None:
        super().__init__(f"a fact named “{name}” is there already")
        self.name = name
        self.path = path


class FactMissing(DurableError):
    """There is no such fact."""

    hint = "Look again: it may have been renamed, moved or deleted."


class FactAmbiguous(DurableError):
    """More than one fact answers to an id; nothing is guessed (spec 4)."""

    hint = "Say which one, by its scope or its file's name."

    def __init__(self, id_: str, paths: tuple[str, ...]) -> None:
        super().__init__(f"“{id_}” is the name of {len(paths)} facts: {', '.join(paths)}")
        self.id = id_
        self.paths = paths


class FactChanged(DurableError):
    """The file is not what it was when the person opened it; the later save is told."""

    hint = "Look at it again, then repeat what you wanted."

    def __init__(self, path: str, mine: str, theirs: str | None, base: str | None) -> None:
        what = "has been deleted" if theirs is None else "has changed on disk"
        super().__init__(f"{path} {what} since it was opened")
        self.path = path
        self.mine = mine
        """The whole file as it would have been saved."""
        self.theirs = theirs
        """The whole file as it is now; `None`: it is gone."""
        self.base = base
        """The whole file as it was opened, where the caller gave it."""


class NotWritable(DurableError):
    """The file cannot be written to: a link, a folder, a header beyond line edits, no permission.

    `path` is the file.
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path


class WriteFailed(DurableError):
    """The disk refused: it is full, a quota is used up, or something is not permitted."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UndoConflict(DurableError):
    """A file has changed since the operation; undoing would lose that text."""

    hint = "What was there before the change is kept in the trash."

    def __init__(self, undo_id: str, paths: tuple[str, ...]) -> None:
        super().__init__("changed since, so undoing would lose text: " + ", ".join(paths))
        self.undo_id = undo_id
        self.paths = paths


class NothingToUndo(DurableError):
    """The journal has no such operation."""


class StoreBusy(DurableError):
    """Another process has been writing for too long."""

    hint = "Try again in a moment."
