"""The real app in a real terminal, on a hostile workspace: nothing raw reaches the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.hostile import build, leaks

STEPS = (
    ("2", "Wrap"),
    ("jjjjjjjj", ""),
    ("w", ""),
    ("w", ""),
    ("1", "Touch"),
    ("jjjj", ""),
    ("n", ""),
    ("G", ""),
    ("3", "Filter"),
    ("j", ""),
    ("/", ""),
    ("fact", ""),
    ("\x1b", ""),
    ("e", "Description"),
    ("\x1b", "Filter"),
    ("v", ""),
    ("\x1b", ""),
    ("4", "Session"),
    ("j", ""),
    ("w", ""),
    ("\x1b", ""),
    ("s", ""),
    ("\x1b", ""),
    ("?", "Keys"),
    ("\x1b", ""),
    ("r", ""),
    ("\x1b", ""),
)
"""Keys, and the text that they must bring; none: whatever comes within a moment."""


@pytest.mark.parametrize("size", [(120, 36), (200, 60), (80, 24)])
def test_no_pane_dialog_or_toast_leaks(tmp_path: Path, size: tuple[int, int]) -> None:
    root = build(tmp_path)
    with Terminal(str(root), size=size) as terminal:
        terminal.until("Memory tree")
        terminal.until("problem")
        for keys, wait_for in STEPS:
            terminal.forget()
            for key in keys:
                terminal.send(key)
                terminal.settle()
            if wait_for:
                terminal.until(wait_for)
        assert terminal.process.poll() is None, terminal.text[-2000:]
        # The framework itself asks the terminal for what it can do; that is no leak.
        assert leaks(terminal.all.replace(b"\x1b[?2026$p", b"")) == []
