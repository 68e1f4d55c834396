"""What the read log says: sessions, and each path that one of them has read or written.

All of it is immutable, so it may cross to other threads. Times are seconds since 1970 UTC, sizes
bytes, paths absolute real `str` (bytes that are no UTF-8 as surrogate escapes). None of it holds
what a file said: hashes and line numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Source = Literal["journal", "transcript", "both"]
"""Who told: a journal, the transcript of a Claude Code session, or both of the same session."""

Coverage = Literal["whole", "partial", "written"]
"""How much of the file the agent has seen. `written` is a whole view of what it wrote itself."""

State = Literal["unread", "unchanged", "touched", "changed", "gone", "lost"]
"""What the agent saw against the disk now.

`touched`: the same bytes under another time. `lost`: it was read before a compaction or on a
branch that was rewound, so the agent has it no more. `unread`: it has tried to write, or was told
of the file, but never read it.
"""

MAIN = "main"
"""The lane of the agent that a person talks to; subagents have their own ids."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run of an agent in a folder, as one source knows it."""

    id: str
    source: Source
    folder: str
    """The working folder of the session; empty where the source does not say."""
    file: str
    """The transcript where there is one, else the newest part of the journal."""
    started: float
    """Time of its first entry; 0 where unknown."""
    last: float
    """Time of the last change of its files."""
    reads: int
    """Entries that tell of a read or write; -1 where it has not been counted yet."""
    agent: str
    """Who ran it, such as `claude`; empty where unknown."""
    title: str = ""
    """What tells it from others for a person: a branch name or so; never message text."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file, both ends included, from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A write that the agent's tool, or memlens' guard, refused."""

    time: float
    lane: str
    text: str
    """Which of the known refusals it was, by its fixed text; never what the agent wrote."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a state is what it is: the file then, when it was read, and now."""

    time_then: float | None
    """Modification time when it was read. Transcripts do not tell it: there, the time of the
    entry that holds the read."""
    time_now: float | None
    size_then: int | None
    size_now: int | None
    hash_then: str | None
    """SHA-256 in hex, of what `hash_of` says; None where only part was read."""
    hash_now: str | None
    hash_of: Literal["bytes", "text"] = "bytes"
    """`bytes`: raw. `text`: line ends and BOM normalised, as transcripts keep it."""


@dataclass(frozen=True, slots=True)
class PathReads:
    """One path in one lane of a session."""

    path: str
    lane: str
    """`MAIN`, or the id of the subagent."""
    first_read: float | None
    last_read: float | None
    """Reads and writes both count, as in the seed. None when it was never read."""
    coverage: Coverage | None
    """None when it was never read."""
    ranges: tuple[LineRange, ...]
    """What was seen of a partial read, merged; empty for the others or where unknown."""
    total_lines: int | None
    """Of the file when it was read, where known."""
    reads: int
    writes: int
    state: State
    problem: str | None
    """The exact text that a write would get now; None when it would pass."""
    reason: str
    """One sentence for a person: why the state is so."""
    evidence: Evidence
    refusals: tuple[Refusal, ...]
    has_content: bool
    """Whether `content_of` can show what was read last."""


@dataclass(frozen=True, slots=True)
class LoadedInstruction:
    """A memory file that the session was given, as its source tells it."""

    path: str
    time: float
    lane: str
    memory_type: str
    """`User`, `Project`, …; empty where the source does not say."""
    reason: str
    """`session_start`, `nested_traversal`, `path_glob_match`, `include`, `compact`, or empty."""
    parent: str
    """The file that imported it; empty where there is none."""
    trigger: str
    """The file whose use brought it in; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One agent of a session."""

    id: str
    label: str
    """What to call it: `main`, or the kind of the subagent where known, else its id."""
    paths: int


@dataclass(frozen=True, slots=True)
class ReadLog:
    """One snapshot of a session against the disk."""

    session: Session
    time: float
    """When the disk was asked."""
    paths: tuple[PathReads, ...]
    """The latest read first; one for each path and lane."""
    lanes: tuple[Lane, ...]
    instructions: tuple[LoadedInstruction, ...]
    epochs: int
    """How often the context was compacted or begun anew in it, plus one."""
    skipped: int
    """Entries that could not be understood: cut off, no JSON, or of an unknown shape."""

    def of(self, path: str, lane: str = MAIN) -> PathReads | None:
        """The entry for `path` in `lane`."""
        for entry in self.paths:
            if entry.path == path and entry.lane == lane:
                return entry
        return None
