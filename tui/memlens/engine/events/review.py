"""What has happened in a review."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.review.git import Operation
    from memlens.engine.review.model import DiffLine, Review


class ReviewAnswer(Event):
    """What a command about a whole review is answered with."""


class ReviewLoaded(ReviewAnswer):
    """A change was reviewed."""

    review: Review
    operation: Operation = ""
    """What is under way in the checkout, such as a merge."""


class ReviewRefused(ReviewAnswer):
    """git has nothing to review here, or cannot answer."""

    why: str
    where: str = ""
    """The folder, absolute."""
    hint: str = ""
    """What to do next."""


class HookChanged(ReviewAnswer):
    """The hook was installed or removed."""

    path: str
    """Its file, absolute."""
    message: str
    """What was done, as a sentence without its point."""
    changed: bool
    """False where everything was in order already."""


class FileCompared(Event):
    """The difference of one file."""

    path: str
    lines: tuple[DiffLine, ...]


class PromptCompared(Event):
    """The difference of the prompt. It holds private text, too."""

    lines: tuple[DiffLine, ...]


class StagedOpened(Event):
    """The staged text of a file, ready for editing."""

    path: str
    text: str
    """What is no UTF-8 in it stands as surrogate escapes."""


class Restaged(Event):
    """Another text of a file is staged."""

    path: str


class RestageRefused(Event):
    """A text cannot be staged; nothing was changed."""

    path: str
    why: str
    hint: str
