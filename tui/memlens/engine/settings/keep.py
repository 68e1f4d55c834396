"""Writing one setting into the settings file, without touching anything else in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from memlens.engine.files import DISK, FileProblem, make_folders, replace_file
from memlens.engine.settings.load import FILE_LIMIT, settings_file

_CONTROL = re.compile("[\x00-\x1f\x7f]")


class NoSettingsFileError(Exception):
    """There is no home folder, so there is no place for settings."""

    hint = "Set MEMLENS_CONFIG_DIR."

    def __init__(self) -> None:
        super().__init__("there is no home folder, so there is no place for settings")


class NotKeptError(ValueError):
    """The settings file cannot take a setting; it was left as it is."""

    hint = "Set it by hand, with memlens config --edit."

    def __init__(self, name: str, path: str) -> None:
        super().__init__(f"the setting {name} cannot be put into the file as it is")
        self.path = path


class SettingsChangedError(Exception):
    """Another program wrote the settings file at the very same moment; it was left as it is."""

    hint = "Try again."

    def __init__(self, path: str) -> None:
        super().__init__("another program has changed the settings at this very moment")
        self.path = path


def keep_setting(name: str, value: str) -> str:
    """Sets a text in the settings file, which is made where there is none; returns its path.

    Everything else in it stays as it is; a file that a link leads to is written where it is.
    Raises `NoSettingsFileError`, `NotKeptError`, `SettingsChangedError`, `FileProblem`, or
    `OSError`, and `ValueError` where the file is not UTF-8.
    """
    given = settings_file()
    if not given:
        raise NoSettingsFileError
    path = os.path.realpath(given)
    make_folders(os.path.dirname(path))
    with _taking_turns(os.path.dirname(path)):
        old = _text(path)

        def check() -> None:
            if _text(path) != old:
                raise SettingsChangedError(given)

        text = _with(old or "", f"{name} = {_quoted(value)}", name)
        if not _is_kept(old or "", text, name, value):
            raise NotKeptError(name, given)
        try:
            replace_file(path, text.encode(), create=old is None, check=check)
        except FileExistsError:
            raise SettingsChangedError(given) from None
    return given


def _quoted(value: str) -> str:
    """A text as TOML has it on one line."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", escaped) + '"'


def _is_kept(old: str, text: str, name: str, value: str) -> bool:
    """Whether the new text sets just that. A line of a longer string can look like a setting."""
    import tomllib

    try:
        after = tomllib.loads(text)
        before = tomllib.loads(old)
        text.encode()
    except ValueError:
        return False
    before.pop(name, None)
    return after.pop(name, None) == value and repr(after) == repr(before)


def _text(path: str) -> str | None:
    try:
        return DISK.read(path, FILE_LIMIT)[0].decode("utf-8")
    except FileProblem as problem:
        if problem.kind != "missing":
            raise
        return None


@contextmanager
def _taking_turns(folder: str) -> Iterator[None]:
    """Holds off other memlens that want to keep a setting, where the system can."""
    handle = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        except (ImportError, OSError):
            pass
        yield
    finally:
        os.close(handle)


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
