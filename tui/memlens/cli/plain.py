"""Plain command lines, read without argparse, whose import costs scripts half of a start.

Commands declare their options to argparse. `Plain` takes the same declarations and reads those
words that leave no doubt: whole names of options, each with its value. Everything else, such as
`--help`, an abbreviation or a mistake, is left to argparse.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, cast
else:

    def cast(_, value):
        return value


_KNOWN = frozenset(["action", "default", "help", "metavar"])
_LEFT_OUT = frozenset(["const", "nargs", "type", "version"])
"""What makes an option one of argparse's: where it is not among the words, it does not matter."""


class UsageError(Exception):
    """The words make no sense; the message says which and why."""


class _Doubt(Exception):
    """Only argparse knows what is meant."""


class _Options:
    """What argparse's `Namespace` is: values by name."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


class Plain:
    """Stands in for a parser while a command declares its options."""

    def __init__(self) -> None:
        self._actions: dict[str, tuple[str, str]] = {}
        """Name of an option to its place among the values and what it does."""
        self._alone = ""
        """The place of the one word that is no option's, where there may be one."""
        self._values: dict[str, Any] = {}

    def add_argument(self, *names: str, **how: Any) -> None:
        """Takes an option of the simple kinds, and what may be left out; raises `_Doubt` else."""
        action = how.get("action", "store")
        if len(names) != 1 or not (_KNOWN | _LEFT_OUT).issuperset(how):
            raise _Doubt
        if action == "version":
            return
        if action not in ("store", "store_true", "append"):
            raise _Doubt
        place = names[0].removeprefix("--").replace("-", "_")
        if not names[0].startswith("-"):
            if self._alone or how.get("nargs") != "?" or "type" in how:
                raise _Doubt
            self._alone = place
        elif not names[0].startswith("--"):
            raise _Doubt
        elif _KNOWN.issuperset(how):
            self._actions[names[0]] = place, action
        elif how.get("nargs") != "?":
            raise _Doubt
        self._values[place] = how.get("default", False if action == "store_true" else None)

    def parse(self, words: Sequence[str]) -> Namespace:
        """The values of the options in `words`; raises `_Doubt`."""
        values = dict(self._values)
        alone = self._alone
        left = iter(words)
        for word in left:
            place, action = self._actions.get(word, ("", ""))
            if not place:
                if not alone or word.startswith("-"):
                    raise _Doubt
                values[alone], alone = word, ""
                continue
            if action == "store_true":
                values[place] = True
                continue
            value = next(left, "-")
            if value.startswith("-"):
                raise _Doubt
            values[place] = [*(values[place] or ()), value] if action == "append" else value
        return cast("Namespace", _Options(values))


def plain_options(
    declare: Sequence[Callable[[ArgumentParser], None]], words: Sequence[str]
) -> Namespace | None:
    """The options in `words`, as argparse would give them; None where only that can tell."""
    parser = Plain()
    try:
        for part in declare:
            part(cast("ArgumentParser", parser))
        return parser.parse(words)
    except _Doubt:
        return None
