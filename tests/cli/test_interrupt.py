"""Ctrl+C in a terminal ends a long command at once, whole, with a clear line and the code 130."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.app.terminal import Terminal

SLOW = """
import sys, time
from memlens.engine.work import Work
step = Work.step
def slow(self, done, total, what):
    step(self, done, total, what)
    if what == sys.argv[1] and done == 2:
        print("at work", flush=True)
        while not self.stopped:
            time.sleep(0.01)
        step(self, done, total, what)
Work.step = slow
from memlens.cli import main
sys.exit(main(sys.argv[2:]))
"""
"""memlens, for which the third item of the given work takes for ever."""


@pytest.fixture
def folder(home: Path) -> Path:
    folder = home / ".local" / "share" / "mermaid" / "memory"
    folder.mkdir(parents=True)
    for number in range(6):
        text = f"---\nname: fact {number}\ndescription: about {number}\n---\n\nBody {number}.\n"
        (folder / f"fact-{number}.md").write_text(text)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name in ("a", "b", "c"):
        (root / f"{name}.md").write_text(f"{name}\n")
    (root / "CLAUDE.md").write_text("@a.md\n@b.md\n@c.md\n")
    return root


@pytest.mark.parametrize(
    ("what", "words", "said"),
    [
        ("loading facts", ["memory", "list"], "loading the facts: nothing was changed"),
        ("checking facts", ["memory", "check"], "checking facts: nothing was changed"),
        ("comparing facts", ["memory", "duplicates"], "comparing facts: nothing was changed"),
        ("reading memory files", ["context"], "reading the memory files: nothing was changed"),
        (
            "writing",
            ["memory", "forget", *(f"fact {n}" for n in range(6))],
            "deleting facts: nothing was changed",
        ),
    ],
)
def test_a_long_command_ends(
    root: Path, folder: Path, what: str, words: list[str], said: str
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    program = (sys.executable, "-c", SLOW, what)
    with Terminal(*words, program=program, cwd=root) as terminal:
        terminal.until("at work")
        terminal.send("\x03")
        assert terminal.ended() == 130
        assert f"memlens: interrupted while {said}" in terminal.text
        assert "Traceback" not in terminal.text
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
