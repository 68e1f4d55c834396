"""What a reviewer can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("review.accept", "Accept", "Accept the change; asks where errors are found.", "a",
           footer=True),
    action("review.reject", "Reject", "Reject the change: a commit under way is stopped.", "x",
           footer=True),
    action("review.next", "Next",
           "Go to the next file; in a difference to the next change, then into the next file.",
           "n", footer=True),
    action("review.previous", "Previous", "Go to the file or change before.", "p"),
    action("review.edit", "Edit", "Edit the staged text here, and stage it again.", "e",
           footer=True),
    action("review.open", "Open", "Go to the difference of the file, or to the finding's place.",
           "enter"),
    action("review.files", "Changed files", "Go to the changed files.", "1"),
    action("review.difference", "Difference", "Show what changes in the file.", "2"),
    action("review.prompt", "Prompt", "Show what the agent is told differently.", "3"),
    action("review.findings", "Findings", "Show what is wrong, and what to do.", "4"),
    action("review.next_part", "Next part", "Go to the next part of the screen.", "tab"),
    action("review.previous_part", "Previous part", "Go to the part before.", "shift+tab"),
    action("review.next_file", "Next file", "Go to the next file, wherever the cursor is.",
           "right_square_bracket"),
    action("review.previous_file", "Previous file", "Go to the file before.",
           "left_square_bracket"),
    action("review.context", "Whole texts", "Show whole texts, or only what is near a change.",
           "c"),
    action("review.scope", "Staged or all", "Review what is staged, or everything changed.", "s"),
    action("review.reload", "Reload", "Ask git again.", "f5"),
    action("review.help", "Help", "Show all keys.", "question_mark", footer=True),
    action("review.palette", "Commands", "Find any action by name.", "ctrl+p"),
    action("review.leave", "Leave", "Leave the review; asks where that rejects the change.", "q",
           "escape", footer=True),
    action("review.outside", "Editor",
           "Open the file at the line in $VISUAL or $EDITOR, and come back.", "o", "E",
           footer=True),
    action("review.stop", "Stop", "Leave at once; a commit under way is stopped.", "ctrl+c"),
    action("staged.save", "Stage", "Stage the text, and write it into the working file.",
           "ctrl+s", footer=True),
    action("staged.close", "Close", "Close the editor; asks when something would be lost.",
           "escape", footer=True),
)  # fmt: skip
