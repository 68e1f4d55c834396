"""What the editor of a file can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("editor.save", "Save", "Save the file.", "ctrl+s", footer=True),
    action(
        "editor.close", "Close", "Close the editor; asks when something would be lost.", "escape",
        "q",
        footer=True,
    ),
    action("editor.undo", "Undo", "Take back the last edit.", "ctrl+z", footer=True),
    action("editor.redo", "Redo", "Do again what was taken back.", "ctrl+y"),
    action(
        "editor.changes", "Changes", "Show what saving would change in the file.", "ctrl+g",
    ),
    action(
        "editor.outside", "Your editor", "Open the file in $VISUAL or $EDITOR instead.", "ctrl+o",
        footer=True,
    ),
)  # fmt: skip
