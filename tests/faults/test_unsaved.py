"""A full disk refuses to keep what is being written: it is kept as soon as there is room again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.terminal import Terminal


def kept(state: Path) -> str:
    """All unsaved text that the next start would offer."""
    return "".join(path.read_text() for path in state.rglob("draft-*.json"))


def test_what_a_full_disk_refused_is_kept_when_there_is_room(
    tmp_path: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, ballast = tmp_path / "project", small_disk / "ballast"
    project.mkdir()
    (project / "CLAUDE.md").write_text("Two spaces.\n")
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(small_disk / "state"))
    with Terminal(str(project)) as terminal:
        terminal.until("no session")
        terminal.send("2e")
        terminal.until("Close")
        with pytest.raises(OSError, match="No space"):
            ballast.write_bytes(b"x" * (2 << 20))
        terminal.send("Precious ")
        terminal.until("outlive a crash")
        assert "Precious" not in kept(small_disk)
        ballast.unlink()
        terminal.until("outlives a crash again")  # nothing was typed
        assert "Precious" in kept(small_disk)
        os.kill(terminal.process.pid, 9)
        terminal.process.wait(30)
    with Terminal(str(project)) as terminal:
        terminal.until("Unsaved text")
