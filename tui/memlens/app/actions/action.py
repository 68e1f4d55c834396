"""What an action is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Area = Literal[
    "app",
    "tree",
    "preview",
    "memories",
    "reads",
    "form",
    "editor",
    "review",
    "staged",
    "compare",
    "show",
    "clash",
    "trash",
    "history",
    "twins",
    "stale",
    "work",
    "lists",
]
"""A part of the screen with actions of its own. Its host is the widget that does them."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do."""

    name: str
    """Stable; the keymap in the settings goes by it."""
    area: Area
    title: str
    """A word or two, for footer and palette."""
    sentence: str
    """What it does, for help and palette."""
    keys: tuple[str, ...]
    """As the framework names keys; the first one is shown."""
    footer: bool = False
    """Whether the footer shows it while its area has the focus."""

    @property
    def method(self) -> str:
        """The host's method that does it."""
        return f"do_{self.name.replace('.', '_')}"


def action(name: str, title: str, sentence: str, *keys: str, footer: bool = False) -> Action:
    """An action; the area is the name's part before the dot."""
    area: Area = name.partition(".")[0]  # type: ignore[assignment]
    return Action(name, area, title, sentence, keys, footer)
