"""The log file: what went wrong while an agent went on, or when the screen fell."""

from __future__ import annotations

import os
import time

from memlens.engine.places import state_dir

LOG_NAME = "memlens.log"
LOG_LIMIT = 256 * 1024
"""Bytes of the log file; then it is begun anew, and the old one kept as `memlens.log.1`."""


def log(message: str, who: str = "hook") -> None:
    """Leaves lines in the log file, for whoever looks later. Never raises."""
    try:
        from memlens.engine.visible import visible_text

        folder = state_dir()
        path = os.path.join(folder, LOG_NAME)
        os.makedirs(folder, 0o700, exist_ok=True)
        try:
            if os.path.getsize(path) > LOG_LIMIT:
                os.replace(path, path + ".1")
        except OSError:
            pass
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {who}: {visible_text(message)}\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            os.write(handle, line.encode("utf-8", "backslashreplace"))
        finally:
            os.close(handle)
    except (OSError, RuntimeError, ValueError):
        pass
