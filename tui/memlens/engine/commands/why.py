"""The question whether a phrase reaches the prompt."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class AskWhy(Command):
    """Does `text` reach the prompt, and through which imports, or why not? Answer: `WhyAnswered`.

    What a touch of each path in `touched` adds counts, too.
    """

    part: ClassVar[str] = "why"
    doing: ClassVar[str] = "looking for the phrase"
    leads: ClassVar[bool] = True
    text: str
    touched: tuple[str, ...] = ()
