"""The journal: what an agent has read and written, kept where others can see it.

Any agent may write it, through `ReadJournal` or by itself. A session's journal is
`<state dir>/reads/<session>.jsonl` (and further parts, see `lines`): UTF-8, one JSON object a line,
appended by a single write call on a file opened for appending. Readers skip and count what they
do not know; keys may be added, these keep their meaning:

| key | type | meaning |
| --- | --- | --- |
| `time` | number | seconds since 1970 UTC, when the entry was made |
| `session` | text | the session's id, as the agent calls it |
| `agent` | text | the program that reads and writes, such as `claude` |
| `lane` | text | the subagent's id; left out, or `main`, for the main agent |
| `action` | text | see below |
| `path` | text | absolute real path; bytes that are no UTF-8 as lone surrogates (`\\udcff`) |
| `size` | number | bytes of the file then |
| `mtime_ns` | number | its modification time in nanoseconds; left out when it is not sure |
| `sha256` | text | in hex, of the raw bytes, where all of them are known |
| `ranges` | list | pairs of first and last line (from 1) that a partial read saw |
| `total_lines` | number | lines of the file then |
| `refusal` | text | the text that a refused write was told |
| `cwd` | text | the session's working folder |

| action | meaning |
| --- | --- |
| `start` | a new run: nothing is read any more (`source` may say why) |
| `compact` | the context was compacted: what was read is lost, and refused until read again |
| `read`, `partial` | the whole file was read; some lines of it |
| `write`, `edit` | the agent wrote the file; counts as a whole read of what it wrote |
| `refuse` | a write was refused with the text in `refusal` |
| `forget`, `clear` | one path is forgotten; all of them are |
| `load` | a memory file was given to the agent (`memory_type`, `reason`, `parent`, `trigger`) |

Of the files' content nothing is kept but the hash.
"""

from __future__ import annotations

import json
import os
import time

from memlens.engine.places import state_dir
from memlens.engine.reads import lines
from memlens.engine.reads.known import Known, hash_file, known_now, problem_with, real_path
from memlens.engine.reads.lines import Cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAIN_LANE = "main"
RESETS = frozenset(["start", "clear", "compact"])
READS = frozenset(["read", "partial", "write", "edit"])
ACTIONS = RESETS | READS | {"refuse", "forget", "load"}
PATH_LIMIT = 32 * 1024
"""Characters; no system has longer paths, so a longer one is no file."""


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
        self.action = action
        self.path = path or ""
        self.time = _number(values.get("time"))
        self.session = _text(values.get("session"))
        self.agent = _text(values.get("agent"))
        self.lane = _text(values.get("lane")) or MAIN_LANE
        self.cwd = _text(values.get("cwd"))
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


