"""What is kept for a person between two starts."""

from __future__ import annotations

from memlens.engine.commands.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

    from memlens.engine.keeping import Draft, DraftKind


class LoadKept(Command):
    """What is kept for this folder. Answer: `KeptLoaded`."""

    part: ClassVar[str] = "keeping"
    leads: ClassVar[bool] = True


class KeepDraft(Command):
    """Keep unsaved text, so that a crash cannot take it. Answer: `DraftKept` or `DraftRefused`; a
    failure where it is the first that is refused."""

    part: ClassVar[str] = "keeping"
    draft: Draft


class DropDraft(Command):
    """Forget unsaved text: it was saved, or is not wanted. No answer."""

    part: ClassVar[str] = "keeping"
    kind: DraftKind
    path: str
    pid: int | None = None
    """Of the process that kept it; `None`: this one."""


class KeepView(Command):
    """Keep how the folder is looked at. No answer."""

    part: ClassVar[str] = "keeping"
    overtakes: ClassVar[bool] = True
    values: Mapping[str, Any]
