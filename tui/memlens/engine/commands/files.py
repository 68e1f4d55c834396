"""Questions about single files: opening, saving, reading and naming them."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class OpenFile(Command):
    """Open a file for editing. Answer: `FileOpened`, or `FileRefused` where an editor of the
    person's own has to do."""

    part: ClassVar[str] = "files"
    leads: ClassVar[bool] = True
    path: str
    """Absolute. Where nothing is, saving makes the file."""
    line: int = 1


class SaveFile(Command):
    """Save the text of a file that `OpenFile` opened. Answer: `FileSaved`, or `FileClashed` when
    it is no longer what was opened."""

    part: ClassVar[str] = "files"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    path: str
    text: str
    keep_mine: bool = False
    """Save over what the last `FileClashed` has shown; what changed again clashes again."""


class ReadText(Command):
    """Read a file without opening it for editing. Answer: `TextRead`."""

    part: ClassVar[str] = "files"
    path: str


class CompletePath(Command):
    """What a path that is being typed may become. Answer: `PathCompleted`."""

    part: ClassVar[str] = "files"
    lane: ClassVar[str] = "complete"
    overtakes: ClassVar[bool] = True
    typed: str
    """Absolute, or relative to the root."""


class SaveText(Command):
    """Put a text into a file of its own. Answer: `TextSaved`, or `TextNotSaved` where something
    is already."""

    part: ClassVar[str] = "files"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    path: str
    """Absolute, `~/...`, or relative to the root."""
    text: str
    replace: bool = False
