"""What the prompt preview can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("preview.top", "Start", "Go to the first line of the prompt.", "home", "g"),
    action("preview.end", "End", "Go to the last line of the prompt.", "end", "G"),
    action(
        "preview.source",
        "Source",
        "Show in the tree where this line comes from.",
        "enter",
        footer=True,
    ),
    action("preview.wrap", "Wrap", "Wrap long lines, or not.", "w", footer=True),
)
