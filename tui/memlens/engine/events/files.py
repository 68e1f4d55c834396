"""What has happened to single files."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.review.model import DiffLine


class FileOpened(Event):
    """A file, ready for editing."""

    path: str
    text: str
    """Bytes that are no UTF-8 as surrogate escapes, without the BOM, which saving puts back."""
    line: int
    new: bool = False
    """Whether there is no such file yet."""
    bom: bool = False
    read_only: str = ""
    """Why it cannot be saved; empty where it can."""


class FileRefused(Event):
    """A file cannot be edited here; an editor of the person's own may do."""

    path: str
    line: int
    reason: str


class FileSaved(Event):
    """A file was saved."""

    path: str
    text: str
    """What was saved, as `SaveFile` gave it."""
    bytes: int
    undo_id: str = ""
    """In the journal of changes; empty where nothing had to be written."""


class FileClashed(Event):
    """A file was not saved: it is no longer what was opened."""

    path: str
    problem: str
    """What an agent would be told."""
    theirs: str | None
    """The text that is there now; None where it cannot be read."""
    mine: str
    difference: tuple[DiffLine, ...] = ()
    """From `theirs` to `mine`."""
    merged: str | None = None
    """Both in one; where both changed a place, its two texts stand between the lines that
    `memory_changes.MARKERS` names. None where there are no two."""


class TextRead(Event):
    """The text of a file."""

    path: str
    text: str


class PathCompleted(Event):
    """What a path that is being typed may become."""

    typed: str
    paths: tuple[str, ...]
    """Each begins with `typed`; folders end with a slash. The likeliest first."""


class TextSaved(Event):
    """A text was put into a file of its own."""

    path: str
    bytes: int


class TextNotSaved(Event):
    """A text was not saved, because something is there already."""

    path: str
    text: str
    reason: str
    replaceable: bool
    """Whether `replace` would help."""
