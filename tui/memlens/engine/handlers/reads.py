"""Commands about the read state."""

from __future__ import annotations

import os

from memlens.engine.commands.reads import LoadReads
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.base import Failed
from memlens.engine.events.reads import ReadsLoaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.reads import LogFollower, Session


class ReadsHandler:
    """Follows one session: the one that was asked for, or the newest."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._wanted: str | None = None
        self._follower: LogFollower | None = None

    def load(self, command: LoadReads) -> None:
        self._wanted = command.session
        self._publish(command.request)

    def follow_disk(self, command: DiskChanged) -> None:
        self._publish(command.request)

    def _publish(self, request: int) -> None:
        from memlens.engine.reads import sessions
        from memlens.engine.reads.journal import journal_folder

        folder = journal_folder()
        found = tuple(sessions(self._desk.workspace.root))
        chosen = next((one for one in found if self._wanted in (None, one.id)), None)
        if chosen is None and self._wanted is not None:
            self._desk.publish(
                Failed(
                    request=request, what="read the session", where=folder,
                    why=f"there is no session {self._wanted} for this folder",
                    hint="memlens reads without --session takes the newest one",
                )
            )  # fmt: skip
            return
        log = None
        follower = self._follow(chosen)
        if follower is not None:
            follower.advance()
            log = follower.snapshot()
        self._desk.publish(
            ReadsLoaded(request=request, sessions=found, log=log, journal_folder=folder)
        )
        watched = {folder}
        if follower is not None and log is not None:
            watched.update(os.path.dirname(path) for path in follower.files())
            watched.update(os.path.dirname(entry.path) for entry in log.paths[:500])
        self._desk.watch("reads", frozenset(watched))

    def _follow(self, session: Session | None) -> LogFollower | None:
        """The follower of a session; the same one while the session is the same."""
        if session is None:
            self._follower = None
            return None
        known = self._follower
        if known is None or (known.session.id, known.session.source) != (
            session.id, session.source
        ):  # fmt: skip
            from memlens.engine.reads import LogFollower

            known = self._follower = LogFollower(session)
        return known


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = ReadsHandler(desk)
    return {LoadReads: part.load, DiskChanged: part.follow_disk}
