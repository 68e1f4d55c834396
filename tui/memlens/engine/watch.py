"""Changes on disk become commands: a thread that waits for the folders that matter.

Each folder is watched by itself, not what lies below it: a checkout may hold a million files that
no agent ever reads. Where that cannot be done, as when the system has no watches left or a name is
not UTF-8, the folders are looked at a few times a second instead.
"""

from __future__ import annotations

import itertools
import os
import threading
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.workspace import WatchChanged

if TYPE_CHECKING:
    from memlens.engine.bus import EventBus

_SETTLE_MS: Final = 60
"""A burst of changes is told once, when this long nothing more came."""
_BURST_MS: Final = 250
"""But not later than this after its first change."""
_IDLE_MS: Final = 400
"""After which a round without any change ends; the first one tells that the watch stands."""
_LOOK_S: Final = 0.4
"""Between two looks where there is no watch."""
_ENTRIES: Final = 2000
"""Entries of a folder that are looked at; a change of its own time is seen in any case."""


class Watcher:
    """Publishes `DiskChanged` when a watched folder changes. Its methods may be called anywhere."""

    def __init__(self, bus: EventBus) -> None:
        self._bus: Final = bus
        self._lock: Final = threading.Lock()
        self._folders: dict[str, frozenset[str]] = {}
        self._changed: Final = threading.Event()
        self._stop = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None

    def watch(self, part: str, folders: frozenset[str]) -> None:
        """Says which folders `part` depends on now, instead of what it said before."""
        with self._lock:
            if self._closing or self._folders.get(part) == folders:
                return
            self._folders = {**self._folders, part: folders}
            self._changed.set()
            self._stop.set()  # the thread begins anew with the new folders
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="memlens-watch", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._lock:
            self._closing = True
            self._stop.set()
            self._changed.set()
        if self._thread is not None:
            self._thread.join(2.0)

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._closing:
                    return
                self._changed.clear()
                stop = self._stop = threading.Event()
                wanted = frozenset().union(*self._folders.values())
            try:
                self._wait(wanted, stop)
            except (OSError, RuntimeError):
                self._look(wanted, stop)

    def _look(self, wanted: frozenset[str], stop: threading.Event) -> None:
        """Looks again and again, until other folders are wanted."""
        self._bus.publish(WatchChanged(live=True))
        before = None
        while not stop.is_set():
            now = [_seen(folder) for folder in sorted(_existing(wanted))]
            if now != before:
                self._bus.publish(DiskChanged())
            before = now
            stop.wait(_LOOK_S)

    def _wait(self, wanted: frozenset[str], stop: threading.Event) -> None:
        """Waits until other folders are wanted, or one of these has appeared or is gone."""
        from watchfiles import watch

        folders = _existing(wanted)

        self._bus.publish(WatchChanged(live=True))
        changes = watch(
            *sorted(folders), recursive=False, stop_event=stop, raise_interrupt=False,
            watch_filter=None, debounce=_BURST_MS, step=_SETTLE_MS, rust_timeout=_IDLE_MS,
            ignore_permission_denied=True, yield_on_timeout=True,
        )  # fmt: skip
        begins = True
        for found in changes:
            # What changed before the first round, while nobody watched, is not known: better
            # looked at once too often.
            if begins:
                self._bus.publish(DiskChanged())
            elif found:
                self._bus.publish(DiskChanged(paths=frozenset(path for _, path in found)))
            begins = False
            if found and _existing(wanted) != folders:
                return


def _seen(folder: str) -> tuple[object, ...]:
    """What tells one state of a folder and its files from another."""
    seen: list[object] = [folder]
    try:
        seen.append(os.stat(folder).st_mtime_ns)
        with os.scandir(folder) as entries:
            for entry in itertools.islice(entries, _ENTRIES):
                status = entry.stat(follow_symlinks=False)
                seen.append((entry.name, status.st_mtime_ns, status.st_size, status.st_ino))
    except OSError as error:
        seen.append(error.errno)
    return tuple(seen)


def _existing(wanted: frozenset[str]) -> frozenset[str]:
    return frozenset(existing for path in wanted if (existing := _nearest(path)))


def _nearest(path: str) -> str:
    """The folder itself, or the nearest one above that exists: there it will appear."""
    while path and not os.path.isdir(path):
        above = os.path.dirname(path)
        if above == path:
            return ""
        path = above
    return path
