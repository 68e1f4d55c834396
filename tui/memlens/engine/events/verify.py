"""What is known of what real sessions were told."""

from __future__ import annotations

from memlens.engine.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.review.model import DiffLine
    from memlens.engine.verify import Loading, Verified


class ContextVerified(Event):
    """The preview was compared with the newest session that can be compared."""

    agent: str
    verified: Verified | None
    """None: there is no session that holds what it was told."""
    difference: tuple[DiffLine, ...]
    """From what the session was told to the preview; empty where they are the same."""
    loading: Loading | None
    """What hooks have journalled; None: nothing."""
    now: float
    """Seconds since 1970."""
