"""Settings out of text: TOML, or a variable of the environment; each value checked."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from memlens.engine.findings import Finding
from memlens.engine.settings.declared import about, default, names

if TYPE_CHECKING:
    from memlens.engine.settings.lenient import Left

_OTHERS: Final = "The others are used."
_YES: Final = {"1": True, "true": True, "yes": True, "on": True}
_NO: Final = {"0": False, "false": False, "no": False, "off": False}


class Place(NamedTuple):
    """Where a setting stands."""

    file: str
    """The file's path, or the name of a variable."""
    line: int = 0
    text: str = ""
    """All that stands in the file."""

    def of(self, entry: object) -> int:
        """The line of something in the setting, or else its own."""
        written = re.escape(entry if isinstance(entry, str) else _shown(entry))
        word = re.compile(rf"(?<![\w.-]){written}(?![\w.-])")
        lines = self.text.split("\n")[self.line - 1 :] if self.line else []
        found = (at for at, line in enumerate(lines, self.line) if word.search(line))
        return next(found, self.line)


class _Wrong(NamedTuple):
    """A part of a setting that cannot be used."""

    entry: object
    told: str
    hint: str


def check_text(text: str, path: str) -> tuple[dict[str, Any], list[Finding]]:
    """The valid values of a settings file's text, and what is wrong with the rest."""
    from memlens.engine.settings.lenient import NoSettingsError, read

    try:
        table, left = read(text)
    except NoSettingsError as error:
        return {}, [problem(path, error.line, str(error))]
    problems = [left_out(path, one) for one in left]
    values: dict[str, Any] = {}
    for name, value in table.items():
        line = _line_of(name, text)
        if name not in names():
            hint = suggestion(name, names()) or "memlens config --help lists them all."
            problems.append(problem(path, line, f"there is no setting named {name}", hint))
            continue
        take(name, value, values, problems, Place(path, line, text))
    return values, problems


def left_out(path: str, lines: Left) -> Finding:
    """A finding about lines of a settings file that cannot be read."""
    first, last, why = lines
    hint = f"Line {first} is left out."
    if last > first:
        hint = f"Lines {first} to {last} are left out."
    if "Invalid value" in why:  # the parser's words for what has no marks around it
        hint = f'A text stands in quotation marks: "…". {hint}'
    return problem(path, first, why, hint)


def take(
    name: str, value: object, values: dict[str, Any], problems: list[Finding], place: Place
) -> bool:
    """Puts a setting among `values`, as far as it can be used; returns whether it can.

    What cannot be used is added to `problems` as found at `place`; a wrong entry of a list or of a
    table takes none of the others with it.
    """
    try:
        usable, wrong = _checked(name, value)
        usable, unknown = _of_known(name, usable)
    except ValueError as error:
        hint = "What the file says is used." if name in values else "The default is used."
        problems.append(problem(place.file, place.line, f"{name}: {error}", hint))
        return False
    values[name] = usable
    problems += [
        problem(place.file, place.of(one.entry), f"{name}: {one.told}", one.hint)
        for one in (*wrong, *unknown)
    ]
    return True


def _of_known(name: str, value: Any) -> tuple[Any, list[_Wrong]]:
    """What of a checked value there is, and what is wrong with the rest of a list.

    Raises `ValueError` for a single name that there is not.
    """
    known = about(name).known
    names = frozenset(known() if known else ())
    if not names:
        return value, []
    if isinstance(value, tuple):
        unknown = [_Wrong(one, _unknown(one, names), _OTHERS) for one in value if one not in names]
        return tuple(one for one in value if one in names), unknown
    if value not in names:
        raise ValueError(_unknown(value, names))
    return value, []


def problem(file: str, line: int, message: str, hint: str = "The default is used.") -> Finding:
    """A finding about the settings."""
    return Finding("settings", "warning", file, line, 1 if line else 0, message, hint)


def line_in(path: str, name: str) -> int:
    """The line of a settings file on which a name stands; 0 where it does not."""
    from memlens.engine.files import DISK, FileProblem

    try:
        data, _ = DISK.read(path, 1024 * 1024)
    except FileProblem:
        return 0
    return _line_of(name, data.decode("utf-8-sig", "replace"))


