"""Loading all facts of a folder, and noticing by list and stat alone that they changed."""

from __future__ import annotations

import os
import stat
from operator import attrgetter

from memlens.engine.work import step

from .model import (
    MemoryConfig,
    MemoryEntry,
    MemoryReloadOutcome,
    MemoryRoot,
    MemoryScope,
    MemorySnapshot,
)
from .scopes import PLACES, is_fact_name, memory_roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final

DEFAULT_CONFIG: Final = MemoryConfig()
# Plain places in the tuple: a refresh looks at them for every file.
_MTIME, _SIZE, _INODE = (MemoryEntry._fields.index(name) for name in ("mtime_ns", "size", "inode"))
_NO_ENTRIES: Final[dict[str, MemoryEntry]] = {}


def load(
    cwd: str | os.PathLike[str], config: MemoryConfig = DEFAULT_CONFIG
) -> MemorySnapshot | None:
    """All facts seen from `cwd` and their index; `None` when disabled or when there are none."""
    return load_roots(memory_roots(cwd), config) if config.enabled else None


def refresh(
    current: MemorySnapshot | None,
    cwd: str | os.PathLike[str],
    config: MemoryConfig = DEFAULT_CONFIG,
) -> tuple[MemorySnapshot | None, MemoryReloadOutcome]:
    """`current` brought up to date, and what had happened.

    Folders are listed and files looked at; a file is read again only when its path, time, size
    or inode changed. The answer equals a fresh `load`, and is `current` itself when unchanged.
    """
    fresh = load_roots(memory_roots(cwd), config, current) if config.enabled else None
    if current is None:
        return fresh, (
            MemoryReloadOutcome.UNCHANGED if fresh is None else MemoryReloadOutcome.LOADED_FIRST
        )
    if fresh is None:
        return None, MemoryReloadOutcome.REMOVED
    same = fresh is current or (fresh.entries == current.entries and fresh.index == current.index)
    return fresh, MemoryReloadOutcome.UNCHANGED if same else MemoryReloadOutcome.RELOADED


def load_roots(
    roots: Sequence[MemoryRoot], config: MemoryConfig, known: MemorySnapshot | None = None
) -> MemorySnapshot | None:
    """The facts in the given folders, those that `known` still describes not read again.

    `known` itself is returned where nothing differs from it.
    """
    before = known.folders if known is not None else {}
    folders: dict[str, Mapping[str, MemoryEntry]] = {}
    counted = 0
    same = known is not None and known.config == config and known.roots == tuple(roots)
    for root in roots:
        old = before.get(root.path, _NO_ENTRIES)
        folders[root.path] = found = scan(root.path, root.scope, old, counted)
        counted += len(found)
        same = same and found is old
    if same and known is not None:
        return known
    entries: list[MemoryEntry] = []
    notes: list[MemoryEntry] = []
    for root in roots:
        apart = PLACES[root.scope].index_file
        (notes if apart else entries).extend(_sorted(folders[root.path]))
    if not entries and not notes:
        return None
    from .index import NO_INDEX, build_index  # scripts without facts need none

    index = build_index(entries, config.index_cap_bytes) if entries else NO_INDEX
    # Notes come first: they are no part of this index, so that its cut cannot fall into them.
    return MemorySnapshot(
        entries=(*notes, *entries), index=index.text, truncated=index.truncated,
        index_bytes=index.full_bytes, visible=len(notes) + index.visible, roots=tuple(roots),
        config=config, folders=folders,
    )  # fmt: skip


def _sorted(found: Mapping[str, MemoryEntry]) -> list[MemoryEntry]:
    # Code points sort as their UTF-8 bytes do.
    entries = sorted(found.values(), key=attrgetter("name"))
    if len({entry.name for entry in entries}) < len(entries):
        entries.sort(key=attrgetter("name", "path"))
    return entries


def scan(
    folder: str,
    scope: MemoryScope,
    known: Mapping[str, MemoryEntry] = _NO_ENTRIES,
    counted: int = 0,
) -> Mapping[str, MemoryEntry]:
    """File name to fact for the facts directly in `folder`; `known` itself if it still holds.
    `counted`: the facts of other folders, for telling how many are loaded.

    A file that cannot be read is left out (spec 1: regular files only, no links).
    """
    for entry in known.values():
        if entry.scope is not scope:
            known = _NO_ENTRIES
        break
    kept: list[MemoryEntry] = []
    keep = kept.append
    index_file = PLACES[scope].index_file
    new: dict[str, MemoryEntry] = {}
    get = known.get
    read: Callable[[str, str, MemoryScope, bool], MemoryEntry | None] | None = None
    try:
        with os.scandir(folder) as listing:
            for item in listing:
                name = item.name
                old = get(name)
                try:
                    if old is None:
                        if not is_fact_name(name) or name == index_file:
                            continue
                        if not item.is_file(follow_symlinks=False):
                            continue
                    else:
                        status = item.stat(follow_symlinks=False)
                        if (
                            old[_MTIME] == status.st_mtime_ns
                            and old[_SIZE] == status.st_size
                            and old[_INODE] == status.st_ino
                        ):
                            keep(old)
                            continue
                        if not stat.S_ISREG(status.st_mode):
                            continue
                except OSError:
                    continue
                if read is None:
                    from .entries import read_entry  # with it comes what parses headers

                    read = read_entry
                step(counted + len(kept) + len(new), 0, "loading facts")
                fresh = read(item.path, name, scope, bool(index_file))
                if fresh is not None:
                    new[name] = fresh
    except OSError:
        return _NO_ENTRIES
    if not new and len(kept) == len(known):
        return known
    found = {entry.path.rpartition("/")[2]: entry for entry in kept}
    found.update(new)
    return found
