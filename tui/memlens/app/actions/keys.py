"""How keys are written for people."""

from __future__ import annotations

from typing import Final

_KEY_SIGNS: Final = {
    "question_mark": "?", "slash": "/", "enter": "⏎", "escape": "Esc", "space": "Space",
    "tab": "Tab", "shift+tab": "Shift+Tab", "equals_sign": "=", "at": "@", "left": "←",
    "right": "→", "up": "↑", "down": "↓", "pageup": "PgUp", "pagedown": "PgDn", "home": "Home",
    "end": "End", "left_square_bracket": "[", "right_square_bracket": "]", "plus": "+",
    "minus": "-", "less_than_sign": "<", "greater_than_sign": ">", "full_stop": ".",
    "comma": ",", "delete": "Del", "backspace": "⌫", "asterisk": "*", "exclamation_mark": "!",
    "left_curly_bracket": "{", "right_curly_bracket": "}",
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
