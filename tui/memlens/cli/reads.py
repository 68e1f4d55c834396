"""`memlens reads`: what the agent has read, without the screen."""

from __future__ import annotations

import os
import time

from memlens.cli.common import CommandError, engine_of, print_json, print_text, say, table
from memlens.engine.commands.reads import CheckWrite, CountSessions, ForgetReads, LoadReads
from memlens.engine.events.reads import (
    ReadsForgotten,
    ReadsLoaded,
    SessionsCounted,
    WriteChecked,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from memlens.engine.core import Engine
    from memlens.engine.reads.model import PathReads, ReadLog, Session

STATES = ("unread", "unchanged", "touched", "changed", "gone", "lost")
VERBS = ("check", "forget", "clear")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    import argparse

    parser.usage = (
        "memlens reads [--session ID] [--state STATE] [--json] [--follow]\n"
        "       memlens reads --sessions [--json]\n"
        "       memlens reads check PATH | forget PATH | clear [--session ID] [--json]"
    )
    parser.epilog = (
        "check PATH   print what a write of the main agent would be refused with, and exit 1; "
        "print nothing and exit 0 where it would pass or there is no session\n"
        "forget PATH  forget that PATH was read, in memlens' own journal\n"
        "clear        forget all that this session has read, in memlens' own journal\n"
    )
    parser.add_argument("verb", nargs="?", choices=VERBS, metavar="VERB", help=argparse.SUPPRESS)
    parser.add_argument("file", nargs="?", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--session", metavar="ID", help="this session (default: the newest)")
    parser.add_argument("--sessions", action="store_true", help="list the sessions of this folder")
    parser.add_argument("--state", choices=STATES, help="only paths in this state")
    parser.add_argument(
        "--follow", action="store_true", help="go on printing what changes, until Ctrl+C"
    )
    parser.add_argument("--json", action="store_true", help="for programs; a line each to follow")


def run(options: argparse.Namespace) -> int:
    _refuse_nonsense(options)
    if options.follow:
        from memlens.cli.reads_follow import follow

        return follow(options)
    with engine_of(options, quiet=options.verb == "check") as engine:
        if options.sessions:
            return _sessions(engine, options)
        if options.verb is None:
            return _list(engine, options)
        if options.session is not None:
            _load(engine, options)
        verbs = {"check": _check, "forget": _forget, "clear": _forget}
        return verbs[options.verb](engine, options)


def _refuse_nonsense(options: argparse.Namespace) -> None:
    verb = options.verb
    if verb in ("check", "forget") and not options.file:
        raise CommandError(f"reads {verb} needs the PATH of a file")
    if verb == "clear" and options.file:
        raise CommandError("reads clear takes no PATH; to forget one: memlens reads forget PATH")
    given = [f"--{name}" for name in ("follow", "sessions", "state") if getattr(options, name)]
    if verb is not None and given:
        raise CommandError(f"{given[0]} does not go with reads {verb}")
    if options.sessions and len(given) > 1:
        raise CommandError("--sessions goes with --json only")


def _load(engine: Engine, options: argparse.Namespace) -> ReadsLoaded:
    command = LoadReads(request=engine.next_request(), session=options.session)
    return engine.ask(command, ReadsLoaded)


def _list(engine: Engine, options: argparse.Namespace) -> int:
    loaded = _load(engine, options)
    log = loaded.log
    paths = [
        entry
        for entry in (log.paths if log is not None else ())
        if options.state in (None, entry.state)
    ]
    if options.json:
        print_json({**session_json(log), "paths": [path_json(entry) for entry in paths]})
    elif paths:
        print_text(table([row(entry) for entry in paths]))
    elif log is None:
        say(no_session(loaded.near))
    return 0


def no_session(near: Sequence[str]) -> str:
    """Says that no session of the folder is known, and how to come to one. `near`: the folders
    above and below in which there are some."""
    import shlex

    if near:
        ways = "\n".join(f"  memlens reads --root {shlex.quote(path)}" for path in near[:2])
        return f"no agent has told what it read in this folder, but close by:\n{ways}"
    return (
        "no agent has told what it read in this folder.\n"
        "Claude Code's sessions here appear by themselves; with memlens hook --install each read "
        "is told at once."
    )


def _sessions(engine: Engine, options: argparse.Namespace) -> int:
    command = CountSessions(request=engine.next_request())
    found = engine.ask(command, SessionsCounted).sessions
    if options.json:
        print_json({"sessions": [_session_json(session) for session in found]})
    elif found:
        rows = [
            (
                one.id, _time(one.last), str(one.reads) if one.reads >= 0 else "–",
                one.agent or "–", one.source, one.title,
            )
            for one in found
        ]  # fmt: skip
        print_text(table(rows, right=frozenset([2])))
    else:
        say(no_session(_load(engine, options).near))
    return 0


def _check(engine: Engine, options: argparse.Namespace) -> int:
    command = CheckWrite(request=engine.next_request(), path=os.path.abspath(options.file))
    checked = engine.ask(command, WriteChecked)
    entry = checked.entry
    problem = entry.problem if entry is not None else None
    if options.json:
        session = checked.session.id if checked.session is not None else None
        one = {"path": command.path, "problem": None} if entry is None else path_json(entry)
        reason = entry.reason if entry is not None else "There is no session for this folder."
        print_json({"session": session, **one, "reason": reason})
    elif problem is not None:
        print_text(problem)
    return 0 if problem is None else 1


def _forget(engine: Engine, options: argparse.Namespace) -> int:
    path = "" if options.verb == "clear" else os.path.abspath(options.file)
    command = ForgetReads(request=engine.next_request(), path=path)
    done = engine.ask(command, ReadsForgotten)
    if options.json:
        print_json(
            {"session": done.step.session, "forgotten": done.count, "still_told": done.still_told}
        )
        return 0
    what = done.path or f"{done.count} file{'s' if done.count != 1 else ''}"
    print_text(f"Forgot {what} in the journal of session {done.step.session}.")
    if done.still_told:
        print_text("Claude Code's transcript of the session still tells that it was read.")
    return 0


def session_json(log: ReadLog | None) -> dict[str, Any]:
    """What stands before the paths."""
    if log is None:
        return {"session": None}
    return {
        "session": log.session.id, "source": log.session.source, "epochs": log.epochs,
        "skipped": log.skipped,
    }  # fmt: skip


def path_json(entry: PathReads) -> dict[str, Any]:
    """A path of the log in the documented shape."""
    return {
        "path": entry.path,
        "coverage": entry.coverage,
        "state": entry.state,
        "problem": entry.problem,
        "last_read": _iso(entry.last_read),
        "agent": entry.lane,
        "refusals": [refusal.text for refusal in entry.refusals],
    }


def row(entry: PathReads) -> tuple[str, ...]:
    """A path of the log for people."""
    agent = () if entry.lane == "main" else (f"({entry.lane})",)
    return (
        entry.state, entry.coverage or "–", _time(entry.last_read), " ".join((entry.path, *agent))
    )  # fmt: skip


def _session_json(session: Session) -> dict[str, Any]:
    return {
        "session": session.id,
        "source": session.source,
        "agent": session.agent,
        "folder": session.folder,
        "started": _iso(session.started or None),
        "last": _iso(session.last),
        "reads": session.reads if session.reads >= 0 else None,
        "title": session.title,
    }


def _iso(moment: float | None) -> str | None:
    if moment is None:
        return None
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(moment))


def _time(moment: float | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)) if moment else "–"
