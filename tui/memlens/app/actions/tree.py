"""What the memory tree can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action(
        "tree.toggle",
        "Fold",
        "Show or hide what a file imports.",
        "space",
        "right",
        "left",
        footer=True,
    ),
    action("tree.show", "Preview", "Go to this part of the prompt.", "enter", "l", footer=True),
)
