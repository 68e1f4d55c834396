"""Whole processes: what they take to the end, or to the first frame in a terminal."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.measure import Cost

_PATIENCE = 60.0
"""Seconds that a first frame may take."""
_SIZE = (36, 120)


class Failed(Exception):
    """A process that is measured did not do what it should."""


def console_script() -> str | None:
    """The `memlens` that was installed beside this interpreter."""
    path = Path(sys.executable).parent / "memlens"
    return str(path) if os.access(path, os.X_OK) else None


def surroundings(place: Path) -> dict[str, str]:
    """An environment in which nothing of the person who measures is found, and bytecode is kept."""
    for name in ("home", "data", "state", "config", "tmp"):
        (place / name).mkdir(parents=True, exist_ok=True)
    dropped = ("XDG_", "GIT_", "MEMLENS_", "PYTHON", "CLAUDE_", "MERMAID_", "TEXTUAL")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(dropped) or name in ("PYTHONPATH", "PYTHONHOME")
    }
    return kept | {
        "HOME": str(place / "home"),
        "MERMAID_DATA_DIR": str(place / "data"),
        "MEMLENS_STATE_DIR": str(place / "state"),
        "MEMLENS_CONFIG_DIR": str(place / "config"),
        "TMPDIR": str(place / "tmp"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
    }


def whole(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, given: Path | None = None
) -> Cost:
    """Runs a process to its end; `given` is its standard input. Raises `Failed`."""
    with (
        open(given or os.devnull, "rb") as source,
        open(os.devnull, "wb") as nowhere,
        open(folder / ".errors", "w+b") as errors,
    ):
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=source, stdout=nowhere, stderr=errors, env=environment, cwd=folder
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise Failed(f"{' '.join(command)}: {errors.read().decode(errors='replace')}")
    return Cost(wall, used.ru_utime + used.ru_stime)


def first_frame(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, marks: Sequence[str]
) -> Cost:
    """Runs a process in a terminal until all of `marks` have been written there, then ends it.

    Raises `Failed` when they do not come.
    """
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *_SIZE, 0, 0))
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder,
        start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    try:
        seen = _read_until(master, [mark.encode() for mark in marks], start + _PATIENCE)
        wall = time.perf_counter() - start
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        os.close(master)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not seen:
        raise Failed(f"{' '.join(command)}: no frame with {', '.join(marks)}")
    return Cost(wall, used.ru_utime + used.ru_stime)


def _read_until(master: int, marks: Sequence[bytes], deadline: float) -> bool:
    seen = bytearray()
    while any(mark not in seen for mark in marks):
        ready, _, _ = select.select([master], [], [], max(0.0, deadline - time.perf_counter()))
        if not ready:
            return False
        try:
            piece = os.read(master, 1 << 16)
        except OSError as error:
            if error.errno == errno.EIO:  # the process has closed the terminal
                return False
            raise
        if not piece:
            return False
        seen += piece
    return True


def answer(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> str:
    """What a process prints. Raises `Failed`."""
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr[-4000:]}")
    return done.stdout
