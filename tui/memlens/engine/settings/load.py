"""The settings in force, out of the file and the environment."""

from __future__ import annotations

import os

from memlens.engine import places
from memlens.engine.files import DISK, FileProblem
from memlens.engine.record import fields
from memlens.engine.settings.values import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final, NamedTuple

    from memlens.engine.findings import Finding
else:
    from memlens.engine.named import NamedTuple

FILE_LIMIT: Final = 1024 * 1024
"""Bytes of a settings file that are read at most."""
PREFIX: Final = "MEMLENS_"
VARIABLES: Final[Mapping[str, str]] = {
    "MEMLENS_CONFIG_DIR": "The folder of config.toml.",
    "MEMLENS_STATE_DIR": "The folder of journals, of the log, and of what was not saved.",
    "MEMLENS_DEBUG": "Anything: what goes wrong in memlens itself is shown as Python tells it.",
}
"""What memlens goes by beside the settings, and what it means."""
_OF_TESTS: Final = frozenset(["MEMLENS_TIMES", "MEMLENS_FAULTS", "MEMLENS_HYPOTHESIS"])
"""What the project's own tests go by; they start memlens, too."""


class LoadedSettings(NamedTuple):
    """The values, where each comes from, and what was wrong."""

    values: Settings
    origins: Mapping[str, str]
    """Of each setting: `default`, the file's path, or the variable's name."""
    file: str
    """Where the file is, or would be; empty where there is no home folder."""
    problems: tuple[Finding, ...]


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
    origins = dict.fromkeys(fields(Settings), "default")
    for name, value in _from_file(path, problems).items():
        values[name] = value
        origins[name] = path
    for name in origins:
        variable = PREFIX + name.upper()
        text = os.environ.get(variable)
        if text:
            from memlens.engine.settings.parse import Place, from_text, take

            if take(name, from_text(name, text), values, problems, Place(variable)):
                origins[name] = variable
    problems += _unknown_variables(origins)
    return LoadedSettings(Settings(**values), origins, path, tuple(problems))


def _unknown_variables(settings: Iterable[str]) -> list[Finding]:
    """What is set for memlens and means nothing: most likely a name that is misspelt."""
    known = {*VARIABLES, *_OF_TESTS, *(PREFIX + name.upper() for name in settings)}
    unknown = [name for name, text in os.environ.items() if text and name.startswith(PREFIX)
               and name not in known]  # fmt: skip
    if not unknown:
        return []
    from memlens.engine.settings.parse import problem, suggestion

    names = [name.removeprefix(PREFIX) for name in sorted(known - _OF_TESTS)]
    lists = "memlens config --help lists them all."
    return [
        problem(
            name, 0, "memlens knows no such variable",
            suggestion(name.removeprefix(PREFIX), names, PREFIX) or lists,
        )
        for name in sorted(unknown)
    ]  # fmt: skip


def _from_file(path: str, problems: list[Finding]) -> dict[str, Any]:
    if not path or not os.path.lexists(path):
        return {}
    from memlens.engine.settings.lenient import NoSettingsError, utf8_lines
    from memlens.engine.settings.parse import check_text, left_out, problem

    try:
        data, _ = DISK.read(path, FILE_LIMIT)
        text, left = utf8_lines(data)
    except FileProblem as error:
        problems.append(problem(path, 0, f"the settings are not read: {error}"))
        return {}
    except NoSettingsError as error:
        problems.append(problem(path, error.line, f"the settings are not read: {error}"))
        return {}
    values, found = check_text(text, path)
    problems += [*(left_out(path, one) for one in left), *found]
    return values
