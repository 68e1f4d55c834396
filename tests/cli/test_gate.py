"""What commands print to a terminal cannot drive it; what they print into a pipe is exact."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.hostile import COLOUR, FORBIDDEN, TITLE, build, leaks

COMMANDS = (
    ("context", "--notes"),
    ("context", "--json"),
    ("prompt",),
    ("prompt", "--touch", "x"),
    ("memory", "list"),
    ("memory", "list", "--json"),
    ("memory", "search", "fact"),
    ("memory", "show", "broken"),
    ("reads",),
    ("reads", "--json"),
    ("memory", "show", f"no{TITLE}{COLOUR}"),
    ("--root", f"/no{TITLE}{COLOUR}where"),
    ("context", f"--un{TITLE}{COLOUR}known"),
    ("context", "--agent", f"no{TITLE}body"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_terminal_gets_nothing_that_drives_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    root = build(tmp_path)
    with Terminal(*words, cwd=root) as terminal:
        terminal.ended()
        assert terminal.raw
        assert leaks(terminal.raw) == []


def test_a_pipe_gets_every_byte(tmp_path: Path) -> None:
    root = build(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "memlens", "prompt"], cwd=root, capture_output=True, check=True
    )
    text = (root / "CLAUDE.md").read_bytes()
    before_import = text.partition(b"See @")[0]
    assert before_import in done.stdout
    assert [part for part in FORBIDDEN if part in text and part not in done.stdout] == []
