"""The settings that decide which memory files an agent reads, out of its JSON files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from memlens.engine.configured.checkout import Checkout, checkout_of
from memlens.engine.files import FileProblem

if TYPE_CHECKING:
    from memlens.engine.agents.configuration import Configuration
    from memlens.engine.agents.model import AgentProfile, Mode
    from memlens.engine.files import Files, Stamp

_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of a settings file that are read at most; what an agent keeps of its projects grows."""
_ON: Final = frozenset({"1", "true", "yes", "on"})


class Exclude(NamedTuple):
    """A glob of files that are not read."""

    glob: str
    file: str
    """The settings file that holds it."""
    line: int
    setting: str
    """Its name there."""

    @property
    def matches_something(self) -> bool:
        """Whether it can match at all: globs are compared with absolute paths."""
        return self.glob.startswith(("/", "**/")) or self.glob == "**"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.glob} ({self.setting} in {place})"


class Approved(NamedTuple):
    """Whether a person agreed to imports from outside."""

    state: Literal["approved", "declined", "never asked"]
    file: str = ""
    """Where that is kept; empty where nothing is."""
    project: str = ""
    """The folder under which it is kept."""


class JsonFiles:
    """JSON files, each read again only when its stamp differs."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._known: dict[str, tuple[Stamp, Mapping[str, Any], str]] = {}

    def values(self, path: str) -> Mapping[str, Any]:
        """The object in a file; empty where there is none, or something else."""
        return self._read(path)[0]

    def text(self, path: str) -> str:
        """The file as text; empty where it cannot be read."""
        return self._read(path)[1]

    def _read(self, path: str) -> tuple[Mapping[str, Any], str]:
        try:
            stamp = self.files.look(path)
            known = self._known.get(path)
            if known is not None and known[0] == stamp:
                return known[1], known[2]
            data, stamp = self.files.read(path, _LIMIT)
        except FileProblem:
            return {}, ""
        text = data.decode("utf-8-sig", "replace")
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        found = values if isinstance(values, dict) else {}
        if len(text) > 1 << 20:
            text = ""  # only looked at for line numbers, and settings are short
        self._known[path] = (stamp, found, text)
        return found, text


class Configured:
    """What the settings of one agent say about one folder. Read when asked, then kept.

    Args:
        profile: the agent; without a `configuration` everything is as usual.
        root: the working folder, real.
        home: real; None: unknown.
        config_folder: the agent's configuration folder, real; None: there is none.
        environment: the variables; by default those of this process.
        managed_folder: the organisation's folder; empty: the system's usual one.
    """

    def __init__(
        self,
        profile: AgentProfile,
        files: Files,
        root: str,
        *,
        home: str | None = None,
        config_folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        managed_folder: str = "",
        json_files: JsonFiles | None = None,
    ) -> None:
        self.profile = profile
        self.files = files
        self.root = root
        self.home = home
        self.config_folder = config_folder
        self._environment = os.environ if environment is None else environment
        self._managed = managed_folder
        self._json = json_files or JsonFiles(files)
        self.looked_at: set[str] = set()
        """The files whose change may change what is said here."""

    @property
    def _rules(self) -> Configuration | None:
        return self.profile.configuration

    def switched_on(self, variable: str) -> bool:
        """Whether a variable says yes."""
        return self._environment.get(variable, "").strip().lower() in _ON

    @cached_property
    def managed_folder(self) -> str | None:
        """The organisation's folder; None where the agent knows none."""
        if self._rules is None:
            return None
        if self._managed:
            return os.path.abspath(self._managed)
        return next(
            folder
            for system, folder in self._rules.managed_folders
            if sys.platform.startswith(system)
        )

    @cached_property
    def checkout(self) -> Checkout:
        """The git checkout around the root."""
        return checkout_of(self.files, self.root)

    @property
    def off_variable(self) -> str:
        """The variable that switches all memory files off; empty where none does."""
        variable = self._rules.off_variable if self._rules else ""
        return variable if variable and self.switched_on(variable) else ""

    @cached_property
    def _settings(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Path and content of each settings file, from weak to strong."""
        if self._rules is None:
            return []
        folders = {"managed": self.managed_folder, "user": self.config_folder, "root": self.root}
        found = []
        for file in self._rules.settings:
            folder = folders[file.place]
            if folder is not None:
                path = f"{folder.rstrip('/')}/{file.name}"
                self.looked_at.add(path)
                found.append((path, self._json.values(path)))
        return found

    def setting(self, *way: str) -> Any:
        """The strongest value at a way of keys; None where there is none."""
        return next((value for _, value in reversed(self._all(way))), None)

    def _all(self, way: tuple[str, ...]) -> list[tuple[str, Any]]:
        found = []
        for path, values in self._settings:
            value: Any = values
            for key in way:
                value = value.get(key) if isinstance(value, Mapping) else None
            if value is not None:
                found.append((path, value))
        return found

    def _texts(self, way: tuple[str, ...]) -> list[tuple[str, str]]:
        """The texts of the lists at a way of keys, with their files, joined."""
        return [
            (path, text)
            for path, value in self._all(way)
            if isinstance(value, list)
            for text in value
            if isinstance(text, str) and text
        ]

    @cached_property
    def excludes(self) -> tuple[Exclude, ...]:
        """The globs of files that are not read."""
        if self._rules is None:
            return ()
        return tuple(
            Exclude(glob, path, self._line(path, glob), self._rules.excludes)
            for path, glob in self._texts((self._rules.excludes,))
        )

    def _line(self, path: str, text: str) -> int:
        content = self._json.text(path)
        place = content.find(json.dumps(text, ensure_ascii=False))
        if place < 0:
            place = content.find(json.dumps(text))
        return 0 if place < 0 else content.count("\n", 0, place) + 1

    @cached_property
    def mode(self) -> Mode | None:
        """Which of the profile's modes is chosen; an unknown value is the default."""
        modes = self.profile.modes
        if not modes or self._rules is None:
            return None
        value = self.setting(*self._rules.mode)
        return next((mode for mode in modes if mode.value == value), modes[0])

    @property
    def reads_additional(self) -> bool:
        """Whether memory files of added folders are read."""
        return self._rules is not None and self.switched_on(self._rules.additional_variable)

    @cached_property
    def additional(self) -> tuple[tuple[str, str], ...]:
        """Folders that the settings add, absolute, with the settings file that says so."""
        if self._rules is None:
            return ()
        return tuple(
            (self._absolute(text), path) for path, text in self._texts(self._rules.additional)
        )

    def _absolute(self, text: str) -> str:
        if text.startswith("~/") and self.home is not None:
            return os.path.normpath(f"{self.home}/{text[2:]}")
        return os.path.normpath(os.path.join(self.root, text))

    @cached_property
    def approval(self) -> Approved:
        """Whether imports from outside are read (spec A, external)."""
        if self._rules is None:
            return Approved("approved")
        rules = self._rules.approval
        keys = dict.fromkeys(
            path for path in (self.root, self.checkout.top, self.checkout.main) if path is not None
        )
        for path in self.approval_files:
            projects = self._json.values(path).get(rules.projects)
            if not isinstance(projects, Mapping):
                continue
            for key in keys:
                entry = projects.get(key)
                if not isinstance(entry, Mapping):
                    continue
                if rules.approved in entry or rules.asked in entry:
                    if entry.get(rules.approved) is True:
                        return Approved("approved", path, key)
                    asked = entry.get(rules.asked) is True
                    return Approved("declined" if asked else "never asked", path, key)
        return Approved("never asked")

    @cached_property
    def approval_files(self) -> tuple[str, ...]:
        """Where the approval is looked for, in this order."""
        if self._rules is None:
            return ()
        name = self._rules.approval.file
        folders = []
        if self.config_folder is not None and self._config_is_elsewhere:
            folders.append(self.config_folder)
        if self.home is not None:
            folders.append(self.home)
        files = tuple(f"{folder.rstrip('/')}/{name}" for folder in folders)
        self.looked_at.update(files)
        return files

    @property
    def _config_is_elsewhere(self) -> bool:
        """Whether the configuration folder is not the one in home."""
        if self.home is None:
            return True
        usual = self.files.real_path(f"{self.home.rstrip('/')}/{self.profile.config_folder}")
        return usual != self.config_folder
