"""Escape and a key right behind it, in terminals where each other key begins with Escape, too.

There the framework takes whatever comes within a tenth of a second for one key: Escape and `t` for
Alt+t, Escape and `3` for a pound sign. The Escape would be lost, and the other key would be typed
where Escape should have led away from, or be none at all.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from textual._xterm_parser import XTermParser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.driver import Driver
    from textual.message import Message

_ESC: Final = "\x1b"
_INTRODUCERS: Final = "[O]P_^X\\"
"""What goes on with a sequence behind Escape, and may come later than it, over a slow line."""
_ONE_KEY: Final = "bf\t\x7f"
"""What is one key with an Escape that came in one piece with it: a word left and right, Shift+Tab
and a word deleted, as some terminals tell them."""
_PASTE: Final = "\x1b[200~"
_PASTED: Final = "\x1b[201~"


class KeyParser(XTermParser):
    """The framework's parser, to which an Escape with a key behind it is two keys."""

    KEEPS_ALT = False
    """Whether an Escape and what came in one piece with it are one key, because a person has bound
    keys with Alt."""

    _since: str = ""
    """The end of what has come, as long as the mark around a paste."""
    _pastes: bool = False

    def feed(self, data: str) -> Iterable[Message]:
        if not data:
            yield from super().feed(data)
        for place, char in enumerate(data):
            if self._since.endswith(_ESC) and not self._pastes and not self._goes_on(char, place):
                yield from self._alone()
            self._since = (self._since + char)[-len(_PASTE) :]
            if self._since in (_PASTE, _PASTED):
                self._pastes = self._since == _PASTE
            yield from super().feed(char)

    def _goes_on(self, char: str, place: int) -> bool:
        """Whether what comes behind an Escape belongs to it; `place`: where in its piece."""
        if char == _ESC or char in _INTRODUCERS:
            return True
        return place > 0 and (self.KEEPS_ALT or char in _ONE_KEY)

    def _alone(self) -> Iterable[Message]:
        """What would be told, had nothing come behind the Escape for a while."""
        if getattr(self._awaiting, "timeout", None) is not None:
            self._timeout_time = 0.0
            yield from self.tick()


class AltParser(KeyParser):
    """The same for whoever has bound keys with Alt."""

    KEEPS_ALT = True


def telling_escapes(kind: type[Driver], *, alt: bool) -> type[Driver]:
    """The same driver, which tells Escape from what comes behind it. `alt`: keys with Alt are
    bound. The parser is put into the driver's module; a driver offers no other way."""
    module: Any = sys.modules[kind.__module__]
    if hasattr(module, "XTermParser"):
        module.XTermParser = AltParser if alt else KeyParser
    return kind
