"""Where facts live: scopes, their folders, and the key of a project."""

from __future__ import annotations

import os
import sys

from .model import MemoryRoot, MemoryScope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, NamedTuple
else:
    from memlens.engine.named import NamedTuple

SHARED_FOLDER: Final = os.path.join(".mermaid", "memory")
"""Where shared facts are in a checkout (seed)."""

_LEVELS: Final = 32
"""Folders that are looked at for a `.git`, the start included (spec 2)."""


class Place(NamedTuple):
    """What is particular about one scope; everything else treats all scopes alike."""

    label: str
    """The heading in the index."""
    folder: Callable[[str], str | None]
    """From an absolute working directory to the scope's folder; `None`: it has none here."""
    shared: bool = False
    """Whether the facts are committed and others see them; else they are kept private (0600)."""
    boundary: Callable[[str], str | None] | None = None
    """The folder that a write must not leave through a link, where there is such a limit."""
    missing: str = ""
    """Why there may be no folder."""
    index_file: str = ""
    """A file of the folder that is no fact: the index that the agent keeps of its notes. Without
    one the index is made of the facts, for all scopes together."""


def _global_folder(cwd: str) -> str:
    return os.path.join(data_dir(), "memory")


def _private_folder(cwd: str) -> str:
    key = project_key(find_git_root(cwd) or cwd)
    return os.path.join(data_dir(), "projects", key, "memory")


def _shared_folder(cwd: str) -> str | None:
    root = find_git_root(cwd)
    return None if root is None else os.path.join(root, SHARED_FOLDER)


def _checkout(folder: str) -> str | None:
    """The checkout that shared facts belong to, by the names in the path of their folder: what a
    link in it leads to may be another checkout."""
    return find_git_root(folder.removesuffix(os.sep + SHARED_FOLDER))


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


def notes_folders() -> list[tuple[str, str]]:
    """The attached folders of notes, each with the name of its index."""
    return [(folder, PLACES[MemoryScope.AUTO].index_file) for folder in set(_attached.values())]


def data_dir() -> str:
    """The folder of the machine-local facts: `$MERMAID_DATA_DIR`, else what platformdirs gives.

    Raises `ScopeUnavailable` where it cannot be resolved.
    """
    folder, why_not = _data_dir()
    if why_not:
        from .errors import ScopeUnavailable

        raise ScopeUnavailable(why_not)
    return folder


def _data_dir() -> tuple[str, str]:
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


PLACES: Final[dict[MemoryScope, Place]] = {
    MemoryScope.GLOBAL: Place("Global (all projects)", _global_folder),
    MemoryScope.PROJECT_PRIVATE: Place("Project (private)", _private_folder),
    MemoryScope.PROJECT_SHARED: Place(
        "Project (shared)",
        _shared_folder,
        shared=True,
        boundary=_checkout,
        missing="shared facts live in a git checkout, and this is none",
    ),
    MemoryScope.AUTO: Place(
        "Auto memory",
        _attached.get,
        missing="the agent that is looked at keeps no notes of its own here",
        index_file="MEMORY.md",
    ),
}
"""Every scope, in the order of the index (seed); the notes of the agent have one of their own."""


def is_fact_name(name: str) -> bool:
    """Whether a file of this name may be a fact: it ends exactly in `.md`, behind something."""
    return name.endswith(".md") and name != ".md"


def label_of(scope: MemoryScope) -> str:
    """The scope's heading in the index, such as `Project (private)`."""
    return PLACES[scope].label


def dir_for(scope: MemoryScope, cwd: str | os.PathLike[str]) -> str | None:
    """The folder of a scope, seen from `cwd`; `None` where there is none. Nothing is created."""
    return None if _data_dir()[1] else PLACES[scope].folder(os.path.abspath(os.fspath(cwd)))


def why_missing(scope: MemoryScope) -> str:
    """Why there is no folder of a scope."""
    return _data_dir()[1] or PLACES[scope].missing


def memory_roots(cwd: str | os.PathLike[str]) -> tuple[MemoryRoot, ...]:
    """The scopes that exist at `cwd`, in the order of the index. Nothing is created.

    None at all where the folder of the machine-local facts cannot be resolved (seed).
    """
    if _data_dir()[1]:
        return ()
    cwd = os.path.abspath(os.fspath(cwd))
    return tuple(
        MemoryRoot(folder, scope)
        for scope, place in PLACES.items()
        if (folder := place.folder(cwd)) is not None
    )
