"""The log file: what went wrong while an agent went on, or when the screen fell."""

from __future__ import annotations

import os
import stat
import time

from memlens.engine.places import state_dir

LOG_NAME = "memlens.log"
LOG_LIMIT = 256 * 1024
"""Bytes of the log file; then it is begun anew, and the old one kept as `memlens.log.1`."""
# No link is followed, and a FIFO that nobody reads hangs nobody.
_FLAGS = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)  # fmt: skip


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
        handle = os.open(path, _FLAGS, 0o600)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                return
            torn = status.st_size and os.pread(handle, 1, status.st_size - 1) != b"\n"
            data = line.encode("utf-8", "backslashreplace")
            os.write(handle, b"\n" + data if torn else data)
        finally:
            os.close(handle)
    except (OSError, RuntimeError, ValueError):
        pass
