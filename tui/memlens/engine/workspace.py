"""What memlens was opened on."""

from __future__ import annotations

import os

from memlens.engine import places
from memlens.engine.context.layout import default_home
from memlens.engine.record import Record
from memlens.engine.settings.load import load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.settings.values import Settings


class NoWorkspaceError(Exception):
    """The path given is no folder that can be opened; the message says why."""


class Workspace(Record):
    """A folder, whose home it lies in, and which agent is looked at. Paths are absolute."""

    root: str
    """The real path of the project's folder."""
    home: str | None
    """The user's home; `None`: unknown, so nothing of a user's own is found."""
    agent: str
    settings: Settings
    state_dir: str = ""
    """Where memlens keeps its own state: journals, logs, recovery files."""
    read_only: bool = False
    additional: tuple[str, ...] = ()
    """Folders that are added to a session of the agent."""


def open_workspace(
    root: str | os.PathLike[str],
    *,
    home: str | os.PathLike[str] | None = None,
    agent: str | None = None,
    settings: Settings | None = None,
    read_only: bool = False,
    additional: tuple[str, ...] = (),
) -> Workspace:
    """The workspace at `root`, with the person's settings unless others are given.

    Raises `NoWorkspaceError` where there is none to open.
    """
    path = os.path.realpath(os.fspath(root))
    if not os.path.lexists(path):
        raise NoWorkspaceError("there is no such folder")
    if not os.path.isdir(path):
        raise NoWorkspaceError("it is a file; give the folder that it lies in")
    try:
        with os.scandir(path):
            pass
    except OSError as error:
        raise NoWorkspaceError(f"it cannot be read: {error.strerror}") from None
    settings = settings or load_settings().values
    return Workspace(
        root=path,
        home=os.path.realpath(os.fspath(home)) if home is not None else default_home(),
        agent=agent or settings.agent,
        settings=settings,
        state_dir=_state_dir(),
        read_only=read_only,
        additional=tuple(os.path.realpath(folder) for folder in additional),
    )


def _state_dir() -> str:
    try:
        return places.state_dir()
    except RuntimeError:  # no home folder at all: nothing is kept, everything else works
        return ""
