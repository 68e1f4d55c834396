"""The help of each command: folded between words, however narrow the terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from memlens.cli.run import COMMANDS


def help_at(columns: int, *words: str) -> list[str]:
    """What a terminal of so many columns is told."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "memlens", *words, "--help"],
        stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    data = b""
    try:
        while part := os.read(ours, 65536):
            data += part
    except OSError:  # how a terminal tells that nobody is at its other end
        pass
    os.close(ours)
    assert process.wait() == 0
    return data.decode().replace("\r", "").splitlines()


@pytest.mark.parametrize("command", ["", *COMMANDS, "memory add", "memory list"])
def test_no_line_is_longer_than_the_terminal(command: str) -> None:
    lines = help_at(80, *command.split())
    assert lines[0].startswith("usage: memlens")
    assert [line for line in lines if len(line) > 80] == []


def test_what_stands_in_a_column_stays_there() -> None:
    lines = help_at(60)
    at = next(number for number, line in enumerate(lines) if line.startswith("  context "))
    assert lines[at + 1].startswith(" " * 12)
    settings = help_at(60, "config")
    at = settings.index('  walk = "checkout"')
    assert all(line.startswith("      ") for line in settings[at + 1 : at + 4])
