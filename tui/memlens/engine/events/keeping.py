"""What was kept for a person since the last start."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memlens.engine.keeping import Draft


class KeptLoaded(Event):
    """Unsaved text of processes that are no more, and how the folder was looked at."""

    drafts: tuple[Draft, ...]
    view: Mapping[str, Any]
