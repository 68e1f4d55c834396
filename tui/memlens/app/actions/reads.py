"""What the read state can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action(
        "reads.compare", "Difference",
        "Show what differs between what was read and what is there now.",
        "enter", footer=True,
    ),
    action(
        "reads.why", "Why",
        "Show why a write would be refused, or pass, with the evidence.",
        "w", footer=True,
    ),
    action(
        "reads.session", "Session",
        "Choose the session; the newest is followed otherwise.",
        "s", footer=True,
    ),
    action(
        "reads.problems", "Problems",
        "Show only what a write would be refused for, or all again.",
        "x", footer=True,
    ),
    action(
        "reads.filter", "Filter",
        "Narrow the list as you type: words of the path, the state, the agent.",
        "slash", footer=True,
    ),
    action("reads.leave", "Clear", "Clear the filter, or end a long reading.", "escape"),
    action("reads.folders", "Folders", "Group the files by folder, or not.", "f", footer=True),
    action("reads.order", "Order", "Sort by time, by path, or by state.", "o", footer=True),
    action(
        "reads.edit", "Editor",
        "Open the file in your editor, at the first line that changed.",
        "E", "e", footer=True,
    ),
    action("reads.tree", "In the tree", "Go to this memory file in the memory tree.", "m"),
    action("reads.check", "Check a file", "Ask what a write to any file would be told.", "c"),
    action("reads.copy", "Copy path", "Copy the file's path.", "y"),
    action("reads.copy_refusal", "Copy refusal", "Copy the text that a write would get.", "Y"),
    action(
        "reads.forget", "Forget",
        "Forget that the file was read, in memlens' own journal.",
        "d",
    ),
    action(
        "reads.clear", "Forget all",
        "Forget all that this session has read, in memlens' own journal.",
        "D",
    ),
    action("reads.restore", "Bring back", "Take the last forgetting back.", "U"),
)  # fmt: skip
