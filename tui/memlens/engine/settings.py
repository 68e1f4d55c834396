"""The settings: each declared once, with its meaning, and read from file and environment.

The file is `config.toml` in the configuration folder, UTF-8. A variable `MEMLENS_<NAME>` wins over
it, and an option of the command line over both. What is wrong is reported, with file and line, and
the default stands in its place: a bad setting never keeps memlens from starting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final

from memlens.engine import places
from memlens.engine.files import DISK, FileProblem
from memlens.engine.findings import Finding

FILE_LIMIT: Final = 1024 * 1024
"""Bytes of a settings file that are read at most."""
PREFIX: Final = "MEMLENS_"
_YES: Final = {"1": True, "true": True, "yes": True, "on": True}
_NO: Final = {"0": False, "false": False, "no": False, "off": False}


def _setting(
    default: Any,
    meaning: str,
    *,
    choices: tuple[str, ...] = (),
    between: tuple[float, float] | None = None,
) -> Any:
    """Declares a setting: its default, its meaning in a sentence, and what values it takes."""
    metadata = {"meaning": meaning, "choices": choices, "between": between}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values in force."""

    agent: str = _setting("raider", "Whose memory is shown: the name of an agent's profile.")
    walk: str = _setting(
        "checkout",
        "Where the walk for memory files begins: at the checkout's top, or everywhere below /.",
        choices=("checkout", "everything"),
    )
    managed_folder: str = _setting(
        "", "The folder of the organisation's own memory files; empty: the system's usual one."
    )
    memory_enabled: bool = _setting(True, "Whether the agent has durable memory.")
    index_cap_bytes: int = _setting(
        8000, "Bytes of the memory index that the agent is given.", between=(0, 10_000_000)
    )
    description_limit: int = _setting(
        200, "Characters from which a description is called over-long.", between=(20, 10_000)
    )
    near_duplicate_threshold: float = _setting(
        88.0, "How alike two facts are, of 100, to be called near duplicates.", between=(50, 100)
    )
    stale_days: int = _setting(
        180, "Days without a change from which a fact is called stale.", between=(1, 100_000)
    )
    ignore: tuple[str, ...] = _setting((), "Names of findings that are switched off.")
    theme: str = _setting("", "The colours; empty: memlens, or what was chosen last.")
    wrap: bool = _setting(True, "Whether long lines of the prompt are wrapped.")
    mouse: bool = _setting(True, "Whether the mouse is used; else the terminal can select text.")
    keys: Mapping[str, str] = _setting(
        {}, "Keys of your own: the name of an action, then its keys with commas between."
    )


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The values, where each comes from, and what was wrong."""

    values: Settings
    origins: Mapping[str, str]
    """Of each setting: `default`, the file's path, or the variable's name."""
    file: str
    """Where the file is, or would be; empty where there is no home folder."""
    problems: tuple[Finding, ...]


def names() -> tuple[str, ...]:
    """All settings, in the order of their declaration."""
    return tuple(one.name for one in fields(Settings))


def meaning(name: str) -> str:
    """What a setting means, with what it takes."""
    metadata = _field(name).metadata
    text: str = metadata["meaning"]
    if metadata["choices"]:
        text += f" One of: {', '.join(metadata['choices'])}."
    if metadata["between"]:
        low, high = metadata["between"]
        text += f" From {low:g} to {high:g}."
    return text


def default(name: str) -> Any:
    """The value of a setting that nobody has set."""
    return getattr(Settings(), name)


def template(written: Callable[[object], str]) -> str:
    """A settings file in which everything is a comment; `written` gives a value in TOML."""
    parts = ["# The settings of memlens. Take away the # before what you want to change.\n"]
    plain = [name for name in names() if name != "keys"]
    parts += [f"# {meaning(name)}\n# {name} = {written(default(name))}\n" for name in plain]
    parts.append(f'# {meaning("keys")}\n# [keys]\n# "app.quit" = "ctrl+x"\n')
    return "\n".join(parts)


def settings_file() -> str:
    """Where `config.toml` is, or would be; empty where there is no home folder."""
    try:
        return os.path.join(places.config_dir(), "config.toml")
    except RuntimeError:
        return ""


def load_settings(file: str | None = None) -> LoadedSettings:
    """The settings in force. `file` defaults to the person's own. Never raises."""
    path = settings_file() if file is None else file
    problems: list[Finding] = []
    values: dict[str, Any] = {}
    origins = dict.fromkeys(names(), "default")
    for name, value in _from_file(path, problems).items():
        values[name] = value
        origins[name] = path
    for name in names():
        variable = PREFIX + name.upper()
        text = os.environ.get(variable)
        if text:
            try:
                values[name] = _from_text(name, text)
                origins[name] = variable
            except ValueError as error:
                problems.append(_problem(variable, 0, f"{variable}: {error}"))
    return LoadedSettings(Settings(**values), origins, path, tuple(problems))


