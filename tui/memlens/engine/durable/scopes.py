"""The scopes of facts, and what is particular about each."""

from __future__ import annotations

import os

from .folders import (
    SHARED_FOLDER,
    all_attached,
    attached_notes,
    data_folder,
    find_git_root,
    global_folder,
    private_folder,
    shared_folder,
)
from .model import MemoryRoot, MemoryScope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, NamedTuple
else:
    from memlens.engine.named import NamedTuple


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


def _checkout(folder: str) -> str | None:
    """The checkout that shared facts belong to, by the names in the path of their folder: what a
    link in it leads to may be another checkout."""
    return find_git_root(folder.removesuffix(os.sep + SHARED_FOLDER))


def notes_folders() -> list[tuple[str, str]]:
    """The attached folders of notes, each with the name of its index."""
    return [(folder, PLACES[MemoryScope.AUTO].index_file) for folder in all_attached()]


PLACES: Final[dict[MemoryScope, Place]] = {
    MemoryScope.GLOBAL: Place("Global (all projects)", global_folder),
    MemoryScope.PROJECT_PRIVATE: Place("Project (private)", private_folder),
    MemoryScope.PROJECT_SHARED: Place(
        "Project (shared)",
        shared_folder,
        shared=True,
        boundary=_checkout,
        missing="shared facts live in a git checkout, and this is none",
    ),
    MemoryScope.AUTO: Place(
        "Auto memory",
        attached_notes,
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
    return None if data_folder()[1] else PLACES[scope].folder(os.path.abspath(os.fspath(cwd)))


def why_missing(scope: MemoryScope) -> str:
    """Why there is no folder of a scope."""
    return data_folder()[1] or PLACES[scope].missing


def memory_roots(cwd: str | os.PathLike[str]) -> tuple[MemoryRoot, ...]:
    """The scopes that exist at `cwd`, in the order of the index. Nothing is created.

    None at all where the folder of the machine-local facts cannot be resolved (seed).
    """
    if data_folder()[1]:
        return ()
    cwd = os.path.abspath(os.fspath(cwd))
    return tuple(
        MemoryRoot(folder, scope)
        for scope, place in PLACES.items()
        if (folder := place.folder(cwd)) is not None
    )
