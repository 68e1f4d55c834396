"""What works in all panes."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("app.tree", "Memory tree", "Go to the memory tree.", "1"),
    action("app.preview", "Prompt preview", "Go to the prompt preview.", "2"),
    action("app.memories", "Durable memory", "Go to the durable memory.", "3"),
    action("app.reads", "Read state", "Go to the read state.", "4"),
    action("app.next", "Next pane", "Go to the next pane.", "tab"),
    action("app.previous", "Previous pane", "Go to the pane before.", "shift+tab"),
    action(
        "app.undo",
        "Undo",
        "Take back the last change that memlens made here, also after a restart.",
        "u",
        footer=True,
    ),
    action("app.log", "Log", "See what memlens did here, and undo any of it.", "at"),
    action("app.review", "Review", "Review what is staged before you commit it.", "r", footer=True),
    action("app.agent", "Agent", "Look at the folder as another agent sees it.", "p", footer=True),
    action(
        "app.compare",
        "Compare agents",
        "Show what each of two agents gets here that the other does not.",
        "P",
    ),
    action(
        "app.keep_agent", "Keep this agent", "Write the current agent to the settings.", "ctrl+k"
    ),
    action("app.zoom", "Zoom", "Show one pane alone, or all again.", "z", footer=True),
    action("app.wider", "Wider", "Give the pane more columns.", "greater_than_sign"),
    action("app.narrower", "Narrower", "Give the pane fewer columns.", "less_than_sign"),
    action("app.higher", "Higher", "Give the pane more lines.", "plus"),
    action("app.lower", "Lower", "Give the pane fewer lines.", "minus"),
    action("app.theme", "Theme", "Choose the colours.", "ctrl+t"),
    action("app.reload", "Reload", "Read everything from disk again.", "f5"),
    action("app.help", "Help", "Show all keys.", "question_mark", footer=True),
    action("app.palette", "Commands", "Find any action by name.", "ctrl+p", footer=True),
    action("app.quit", "Quit", "Leave memlens.", "q", "ctrl+q", footer=True),
)
