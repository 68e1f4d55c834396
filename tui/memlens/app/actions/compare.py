"""What works while two agents are compared."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("compare.next", "Next", "Go to the next line that only this agent gets.", "n",
           footer=True),
    action("compare.previous", "Previous", "Go to the line before that only this agent gets.",
           "N", footer=True),
    action("compare.other_side", "Other side", "Go to the other agent.", "tab", "shift+tab",
           footer=True),
    action("compare.wrap", "Wrap", "Wrap long lines, or not.", "w", footer=True),
    action("compare.agents", "Agents", "Choose whom to compare with.", "p", footer=True),
    action("compare.help", "Help", "Show all keys.", "question_mark", footer=True),
    action("compare.palette", "Commands", "Find any action by name.", "ctrl+p"),
    action("compare.leave", "Leave", "Go back.", "q", "escape", footer=True),
)  # fmt: skip
