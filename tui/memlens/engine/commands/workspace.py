"""Questions about the folder: memory files, the prompt, and what a touch adds."""

from __future__ import annotations

from memlens.engine.commands.base import EVERY_PART, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class LoadContext(Command):
    """Resolve the memory files and build the plan. Answer: `ContextLoaded`."""

    part: ClassVar[str] = "workspace"
    overtakes: ClassVar[bool] = True
    details: bool = True
    """Also reasons, nested files and findings; a script that wants the text alone is quicker."""


class DiskChanged(Command):
    """Something changed on disk: whatever depends on it is looked at again.

    Answers: `ContextLoaded`, `MemoriesLoaded`, `ReadsLoaded`, each only where it differs.
    """

    part: ClassVar[str] = EVERY_PART
    overtakes: ClassVar[bool] = True


class TouchPath(Command):
    """An agent would touch `path`. Answer: `PathTouched`."""

    part: ClassVar[str] = "workspace"
    path: str
    details: bool = True
    """Also what is wrong with what is added; a script that wants the text alone is quicker."""


class ResetTouches(Command):
    """Forget the touches: a new session. Answer: `TouchesReset`."""

    part: ClassVar[str] = "workspace"
