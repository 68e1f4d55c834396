"""Widgets whose own keys the footer tells; apart from them, so that it need not import them."""

from __future__ import annotations

from typing import ClassVar

Hints = tuple[tuple[str, str], ...]
"""Keys, and what they do."""


class Hinting:
    """Mixed into a widget that letters go into: its keys are told while it has the focus."""

    HINTS: ClassVar[Hints] = ()


def hints_of(widget: object) -> Hints | None:
    """The keys of a widget that has some of its own."""
    return widget.HINTS if isinstance(widget, Hinting) else None
