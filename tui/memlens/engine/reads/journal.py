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

import os
import time

from memlens.engine.places import state_dir
from memlens.engine.reads import lines
from memlens.engine.reads.known import Known, hash_file, known_now, problem_with, real_path
from memlens.engine.reads.quick import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlens.engine.reads.entry import Entry
    from memlens.engine.reads.follow import Cursor

MAIN_LANE = "main"
RESETS = frozenset(["start", "clear", "compact"])
READS = frozenset(["read", "partial", "write", "edit"])
ACTIONS = RESETS | READS | {"refuse", "forget", "load"}
PATH_LIMIT = 32 * 1024
"""Characters; no system has longer paths, so a longer one is no file."""


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
        if action not in ACTIONS or not (path or action in RESETS):
            raise ValueError(f"no entry: {action!r} of {path!r}")
        line = dumps(values).encode("ascii")
        lines.append(self.folder, self.name, line, limit=self._limit)

    def parts(self) -> list[str]:
        """The paths of the journal's parts, oldest first."""
        return lines.parts(self.folder, self.name)

    def entries(self, cursor: Cursor | None = None) -> Iterator[Entry | None]:
        """The entries since `cursor` (which moves along), oldest first; all of them without one.

        None stands for a line that is no entry. Without a journal there are none. Raises
        `OSError` when it cannot be read.
        """
        from memlens.engine.reads.entry import entry_of
        from memlens.engine.reads.follow import follow

        for line in follow(self.folder, self.name, {} if cursor is None else cursor):
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
        from memlens.engine.reads.entry import entry_of, replay
        from memlens.engine.reads.follow import follow

        name = os.path.basename(real).encode("utf-8", "surrogatepass")
        plain = (
            name.isascii() and name.decode("ascii").isprintable() and not set(name) & set(b'"\\')
        )
        marks = (name, b'start"', b'clear"', b'compact"') if plain else ()
        known: Known | None = None
        for line in follow(self.folder, self.name, {}):
            if marks and not any(mark in line for mark in marks):
                continue
            entry = entry_of(line)
            if entry is not None:
                known = replay(known, entry, real, lane)
        return known


def journal_folder(state: str | None = None) -> str:
    """Where journals are, in `state` or the state folder of this person."""
    return os.path.join(state if state is not None else state_dir(), "reads")


def _hashed(real: str) -> Known | None:
    try:
        return hash_file(real)[1]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return known_now(real, None)
