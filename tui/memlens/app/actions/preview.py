"""What the prompt preview can do."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("preview.edit", "Edit", "Edit the source of this line.", "enter", "e", footer=True),
    action("preview.outside", "Your editor", "Open its source in $VISUAL or $EDITOR.", "E"),
    action("preview.search", "Search", "Search in the prompt.", "slash", footer=True),
    action("preview.next", "Next", "Go to the next match, else to the next change.", "n"),
    action("preview.previous", "Previous", "Go to the match before, else the change before.", "N"),
    action("preview.unsearch", "End search", "Forget the search and its marks.", "escape"),
    action("preview.touch", "Touch", "See what the agent is given at a path.", "t", footer=True),
    action("preview.new_session", "New session", "Forget what was given at touches.", "T"),
    action(
        "preview.compare", "Compare",
        "Show the difference to the last look, or to the last commit.", "equals_sign", footer=True,
    ),
    action("preview.seen", "Seen", "Take this for the last look: the marks go.", "m"),
    action("preview.wrap", "Wrap", "Wrap long lines, or not.", "w", footer=True),
    action("preview.save", "Save text", "Save the prompt to a file, byte for byte.", "s"),
    action("preview.copy", "Copy section", "Put this section into the clipboard.", "y"),
    action("preview.copy_line", "Copy line", "Put this line into the clipboard.", "Y"),
    action("preview.why", "Why", "Ask whether a phrase reaches the prompt, and why not.", "W"),
    action("preview.source", "In the tree", "Show in the tree where this line comes from.", "h"),
    action(
        "preview.section", "Next section", "Go to the next section.", "right_curly_bracket",
    ),
    action(
        "preview.section_before", "Section before", "Go to the start of this section, then to the "
        "one before.", "left_curly_bracket",
    ),
)  # fmt: skip
