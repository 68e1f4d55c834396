"""A real terminal for the real program: what it is sent, byte by byte."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

PATIENCE = 60.0
"""Seconds after which what has not come will not come."""
_LAST = b"\x1b]0;that was all\x07"
_SEQUENCES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\"
    rb"|\x1b[@-_]|\x1b[()].."
)
_ESCAPE = re.compile(r"\x1b(?![\[O])")


class Terminal:
    """Runs memlens in a pseudo terminal of its own session."""

    def __init__(
        self,
        *words: str,
        size: tuple[int, int] = (120, 36),
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        program: tuple[str, ...] = (sys.executable, "-m", "memlens"),
        controls: bool = True,
    ) -> None:
        """`controls`: it is the terminal of the session, so a lost connection is a signal."""
        self.master, slave = pty.openpty()
        self._resize(size)
        self.before: list[Any] = termios.tcgetattr(slave)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        for name in ("COLUMNS", "LINES"):  # the terminal itself says how large it is
            environment.pop(name, None)
        environment.update(env or {})
        self.process = subprocess.Popen(
            [*program, *words], stdin=slave, stdout=slave, stderr=slave, cwd=cwd,
            env=environment, start_new_session=True,
            preexec_fn=_take_terminal if controls else None,  # noqa: PLW1509 - nothing else does
        )  # fmt: skip
        self._slave = slave
        self.raw = b""
        """What was sent since the last `forget`."""
        self.all = b""
        """What was sent since the start."""

    def _resize(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def resize(self, size: tuple[int, int]) -> None:
        """Gives the terminal another size; the program is told."""
        self._resize(size)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def pump(self, seconds: float = 0.05) -> bytes:
        """Takes in what the program has sent."""
        got = b""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                part = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not part:
                break
            got += part
            seconds = 0
        self.raw += got
        self.all += got
        return got

    @property
    def text(self) -> str:
        """All text so far, without the sequences that place and colour it."""
        return _SEQUENCES.sub(b"", self.raw).decode("utf-8", "replace")

    def until(self, part: str) -> None:
        """Waits until `part` has been sent since the last `forget`."""
        self.wait_for(lambda: part in self.text or self.process.poll() is not None, repr(part))
        if part not in self.text:
            self._take_last()
        assert part in self.text, f"it ended:\n{self.text[-3000:]}"

    def wait_for(self, condition: Callable[[], object], what: str) -> None:
        """Waits until `condition` holds, and takes in what is sent meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"no {what} in:\n{self.text[-3000:]}"
            self.pump()

    def _take_last(self) -> None:
        """Takes in all that a program sent which has ended. It may still be on its way, but not
        behind what is sent now."""
        while self.pump(0):  # so that there is room for more
            pass
        if self._slave >= 0:
            os.write(self._slave, _LAST)
            self.wait_for(lambda: _LAST in self.raw, "end")
            self.raw, self.all = self.raw.replace(_LAST, b""), self.all.replace(_LAST, b"")

    def forget(self) -> None:
        """Forgets what was sent so far."""
        self.pump()
        self.raw = b""

    def settle(self) -> None:
        """Takes in what comes until nothing has come for a moment, at the most for seconds."""
        deadline = time.monotonic() + 3
        while self.pump(0.15) and time.monotonic() < deadline:
            pass

    def send(self, keys: str) -> None:
        """Types `keys`. Escape is told as terminals with the newer protocol of keys do: its byte
        alone also begins every other key, and only time tells the two apart."""
        os.write(self.master, _ESCAPE.sub("\x1b[27u", keys).encode())

    def send_as_typed(self, keys: str) -> None:
        """Types keys, Escape as older terminals tell it."""
        os.write(self.master, keys.encode())

    def ended(self) -> int:
        """Waits for the end; returns the exit code."""
        self.wait_for(lambda: self.process.poll() is not None, "end of the program")
        self._take_last()
        return self.process.returncode

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was: its modes, the main screen, a cursor, no mouse."""
        modes = termios.tcgetattr(self._slave)
        raw = self.raw
        main_screen = raw.rfind(b"\x1b[?1049l") > raw.rfind(b"\x1b[?1049h")
        cursor = raw.rfind(b"\x1b[?25h") > raw.rfind(b"\x1b[?25l")
        mouse = raw.rfind(b"\x1b[?1000l") > raw.rfind(b"\x1b[?1000h")
        return bool(modes[3] == self.before[3] and main_screen and cursor and mouse)

    def hang_up(self) -> None:
        """The connection is lost."""
        os.close(self.master)
        os.close(self._slave)
        self.master = self._slave = -1

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for handle in (self.master, self._slave):
            if handle >= 0:
                os.close(handle)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
