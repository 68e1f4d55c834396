"""What one does in a list, whatever it lists."""

from __future__ import annotations

from typing import Final

from memlens.app.actions.action import Action, action

ACTIONS: Final[tuple[Action, ...]] = (
    action("lists.up", "Up", "Go one line up.", "up", "k"),
    action("lists.down", "Down", "Go one line down.", "down", "j"),
    action("lists.page_up", "Page up", "Go one page up.", "pageup", "ctrl+b"),
    action("lists.page_down", "Page down", "Go one page down.", "pagedown", "ctrl+f"),
    action("lists.half_up", "Half a page up", "Go half a page up.", "ctrl+u"),
    action("lists.half_down", "Half a page down", "Go half a page down.", "ctrl+d"),
    action("lists.first", "First line", "Go to the first line.", "home", "g"),
    action("lists.last", "Last line", "Go to the last line.", "end", "G"),
    action("lists.left", "Scroll left", "Show what is out of sight at the left.", "H", "left"),
    action("lists.right", "Scroll right", "Show what is out of sight at the right.", "L", "right"),
)
