"""What a pane shows while it has nothing to show: what would fill it, and how."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from memlens.engine.visible import visible_text


class EmptyState(Static):
    """A few sentences instead of a list."""

    can_focus = True

    def say(self, text: str) -> None:
        """Shows `text`, whatever it holds."""
        self.update(Content(visible_text(text)))
