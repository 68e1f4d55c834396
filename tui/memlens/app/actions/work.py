"""What works everywhere, over dialogs too: about work that takes long, and the shell."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action(
        "work.cancel",
        "Cancel",
        "End what takes long; what was written is taken back, or told.",
        "f8",
    ),
    action(
        "work.again", "Do it again", "Do again what was cancelled, or what is left of it.", "f9"
    ),
    action("work.suspend", "Suspend", "Go back to the shell; fg comes back here.", "ctrl+z"),
)
