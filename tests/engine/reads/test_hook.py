"""The hook: what it journals, what it refuses, and that it never stops the agent."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.log import LOG_LIMIT
from memlens.engine.reads import (
    MODIFIED,
    NEVER_READ,
    ReadJournal,
    content_of,
    read_log,
    sessions,
)
from memlens.engine.reads.hook import main, run
from tests.engine.reads.making import Maker, project, put, text_answer

TEXT = "one\ntwo\n"


class Agent:
    """Claude Code, as far as the hook sees it."""

    def __init__(self, root: Path) -> None:
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.state = root / "state"
        self.transcript = root / "t.jsonl"
        self.file = put(self.cwd / "a.py", TEXT)

    def call(self, event: str, *options: str, **more: Any) -> str:
        payload = {
            "session_id": "s1", "transcript_path": str(self.transcript), "cwd": str(self.cwd),
            "hook_event_name": event, **more,
        }  # fmt: skip
        return self.raw(json.dumps(payload).encode(), *options)

    def raw(self, data: bytes, *options: str) -> str:
        out = io.StringIO()
        assert run(data, out, guard="--guard" in options) == 0
        return out.getvalue()

    def after(self, tool: str, answer: Any = None, path: Any = ..., **asked: Any) -> None:
        given = {"file_path": str(self.file) if path is ... else path, **asked}
        more = {"tool_name": tool, "tool_input": given, "tool_response": answer}
        assert self.call("PostToolUse", "--guard", **more) == ""

    def read(self, **asked: Any) -> None:
        text = self.file.read_text()
        lines = text.split("\n")
        first = asked.get("offset", 1)
        shown = lines[first - 1 : first - 1 + asked.get("limit", 10**6)]
        answer = text_answer(self.file, "\n".join(shown), len(shown), first, len(lines))
        self.after("Read", answer, **asked)

    def write(self, path: Any = ..., *options: str, **more: Any) -> str | None:
        """What a guarded write is told."""
        given = {"file_path": str(self.file) if path is ... else path}
        out = self.call(
            "PreToolUse", *(options or ("--guard",)), tool_name="Write", tool_input=given, **more
        )
        if not out:
            return None
        answer = json.loads(out)["hookSpecificOutput"]
        assert answer.pop("hookEventName") == "PreToolUse"
        assert answer.pop("permissionDecision") == "deny"
        text = answer.pop("permissionDecisionReason")
        assert answer == {}
        return str(text)

    def entries(self) -> list[tuple[str, str]]:
        found = ReadJournal("s1").entries()
        return [(entry.action, entry.lane) for entry in found if entry is not None]

    def log(self) -> str:
        path = self.state / "memlens.log"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(tmp_path / "state"))
    return Agent(tmp_path)


def test_the_guard_follows_the_seed(agent: Agent) -> None:
    assert agent.write() == NEVER_READ
    agent.read()
    assert agent.write() is None
    os.utime(agent.file, (1_700_000_000,) * 2)
    assert agent.write() is None
    put(agent.file, "other\n")
    assert agent.write() == MODIFIED
    agent.read(offset=1, limit=1)
    assert agent.write() is None
    assert agent.write(str(agent.cwd / "new")) is None
    assert agent.entries() == [
        ("refuse", "main"), ("read", "main"), ("refuse", "main"), ("partial", "main"),
    ]  # fmt: skip
    assert agent.log() == ""


def test_without_the_guard_nothing_is_said(agent: Agent) -> None:
    assert agent.call("PreToolUse", tool_name="Write", tool_input={"file_path": "a.py"}) == ""
    assert agent.entries() == []


def test_writes_count_as_whole_reads(agent: Agent) -> None:
    agent.after("Write", {"type": "update", "filePath": str(agent.file), "content": TEXT})
    assert agent.write() is None
    put(agent.file, "one\n2\n")
    edit = {"oldString": "two", "newString": "2", "originalFile": TEXT}
    agent.after("Edit", edit, old_string="two", new_string="2")
    assert agent.write() is None
    agent.after("NotebookEdit", {}, None, notebook_path=str(agent.file))
    assert [action for action, _ in agent.entries()] == ["write", "edit", "edit"]


def test_what_a_formatter_did_meanwhile_is_a_change(agent: Agent) -> None:
    answer = {"type": "update", "filePath": str(agent.file), "content": "one;two"}
    agent.after("Write", answer)
    assert agent.write() == MODIFIED
    agent.after("Read", text_answer(agent.file, "one\nTWO\n", 3, 1, 3))
    assert agent.write() == MODIFIED
    agent.read()
    assert agent.write() is None


def test_line_ends_are_no_change_to_what_was_seen(agent: Agent) -> None:
    put(agent.file, b"\xef\xbb\xbfone\r\ntwo\r\n")
    agent.after("Read", text_answer(agent.file, "one\ntwo\n", 3, 1, 3))
    assert agent.write() is None
    put(agent.file, b"one\ntwo\n")
    assert agent.write() == MODIFIED  # raw bytes decide (R20)


def test_answers_without_text(agent: Agent) -> None:
    agent.after("Read", {"type": "image", "file": {"base64": "AA=="}})
    agent.after("Read", "some text")
    agent.after("Read", None, offset=3)
    agent.after("Read", {"type": "file_unchanged", "file": {"filePath": str(agent.file)}})
    assert [action for action, _ in agent.entries()] == ["read", "read", "partial"]


def test_sessions_begin_go_on_and_are_compacted(agent: Agent) -> None:
    agent.read()
    for source in ("resume", "fork", "unheard-of"):
        agent.call("SessionStart", source=source)
        assert agent.write() is None
    for source in ("compact", "startup", "clear"):
        agent.read()
        agent.call("SessionStart", source=source)
        assert agent.write() == NEVER_READ


def test_subagents_have_lanes_of_their_own(agent: Agent) -> None:
    agent.read()
    assert agent.write(agent_id="a1") == NEVER_READ
    assert agent.write() is None
    assert agent.entries()[-1] == ("refuse", "a1")


def test_the_transcript_is_asked_before_never_read(agent: Agent) -> None:
    maker = Maker(agent.transcript, agent.cwd)
    content = text_answer(agent.file, TEXT, 3, 1, 3)
    maker.attach("file", filename=str(agent.file), content=content)
    assert agent.write() is None
    put(agent.file, "other")
    assert agent.write() == MODIFIED
    maker.compact()
    assert agent.write() == NEVER_READ


def test_loaded_instructions_are_journalled(agent: Agent) -> None:
    memory = put(agent.cwd / "CLAUDE.md", "x")
    agent.call(
        "InstructionsLoaded", file_path=str(memory), memory_type="Project", load_reason="include",
        parent_file_path="/p", globs=["*.py"], trigger_file_path=None,
    )  # fmt: skip
    found = sessions(str(agent.cwd), claude_home="/none")
    assert [(session.id, session.source) for session in found] == [("s1", "journal")]
    [loaded] = read_log(found[0]).instructions
    assert (loaded.path, loaded.memory_type, loaded.reason, loaded.parent) == (
        str(memory), "Project", "include", "/p",
    )  # fmt: skip


def test_the_log_of_the_journal(agent: Agent) -> None:
    agent.call("SessionStart", source="startup")
    agent.write()
    agent.read(offset=1, limit=1)
    agent.read(offset=2, limit=1)
    [session] = sessions(str(agent.cwd), claude_home="/none")
    assert (session.reads, session.agent) == (2, "claude")
    log = read_log(session)
    [entry] = log.paths
    assert (entry.coverage, entry.state, entry.problem) == ("partial", "unchanged", None)
    assert [(r.first, r.last) for r in entry.ranges] == [(1, 2)]
    assert [refusal.text for refusal in entry.refusals] == [NEVER_READ]
    assert entry.evidence.hash_of == "bytes"
    agent.read()
    os.utime(agent.file, (1_700_000_000,) * 2)
    [entry] = read_log(session).paths
    assert (entry.coverage, entry.state) == ("whole", "touched")
    agent.call("SessionStart", source="compact")
    [entry] = read_log(session).paths
    assert (entry.coverage, entry.state, entry.problem) == (None, "lost", NEVER_READ)


def test_relative_paths_are_below_the_cwd(agent: Agent) -> None:
    agent.after("Read", None, "a.py")
    assert agent.write("./a.py") is None
    assert agent.write() is None


PATHS: list[Any] = [
    None, "", 7, 1.5, True, [], {}, ["x"], "x" * 1_000_000, "/" + "d/" * 500_000, "\0", "/a\0b",
    "\ud800", "~/x", ".", "/", "/dev/null", "/proc/self/mem", "../" * 1000, "rel/ative",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
@pytest.mark.parametrize("cwd", ["/", "rel", "", None, 7])
def test_no_path_stops_the_agent(agent: Agent, path: Any, cwd: Any) -> None:
    for tool in ("Read", "Write", "Edit", "NotebookEdit", "Bash", None, 7):
        for event in ("PreToolUse", "PostToolUse", "InstructionsLoaded"):
            more = {"tool_name": tool, "tool_input": {"file_path": path}, "file_path": path}
            out = agent.call(event, "--guard", cwd=cwd, tool_response={"type": "text"}, **more)
            assert out == "" or "deny" in out


ODD = [
    b"", b"null", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"session_id": 5}', b'"x"', b"{}",
    b'{"session_id":"s","hook_event_name":["PreToolUse"]}', b"1" * 5000, b'{"a":1}{"a":1}',
    b'{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":5}',
    b'{"session_id":"../../x","hook_event_name":"SessionStart","source":"startup","cwd":[]}',
]  # fmt: skip


@pytest.mark.parametrize("data", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("options", [(), ("--guard",)])
def test_no_input_stops_the_agent(agent: Agent, data: bytes, options: tuple[str, ...]) -> None:
    assert agent.raw(data, *options) == ""


def test_a_failure_leaves_a_line_in_a_log_that_stays_small(agent: Agent) -> None:
    agent.raw(b"{\x1b]0;x")
    assert len(agent.log().splitlines()) == 1
    assert "hook: " in agent.log()
    log = agent.state / "memlens.log"
    log.write_bytes(b"x" * (LOG_LIMIT + 1))
    agent.raw(b"[]")
    assert agent.log().count("\n") == 1
    assert (agent.state / "memlens.log.1").exists()


def test_a_state_folder_that_cannot_be_written_stops_nobody(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(agent.file))
    agent.read()
    assert agent.write() is None  # else it would be refused for ever, whatever it reads


def test_a_closed_output_stops_nobody(agent: Agent) -> None:
    out = io.StringIO()
    out.close()
    call = {
        "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": str(agent.file)},
    }  # fmt: skip
    assert run(json.dumps(call).encode(), out, guard=True) == 0
    assert "ValueError" in agent.log()


def test_the_settings_options(
    agent: Agent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-settings"]) == 0
    assert (
        "memlens hook --guard"
        in json.loads(capsys.readouterr().out)["hooks"]["PreToolUse"][0]["hooks"][0].values()
    )
    assert main(["--help"]) == 0
    assert "--uninstall" in capsys.readouterr().out
    assert main(["--install", "--home", str(tmp_path)]) == 0
    settings = tmp_path / ".claude" / "settings.json"
    assert "Made" in capsys.readouterr().out
    assert main(["--uninstall", str(settings)]) == 0
    assert "removed" in capsys.readouterr().out
    settings.write_text("{")
    assert main(["--install=" + str(settings)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "left as it is" in captured.err
    assert main(["--install", "a", "b"]) == 2
    assert main(["--install", "--uninstall"]) == 2
    assert "do not go together" in capsys.readouterr().err


CODE = "import sys; from memlens.cli import main; sys.exit(main(['hook', *sys.argv[1:]]))"


def test_fifty_at_once_lose_no_line(agent: Agent) -> None:
    children = []
    for number in range(50):
        path = put(agent.cwd / f"f{number}", TEXT)
        call = {
            "session_id": "s1", "cwd": str(agent.cwd), "hook_event_name": "PostToolUse",
            "tool_name": "Read", "tool_input": {"file_path": path.name},
            "tool_response": text_answer(path, TEXT, 3, 1, 3),
        }  # fmt: skip
        payload = put(agent.state / f"call{number}", json.dumps(call))
        with payload.open("rb") as stdin, (agent.state / f"out{number}").open("wb") as out:
            child = subprocess.Popen(
                [sys.executable, "-c", CODE], stdin=stdin, stdout=out, stderr=out
            )
        children.append(child)
    assert [child.wait() for child in children] == [0] * 50
    assert {path.read_bytes() for path in agent.state.glob("out*")} == {b""}
    paths = {entry.path for entry in ReadJournal("s1").entries() if entry is not None}
    assert paths == {str(agent.cwd / f"f{number}") for number in range(50)}
    assert agent.log() == ""


def test_a_whole_process_with_a_mistyped_option_lets_the_agent_go_on(agent: Agent) -> None:
    command = [sys.executable, "-c", CODE, "--gaurd"]
    done = subprocess.run(command, input=b"{}", capture_output=True, check=True)
    assert done.stdout == b""
    assert b"--gaurd" in done.stderr
    assert "--gaurd" in agent.log()


def test_a_hook_imports_next_to_nothing(agent: Agent) -> None:
    call = {
        "session_id": "s1", "cwd": str(agent.cwd), "hook_event_name": "PreToolUse",
        "tool_name": "Write", "tool_input": {"file_path": "a.py"},
    }  # fmt: skip
    code = (
        "import sys; from memlens.cli import main; main(['hook', '--guard'])\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(call).encode(), capture_output=True,
        check=True,
    )  # fmt: skip
    assert NEVER_READ.encode() in done.stdout
    loaded = set(done.stderr.decode().split())
    heavy = {
        "typing", "dataclasses", "argparse", "inspect", "tempfile", "subprocess", "threading",
        "logging", "pathlib", "datetime", "platformdirs", "textual", "contextlib", "re", "json",
        "hashlib", "collections", "enum", "functools",
    }  # fmt: skip
    assert not heavy & loaded


def test_a_journal_that_cannot_be_written_guards_nothing(agent: Agent) -> None:
    agent.read()
    agent.file.write_text("other\n")
    put(agent.cwd / "b.py", TEXT)
    (agent.state / "reads").rename(agent.state / "kept")
    put(agent.state / "reads", "no folder")
    # No read can be journalled, so each refusal would stand for ever.
    assert agent.write() is None
    assert agent.write("b.py") is None
    assert agent.log().count("not guarded") == 2


def test_both_sources_make_one_log(agent: Agent) -> None:
    home = agent.cwd.parent / "claude"
    maker = Maker(project(home, agent.cwd) / "s1.jsonl", agent.cwd)
    mentioned = put(agent.cwd / "b", "b")
    agent.read()
    maker.read(agent.file)
    maker.attach("file", filename=str(mentioned), content=text_answer(mentioned, "b", 1, 1, 1))
    [session] = sessions(str(agent.cwd), claude_home=str(home))
    assert (session.source, session.file) == ("both", str(maker.path))
    log = read_log(session)
    entries = {Path(entry.path).name: entry for entry in log.paths}
    assert entries["a.py"].evidence.hash_of == "bytes"
    assert entries["a.py"].has_content
    assert entries["b"].evidence.hash_of == "text"
    assert {entry.state for entry in log.paths} == {"unchanged"}
    assert content_of(session, str(agent.file)) == TEXT
    ReadJournal("s1").clear()
    assert {entry.evidence.hash_of for entry in read_log(session).paths} == {"text"}


def test_sessions_that_only_have_a_journal(agent: Agent) -> None:
    ReadJournal("theirs", agent="other").record(agent.file)
    ReadJournal("elsewhere").record("/etc/hostname")
    (agent.state / "reads" / "odd.jsonl").write_text("no json\n")
    [session] = sessions(str(agent.cwd), claude_home="/none")
    assert (session.id, session.agent, session.reads) == ("theirs", "other", 1)
    assert content_of(session, str(agent.file)) is None
