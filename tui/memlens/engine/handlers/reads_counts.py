"""Counts what the sessions of a folder have read."""

from __future__ import annotations

import os
from dataclasses import replace

from memlens.engine.events.reads import SessionsCounted
from memlens.engine.work import current, is_wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.commands.reads import CountSessions
    from memlens.engine.handlers.desk import Desk
    from memlens.engine.handlers.reads_places import Places
    from memlens.engine.reads import Session


def count(desk: Desk, places: Places, command: CountSessions) -> None:
    """Publishes the sessions with their numbers of reads, as far as the limit allows."""
    found = []
    left = command.limit
    sessions = places.sessions()
    for done, session in enumerate(sessions):
        if not is_wanted(done, len(sessions)) or session.source == "journal":
            found.append(session)
            continue
        left -= _size(session.file)
        found.append(_counted(places, session) if left >= 0 else session)
    if desk.closing:
        return
    desk.publish(SessionsCounted(request=command.request, sessions=tuple(found), now=desk.now()))


def _counted(places: Places, session: Session) -> Session:
    stamp = session.last, _size(session.file)
    known = places.counts.get(session.id)
    if known is not None and known[0] == stamp:
        return replace(session, reads=known[1])
    from memlens.engine.reads import LogFollower

    follower = LogFollower(session, journals=places.journals)
    try:
        follower.advance(_is_ended)
    except OSError:
        return session
    if _is_ended():
        return session
    reads = follower.reads()
    places.counts[session.id] = (stamp, reads)
    return replace(session, reads=reads)


def _is_ended() -> bool:
    work = current()
    return work is not None and work.stopped


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
