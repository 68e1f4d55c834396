"""Widgets whose own keys the footer tells; apart from them, so that it need not import them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from textual import events

Hints = tuple[tuple[str, str], ...]
"""Keys, and what they do."""


class Hinting:
    """Mixed into a widget that letters go into: its keys are told while it has the focus."""

    HINTS: ClassVar[Hints] = ()

    def takes(self, event: events.Key) -> bool:
        """Whether a key is for the letters alone, and asks nothing of what stands below them."""
        return False


def hints_of(widget: object) -> Hints | None:
    """The keys of a widget that has some of its own."""
    return widget.HINTS if isinstance(widget, Hinting) else None


def is_taken_by(widget: object, event: events.Key) -> bool:
    """Whether a widget takes a key for its letters alone."""
    return isinstance(widget, Hinting) and widget.takes(event)
