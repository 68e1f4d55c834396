"""`memlens reads --follow`: prints what is read and what changes, as it happens."""

from __future__ import annotations

import os
import queue
import sys

from memlens.cli.common import CommandError, print_text, say, workspace_of, write_exactly
from memlens.cli.reads import no_session, path_json, row
from memlens.engine.commands.reads import LoadReads
from memlens.engine.core import Engine
from memlens.engine.events.base import Event, Failed
from memlens.engine.events.reads import ReadsLoaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from memlens.engine.reads.model import PathReads

    Key = tuple[str, str]

_LOOK_S = 0.5
"""Seconds after which a reader that has left is noticed, where nothing is to be printed."""


def follow(options: argparse.Namespace) -> int:
    """Prints until Ctrl+C, or until nobody reads it any more. Returns the exit code."""
    news: queue.SimpleQueue[Event] = queue.SimpleQueue()
    printer = _Printer(options)
    with Engine(workspace_of(options), live=True) as engine:
        engine.bus.subscribe(ReadsLoaded, news.put)
        engine.bus.subscribe(Failed, news.put)
        load = LoadReads(request=engine.next_request(), session=options.session)
        engine.bus.publish(load)
        try:
            while True:
                try:
                    event = news.get(timeout=_LOOK_S)
                except queue.Empty:
                    if _is_deserted():
                        return 0
                    continue
                if isinstance(event, ReadsLoaded):
                    printer.show(event)
                elif isinstance(event, Failed):
                    _tell(event, fatal=event.request == load.request)
        except KeyboardInterrupt:  # the only way to end it, so it is a good end
            return 0


def _tell(failure: Failed, *, fatal: bool) -> None:
    text = ": ".join(part for part in (failure.where, failure.why) if part)
    if fatal:
        raise CommandError(f"cannot {failure.what}: {text}\n{failure.hint}".rstrip())
    say(f"cannot {failure.what}: {text}")


class _Printer:
    """Remembers what it has printed, so that only what is new comes."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._json = options.json
        self._state = options.state
        self._session: str | None = None
        self._shown: dict[Key, PathReads] = {}
        self._waits = False

    def show(self, event: ReadsLoaded) -> None:
        log = event.log
        session = log.session.id if log is not None else None
        if log is None and not self._waits and not self._json:
            say(f"{no_session(event.near)}\nWaiting for the first; Ctrl+C ends it.")
            self._waits = True
        if session != self._session:
            self._session, self._shown = session, {}
            if not self._json and session is not None:
                print_text(f"session {session}")
        paths = {(one.path, one.lane): one for one in log.paths} if log is not None else {}
        for key, entry in reversed(paths.items()):  # the latest last, where a person looks
            if self._says(entry) != self._says(self._shown.get(key)):
                self._print(entry)
        for key in self._shown.keys() - paths.keys():
            self._print_forgotten(self._shown[key])
        self._shown = paths

    @staticmethod
    def _says(entry: PathReads | None) -> tuple[object, ...]:
        """What of an entry is worth a line when it changes."""
        if entry is None:
            return ()
        return entry.state, entry.coverage, entry.problem, entry.last_read, len(entry.refusals)

    def _print(self, entry: PathReads) -> None:
        if self._state not in (None, entry.state):
            return
        if self._json:
            self._print_json(path_json(entry))
        else:
            state, coverage, when, path = row(entry)
            print_text(f"{when}  {state:9}  {coverage:8}  {path}")

    def _print_forgotten(self, entry: PathReads) -> None:
        if self._json:
            self._print_json({"path": entry.path, "agent": entry.lane, "forgotten": True})
        else:
            print_text(f"forgotten  {entry.path}")

    def _print_json(self, values: dict[str, Any]) -> None:
        import json

        whole = {"schema": 1, "session": self._session, **values}
        write_exactly(json.dumps(whole, ensure_ascii=False) + "\n")


def _is_deserted() -> bool:
    """Whether whoever read our output has left; a pipe tells it without being written to."""
    try:
        import select

        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(happened & (select.POLLERR | select.POLLHUP) for _, happened in poll.poll(0))
    except (ImportError, AttributeError, OSError, ValueError):
        return os.getppid() == 1
