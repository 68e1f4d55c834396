"""Commands about the read state.

Most run in a lane of their own, since reading a long session takes seconds; counting has another
one, for it may take longer still. `DiskChanged` runs on the engine's main lane.
"""

from __future__ import annotations

import os

from memlens.engine.commands.reads import (
    CheckWrite,
    CompareRead,
    CountSessions,
    FollowReads,
    ForgetReads,
    LoadReads,
    RestoreReads,
)
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.base import Failed
from memlens.engine.events.reads import (
    ReadCompared,
    ReadsForgotten,
    ReadsLoaded,
    ReadsRestored,
    WriteChecked,
)
from memlens.engine.handlers.reads_places import Places
from memlens.engine.work import Stopped, is_wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.reads import LogFollower, ReadLog, Session

READING = "read the session"
"""What a failure to load says was tried."""
_KEPT = 4
"""Sessions that are held, so that going back to one does not read it again."""


class SessionProblem(Exception):
    """What was asked cannot be done for this session; the message says why."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ReadsHandler:
    """Follows one session: the one that was asked for, or the newest."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._places: Final = Places(desk.workspace)
        self._wanted: str | None = None
        """The session that a person chose; None: the newest."""
        self._current: str | None = None
        self._known: frozenset[str] = frozenset()
        self._followers: dict[str, LogFollower] = {}
        """By session, the last used one last."""
        self._published: tuple[object, ...] = ()

    def load(self, command: LoadReads) -> None:
        if command.session is not None:
            self._wanted = command.session or None
            if self._wanted is None:
                self._current = None
        self._look(command.request, asked=True)

    def follow(self, command: FollowReads) -> None:
        self._look(command.request, asked=False)

    def follow_disk(self, _command: DiskChanged) -> None:
        self._desk.ask(FollowReads())

    def count(self, command: CountSessions) -> None:
        from memlens.engine.handlers.reads_counts import count

        count(self._desk, self._places, command)

    def check(self, command: CheckWrite) -> None:
        follower = self._at_hand()
        if follower is None:
            self._desk.publish(WriteChecked(request=command.request, session=None, entry=None))
            return
        path = os.path.join(self._desk.workspace.root, os.path.expanduser(command.path))
        self._desk.publish(
            WriteChecked(
                request=command.request, session=follower.session,
                entry=follower.check(path, command.agent),
            )
        )  # fmt: skip

    def compare(self, command: CompareRead) -> None:
        from memlens.engine.handlers.reads_compare import compare

        outcome = compare(self._needed(), command.path, command.agent)
        self._desk.publish(
            ReadCompared(
                request=command.request, path=command.path, agent=command.agent,
                lines=outcome.lines, problem=outcome.problem, source=outcome.source,
                first_line=outcome.first_line,
            )
        )  # fmt: skip

    def forget(self, command: ForgetReads) -> None:
        from memlens.engine.handlers.reads_journal import forget

        follower = self._needed()
        self._desk.must_write()
        if follower.session.source == "transcript":
            raise SessionProblem(
                "this session is known from Claude Code's own transcript, which memlens never "
                "changes",
                "Only what memlens or an agent wrote into memlens' journal can be forgotten.",
            )
        step, count = forget(follower.session, self._places.journals, command.path, command.agent)
        if not count:
            what = "of this file" if command.path else "of any file"
            raise SessionProblem(f"the journal of this session knows nothing {what}")
        self._advance(follower)
        told = follower.session.source == "both"
        if told and command.path:
            told = follower.check(command.path, command.agent).first_read is not None
        self._desk.publish(
            ReadsForgotten(
                request=command.request, path=command.path, count=count, step=step, still_told=told
            )
        )
        self._look(0, asked=False)

    def restore(self, command: RestoreReads) -> None:
        from memlens.engine.handlers.reads_journal import restore

        self._desk.must_write()
        count = restore(self._places.journals, command.step)
        self._desk.publish(ReadsRestored(request=command.request, count=count))
        self._look(0, asked=False)

    def _at_hand(self) -> LogFollower | None:
        """The follower of the session that is followed, as far as it is written now."""
        chosen = self._choose(self._places.sessions())
        if chosen is None:
            return None
        follower = self._follower(chosen)
        if self._advance(follower):
            raise Stopped  # of half a session nothing can be said about a file
        return follower

    def _needed(self) -> LogFollower:
        follower = self._at_hand()
        if follower is None:
            raise SessionProblem("there is no session for this folder")
        return follower

    def _look(self, request: int, *, asked: bool) -> None:
        """Reads on and publishes the log; unasked, only where it differs from the last one."""
        found = self._places.sessions()
        chosen = self._choose(found)
        if chosen is None and self._wanted is not None:
            self._tell_missing(request, self._wanted)
            if asked:
                self._wanted = None
                return
            self._wanted = None  # it was there and was deleted: the newest takes its place
            chosen = self._choose(found)
        log: ReadLog | None = None
        follower: LogFollower | None = None
        left = 0
        if chosen is not None:
            follower = self._follower(chosen)
            left = self._advance(follower)
            if self._desk.closing:
                return
            log = follower.snapshot()
        content = (found, log and _timeless(log), left)
        if asked or content != self._published:
            self._published = content
            self._desk.publish(
                ReadsLoaded(
                    request=request, sessions=found, log=log, journal_folder=self._places.journals,
                    now=self._desk.now(), unread_bytes=left,
                    near=() if log is not None else self._places.near(),
                )
            )  # fmt: skip
        if self._desk.live:
            files = follower.files() if follower is not None else ()
            paths = [entry.path for entry in log.paths[:500]] if log is not None else ()
            self._desk.watch("reads", self._places.to_watch(files, paths))

    def _choose(self, found: tuple[Session, ...]) -> Session | None:
        """The session that was asked for; else the one at hand, unless a newer one has begun.

        Two that run at the same time take turns in being the newest; to follow that would be
        of no use to anybody.
        """
        ids = [session.id for session in found]
        begun = bool(ids) and ids[0] not in self._known
        self._known = self._known.union(ids)
        wanted = self._wanted
        if wanted is None:
            stays = self._current in ids and not begun
            wanted = self._current if stays else next(iter(ids), None)
        chosen = next((session for session in found if session.id == wanted), None)
        if chosen is not None:
            self._current = chosen.id
        return chosen

    def _tell_missing(self, request: int, session: str) -> None:
        elsewhere = self._places.folder_of(session)
        self._desk.publish(
            Failed(
                request=request, what=READING, where=self._places.journals,
                why=f"there is no session {session} for this folder",
                hint=f"It ran in {elsewhere}: open that folder." if elsewhere
                else "memlens reads --sessions lists those there are.",
            )
        )  # fmt: skip

    def _follower(self, session: Session) -> LogFollower:
        """The follower of a session; the same one while the session is the same."""
        known = self._followers.pop(session.id, None)
        if known is None or (known.session.source, known.session.file) != (
            session.source, session.file
        ):  # fmt: skip
            from memlens.engine.reads import LogFollower

            known = LogFollower(session, journals=self._places.journals)
        self._followers[session.id] = known
        while len(self._followers) > _KEPT:
            del self._followers[next(iter(self._followers))]
        return known

    def _advance(self, follower: LogFollower) -> int:
        """Reads on; returns the bytes that are left because nobody wanted to wait for them."""
        ended = False

        def is_ended() -> bool:
            nonlocal ended
            ended = ended or not is_wanted(*follower.progress(), LoadReads.doing)
            return ended

        follower.advance(is_ended)
        done, total = follower.progress()
        return total - done if ended else 0


def _timeless(log: ReadLog) -> tuple[object, ...]:
    """What of a log makes it another one."""
    return log.session, log.paths, log.lanes, log.instructions, log.epochs, log.skipped


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = ReadsHandler(desk)
    return {
        LoadReads: part.load,
        FollowReads: part.follow,
        DiskChanged: part.follow_disk,
        CountSessions: part.count,
        CheckWrite: part.check,
        CompareRead: part.compare,
        ForgetReads: part.forget,
        RestoreReads: part.restore,
    }
