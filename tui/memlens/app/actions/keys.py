"""How keys are written for people, and by people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

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


_WRITTEN: Final = {
    **{sign.casefold(): key for key, sign in _KEY_SIGNS.items() if len(sign) > 1},
    **{sign: key for key, sign in _KEY_SIGNS.items() if not sign.isascii()},
    "esc": "escape", "return": "enter", "ins": "insert", "page_up": "pageup",
    "page_down": "pagedown", "pgdown": "pagedown",
}  # fmt: skip
"""Keys that are written otherwise than the framework names them."""
_MODIFIERS: Final = {"control": "ctrl", "option": "alt", "cmd": "super", "command": "super"}


def key_name(written: str) -> str:
    """The framework's name of a key that a person wrote: as `key_sign` has it, or by its name with
    whatever capitals. What is no key comes back as it is, or nearly so."""
    written = written.strip()
    if len(written) == 1:
        return _WRITTEN.get(written, written)
    if written.startswith("^"):
        written = f"ctrl+{written[1:]}"
    head, plus, last = written.rpartition("+")
    if plus and not last:  # the key is the plus itself
        head, last = head.removesuffix("+"), "+"
    if not head:
        name = written.casefold()
        return _WRITTEN.get(name, name)
    modifiers = [_MODIFIERS.get(one, one) for one in map(str.strip, head.casefold().split("+"))]
    last = key_name(last)
    if len(last) == 1 and modifiers == ["shift"]:
        return last.upper()
    return "+".join((*modifiers, last.casefold() if len(last) == 1 else last))


def is_key(name: str) -> bool:
    """Whether a terminal could ever send it, by the name of the framework."""
    import unicodedata

    from textual.keys import KEY_NAME_REPLACEMENTS, KEY_TO_UNICODE_NAME, Keys

    *modifiers, last = name.split("+") if name != "+" else [name]
    if not {*modifiers} <= {"ctrl", "shift", "alt", "meta", "super", "hyper"}:
        return False
    if len(last) == 1 or last in (*(one.value for one in Keys), *KEY_NAME_REPLACEMENTS.values()):
        return True
    try:
        unicodedata.lookup(KEY_TO_UNICODE_NAME.get(last, last.replace("_", " ")))
    except KeyError:
        return False
    return True


def own_keys(settings: Mapping[str, str]) -> dict[str, str]:
    """A person's own keys as the framework names them: of the name of an action, its keys with
    commas between. What is no key is left out, and so is an action that has none then: it keeps
    those that it has by default."""
    from textual.keys import _normalize_key_list  # what the app's keymap goes through, too

    own = {}
    for name, text in settings.items():
        keys = [key for key in map(key_name, text.split(",")) if is_key(key)]
        if keys:
            own[name] = _normalize_key_list(",".join(keys))
    return own
