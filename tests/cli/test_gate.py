"""What commands print to a terminal cannot drive it; what they print into a pipe is exact."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memlens.engine.durable import MemoryScope, write_memory
from memlens.engine.log import LOG_NAME, log
from memlens.engine.places import state_dir
from tests.app.terminal import Terminal
from tests.hostile import (
    ALL,
    BIDI,
    COLOUR,
    FORBIDDEN,
    TAGS,
    TITLE,
    ZERO_WIDTH,
    build,
    leaks,
)

COMMANDS = (
    ("context", "--notes"),
    ("context", "--json"),
    ("prompt",),
    ("prompt", "--touch", "x"),
    ("memory", "list"),
    ("memory", "list", "--json"),
    ("memory", "search", "fact"),
    ("memory", "show", "broken"),
    ("memory", "check"),
    ("why", "imported"),
    ("why", "nowhere to be found"),
    ("config",),
    ("review", "--check"),
    ("review", "--check", "--format", "github"),
    ("review", "--json"),
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


def test_the_titles_of_changes_are_made_visible(tmp_path: Path) -> None:
    root = build(tmp_path)
    write_memory(root, MemoryScope.GLOBAL, f"made {BIDI} {ZERO_WIDTH} {TAGS}", "d", [], ALL)
    with Terminal("memory", "undo", "--list", cwd=root) as terminal:
        terminal.ended()
        assert "made" in terminal.text
        assert leaks(terminal.raw) == []


def test_the_log_holds_nothing_that_drives_a_terminal(tmp_path: Path) -> None:
    """`less -R` and `cat` show logs, too."""
    root = build(tmp_path)
    calls = (
        ALL,
        json.dumps({"session_id": ALL, "hook_event_name": ALL, "tool_name": "Read"}),
        json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Read", "cwd": str(root)}),
    )
    for call in calls:
        subprocess.run(
            [sys.executable, "-m", "memlens", "hook"], cwd=root, check=True,
            input=call.encode("utf-8", "surrogatepass"),
        )  # fmt: skip
    log(f"a fault about {root}: {ALL}", "screen")
    text = Path(state_dir(), LOG_NAME).read_bytes()
    assert text.count(b"\n") >= len(calls)
    assert leaks(text) == []
