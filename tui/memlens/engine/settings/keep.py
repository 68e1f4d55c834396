"""Writing one setting into the settings file, without touching anything else in it."""

from __future__ import annotations

import os
import re

from memlens.engine.files import DISK, FileProblem, make_folders, replace_file
from memlens.engine.settings.load import FILE_LIMIT, settings_file


class NoSettingsFileError(Exception):
    """There is no home folder, so there is no place for settings."""

    hint = "Set MEMLENS_CONFIG_DIR."

    def __init__(self) -> None:
        super().__init__("there is no home folder, so there is no place for settings")


def keep_setting(name: str, value: str) -> str:
    """Sets a text in the settings file, which is made where there is none; returns its path.

    Everything else in it stays as it is; a file that a link leads to is written where it is.
    Raises `NoSettingsFileError`, `FileProblem` or `OSError`.
    """
    given = settings_file()
    if not given:
        raise NoSettingsFileError
    path = os.path.realpath(given)
    try:
        text = DISK.read(path, FILE_LIMIT)[0].decode("utf-8")
    except FileProblem as problem:
        if problem.kind != "missing":
            raise
        make_folders(os.path.dirname(path))
        text = ""
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    replace_file(path, _with(text, f"{name} = {quoted}", name).encode())
    return given


def _with(text: str, line: str, name: str) -> str:
    """`text` with `line` for a setting: in place of what sets it, else before all else that is no
    comment, because behind a table's name it would belong to that table."""
    table = re.search(r"^[ \t]*\[", text, re.MULTILINE)
    end = table.start() if table else len(text)
    there = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", re.MULTILINE).search(text, 0, end)
    if there:
        return text[: there.start()] + line + text[there.end() :]
    example = re.compile(rf"^#[ \t]*{re.escape(name)}[ \t]*=.*\n", re.MULTILINE)
    place = example.search(text, 0, end)
    at = place.end() if place else 0
    return f"{text[:at]}{line}\n{text[at:]}"
