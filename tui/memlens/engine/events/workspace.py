"""What has happened to the memory files and the prompt."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.context.model import FileReason, MemoryItem, NestedSurvey
    from memlens.engine.findings import Finding
    from memlens.engine.plan import Plan


class ContextLoaded(Event):
    """The memory files are resolved: what the agent gets here, and why."""

    root: str
    home: str | None
    agent: str
    plan: Plan
    reasons: tuple[FileReason, ...]
    nested: NestedSurvey
    findings: tuple[Finding, ...]
    gone: str = ""
    """Why the folder itself cannot be looked into any more, in a few words; empty where it can."""

    def label_of(self, file: str) -> str:
        """A file as a person would name it: relative to the root, or to home as `~/…`."""
        for folder, sign in ((self.root, ""), (self.home, "~/")):
            if folder and file.startswith(folder.rstrip("/") + "/"):
                return sign + file[len(folder.rstrip("/")) + 1 :]
        return file


class PathTouched(Event):
    """What an agent is given when it touches `path`."""

    path: str
    items: tuple[MemoryItem, ...]
    text: str
    """In its wrapper; empty where the touch adds nothing."""
    reason: str
    """Why nothing was added; empty where something was."""
    findings: tuple[Finding, ...] = ()
    """What is wrong with the files that were added."""


class TouchesReset(Event):
    """A new session: every nested file can be handed out again."""


class WatchChanged(Event):
    """Whether changes on disk are followed."""

    live: bool
    reason: str = ""
    """Why not."""
