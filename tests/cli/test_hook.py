"""`memlens hook` as an agent and a person call it: whole processes, real calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.reads import MODIFIED, NEVER_READ, ReadJournal
from tests.engine.reads.making import put, text_answer

Result = subprocess.CompletedProcess[bytes]


class Agent:
    """Calls the hook as Claude Code does."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def hook(self, *words: str, stdin: bytes = b"") -> Result:
        return subprocess.run(
            [sys.executable, "-m", "memlens", "hook", *words],
            cwd=self.root, input=stdin, capture_output=True, check=False, timeout=60,
        )  # fmt: skip

    def call(self, event: str, tool: str, asked: Any, *words: str, **more: Any) -> Result:
        payload = {
            "session_id": "s1", "transcript_path": "", "cwd": str(self.root),
            "hook_event_name": event, "tool_name": tool, "tool_input": asked, **more,
        }  # fmt: skip
        return self.hook(*words, stdin=json.dumps(payload).encode())


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


def refusal(result: Result) -> str:
    assert (result.returncode, result.stderr) == (0, b"")
    if not result.stdout:
        return ""
    answer = json.loads(result.stdout)["hookSpecificOutput"]
    assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "deny")
    return str(answer["permissionDecisionReason"])


def test_a_guarded_session(agent: Agent) -> None:
    path = put(agent.root / "a.py", "one\ntwo\n")
    asked = {"file_path": "a.py"}  # relative to cwd, as old releases give it
    assert refusal(agent.call("PreToolUse", "Write", asked, "--guard")) == NEVER_READ
    assert refusal(agent.call("PreToolUse", "Write", asked)) == ""
    answer = text_answer(path, "one\ntwo\n", 3, 1, 3)
    assert refusal(agent.call("PostToolUse", "Read", asked, tool_response=answer)) == ""
    absolute = {"file_path": str(path)}
    assert refusal(agent.call("PreToolUse", "Edit", absolute, "--guard")) == ""
    path.write_text("changed\n")
    assert refusal(agent.call("PreToolUse", "Edit", absolute, "--guard")) == MODIFIED
    assert refusal(agent.call("PreToolUse", "Write", {"file_path": "new.py"}, "--guard")) == ""
    actions = [entry.action for entry in ReadJournal("s1").entries() if entry is not None]
    assert actions == ["refuse", "read", "refuse"]


@pytest.mark.parametrize(
    "asked",
    [{}, {"file_path": None}, {"file_path": 5}, {"file_path": ["a"]}, {"file_path": ""},
     {"file_path": "x" * 1_000_000}, None, "text", []],
    ids=["none", "null", "number", "list", "empty", "1MB", "no-input", "text", "array"],
)  # fmt: skip
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse"])
def test_paths_of_every_kind(agent: Agent, asked: Any, event: str) -> None:
    assert refusal(agent.call(event, "Write", asked, "--guard")) == ""


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"no json", b"\xff\xfe", b"[" * 100_000, b'{"session_id": 5}'],
    ids=["empty", "list", "text", "bytes", "deep", "session"],
)  # fmt: skip
def test_calls_that_are_none_leave_a_line_in_the_log(agent: Agent, data: bytes) -> None:
    assert refusal(agent.hook("--guard", stdin=data)) == ""
    log = Path(os.environ["HOME"], ".local/state/memlens/memlens.log").read_text()
    assert len(log.splitlines()) == 1


def test_the_settings_are_printed_put_in_and_taken_out(agent: Agent) -> None:
    printed = agent.hook("--print-settings")
    assert printed.returncode == 0
    hooks = json.loads(printed.stdout)["hooks"]
    assert set(hooks) == {"PreToolUse", "PostToolUse", "InstructionsLoaded", "SessionStart"}
    before = b'{\n    "model": "x",   "hooks": {"Stop": []}\n}\n'
    settings = Path(os.environ["HOME"], ".claude", "settings.json")
    settings.parent.mkdir()
    settings.write_bytes(before)
    done = agent.hook("--install")
    assert (done.returncode, done.stderr) == (0, b"")
    assert str(settings).encode() in done.stdout
    assert json.loads(settings.read_bytes())["model"] == "x"
    assert b"already" in agent.hook("--install").stdout
    assert agent.hook("--uninstall").returncode == 0
    assert settings.read_bytes() == before


def test_the_help_and_words_that_make_no_sense(agent: Agent) -> None:
    for word in ("--guard", "--print-settings", "--install", "--uninstall"):
        assert word.encode() in agent.hook("--help").stdout
    wrong = agent.hook("--gard", stdin=b"{}")
    assert (wrong.returncode, wrong.stdout) == (0, b"")  # the agent goes on
    assert b"--gard" in wrong.stderr


def test_a_complaint_is_no_answer_to_the_agent(agent: Agent) -> None:
    words = f"{sys.executable} -m memlens hook --mistyped </dev/null 2>&-"
    result = subprocess.run(
        ["sh", "-c", words], cwd=agent.root, capture_output=True, check=False, timeout=60
    )
    assert (result.returncode, result.stdout) == (0, b"")
