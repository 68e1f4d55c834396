"""memlens opens no network connection: not the engine, not a command, not the screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import asyncio, sys, socket
seen = []
pairs = {socket.AF_UNIX}
def watch(event, arguments):
    # asyncio wakes itself by a pair of sockets without a name; those are made, never connected.
    if event == "socket.__new__" and arguments[1] not in pairs:
        seen.append((event, str(arguments[1:])))
    elif event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        seen.append((event, str(arguments[1:])))
    elif event in ("urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect"):
        seen.append((event, str(arguments)))
sys.addaudithook(watch)
"""
END = """
if seen:
    print("NETWORK", seen, file=sys.stderr)
    sys.exit(77)
"""


def watched(body: str, folder: Path) -> str:
    """Runs a program with every socket watched; fails when it used one."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + body + END], cwd=folder, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert "NETWORK" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "CLAUDE.md").write_text("See @docs/a.md and https://example.invalid/x\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("text http://example.invalid\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


COMMANDS = (
    ["prompt"],
    ["context", "--json"],
    ["context", "--json", "--agent", "claude"],
    ["memory", "add", "a fact", "--description", "d", "--tags", "t", "-"],
    ["memory", "list"],
    ["memory", "search", "fact"],
    ["memory", "check"],
    ["why", "text"],
    ["reads"],
    ["config"],
    ["review", "--check"],
    ["hook", "--print-settings"],
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_no_command_uses_the_network(words: list[str], project: Path) -> None:
    watched(
        f"""
import io
sys.stdin = io.TextIOWrapper(io.BytesIO(b"a body"))
from memlens.cli import main
code = main({words!r})
assert code in (0, 1), code
""",
        project,
    )


def test_the_screen_uses_no_network(tmp_path: Path) -> None:
    """The demo, every pane, dialogs, a saved fact, the other agent, the review's door."""
    shown = watched(
        f"""
from pathlib import Path
from memlens.app.app import MemlensApp
from memlens.demo import lay_out

async def drive():
    app = MemlensApp(lay_out(Path({str(tmp_path)!r}) / "demo", now=1_795_946_400.0), live=True)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36)) as pilot:
        for _ in range(1000):
            await pilot.pause(0.01)
            panes = list(app.screen.query("Pane"))
            if len(panes) == 4 and not any("loading" in str(p.border_subtitle) for p in panes):
                break
        for key in ("2", "w", "1", "j", "n", "3", "j", "e", "escape", "U", "escape", "T", "escape",
                    "4", "j", "w", "escape", "question_mark", "escape", "p", "escape", "f5"):
            await pilot.press(key)
            await pilot.pause(0.02)
        print("DRIVEN", app.screen)

asyncio.run(drive())
""",
        tmp_path,
    )
    assert "DRIVEN" in shown


def test_the_watch_would_see_a_connection(tmp_path: Path) -> None:
    body = """
try:
    socket.create_connection(("127.0.0.1", 9), 0.1)
except OSError:
    pass
"""
    with pytest.raises(AssertionError, match="NETWORK"):
        watched(body, tmp_path)
