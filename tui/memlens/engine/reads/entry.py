"""Reading the journal's lines (see `journal` for what they hold)."""

from __future__ import annotations

import os

from memlens.engine.reads.journal import ACTIONS, MAIN_LANE, PATH_LIMIT, READS, RESETS
from memlens.engine.reads.known import Known
from memlens.engine.reads.quick import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Entry:
    """One line of the journal, checked."""

    __slots__ = ("action", "agent", "cwd", "known", "lane", "more", "path", "session", "time")

    def __init__(self, values: Mapping[str, object]) -> None:
        """Raises `ValueError` when this is no entry."""
        action, path = values.get("action"), values.get("path")
        if not isinstance(action, str) or action not in ACTIONS:
            raise ValueError("no action that is known")
        if path is not None and not (isinstance(path, str) and 0 < len(path) <= PATH_LIMIT):
            raise ValueError("no path")
        if path is None and action not in RESETS:
            raise ValueError("no path")
        self.cwd = _text(values.get("cwd"))
        self.action = action
        self.path = _absolute(path, self.cwd) if path else ""
        self.time = _number(values.get("time"))
        self.session = _text(values.get("session"))
        self.agent = _text(values.get("agent"))
        self.lane = _text(values.get("lane")) or MAIN_LANE
        self.known = _known(values) if action in READS else None
        self.more = values

    def text(self, key: str) -> str:
        """A further key's text; empty where there is none."""
        return _text(self.more.get(key))

    def ranges(self) -> list[tuple[int, int]]:
        """The lines of a partial read, as far as they make sense."""
        value = self.more.get("ranges")
        found = []
        for pair in value if isinstance(value, list) else []:
            if isinstance(pair, list) and len(pair) == 2:
                first, last = _whole(pair[0]), _whole(pair[1])
                if first is not None and last is not None and 0 < first <= last:
                    found.append((first, last))
        return found

    def total_lines(self) -> int | None:
        return _whole(self.more.get("total_lines"))


def replay(known: Known | None, entry: Entry, real: str, lane: str) -> Known | None:
    """What is known of a path in a lane after one more entry."""
    if entry.action in RESETS:
        # A compaction concerns the agent whose context it was; a new run concerns all.
        return known if entry.action == "compact" and entry.lane != lane else None
    if entry.path != real or entry.lane != lane:
        return known
    if entry.action == "forget":
        return None
    if entry.action not in READS or entry.known is None:
        return known
    if entry.action == "partial" and known is not None and known.sha256 is not None:
        same = known.size == entry.known.size and known.mtime_ns == entry.known.mtime_ns
        if same and known.mtime_ns is not None:
            return known  # the hash of the whole read is kept (R2)
    return entry.known


def entry_of(line: bytes) -> Entry | None:
    """The entry on a line; None when it is none."""
    try:
        values = loads(line)
        return Entry(values) if isinstance(values, dict) else None
    except (ValueError, RecursionError):
        return None


def _known(values: Mapping[str, object]) -> Known:
    size, mtime_ns = _whole(values.get("size")), _whole(values.get("mtime_ns"))
    digest = values.get("sha256")
    sha256 = digest.lower() if isinstance(digest, str) and len(digest) == 64 else None
    # Who wrote the entry may have looked at the file some time after reading it: where there is a
    # hash, the hash decides.
    return Known(size, mtime_ns, sha256, trusted=False)


def _absolute(path: str, cwd: str) -> str:
    """`path` itself, or below the entry's folder where it is relative. Raises `ValueError`."""
    if os.path.isabs(path):
        return path
    if not os.path.isabs(cwd):
        raise ValueError("a relative path without a folder")
    return os.path.normpath(os.path.join(cwd, path))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return 0.0
        return number if 0 <= number < 1e11 else 0.0
    return 0.0


def _whole(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63:
        return value
    return None