class ReadJournal:
    """One session's journal: appends to it, reads it, follows it. Safe with several writers."""

    def __init__(
        self,
        session: str,
        *,
        folder: str | None = None,
        agent: str = "",
        limit: int = lines.PART_LIMIT,
    ) -> None:
        """`folder` defaults to `reads` in the state folder; `limit` is the size of a part."""
        self.session = session
        self.agent = agent
        self.folder = folder if folder is not None else journal_folder()
        self.name = lines.safe_name(session)
        self._limit = limit

    def record(
        self,
        path: str | os.PathLike[str],
        action: str = "read",
        *,
        content: bytes | None = None,
        sure: bool = True,
        lane: str = MAIN_LANE,
        **more: object,
    ) -> None:
        """Journals a `read`, `partial`, `write` or `edit` with what the file is now.

        `content`: the raw bytes that were read or written; without it the file is hashed, unless
        only part was read. `sure=False` tells that the agent saw other bytes than the file has,
        so no write may pass before it is read again. Raises `OSError` when the journal cannot be
        written.
        """
        if action not in READS:
            raise ValueError(f"not a read or write: {action!r}")
        real = real_path(path)
        known: Known | None
        if not sure:
            known = Known(None, None, None, trusted=False)
        elif action == "partial" or content is not None:
            known = known_now(real, content if action != "partial" else None)
        else:
            known = _hashed(real)
        if known is None:  # it is gone, so nothing is known of it (R4)
            self.append("forget", path=real, lane=lane)
            return
        values = {"size": known.size, "mtime_ns": known.mtime_ns, "sha256": known.sha256, **more}
        self.append(action, path=real, lane=lane, **values)

    def refuse(self, path: str | os.PathLike[str], text: str, *, lane: str = MAIN_LANE) -> None:
        """Journals that a write was refused with `text`. Raises `OSError`."""
        self.append("refuse", path=real_path(path), lane=lane, refusal=text)

    def forget(self, path: str | os.PathLike[str], *, lane: str = MAIN_LANE) -> None:
        """Forgets one path. Raises `OSError`."""
        self.append("forget", path=real_path(path), lane=lane)

    def clear(self) -> None:
        """Forgets everything, in all lanes. Raises `OSError`."""
        self.append("clear")

    def append(
        self, action: str, *, path: str | None = None, lane: str = MAIN_LANE, **more: object
    ) -> None:
        """Appends one entry as it is; values that are None are left out.

        Raises `OSError` when it cannot be written, and `ValueError` when it is no entry.
        """
        values: dict[str, object] = {"time": time.time(), "session": self.session}
        if self.agent:
            values["agent"] = self.agent
        if lane != MAIN_LANE:
            values["lane"] = lane
        values["action"] = action
        values["path"] = path
        values.update(more)
        values = {key: value for key, value in values.items() if value is not None}
        Entry(values)
        line = json.dumps(values, separators=(",", ":")).encode("ascii")
        lines.append(self.folder, self.name, line, limit=self._limit)

    def parts(self) -> list[str]:
        """The paths of the journal's parts, oldest first."""
        return lines.parts(self.folder, self.name)

    def entries(self, cursor: Cursor | None = None) -> Iterator[Entry | None]:
        """The entries since `cursor` (which moves along), oldest first; all of them without one.

        None stands for a line that is no entry. Without a journal there are none. Raises
        `OSError` when it cannot be read.
        """
        for line in lines.follow(self.folder, self.name, {} if cursor is None else cursor):
            yield entry_of(line)

    def write_problem(
        self, path: str | os.PathLike[str], *, lane: str = MAIN_LANE
    ) -> tuple[str | None, Known | None]:
        """The text that a write of `path` gets by what the journal knows, and what that is.

        Only lines that may be about this path are parsed. Raises `OSError`.
        """
        real = real_path(path)
        return problem_with(real, self.known(real, lane=lane))

    def known(self, real: str, *, lane: str = MAIN_LANE) -> Known | None:
        """What the journal knows of one real path. Raises `OSError`."""
        name = os.path.basename(real).encode("utf-8", "surrogatepass")
        plain = (
            name.isascii() and name.decode("ascii").isprintable() and not set(name) & set(b'"\\')
        )
        marks = (name, b'start"', b'clear"', b'compact"') if plain else ()
        known: Known | None = None
        for line in lines.follow(self.folder, self.name, {}):
            if marks and not any(mark in line for mark in marks):
                continue
            entry = entry_of(line)
            if entry is not None:
                known = replay(known, entry, real, lane)
        return known


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


def journal_folder(state: str | None = None) -> str:
    """Where journals are, in `state` or the state folder of this person."""
    return os.path.join(state if state is not None else state_dir(), "reads")


def entry_of(line: bytes) -> Entry | None:
    """The entry on a line; None when it is none."""
    try:
        values = json.loads(line)
        return Entry(values) if isinstance(values, dict) else None
    except (ValueError, RecursionError):
        return None


def _hashed(real: str) -> Known | None:
    try:
        return hash_file(real)[1]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return known_now(real, None)


def _known(values: Mapping[str, object]) -> Known:
    size, mtime_ns = _whole(values.get("size")), _whole(values.get("mtime_ns"))
    digest = values.get("sha256")
    sha256 = digest.lower() if isinstance(digest, str) and len(digest) == 64 else None
    # Who wrote the entry may have looked at the file some time after reading it: where there is a
    # hash, the hash decides.
    return Known(size, mtime_ns, sha256, trusted=False)


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
