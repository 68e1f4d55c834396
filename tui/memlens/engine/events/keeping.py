"""What was kept for a person since the last start."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memlens.engine.keeping import Draft, DraftKind


class KeptLoaded(Event):
    """Unsaved text of processes that are no more, and how the folder was looked at."""

    drafts: tuple[Draft, ...]
    view: Mapping[str, Any]


class DraftKept(Event):
    """Unsaved text outlives a crash now."""

    kind: DraftKind
    path: str
    again: bool = False
    """The disk has refused some, and refuses none any more."""


class DraftRefused(Event):
    """The disk refuses to keep unsaved text; only the first of several is a failure, too."""

    kind: DraftKind
    path: str
