"""What has changed in the prompt."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.review.model import DiffLine


class ChangesFound(Event):
    """The lines of a text that are new since another."""

    after: str
    """The text whose lines are told."""
    new: frozenset[int]
    """Lines from 1 that were not there before."""
    gone: frozenset[int]
    """Lines from 1 before which others stood that are gone; one more than there are lines for the
    end."""


class TextsCompared(Event):
    """The difference of two texts."""

    title: str
    lines: tuple[DiffLine, ...]
    """With equal lines around each change; empty where nothing differs."""
