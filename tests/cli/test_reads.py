"""`memlens reads` as a person and a script use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.reads import MODIFIED, NEVER_READ, ReadJournal
from tests.engine.reads.making import Maker, project, put

Result = subprocess.CompletedProcess[bytes]
PATIENCE = 60


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    return root


@pytest.fixture
def run(root: Path) -> Callable[..., Result]:
    def run(*words: str) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "memlens", "reads", *words],
            cwd=root, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=PATIENCE,
        )  # fmt: skip

    return run


@pytest.fixture
def journal(root: Path) -> ReadJournal:
    journal = ReadJournal("s1", agent="mine")
    journal.append("start", cwd=str(root))
    return journal


def values(result: Result) -> Any:
    found = json.loads(result.stdout)
    assert found["schema"] == 1
    return found


def test_checking_a_file(run: Callable[..., Result], root: Path, journal: ReadJournal) -> None:
    path = put(root / "a.py", "one\n")
    put(root / "b.py", "two\n")
    journal.record(path, "read")
    assert (run("check", "a.py").returncode, run("check", "a.py").stdout) == (0, b"")
    assert run("check", "new.py").returncode == 0
    never = run("check", "b.py")
    assert (never.returncode, never.stdout.decode()) == (1, NEVER_READ + "\n")
    path.write_text("changed\n")
    changed = run("check", str(path))
    assert (changed.returncode, changed.stdout.decode()) == (1, MODIFIED + "\n")
    told = run("check", "a.py", "--json")
    assert told.returncode == 1
    assert values(told)["problem"] == MODIFIED
    assert values(told)["state"] == "changed"


def test_without_a_session_nothing_is_refused(run: Callable[..., Result], root: Path) -> None:
    put(root / "a.py", "one\n")
    result = run("check", "a.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert values(run("--sessions", "--json"))["sessions"] == []
    assert values(run("check", "a.py", "--json"))["session"] is None
    assert run("forget", "a.py").returncode == 2


def test_without_a_session_people_are_told_so_and_what_to_do(
    run: Callable[..., Result], root: Path, tmp_path: Path, journal: ReadJournal
) -> None:
    other = tmp_path / "other"
    for words in ((), ("--sessions",), ("--state", "changed")):
        other.mkdir(exist_ok=True)
        result = run(*words, "--root", str(other))
        assert (result.returncode, result.stdout) == (0, b"")
        told = result.stderr.decode()
        assert told.startswith("memlens: no agent has told what it read in this folder.\n")
        assert "memlens hook --install" in told
        as_json = run(*words, "--root", str(other), "--json")
        assert (as_json.returncode, as_json.stderr) == (0, b"")
        assert values(as_json).get("session") is None
    assert run().stderr == b""  # a session that has read nothing is one


def test_without_a_session_those_close_by_are_named(
    run: Callable[..., Result], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = tmp_path / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude))
    below = root / "a b"
    below.mkdir()
    Maker(project(claude, below) / "s1.jsonl", below).prompt()
    for words in ((), ("--sessions",)):
        told = run(*words).stderr.decode()
        assert f"  memlens reads --root '{below}'\n" in told
        assert "hook" not in told


def test_the_main_agent_is_asked_for(
    run: Callable[..., Result], root: Path, journal: ReadJournal
) -> None:
    path = put(root / "a.py", "one\n")
    journal.record(path, "read", lane="7f3a")
    assert run("check", "a.py").returncode == 1
    assert values(run("--json"))["paths"][0]["agent"] == "7f3a"
    assert b"(7f3a)" in run().stdout


def test_the_sessions(run: Callable[..., Result], root: Path, journal: ReadJournal) -> None:
    path = put(root / "a.py", "one\n")
    journal.record(path, "read")
    maker = Maker(project(Path(os.environ["HOME"], ".claude"), root) / "s2.jsonl", root)
    maker.read(path)
    os.utime(maker.path, (1000, 1000))
    found = values(run("--sessions", "--json"))["sessions"]
    assert [one["session"] for one in found] == ["s1", "s2"]
    assert [one["reads"] for one in found] == [1, 1]
    assert [one["source"] for one in found] == ["journal", "transcript"]
    text = run("--sessions").stdout.decode()
    for word in ("s1", "s2", "mine", "claude", "journal", "transcript", "main"):
        assert word in text
    assert values(run("--session", "s2", "--json"))["session"] == "s2"
    assert run("check", "a.py", "--session", "s2").returncode == 0
    assert run("forget", "a.py", "--session", "s2").returncode == 2


def test_forgetting(run: Callable[..., Result], root: Path, journal: ReadJournal) -> None:
    for name in ("a.py", "b.py"):
        journal.record(put(root / name, "one\n"), "read")
    done = run("forget", "a.py")
    assert done.returncode == 0
    assert b"s1" in done.stdout
    assert run("check", "a.py").returncode == 1
    assert run("check", "b.py").returncode == 0
    assert run("forget", "a.py").returncode == 2
    assert values(run("clear", "--json"))["forgotten"] == 1
    assert run("check", "b.py").returncode == 1


@pytest.mark.parametrize(
    "words",
    [
        ("check",), ("forget",), ("clear", "a"), ("dance",), ("check", "a", "--follow"),
        ("--sessions", "--state", "changed"), ("--state", "odd"), ("check", "a", "b"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_words_that_make_no_sense(words: tuple[str, ...], run: Callable[..., Result]) -> None:
    result = run(*words)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"memlens: ")
    assert b"Traceback" not in result.stderr


def test_the_help_names_everything(run: Callable[..., Result]) -> None:
    text = run("--help").stdout.decode()
    for word in ("check PATH", "forget PATH", "clear", "--session ID", "--sessions", "--state",
                 "--json", "--follow", "--root"):  # fmt: skip
        assert word in text


def test_hostile_names(run: Callable[..., Result], root: Path, journal: ReadJournal) -> None:
    put(root / "esc\x1b[31m.py", "x")
    journal.record(root / "esc\x1b[31m.py", "read")
    latin = os.fsdecode(os.fsencode(root) + b"/latin\xe9.py")
    Path(latin).write_text("x")
    journal.record(latin, "read")
    journal.append("read", path=f"{root}/\ud800.py", size=1, mtime_ns=1)
    for words in ((), ("--json",), ("--sessions",), ("check", latin), ("forget", latin)):
        result = run(*words)
        assert b"Traceback" not in result.stderr
        assert result.returncode in (0, 1), result.stderr
    assert "\x1b" not in run().stdout.decode("utf-8", "replace")
    json.loads(run("--json").stdout.decode("utf-8", "surrogateescape"))


class Following:
    """A `memlens reads --follow` that runs."""

    def __init__(self, root: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memlens", "reads", "--follow", *words],
            cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.watchdog = threading.Timer(PATIENCE, self.process.kill)
        self.watchdog.start()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def until(self, word: str) -> str:
        while line := self.line():
            if word in line:
                return line
        raise AssertionError(f"it ended without {word!r}")

    def end(self) -> tuple[int, str]:
        assert self.process.stderr is not None
        errors = self.process.stderr.read().decode()
        return self.process.wait(), errors

    def close(self) -> None:
        self.watchdog.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def follow(root: Path) -> Iterator[Callable[..., Following]]:
    running: list[Following] = []

    def start(*words: str) -> Following:
        running.append(Following(root, *words))
        return running[-1]

    yield start
    for one in running:
        one.close()


def test_following_prints_what_changes(
    follow: Callable[..., Following], root: Path, journal: ReadJournal
) -> None:
    path = put(root / "a.py", "one\n")
    journal.record(path, "read")
    following = follow()
    assert "session s1" in following.line()
    assert "unchanged" in following.until("a.py")
    path.write_text("changed\n")
    assert "changed" in following.until("  changed ")
    journal.record(put(root / "b.py", "two\n"), "read")
    following.until("b.py")
    journal.forget(path)
    following.until("forgotten")
    following.process.send_signal(signal.SIGINT)
    assert following.end() == (0, "")


def test_following_for_programs(
    follow: Callable[..., Following], root: Path, journal: ReadJournal
) -> None:
    path = put(root / "a.py", "one\n")
    journal.record(path, "read")
    following = follow("--json", "--state", "changed")
    path.write_text("changed\n")
    value = json.loads(following.line())
    assert (value["schema"], value["session"], value["state"]) == (1, "s1", "changed")
    assert value["problem"] == MODIFIED


def test_following_ends_when_nobody_reads(
    follow: Callable[..., Following], root: Path, journal: ReadJournal
) -> None:
    journal.record(put(root / "a.py", "one\n"), "read")
    following = follow()
    following.until("a.py")
    assert following.process.stdout is not None
    following.process.stdout.close()  # and nothing changes any more
    assert following.end() == (0, "")


def test_following_begins_before_there_is_a_session(
    follow: Callable[..., Following], root: Path
) -> None:
    following = follow("--json")
    journal = ReadJournal("first")
    journal.append("start", cwd=str(root))
    journal.record(put(root / "a.py", "one\n"), "read")
    assert json.loads(following.line())["path"] == str(root / "a.py")


def test_following_says_that_it_waits(follow: Callable[..., Following], root: Path) -> None:
    following = follow()
    assert following.process.stderr is not None
    told = [following.process.stderr.readline().decode() for _ in range(3)]
    assert told[0].startswith("memlens: no agent has told")
    assert told[2] == "Waiting for the first; Ctrl+C ends it.\n"
    journal = ReadJournal("first")
    journal.append("start", cwd=str(root))
    journal.record(put(root / "a.py", "one\n"), "read")
    following.until("a.py")
    following.process.send_signal(signal.SIGINT)
    assert following.end() == (0, "")


def test_following_a_session_that_is_not_there(
    follow: Callable[..., Following], root: Path
) -> None:
    code, errors = follow("--session", "nope").end()
    assert code == 2
    assert "there is no session nope" in errors
    assert "Traceback" not in errors
