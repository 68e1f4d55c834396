"""What works while a text or a difference stands over everything else."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("show.next", "Next", "Go to the next change.", "n", footer=True),
    action("show.previous", "Previous", "Go to the change before.", "N", "p", footer=True),
    action("show.wrap", "Wrap", "Wrap long lines, or not.", "w", footer=True),
    action("show.leave", "Close", "Go back.", "escape", "q", footer=True),
)
