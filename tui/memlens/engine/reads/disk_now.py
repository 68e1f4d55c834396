"""The disk as it is now, asked often: what was hashed is kept while a file's stamp is the same."""

from __future__ import annotations

import os
import stat
from typing import Any, Final, Literal, NamedTuple

from memlens.engine.reads.known import hash_file, is_racy
from memlens.engine.reads.texts_of import file_hashes

_KEPT: Final = 20_000
_Stamp = tuple[int, int, int, int, int]


class Now(NamedTuple):
    """One look at a path."""

    kind: Literal["file", "missing", "other"]
    """`other`: a folder, a special file, or out of reach."""
    size: int | None = None
    mtime_ns: int | None = None
    stamp: _Stamp | None = None

    @property
    def time(self) -> float | None:
        return None if self.mtime_ns is None else self.mtime_ns / 1e9


class DiskNow:
    """Looks at files, and hashes them no more often than they change."""

    def __init__(self) -> None:
        self._raw: dict[str, tuple[_Stamp, str]] = {}
        self._text: dict[str, tuple[_Stamp, tuple[str, str]]] = {}

    def look(self, path: str) -> Now:
        """What stands at a path. Never raises."""
        try:
            status = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return Now("missing")
        except (OSError, ValueError):
            return Now("other")
        if not stat.S_ISREG(status.st_mode):
            return Now("other", None, status.st_mtime_ns)
        stamp = (
            status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev,
        )  # fmt: skip
        return Now("file", status.st_size, status.st_mtime_ns, stamp)

    def raw_hash(self, path: str, now: Now) -> str | None:
        """SHA-256 of the bytes; None when they cannot be read."""
        kept = self._raw.get(path)
        if kept is not None and kept[0] == now.stamp:
            return kept[1]
        try:
            digest, _ = hash_file(path)
        except (OSError, ValueError):
            return None
        if now.stamp is not None and _lasts(now):
            _bound(self._raw)
            self._raw[path] = (now.stamp, digest)
        return digest

    def text_hashes(self, path: str, now: Now) -> tuple[str, str] | None:
        """The hash of the normalised text, and that without its last line end."""
        kept = self._text.get(path)
        if kept is not None and kept[0] == now.stamp:
            return kept[1]
        try:
            digests = file_hashes(path)
        except (OSError, ValueError):
            return None
        if now.stamp is not None and _lasts(now):
            _bound(self._text)
            self._text[path] = (now.stamp, digests)
        return digests


def _lasts(now: Now) -> bool:
    """Whether an equal stamp will prove equal bytes (R1)."""
    return now.stamp is not None and not is_racy(max(now.stamp[1], now.stamp[2]))


def _bound(kept: dict[str, Any]) -> None:
    if len(kept) >= _KEPT:
        kept.clear()
