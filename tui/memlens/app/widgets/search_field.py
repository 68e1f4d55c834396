"""A line to type in that narrows or searches what stands below it."""

from __future__ import annotations

from memlens.app.hinting import Hinting
from memlens.app.widgets.safe_text import SafeInput


class SearchField(SafeInput, Hinting):
    """The footer tells its keys while it has the focus."""

    HINTS = (("enter", "To the hits"), ("escape", "Clear"))
