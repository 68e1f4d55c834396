"""What the read state can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action(
        "reads.problems",
        "Problems",
        "Show only what a write would be refused for.",
        "x",
        footer=True,
    ),
)