def check_text(text: str, path: str) -> tuple[dict[str, Any], list[Finding]]:
    """The valid values of a settings file's text, and what is wrong with the rest."""
    import tomllib

    problems: list[Finding] = []
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        return {}, [_problem(path, line, f"this is not TOML: {error}")]
    except RecursionError:
        return {}, [_problem(path, 0, "this is nested too deep")]
    values = {}
    for name, value in table.items():
        line = _line_of(name, text)
        if name not in names():
            close = _closest(name)
            hint = f"Did you mean {close}?" if close else "memlens config --help lists them all."
            problems.append(_problem(path, line, f"there is no setting named {name}", hint))
            continue
        try:
            values[name] = _checked(name, value)
        except ValueError as error:
            problems.append(_problem(path, line, f"{name}: {error}"))
    return values, problems


def _from_file(path: str, problems: list[Finding]) -> dict[str, Any]:
    if not path:
        return {}
    try:
        data, _ = DISK.read(path, FILE_LIMIT)
    except FileProblem as problem:
        if problem.kind != "missing":
            problems.append(_problem(path, 0, f"the settings are not read: {problem}"))
        return {}
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(_problem(path, line, "the settings are not read: this is not UTF-8"))
        return {}
    values, found = check_text(text, path)
    problems += found
    return values


def _problem(file: str, line: int, message: str, hint: str = "The default is used.") -> Finding:
    return Finding("settings", "warning", file, line, 1 if line else 0, message, hint)


def _line_of(name: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        start = line.strip().lstrip("[").strip().strip("\"'")
        if start.startswith(name) and not start[len(name) : len(name) + 1].isidentifier():
            return number
    return 0


def _closest(name: str) -> str:
    import difflib

    return next(iter(difflib.get_close_matches(name, names(), 1)), "")


def _field(name: str) -> Field[Any]:
    return next(one for one in fields(Settings) if one.name == name)


def _checked(name: str, value: object) -> Any:
    """`value` as the setting holds it. Raises `ValueError` with a sentence."""
    declared = default(name)
    metadata = _field(name).metadata
    if isinstance(declared, bool):
        if not isinstance(value, bool):
            raise ValueError(f"true or false is wanted, not {_shown(value)}")
    elif isinstance(declared, int | float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"a number is wanted, not {_shown(value)}")
        if isinstance(declared, int) and not isinstance(value, int):
            raise ValueError(f"a whole number is wanted, not {_shown(value)}")
        low, high = metadata["between"]
        if not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g} is wanted, not {value:g}")
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
    elif metadata["choices"] and value not in metadata["choices"]:
        raise ValueError(f"one of {', '.join(metadata['choices'])} is wanted, not {value!r}")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _from_text(name: str, text: str) -> Any:
    """A setting out of an environment variable. Raises `ValueError` with a sentence."""
    declared = default(name)
    value: object = text
    if isinstance(declared, bool):
        value = {**_YES, **_NO}.get(text.lower(), text)
    elif isinstance(declared, int | float):
        try:
            value = int(text) if isinstance(declared, int) else float(text)
        except ValueError:
            raise ValueError(f"a number is wanted, not {text!r}") from None
    elif isinstance(declared, tuple):
        value = [part.strip() for part in text.split(",") if part.strip()]
    elif isinstance(declared, dict):
        pairs = [part.partition("=") for part in text.split(";") if part.strip()]
        value = {left.strip(): right.strip() for left, _, right in pairs}
    return _checked(name, value)
