"""Questions about what a change in git does to what agents are told, and what a reviewer does."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from memlens.engine.review.model import Mode


class LoadReview(Command):
    """Review a change. Answer: `ReviewLoaded` or `ReviewRefused`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading the change"
    mode: Mode = "staged"
    commits: str = ""
    """`A..B`, for the mode `range`."""
    base: str = ""
    """What `staged` is compared with; empty: HEAD."""


class CompareFile(Command):
    """The difference of one file of the review that was loaded last. Answer: `FileCompared`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing the file"
    path: str
    context: int = 3
    """Equal lines around each change; -1: all of them."""


class ComparePrompt(Command):
    """The difference of the prompt. Answer: `PromptCompared`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "comparing the prompt"
    context: int = 3


class OpenStaged(Command):
    """The staged text of a file, for editing. Answer: `StagedOpened` or `RestageRefused`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    leads: ClassVar[bool] = True
    path: str
    """Relative to the repository's top."""


class Restage(Command):
    """Stage another text of a file and write it into the working file.

    Answer: `Restaged` or `RestageRefused`.
    """

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    writes: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    path: str
    text: str
    opened: str
    """The text that `OpenStaged` gave; if it is no longer what is staged, nothing happens."""


class StageWorking(Command):
    """Stage a working file as it is. Answer: `Restaged` or `RestageRefused`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    writes: ClassVar[bool] = True
    path: str


class ChangeHook(Command):
    """Install or remove the hook that reviews commits. Answer: `HookChanged`, `ReviewRefused`."""

    part: ClassVar[str] = "review"
    lane: ClassVar[str] = "review"
    writes: ClassVar[bool] = True
    install: bool
