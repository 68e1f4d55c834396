"""What the durable memory and its form can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action(
        "memories.search",
        "Search",
        "Search the facts; the list narrows as you type.",
        "slash",
        footer=True,
    ),
    action("memories.edit", "Edit", "Edit the selected fact in place.", "e", "enter", footer=True),
    action("form.save", "Save", "Save the fact to its file.", "ctrl+s", footer=True),
    action(
        "form.close",
        "Close",
        "Close the form; asks when something would be lost.",
        "escape",
        footer=True,
    ),
)
