"""The read state: what an agent has read, and what a write would be told (seed, R1 to R20).

    state = ReadState()
    state.record(path, content=data)      # read whole, or written
    state.record(path, partial=True)      # read with offset or limit
    problem = state.write_problem(path)   # None: go on; else the text for the agent

`ReadJournal` keeps the same facts in a file, for those who look from outside; `sessions` and
`read_log` make one log out of journals and of Claude Code's transcripts. Names are resolved when
they are first used, so a hook pays only for what it needs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.reads.journal import ReadJournal
    from memlens.engine.reads.log import LogFollower, content_of, read_log
    from memlens.engine.reads.model import (
        MAIN,
        Evidence,
        Lane,
        LineRange,
        LoadedInstruction,
        PathReads,
        ReadLog,
        Refusal,
        Session,
    )
    from memlens.engine.reads.session_list import sessions
    from memlens.engine.reads.state import ReadState
    from memlens.engine.reads.texts import MODIFIED, NEVER_READ

__all__ = [
    "MAIN",
    "MODIFIED",
    "NEVER_READ",
    "Evidence",
    "Lane",
    "LineRange",
    "LoadedInstruction",
    "LogFollower",
    "PathReads",
    "ReadJournal",
    "ReadLog",
    "ReadState",
    "Refusal",
    "Session",
    "content_of",
    "read_log",
    "sessions",
]

_HOME = {
    "MODIFIED": "texts",
    "NEVER_READ": "texts",
    "ReadJournal": "journal",
    "ReadState": "state",
    "LogFollower": "log",
    "content_of": "log",
    "read_log": "log",
    "sessions": "session_list",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f"{__name__}.{_HOME.get(name, 'model')}")
    value: object = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
