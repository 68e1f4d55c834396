"""The words in which an agent's own settings are described, as far as memory depends on them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple
else:
    from memlens.engine.named import NamedTuple


class SettingsFile(NamedTuple):
    """A JSON file of settings."""

    place: Literal["managed", "user", "root"]
    """The folder it lies in: the organisation's, the configuration folder, the working folder."""
    name: str


class Approval(NamedTuple):
    """Where it is kept whether a person agreed to imports from outside."""

    file: str
    """A JSON file in the configuration folder where a variable names that, and in home."""
    projects: str
    """Its key whose value maps folders to what is known of them."""
    approved: str
    asked: str


class AutoMemory(NamedTuple):
    """The folder in which an agent keeps notes of its own."""

    folder: str
    """Relative to the configuration folder; `{slug}` stands for the project."""
    index_name: str
    """The file that is read at the start."""
    directory: str
    """The setting that names another folder."""
    enabled: str
    """The setting that switches it off."""
    off_variable: str


class Configuration(NamedTuple):
    """Settings of an agent."""

    managed_folders: tuple[tuple[str, str], ...]
    """The organisation's folder by the beginning of `sys.platform`; the last one is for all
    others."""
    settings: tuple[SettingsFile, ...]
    """From weak to strong: the last one that has a setting counts, and lists are joined."""
    excludes: str
    """The setting with globs of files that are not read."""
    mode: tuple[str, ...]
    """The way of keys to the setting that chooses one of the profile's `modes`."""
    additional: tuple[str, ...]
    """The way of keys to folders that are added to every session."""
    additional_variable: str
    """Without it, memory files of added folders are not read."""
    off_variable: str
    """Switches all memory files off."""
    approval: Approval
    auto: AutoMemory
