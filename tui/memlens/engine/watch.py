"""Changes on disk become commands: a thread that waits for the folders that matter.

Each folder is watched by itself, not what lies below it: a checkout may hold a million files that
no agent ever reads. Where the system has no watches left, the folders are looked at twice a second.
"""

from __future__ import annotations

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
_RETRY_S: Final = 2.0


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
        known: frozenset[str] = frozenset()
        while True:
            with self._lock:
                if self._closing:
                    return
                self._changed.clear()
                stop = self._stop = threading.Event()
                wanted = frozenset().union(*self._folders.values())
            folders = frozenset(existing for path in wanted if (existing := _nearest(path)))
            try:
                self._wait(folders, stop, told=folders == known)
            except (OSError, RuntimeError) as error:
                self._bus.publish(WatchChanged(live=False, reason=str(error)))
                self._changed.wait(_RETRY_S)

            known = folders

    def _wait(self, folders: frozenset[str], stop: threading.Event, *, told: bool) -> None:
        from watchfiles import watch

        self._bus.publish(WatchChanged(live=True))
        changes = watch(
            *sorted(folders), recursive=False, stop_event=stop, raise_interrupt=False,
            watch_filter=None, debounce=_BURST_MS, step=_SETTLE_MS, rust_timeout=500,
            ignore_permission_denied=True,
        )  # fmt: skip
        if not told:
            # What changed before anybody watched is not known: better once too often.
            self._bus.publish(DiskChanged())
        for _ in changes:
            self._bus.publish(DiskChanged())


def _nearest(path: str) -> str:
    """The folder itself, or the nearest one above that exists: there it will appear."""
    while path and not os.path.isdir(path):
        above = os.path.dirname(path)
        if above == path:
            return ""
        path = above
    return path
