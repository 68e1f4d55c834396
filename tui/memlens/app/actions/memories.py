"""What the durable memory, its form and its screens can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

_PANE: Final = (
    action("memories.search", "Search", "Search the facts; the list narrows as you type.", "slash",
           footer=True),
    action("memories.edit", "Edit", "Edit the selected fact in place.", "e", "enter", footer=True),
    action("memories.new", "New", "Make a new fact.", "n", footer=True),
    action("memories.delete", "Delete",
           "Delete the selected fact, or all marked ones; they go to the trash.", "d", "delete",
           footer=True),
    action("memories.mark", "Mark", "Mark the fact, or take the mark off.", "space", footer=True),
    action("memories.mark_all", "Mark all", "Mark all listed facts, or none.", "asterisk"),
    action("memories.filter", "Filter", "List only some: by scope, tag, age or problem.", "f",
           footer=True),
    action("memories.sort", "Sort", "List in another order.", "s", footer=True),
    action("memories.clear", "Clear", "Clear the search; again: the filters; again: the marks.",
           "escape"),
    action("memories.rename", "Rename", "Give the fact another name; its file follows.", "R"),
    action("memories.tag", "Tags", "Add and remove tags on the selected or all marked facts.",
           "t"),
    action("memories.move", "Move", "Move the selected or all marked facts to another scope.",
           "m"),
    action("memories.duplicate", "Duplicate", "Make a new fact out of the selected one.", "D"),
    action("memories.external", "Editor",
           "Open the fact's file in $VISUAL or $EDITOR, and come back.", "E"),
    action("memories.read", "Read", "Read the whole file of the fact.", "v"),
    action("memories.copy_line", "Copy index line", "Copy the fact's line in the index.", "y"),
    action("memories.copy_path", "Copy path", "Copy the path of the fact's file.", "Y"),
    action("memories.copy_body", "Copy body", "Copy the fact's body.", "b"),
    action("memories.trash", "Trash", "See deleted facts, and bring them back.", "T"),
    action("memories.twins", "Duplicates", "See facts that say the same, side by side.", "w"),
    action("memories.stale", "Out of use", "See facts that nobody changed or read for long.",
           "o"),
)  # fmt: skip

_FORM: Final = (
    action("form.save", "Save", "Save the fact to its file.", "ctrl+s", footer=True),
    action("form.close", "Close", "Close the form; asks when something would be lost.", "escape",
           "q", footer=True),
    action("form.next_field", "Next field", "Go to the next field of the form.", "tab"),
    action("form.previous_field", "Previous field", "Go to the field before.", "shift+tab"),
    action("form.zoom", "Larger", "Give the form the whole room, or share it again.", "f2",
           footer=True),
)  # fmt: skip

_CLASH: Final = (
    action("clash.mine", "Mine", "Save your text over what is on disk; undo brings that back.", "m",
           footer=True),
    action("clash.theirs", "Theirs", "Take what is on disk instead of your text.", "t",
           footer=True),
    action("clash.merge", "Merge", "Take both into one text, and choose by hand.", "b",
           footer=True),
    action("clash.wrap", "Wrap", "Wrap long lines, or not.", "w", footer=True),
    action("clash.back", "Back", "Go on editing; nothing is saved.", "escape", footer=True),
)  # fmt: skip

_SCREENS: Final = (
    action("trash.restore", "Restore", "Bring the deleted fact back.", "enter", "r", footer=True),
    action("trash.close", "Close", "Close the trash.", "escape", "q", footer=True),
    action("history.undo", "Undo", "Take back the selected step.", "u", "enter", footer=True),
    action("history.wrap", "Wrap", "Wrap long lines of what was changed, or not.", "w",
           footer=True),
    action("history.close", "Close", "Close the history.", "escape", "q", footer=True),
    action("twins.first", "Keep left", "Keep the left fact, delete the right one.", "1",
           footer=True),
    action("twins.second", "Keep right", "Keep the right fact, delete the left one.", "2",
           footer=True),
    action("twins.merge", "Merge", "Make one of the two, by hand.", "m", footer=True),
    action("twins.both", "Keep both", "Leave both as they are.", "b", footer=True),
    action("twins.undo", "Undo", "Take back the last change of facts.", "u", footer=True),
    action("twins.close", "Close", "Close the duplicates.", "escape", "q", footer=True),
    action("stale.edit", "Edit", "Edit the fact.", "e", "enter", footer=True),
    action("stale.mark", "Mark", "Mark the fact, or take the mark off.", "space", footer=True),
    action("stale.delete", "Delete", "Delete the fact, or all marked ones.", "d", "delete",
           footer=True),
    action("stale.undo", "Undo", "Take back the last change of facts.", "u", footer=True),
    action("stale.close", "Close", "Close the list; stops looking through sessions.", "escape",
           "q", footer=True),
)  # fmt: skip

ACTIONS: Final[tuple[Action, ...]] = (*_PANE, *_FORM, *_CLASH, *_SCREENS)
