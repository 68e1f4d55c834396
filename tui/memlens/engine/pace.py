"""Tells of whatever takes longer than a second, while it goes on."""

from __future__ import annotations

import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from memlens.engine.work import Work

SILENT: Final = 1.0
"""Seconds of work that nobody is told of, so that short work does not flicker."""
_STEP: Final = 0.2
"""Seconds between two words about the same work."""


class Pace:
    """A thread that looks at what runs, and sleeps while nothing does."""

    def __init__(self, running: Callable[[], list[Work]], tell: Callable[[Work], None]) -> None:
        """`running` is asked for what runs now; `tell` is called with what takes long."""
        self._running: Final = running
        self._tell: Final = tell
        self._busy: Final = threading.Event()
        self._closing: Final = threading.Event()
        threading.Thread(target=self._look, name="memlens-pace", daemon=True).start()

    def wake(self) -> None:
        """Something has begun."""
        self._busy.set()

    def close(self) -> None:
        self._closing.set()
        self._busy.set()

    def _look(self) -> None:
        while not self._closing.is_set():
            self._busy.wait()
            if self._closing.wait(_STEP):
                return
            self._busy.clear()  # before looking, so that what begins meanwhile is not missed
            works = self._running()
            if works:
                self._busy.set()
            now = time.monotonic()
            for work in works:
                if now - work.begun >= SILENT:
                    work.tell(self._tell)
