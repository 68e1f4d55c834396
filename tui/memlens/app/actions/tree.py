"""What the memory tree can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("tree.show", "Preview", "Go to this part of the prompt.", "enter", "l", footer=True),
    action("tree.edit", "Edit", "Edit the file in place, at this line.", "e", footer=True),
    action("tree.outside", "Your editor", "Open it in $VISUAL or $EDITOR, at this line.", "E"),
    action("tree.touch", "Touch", "See what the agent is given at a path.", "t", footer=True),
    action("tree.copy_path", "Copy path", "Put the file's path into the clipboard.", "y"),
    action("tree.copy_text", "Copy text", "Put its text into the clipboard.", "Y"),
    action("tree.told", "As told", "Show how the prompt differs from what a session was told.",
           "d"),
    action("tree.notes", "Notes", "Show what hardly needs a look, or not.", "n", footer=True),
    action(
        "tree.problem", "Next problem", "Go to the next problem.", "right_square_bracket",
    ),
    action(
        "tree.problem_before", "Problem before", "Go to the problem before.", "left_square_bracket",
    ),
    action("tree.toggle", "Fold", "Show or hide what is below.", "space", footer=True),
    action("tree.open", "Unfold", "Show what is below.", "right"),
    action("tree.close", "Fold or go up", "Hide what is below, or go to what is above.", "left"),
    action("tree.fold_all", "Fold all", "Show the memory files alone, or everything.", "asterisk"),
)  # fmt: skip
