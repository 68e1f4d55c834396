"""Where sessions of a workspace are looked for, and which folders tell of news about them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from memlens.engine.reads import Session
    from memlens.engine.reads.session_list import Seen
    from memlens.engine.workspace import Workspace

_NOWHERE = os.devnull
"""A folder that never is one."""


class Places:
    """The journals of this person, and the transcripts of Claude Code. Nothing here raises."""

    def __init__(self, workspace: Workspace) -> None:
        from memlens.engine.reads.session_list import Seen

        self._root: Final = workspace.root
        self._seen: Final[Seen] = Seen()
        state = workspace.state_dir
        self.journals: Final = os.path.join(state, "reads") if state else ""
        """Empty where no home folder is known."""
        self.claude: Final = _claude_home(workspace)
        """Empty where no home folder is known."""
        self.counts: Final[dict[str, tuple[tuple[float, int], int]]] = {}
        """Of each session the time and size that it had, and its number of reads then."""

    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the workspace's folder, newest first."""
        from memlens.engine.reads import sessions

        return sessions(
            self._root,
            claude_home=self.claude or _NOWHERE,
            journals=self.journals or _NOWHERE,
            seen=self._seen,
        )

    def folder_of(self, session: str) -> str:
        """Where a session ran that is not of this folder; empty where nobody knows it."""
        from memlens.engine.reads.session_list import folder_of_session

        return folder_of_session(
            session, claude_home=self.claude or _NOWHERE, journals=self.journals or _NOWHERE
        )

    def near(self) -> tuple[str, ...]:
        """Folders above and below in which there were sessions, the latest first."""
        from memlens.engine.reads.transcript_files import folders_near

        return tuple(folders_near(self._root, self.claude or _NOWHERE)[:5])

    def to_watch(self, files: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
        """The folders in which news would come: those that exist, so that new ones are noticed."""
        from memlens.engine.reads.transcript_files import project_folders

        wanted = {self.journals, *map(os.path.dirname, paths)}
        if self.claude:
            wanted.add(os.path.join(self.claude, "projects"))
            wanted.update(project_folders(self._root, self.claude))
        for file in files:
            wanted.add(os.path.dirname(file))
            if file.endswith(".jsonl"):  # where the transcripts of its subagents appear
                stem = file.removesuffix(".jsonl")
                wanted.update(
                    folder for folder in (stem, os.path.join(stem, "subagents"))
                    if os.path.isdir(folder)
                )  # fmt: skip
        return frozenset(there for folder in wanted if folder and (there := _existing(folder)))


def _claude_home(workspace: Workspace) -> str:
    from memlens.engine.context.layout import default_home
    from memlens.engine.places import claude_dir

    try:
        given = workspace.home if workspace.home != default_home() else None
        return claude_dir(given)
    except RuntimeError:
        return ""


def _existing(folder: str) -> str:
    """The folder, or the nearest one above it that exists."""
    while folder and not os.path.isdir(folder):
        above = os.path.dirname(folder)
        folder = above if above != folder else ""
    return folder
