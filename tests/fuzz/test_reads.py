"""Any bytes as a journal, a transcript, a hook call or an agent's settings."""

from __future__ import annotations

import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine.places import slugs
from memlens.engine.reads import ReadJournal, hook
from memlens.engine.reads.hook_settings import SettingsProblem, install, uninstall
from memlens.engine.reads.instructions import told_by
from memlens.engine.reads.log import read_log
from memlens.engine.reads.session_list import sessions
from tests.fuzz.noise import BYTES, damaged, with_values_replaced

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
ENTRY: dict[str, Any] = {
    "time": 1.0, "session": "s", "agent": "a", "lane": "main", "action": "partial", "path": "/x",
    "size": 3, "mtime_ns": 4, "sha256": "0" * 64, "ranges": [[1, 2]], "total_lines": 3,
    "refusal": "no", "cwd": "/",
}  # fmt: skip
LINES = with_values_replaced(ENTRY) | damaged(json.dumps(ENTRY).encode()) | BYTES


@settings(suppress_health_check=SLOW)
@given(st.lists(LINES, max_size=6))
def test_any_lines_are_a_journal(lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as box:
        Path(box, "s.jsonl").write_bytes(b"\n".join(lines))
        journal = ReadJournal("s", folder=box)
        before = len(list(journal.entries()))
        journal.write_problem("/x")
        for session in sessions("/x", claude_home=box, journals=box):
            read_log(session, journals=box)
        journal.append("read", path="/y")
        entries = list(journal.entries())
        assert entries[-1] is not None
        assert entries[-1].path == "/y"
        assert len(entries) >= before + 1


USER: dict[str, Any] = {
    "parentUuid": None, "isSidechain": False, "cwd": "/w", "sessionId": "t", "gitBranch": "m",
    "type": "user", "uuid": "u1", "timestamp": "2026-01-01T00:00:00.000Z",
    "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File has not been read yet",
         "is_error": True}]},
    "toolUseResult": {"type": "text", "file": {"filePath": "/w/a.py", "content": "x\ny\n",
                      "numLines": 2, "startLine": 1, "totalLines": 2},
                      "filePath": "/w/a.py", "originalFile": "x", "structuredPatch": []},
}  # fmt: skip
ASSISTANT: dict[str, Any] = {
    "parentUuid": "u0", "isSidechain": False, "cwd": "/w", "sessionId": "t", "type": "assistant",
    "uuid": "u0", "timestamp": "2026-01-01T00:00:00.000Z",
    "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "toolu_1", "name": "Read",
         "input": {"file_path": "/w/a.py", "offset": 1, "limit": 2}}]},
}  # fmt: skip
ATTACHED: dict[str, Any] = {
    "type": "attachment", "uuid": "u2", "parentUuid": "u1", "cwd": "/w", "sessionId": "t",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "attachment": {"type": "instructions", "rendered": [{"text": "x"}],
                   "files": [{"path": "/w/CLAUDE.md", "content": "x", "type": "Project"}],
                   "filename": "/w/b.py", "content": {"type": "text", "file": {
                       "filePath": "/w/b.py", "content": "z", "numLines": 1, "startLine": 1,
                       "totalLines": 1}}},
}  # fmt: skip
TOLD = st.one_of(*(with_values_replaced(one) for one in (USER, ASSISTANT, ATTACHED)))
WHOLE = st.sampled_from([json.dumps(one).encode() for one in (USER, ASSISTANT, ATTACHED)])
TRANSCRIPT = TOLD | WHOLE | damaged(json.dumps(USER).encode()) | BYTES


@settings(suppress_health_check=SLOW)
@given(st.lists(TRANSCRIPT, max_size=8))
def test_any_lines_are_a_transcript(lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as box:
        folder = Path(box, "projects", slugs("/w")[0])
        folder.mkdir(parents=True)
        path = folder / "t.jsonl"
        path.write_bytes(json.dumps(ASSISTANT).encode() + b"\n" + b"\n".join(lines) + b"\n")
        told_by(str(path))
        for session in sessions("/w", claude_home=box, journals=box):
            log = read_log(session, journals=box)
            for one in log.paths:
                assert isinstance(one.path, str)


CALL: dict[str, Any] = {
    "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/", "hook_event_name": "PostToolUse",
    "tool_name": "Read", "tool_input": {"file_path": "/etc/hostname", "offset": 1, "limit": 2,
                                        "edits": [{"old_string": "a", "new_string": "b"}]},
    "tool_response": {"type": "text", "file": {"filePath": "/etc/hostname", "content": "x",
                      "numLines": 1, "startLine": 1, "totalLines": 1}},
    "agent_id": "agent-1", "file_path": "/x", "memory_type": "User", "load_reason": "x",
    "source": "startup",
}  # fmt: skip
EVENTS = ("PreToolUse", "PostToolUse", "InstructionsLoaded", "SessionStart", "PreCompact", "x")
CALLS = st.one_of(
    *(with_values_replaced({**CALL, "hook_event_name": event}) for event in EVENTS),
    damaged(json.dumps(CALL).encode()),
    BYTES,
)


@settings(suppress_health_check=SLOW)
@given(data=CALLS, guard=st.booleans())
def test_any_call_of_the_hook_ends_well(
    data: bytes, guard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as box:
        monkeypatch.setenv("MEMLENS_STATE_DIR", f"{box}/state")
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{box}/claude")
        out = io.StringIO()
        assert hook.run(data, out, guard=guard) == 0
        if out.getvalue():
            answer = json.loads(out.getvalue())["hookSpecificOutput"]
            assert answer["permissionDecision"] == "deny"
        log = Path(box, "state", "memlens.log")
        faults = ("TypeError", "KeyError", "AttributeError", "IndexError", "AssertionError",
                  "UnicodeEncodeError", "RecursionError")  # fmt: skip
        said = log.read_text() if log.exists() else ""
        assert not any(f"hook: {fault}" in said for fault in faults), said
        for path in Path(box).rglob("*"):
            if path.is_file():
                assert path.parent in (Path(box, "state"), Path(box, "state", "reads")), path


HOOKS: dict[str, Any] = {
    "model": "x",
    "hooks": {"PreToolUse": [{"matcher": "x", "hooks": [{"type": "command", "command": "y"}]}],
              "PostToolUse": []},
}  # fmt: skip


@settings(suppress_health_check=SLOW)
@given(with_values_replaced(HOOKS) | damaged(json.dumps(HOOKS, indent=2).encode()) | BYTES)
def test_any_settings_of_an_agent_come_back(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as box:
        path = Path(box, "settings.json")
        path.write_bytes(data)
        try:
            install(os.fspath(path))
        except SettingsProblem:
            assert path.read_bytes() == data
            return
        assert json.loads(path.read_text("utf-8").removeprefix("\ufeff"))
        if b"memlens" not in data:
            uninstall(os.fspath(path))
            assert path.read_bytes() == data
