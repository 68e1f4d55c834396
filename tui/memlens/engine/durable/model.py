"""What a durable fact is, and what a scan of the stores gives: the types on everyone's way.

No dataclasses, because scripts load this at every start and making the module behind them takes
as long as all of the rest; named tuples, because ten thousand facts are made at once.
"""

from __future__ import annotations

from enum import Enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, NamedTuple
else:
    from memlens.engine.named import NamedTuple

FACT_LIMIT: Final = 64_000
"""Bytes of a fact that are read for the index, and that a fact may have when written."""

INDEX_CAP_BYTES: Final = 8000
"""Bytes of the index that the agent is given unless configured otherwise (seed)."""


class MemoryScope(Enum):
    """A store of facts. The value is what the `scope:` field and the commands say."""

    GLOBAL = "global"
    PROJECT_PRIVATE = "project-private"
    PROJECT_SHARED = "project-shared"
    AUTO = "auto"
    """The notes that the agent keeps by itself; a folder has it only once it is attached."""

    def __str__(self) -> str:
        return str(self.value)


class MemoryRoot(NamedTuple):
    """A scope and its folder, which need not exist."""

    path: str
    scope: MemoryScope


class MemoryConfig(NamedTuple):
    """Settings of the durable memory."""

    enabled: bool = True
    index_cap_bytes: int = INDEX_CAP_BYTES
    """Bytes of the index before it is cut."""
    near_duplicate_threshold: float = 88.0
    """From 0 to 100: how alike two facts must be to be called near duplicates."""
    stale_days: int = 180
    """Days without a change after which a fact is called stale."""
    description_limit: int = 200
    """Characters of a description that are not called over-long."""


class MemoryEntry(NamedTuple):
    """One fact as the index knows it; its body stays on disk."""

    name: str
    description: str
    scope: MemoryScope
    path: str
    """Absolute."""
    tags: tuple[str, ...]
    created: str
    """As written in the file, `""` where it says nothing."""
    mtime_ns: int
    size: int
    """Bytes."""
    inode: int

    @property
    def stem(self) -> str:
        """The file's name without `.md`."""
        return self.path.rpartition("/")[2][:-3]

    @property
    def id(self) -> str:
        """What tells this fact from all others, and stays the same over a refresh."""
        return self.path


class MemorySnapshot:
    """All facts of a folder and the index the agent gets; immutable, never empty."""

    __slots__ = (
        "config", "entries", "folders", "index", "index_bytes", "roots", "truncated", "visible",
    )  # fmt: skip

    entries: tuple[MemoryEntry, ...]
    """Notes of the agent, where they are attached, then global, private, shared; by name inside a
    scope, byte-wise, equal names by path."""
    index: str
    truncated: bool
    index_bytes: int
    """Bytes of the whole index, before any cut."""
    visible: int
    """How many entries, from the first, stand in the index with their whole line."""
    roots: tuple[MemoryRoot, ...]
    config: MemoryConfig
    folders: Mapping[str, Mapping[str, MemoryEntry]]
    """Folder to file name to entry: what `refresh` compares with."""

    def __init__(
        self,
        *,
        entries: tuple[MemoryEntry, ...],
        index: str,
        truncated: bool,
        index_bytes: int,
        visible: int,
        roots: tuple[MemoryRoot, ...],
        config: MemoryConfig,
        folders: Mapping[str, Mapping[str, MemoryEntry]],
    ) -> None:
        put = object.__setattr__
        put(self, "entries", entries)
        put(self, "index", index)
        put(self, "truncated", truncated)
        put(self, "index_bytes", index_bytes)
        put(self, "visible", visible)
        put(self, "roots", roots)
        put(self, "config", config)
        put(self, "folders", folders)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a snapshot does not change: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MemorySnapshot):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.index, self.index_bytes, len(self.entries)))

    def __repr__(self) -> str:
        return f"<MemorySnapshot of {len(self.entries)} facts, {self.index_bytes} bytes of index>"

    @property
    def fallen_out(self) -> tuple[MemoryEntry, ...]:
        """The facts behind the cut: the agent does not see them, or not to their line's end."""
        return self.entries[self.visible :]

    @property
    def tokens(self) -> int:
        """Estimated tokens of the index (seed: bytes / 4)."""
        return len(self.index.encode()) // 4


class MemoryReloadOutcome(Enum):
    """What a `refresh` found."""

    UNCHANGED = "unchanged"
    RELOADED = "reloaded"
    LOADED_FIRST = "loaded-first"
    REMOVED = "removed"
