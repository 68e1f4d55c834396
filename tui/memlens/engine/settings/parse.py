"""Settings out of text: TOML, or a variable of the environment; each value checked."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from typing import Any, Final

from memlens.engine.findings import Finding
from memlens.engine.settings.declared import about, default, names

_YES: Final = {"1": True, "true": True, "yes": True, "on": True}
_NO: Final = {"0": False, "false": False, "no": False, "off": False}


def check_text(text: str, path: str) -> tuple[dict[str, Any], list[Finding]]:
    """The valid values of a settings file's text, and what is wrong with the rest."""
    import tomllib

    problems: list[Finding] = []
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        return {}, [problem(path, line, f"this is not TOML: {error}")]
    except ValueError:  # what Python itself says of a number of more than 4,300 digits
        at = re.search(r"\d{4000}", text)
        line = text.count("\n", 0, at.start()) + 1 if at else 0
        return {}, [problem(path, line, "this number has too many digits")]
    except RecursionError:
        return {}, [problem(path, 0, "this is nested too deep")]
    values: dict[str, Any] = {}
    for name, value in table.items():
        line = _line_of(name, text)
        if name not in names():
            hint = _suggestion(name, names()) or "memlens config --help lists them all."
            problems.append(problem(path, line, f"there is no setting named {name}", hint))
            continue
        take(name, value, values, problems, (path, line))
    return values, problems


def take(
    name: str,
    value: object,
    values: dict[str, Any],
    problems: list[Finding],
    place: tuple[str, int],
) -> bool:
    """Puts a setting among `values`, as far as it can be used; returns whether it can.

    What cannot be used is added to `problems` as found at `place`, file and line.
    """
    try:
        values[name], unknown = _of_known(name, _checked(name, value))
    except ValueError as error:
        problems.append(problem(*place, f"{name}: {error}"))
        return False
    problems += [problem(*place, f"{name}: {told}", "The others are used.") for told in unknown]
    return True


def _of_known(name: str, value: Any) -> tuple[Any, list[str]]:
    """What of a checked value there is, and what is wrong with the rest of a list.

    Raises `ValueError` for a single name that there is not.
    """
    known = about(name).known
    names = frozenset(known() if known else ())
    if not names:
        return value, []
    if isinstance(value, tuple):
        unknown = [_unknown(one, names) for one in value if one not in names]
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


def _suggestion(name: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, tuple(known), 1)
    return f"Did you mean {close[0]}?" if close else ""


def _checked(name: str, value: object) -> Any:
    """`value` as the setting holds it. Raises `ValueError` with a sentence."""
    declared = default(name)
    declared_as = about(name)
    if isinstance(declared, bool):
        if not isinstance(value, bool):
            raise ValueError(f"true or false is wanted, not {_shown(value)}")
    elif isinstance(declared, int | float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"a number is wanted, not {_shown(value)}")
        if isinstance(declared, int) and not isinstance(value, int):
            raise ValueError(f"a whole number is wanted, not {_shown(value)}")
        low, high = declared_as.between or (float("-inf"), float("inf"))
        if not low <= value <= high:
            raise ValueError(f"a number from {low:,} to {high:,} is wanted, not {_shown(value)}")
        return type(declared)(value)
    elif isinstance(declared, tuple):
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise ValueError(f"a list of texts is wanted, not {_shown(value)}")
        return tuple(value)
    elif isinstance(declared, dict):
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise ValueError(f"a table of texts is wanted, not {_shown(value)}")
    elif not isinstance(value, str):
        raise ValueError(f"a text is wanted, not {_shown(value)}")
    elif declared_as.choices and value not in declared_as.choices:
        raise ValueError(f"one of {', '.join(declared_as.choices)} is wanted, not {value!r}")
    return value


def _unknown(value: str, known: Iterable[str]) -> str:
    names = sorted(known)
    few = f"known: {', '.join(names)}" if len(names) < 10 else ""
    told = _suggestion(value, names) or few
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
    return value
