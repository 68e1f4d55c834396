"""Questions about the folder: memory files, the prompt, and what a touch adds."""

from __future__ import annotations

from memlens.engine.commands.base import EVERY_PART, Command
from memlens.engine.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class LoadContext(Command):
    """Resolve the memory files and build the plan. Answer: `ContextLoaded`."""

    part: ClassVar[str] = "workspace"
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading the memory files"
    details: bool = True
    """Also reasons, nested files and findings; a script that wants the text alone is quicker."""


class DiskChanged(Command):
    """Something changed on disk: whatever depends on it is looked at again.

    Answers: `ContextLoaded`, `MemoriesLoaded`, `ReadsLoaded`, each only where it differs.
    """

    part: ClassVar[str] = EVERY_PART
    overtakes: ClassVar[bool] = True
    doing: ClassVar[str] = "reading what changed on disk"
    paths: frozenset[str] | None = None
    """What changed, files or folders, absolute; `None`: nobody knows, so it may be anything."""

    def absorbing(self, waiting: Command) -> Command:
        if not isinstance(waiting, DiskChanged):
            return self
        both = None
        if self.paths is not None and waiting.paths is not None:
            both = self.paths | waiting.paths
        return replace(self, paths=both)


class TouchPath(Command):
    """An agent would touch `path`. Answer: `PathTouched`."""

    part: ClassVar[str] = "workspace"
    doing: ClassVar[str] = "looking what a touch adds"
    leads: ClassVar[bool] = True
    path: str
    details: bool = True
    """Also what is wrong with what is added; a script that wants the text alone is quicker."""


class ResetTouches(Command):
    """Forget the touches: a new session. Answer: `TouchesReset`."""

    part: ClassVar[str] = "workspace"
