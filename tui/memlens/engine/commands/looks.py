"""Questions about what has changed in the prompt."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class FindChanges(Command):
    """Which lines of a text are new since another. Answer: `ChangesFound`."""

    part: ClassVar[str] = "looks"
    lane: ClassVar[str] = "looks"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "finding what changed"
    before: str
    after: str


class CompareTexts(Command):
    """The difference of two texts. Answer: `TextsCompared`."""

    part: ClassVar[str] = "looks"
    lane: ClassVar[str] = "looks"
    doing: ClassVar[str] = "comparing texts"
    leads: ClassVar[bool] = True
    title: str
    before: str
    after: str
    prompts: bool = False
    """Whether both are prompts, which never end with a line end."""


class CompareWithCommit(Command):
    """The prompt now against the prompt of the last commit. Answer: `TextsCompared`."""

    part: ClassVar[str] = "looks"
    lane: ClassVar[str] = "looks"
    doing: ClassVar[str] = "comparing with the last commit"
    leads: ClassVar[bool] = True
