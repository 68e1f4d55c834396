"""The end from outside, by a signal or a lost terminal: nothing is lost, and where there still is
a terminal, it is restored."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)
)
_GRACE: Final = 4.0
"""Seconds in which an end in good order must come about; the terminal may be gone by then."""


class Ending:
    """Turns signals into an end in good order, while it is watching."""

    def __init__(self, end: Callable[[int], None]) -> None:
        """`end` gets the exit code; it must not wait for the terminal."""
        self._end: Final = end
        self._loop: asyncio.AbstractEventLoop | None = None

    def watch(self) -> None:
        """Begins, on the running loop."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            self._loop.add_signal_handler(number, self._signalled, number)
        if hasattr(select, "poll") and sys.__stdin__ is not None and sys.__stdin__.isatty():
            threading.Thread(
                target=self._wait_for_hang_up, args=(self._loop, sys.__stdin__.fileno()),
                name="memlens-terminal", daemon=True,
            ).start()  # fmt: skip

    def _wait_for_hang_up(self, loop: asyncio.AbstractEventLoop, terminal: int) -> None:
        """Takes a lost terminal for its signal.

        The signal comes only where it is the terminal of the session and nobody ignores it, as
        `nohup` does; without it the framework would read the end of its input for ever.
        """
        poll = select.poll()
        poll.register(terminal, 0)
        try:
            lost = any(events & select.POLLHUP for _, events in poll.poll())
            if lost and loop is self._loop:
                loop.call_soon_threadsafe(self._signalled, signal.SIGHUP)
        except (OSError, RuntimeError):  # the terminal or the loop is closed: it ends anyway
            return

    def close(self) -> None:
        if self._loop is not None:
            for number in _SIGNALS:
                self._loop.remove_signal_handler(number)
            self._loop = None

    def _signalled(self, number: int) -> None:
        code = 128 + number
        last_word = threading.Timer(_GRACE, os._exit, (code,))
        last_word.daemon = True
        last_word.start()
        self._end(code)
