"""The end from outside, by a signal: nothing is lost, and the terminal is restored."""

from __future__ import annotations

import asyncio
import os
import signal
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
