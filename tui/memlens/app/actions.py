"""The one registry of actions: keys, footer, help, palette and the README's table come from it.

An action is done by a method `do_<name>` of the widget that hosts its area, with dots in the name
as underscores. Whether it can run now, and if not why, the host's `reason_against` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Area = Literal["app", "tree", "preview", "memories", "reads", "form", "editor"]

AREAS: Final[dict[Area, str]] = {
    "app": "Everywhere",
    "tree": "Memory tree",
    "preview": "Prompt preview",
    "memories": "Durable memory",
    "form": "Form of a fact",
    "editor": "Editor of a file",
    "reads": "Read state",
}
"""The areas and their titles, in the order of the help."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do."""

    name: str
    """Stable; the keymap in the settings goes by it."""
    area: Area
    title: str
    """A word or two, for footer and palette."""
    sentence: str
    """What it does, for help and palette."""
    keys: tuple[str, ...]
    """As the framework names keys, the first one is shown."""
    footer: bool = False
    """Whether the footer shows it while its area has the focus."""

    @property
    def method(self) -> str:
        return f"do_{self.name.replace('.', '_')}"


def _action(
    name: str, area: Area, title: str, sentence: str, *keys: str, footer: bool = False
) -> Action:
    return Action(name, area, title, sentence, keys, footer)


ACTIONS: Final[tuple[Action, ...]] = (
    _action("app.tree", "app", "Memory tree", "Go to the memory tree.", "1"),
    _action("app.preview", "app", "Prompt preview", "Go to the prompt preview.", "2"),
    _action("app.memories", "app", "Durable memory", "Go to the durable memory.", "3"),
    _action("app.reads", "app", "Read state", "Go to the read state.", "4"),
    _action("app.next", "app", "Next pane", "Go to the next pane.", "tab"),
    _action("app.previous", "app", "Previous pane", "Go to the pane before.", "shift+tab"),
    _action("app.zoom", "app", "Zoom", "Show one pane alone, or all again.", "z", footer=True),
    _action("app.reload", "app", "Reload", "Read everything from disk again.", "f5"),
    _action("app.help", "app", "Help", "Show all keys.", "question_mark", footer=True),
    _action("app.palette", "app", "Commands", "Find any action by name.", "ctrl+p", footer=True),
    _action("app.quit", "app", "Quit", "Leave memlens.", "q", "ctrl+q", footer=True),
    _action(
        "tree.toggle", "tree", "Fold", "Show or hide what a file imports.",
        "space", "right", "left", footer=True,
    ),
    _action(
        "tree.show", "tree", "Preview", "Go to this part of the prompt.", "enter", "l", footer=True,
    ),
    _action(
        "preview.top", "preview", "Start", "Go to the first line of the prompt.", "home", "g",
    ),
    _action("preview.end", "preview", "End", "Go to the last line of the prompt.", "end", "G"),
    _action(
        "preview.source", "preview", "Source", "Show in the tree where this line comes from.",
        "enter", footer=True,
    ),
    _action("preview.wrap", "preview", "Wrap", "Wrap long lines, or not.", "w", footer=True),
    _action(
        "memories.search", "memories", "Search", "Search the facts; the list narrows as you type.",
        "slash", footer=True,
    ),
    _action(
        "memories.edit", "memories", "Edit", "Edit the selected fact in place.",
        "e", "enter", footer=True,
    ),
    _action(
        "form.save", "form", "Save", "Save the fact to its file.", "ctrl+s", footer=True,
    ),
    _action(
        "form.close", "form", "Close", "Close the form; asks when something would be lost.",
        "escape", footer=True,
    ),
    _action(
        "reads.problems", "reads", "Problems", "Show only what a write would be refused for.",
        "x", footer=True,
    ),
)  # fmt: skip

BY_NAME: Final[dict[str, Action]] = {action.name: action for action in ACTIONS}


def actions_of(area: Area) -> tuple[Action, ...]:
    """The actions of one area, in the order of the registry."""
    return tuple(action for action in ACTIONS if action.area == area)


_KEY_SIGNS: Final = {
    "question_mark": "?", "slash": "/", "enter": "⏎", "escape": "Esc", "space": "Space",
    "tab": "Tab", "shift+tab": "Shift+Tab", "equals_sign": "=", "at": "@", "left": "←",
    "right": "→", "up": "↑", "down": "↓", "pageup": "PgUp", "pagedown": "PgDn", "home": "Home",
    "end": "End", "left_square_bracket": "[", "right_square_bracket": "]", "plus": "+",
    "minus": "-", "less_than_sign": "<", "greater_than_sign": ">", "full_stop": ".",
    "comma": ",", "delete": "Del", "backspace": "⌫", "asterisk": "*", "exclamation_mark": "!",
}  # fmt: skip


def key_sign(key: str) -> str:
    """A key as people write it: `^s` for `ctrl+s`, `?` for `question_mark`."""
    if key in _KEY_SIGNS:
        return _KEY_SIGNS[key]
    if key.startswith("ctrl+"):
        return f"^{key[5:]}"
    if key.startswith("f") and key[1:].isdigit():
        return key.upper()
    return key