def _line_of(name: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        start = line.strip().lstrip("[").strip().strip("\"'")
        if start.startswith(name) and not start[len(name) : len(name) + 1].isidentifier():
            return number
    return 0


def suggestion(name: str, known: Iterable[str], prefix: str = "") -> str:
    """The name that was most likely meant, as a question; empty where none is near. `prefix`:
    what stands before each of the names."""
    import difflib

    close = difflib.get_close_matches(name, tuple(known), 1)
    return f"Did you mean {prefix}{close[0]}?" if close else ""


def _checked(name: str, value: object) -> tuple[Any, list[_Wrong]]:
    """`value` as the setting holds it, and what of a list or a table it does not hold.

    Raises `ValueError` with a sentence where it holds nothing of it.
    """
    declared = default(name)
    declared_as = about(name)
    if isinstance(declared, bool):
        if not isinstance(value, bool):
            raise ValueError(f"true or false is wanted, not {_shown(value)}")
    elif isinstance(declared, int | float):
        return _number(value, declared, declared_as.between), []
    elif isinstance(declared, tuple):
        if not isinstance(value, list | tuple):
            raise ValueError(f"a list of texts is wanted, not {_shown(value)}")
        wrong = [
            _Wrong(one, f"a text is wanted, not {_shown(one)}", _OTHERS)
            for one in value
            if not isinstance(one, str)
        ]
        return tuple(one for one in value if isinstance(one, str)), wrong
    elif isinstance(declared, dict):
        if not isinstance(value, dict):
            raise ValueError(f"a table of texts is wanted, not {_shown(value)}")
        entries = dict(_entries(value))
        wrong = [
            _Wrong(one, f"{one}: a text is wanted, not {_shown(told)}", "The default is used.")
            for one, told in entries.items()
            if not isinstance(told, str)
        ]
        return {one: told for one, told in entries.items() if isinstance(told, str)}, wrong
    elif not isinstance(value, str):
        raise ValueError(f"a text is wanted, not {_shown(value)}")
    elif declared_as.choices and value not in declared_as.choices:
        raise ValueError(f"one of {', '.join(declared_as.choices)} is wanted, not {value!r}")
    elif declared_as.folder and value:
        return _folder(value)
    return value, []


def _folder(value: str) -> tuple[str, list[_Wrong]]:
    path = os.path.expanduser(value)
    if not os.path.isabs(path):
        told = f"a whole path, or one that begins with ~/, is wanted, not {_shown(value)}"
        raise ValueError(told)
    if os.path.isdir(path):
        return path, []
    return path, [_Wrong(value, f"there is no folder {path}", "Nothing is read from there.")]


def _number(value: object, declared: float, between: tuple[float, float] | None) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a number is wanted, not {_shown(value)}")
    if isinstance(declared, int) and not isinstance(value, int):
        raise ValueError(f"a whole number is wanted, not {_shown(value)}")
    low, high = between or (float("-inf"), float("inf"))
    if not low <= value <= high:
        raise ValueError(f"a number from {low:,} to {high:,} is wanted, not {_shown(value)}")
    return type(declared)(value)


def _entries(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, object]]:
    """What a table holds. A name with a dot that has no quotation marks is a table in TOML."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _entries(value, f"{before}{name}.")
        else:
            yield before + name, value


def _unknown(value: str, known: Iterable[str]) -> str:
    names = sorted(known)
    few = f"known: {', '.join(names)}" if len(names) < 10 else ""
    told = suggestion(value, names) or few
    return f"nothing is called {_shown(value)}" + (f" ({told})" if told else "")


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # more digits than Python shows, which a hexadecimal number may have
        return "one of so many digits"
    return text if len(text) <= 40 else text[:39] + "…"


def from_text(name: str, text: str) -> object:
    """A setting out of an environment variable, for `take`."""
    declared = default(name)
    value: object = text
    if isinstance(declared, bool):
        value = {**_YES, **_NO}.get(text.lower(), text)
    elif isinstance(declared, int | float):
        with contextlib.suppress(ValueError):
            value = int(text) if isinstance(declared, int) else float(text)
    elif isinstance(declared, tuple):
        value = [part.strip() for part in text.split(",") if part.strip()]
    elif isinstance(declared, dict):
        pairs = [part.partition("=") for part in text.split(";") if part.strip()]
        value = {left.strip(): right.strip() for left, _, right in pairs}
    elif about(name).folder:
        value = os.path.abspath(os.path.expanduser(text))
    return value
