"""`memlens reads`: what the agent has read, without the screen."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from memlens.cli.common import engine_of, print_json, print_text, table
from memlens.engine.commands.reads import LoadReads
from memlens.engine.events.reads import ReadsLoaded

if TYPE_CHECKING:
    import argparse

    from memlens.engine.reads.model import PathReads

STATES = ("unread", "unchanged", "touched", "changed", "gone", "lost")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="this session (default: the newest)")
    parser.add_argument("--state", choices=STATES, help="only paths in this state")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    with engine_of(options) as engine:
        loaded = engine.ask(
            LoadReads(request=engine.next_request(), session=options.session), ReadsLoaded
        )
    log = loaded.log
    paths = [
        entry
        for entry in (log.paths if log is not None else ())
        if options.state in (None, entry.state)
    ]
    if options.json:
        print_json(
            {
                "session": log.session.id if log is not None else None,
                "paths": [path_json(entry) for entry in paths],
            }
        )
    elif paths:
        print_text(
            table(
                [
                    (entry.state, entry.coverage or "–", _time(entry.last_read), entry.path)
                    for entry in paths
                ]
            )
        )
    return 0


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


def _iso(moment: float | None) -> str | None:
    if moment is None:
        return None
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(moment))


def _time(moment: float | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)) if moment else "–"
