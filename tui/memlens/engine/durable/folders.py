"""Which folders facts may be in, and the key of a project.

Whether there may be any facts at all is told by these alone: nobody has to load more to find none.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SHARED_FOLDER: Final = os.path.join(".mermaid", "memory")
"""Where shared facts are in a checkout (seed)."""

_PROJECTS: Final = "projects"

_LEVELS: Final = 32
"""Folders that are looked at for a `.git`, the start included (spec 2)."""


def any_folder(cwd: str | os.PathLike[str]) -> bool:
    """Whether at least one of the folders of facts is there; where none is, there are no facts."""
    data, why_not = data_folder()
    if why_not:
        return False
    path = os.path.abspath(os.fspath(cwd))
    folders = [shared_folder(path), attached_notes(path), global_folder(path)]
    if os.path.isdir(os.path.join(data, _PROJECTS)):  # to find the name of a project takes longest
        folders.append(private_folder(path))
    return any(folder is not None and os.path.isdir(folder) for folder in folders)


def global_folder(cwd: str) -> str:
    return os.path.join(data_dir(), "memory")


def private_folder(cwd: str) -> str:
    key = project_key(find_git_root(cwd) or cwd)
    return os.path.join(data_dir(), _PROJECTS, key, "memory")


def shared_folder(cwd: str) -> str | None:
    root = find_git_root(cwd)
    return None if root is None else os.path.join(root, SHARED_FOLDER)


_attached: dict[str, str] = {}


def attach_notes(cwd: str | os.PathLike[str], folder: str | None) -> None:
    """Says where the agent keeps the notes of a working directory; `None`: it keeps none.

    From then on they are facts of the scope `AUTO` there. Whose notes they are, and in which
    folder, is the business of whoever knows the agent.
    """
    key = os.path.abspath(os.fspath(cwd))
    if folder is None:
        _attached.pop(key, None)
    else:
        _attached[key] = os.path.abspath(folder)


def attached_notes(cwd: str) -> str | None:
    """The folder of the notes that are attached to an absolute working directory."""
    return _attached.get(cwd)


def all_attached() -> set[str]:
    """The folders of all notes that are attached to any working directory."""
    return set(_attached.values())


def data_dir() -> str:
    """The folder of the machine-local facts: `$MERMAID_DATA_DIR`, else what platformdirs gives.

    Raises `ScopeUnavailable` where it cannot be resolved.
    """
    folder, why_not = data_folder()
    if why_not:
        from .errors import ScopeUnavailable

        raise ScopeUnavailable(why_not)
    return folder


def data_folder() -> tuple[str, str]:
    """The folder, or why there is none."""
    given = os.environ.get("MERMAID_DATA_DIR")
    if given:
        return os.path.abspath(given), ""
    environment = os.environ
    if sys.platform == "linux" and "ANDROID_DATA" not in environment:
        # What platformdirs does there, without the time its import takes.
        base = environment.get("XDG_DATA_HOME", "")
        if base.startswith("/"):
            return os.path.join(base, "mermaid"), ""
        if environment.get("HOME", "").startswith("/"):
            return os.path.join(os.path.expanduser("~/.local/share"), "mermaid"), ""
    from platformdirs import user_data_dir

    try:
        return os.path.abspath(user_data_dir("mermaid", appauthor=False)), ""
    except (OSError, RuntimeError, KeyError) as error:
        return "", f"no folder for the data of this machine: {error}"


def find_git_root(start: str | os.PathLike[str]) -> str | None:
    """The nearest folder from `start` upwards with a `.git` entry, file or folder (seed).

    The walk goes by the names in the path, so `start` need not exist; a dangling link is no entry.
    """
    folder = os.path.abspath(os.fspath(start))
    for _ in range(_LEVELS):
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return None


_keys: dict[str, str] = {}


def project_key(path: str | os.PathLike[str]) -> str:
    """The name of a project's folder: `<slug>-<hash>` of the real path (spec 2)."""
    real = os.path.realpath(os.fspath(path))
    key = _keys.get(real)
    if key is None:
        from .siphash import siphash13

        shown = real if real.isascii() else _shown(real)
        last = os.path.basename(real)
        # The agent finds no slug in a last part that is no UTF-8.
        last = last if last == os.path.basename(shown) else ""
        slug = "".join(map(_in_slug, last))[:32].strip("-") or "project"
        low = siphash13(shown.encode() + b"\xff") & 0xFFFF_FFFF
        key = _keys[real] = f"{slug}-{low:08x}"
        if len(_keys) > 256:
            _keys.clear()
    return key


def _shown(path: str) -> str:
    """A path as the agent hashes it: bytes that are no UTF-8 as U+FFFD."""
    from .index import without_escapes

    return without_escapes(path)


def _in_slug(sign: str) -> str:
    # Only signs of ASCII count: str.lower would turn the Kelvin sign into a letter of it.
    return sign.lower() if sign.isascii() and sign.isalnum() else "-"
