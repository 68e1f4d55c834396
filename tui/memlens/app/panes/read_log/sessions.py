"""Which session's reads are shown: the newest, or one that a person has chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from memlens.app.panes.read_log.texts import session_detail, session_title
from memlens.app.screens.choose import Choice, Choose
from memlens.engine.commands.reads import CountSessions
from memlens.engine.events.reads import SessionsCounted

if TYPE_CHECKING:
    from memlens.app.panes.base import Pane
    from memlens.engine.events.reads import ReadsLoaded


class SessionChoice:
    """Lets a person choose, and goes back to what was chosen at an earlier start."""

    def __init__(self, pane: Pane, take: Callable[[str], None]) -> None:
        """`take`: shows a session, the newest for an empty name."""
        self._pane: Final = pane
        self._take: Final = take
        self._pinned = False
        self._earlier = ""
        """The session that an earlier start showed, until it is known which there are."""
        self._loaded: ReadsLoaded | None = None
        self._counts: dict[str, int] = {}
        self._counted = False
        pane.listen(SessionsCounted, self._take_counts)

    def remembered(self) -> str:
        """The session for the next start; empty for the newest."""
        log = self._loaded.log if self._loaded is not None else None
        return self._earlier or (log.session.id if log is not None and self._pinned else "")

    def recall(self, session: object) -> None:
        """Goes back to what an earlier start remembered."""
        self._earlier = session if isinstance(session, str) else ""
        self._go_back()

    def renew(self, event: ReadsLoaded) -> None:
        """These sessions there are now, and this one is shown."""
        self._loaded = event
        self._go_back()
        if not self._counted and any(one.reads < 0 for one in event.sessions):
            self._counted = True
            self._pane.ask(CountSessions())

    def _go_back(self) -> None:
        """Goes back to the session that was chosen at an earlier start, where it is still there."""
        session, loaded = self._earlier, self._loaded
        if session and loaded is not None:
            self._earlier = ""
            if any(one.id == session for one in loaded.sessions):
                self._choose(session)

    def _take_counts(self, event: SessionsCounted) -> None:
        self._counts = {session.id: session.reads for session in event.sessions}

    def ask(self) -> None:
        """Asks for a session."""
        event = self._loaded
        if event is None:
            return
        current = event.log.session.id if event.log is not None else ""
        newest = Choice("", "the newest", "followed, whichever it is")
        choices = [newest] + [
            Choice(
                session.id,
                session_title(session, event.now),
                session_detail(session, max(session.reads, self._counts.get(session.id, -1))),
            )
            for session in event.sessions
        ]
        at = next((at for at, one in enumerate(choices) if one.value == current), 0)
        self._pane.app.push_screen(
            Choose("Session", choices, current=at if self._pinned else 0), self._choose
        )

    def _choose(self, session: str | None) -> None:
        if session is not None:
            self._pinned = bool(session)
            self._take(session)
