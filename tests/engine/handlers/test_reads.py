"""The read state through the bus: which session, following, cancelling, comparing, forgetting."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlens.engine import (
    Cancel,
    CheckWrite,
    CompareRead,
    CountSessions,
    DiskChanged,
    Engine,
    EngineError,
    Event,
    Failed,
    ForgetReads,
    LoadContext,
    LoadReads,
    ReadCompared,
    ReadsForgotten,
    ReadsLoaded,
    ReadsRestored,
    RestoreReads,
    SessionsCounted,
    WriteChecked,
    open_workspace,
)
from memlens.engine.events.workspace import ContextLoaded
from memlens.engine.reads import MODIFIED, NEVER_READ, ReadJournal, ReadLog
from memlens.engine.work import Work
from tests.engine.reads.making import Maker, project, put
from tests.engine.stepping import at_each_step, stopped_while

TEXT = "one\ntwo\nthree\n"


class House:
    """A folder with sessions, and an engine on it."""

    def __init__(self, root: Path, engine: Engine) -> None:
        self.root = root / "work"
        self.claude = root / "claude"
        self.engine = engine
        self.heard: list[Event] = []
        engine.bus.subscribe(Event, self.heard.append)

    def transcript(self, name: str) -> Maker:
        return Maker(project(self.claude, self.root) / f"{name}.jsonl", self.root)

    def journal(self, name: str) -> ReadJournal:
        journal = ReadJournal(name, agent="mine")
        journal.append("start", cwd=str(self.root))
        return journal

    def file(self, name: str, text: str = TEXT) -> Path:
        return put(self.root / name, text)

    def load(self, session: str | None = None) -> ReadsLoaded:
        command = LoadReads(request=self.engine.next_request(), session=session)
        return self.engine.ask(command, ReadsLoaded, 30)

    def log(self, session: str | None = None) -> ReadLog:
        log = self.load(session).log
        assert log is not None
        return log

    def compare(self, path: Path) -> ReadCompared:
        command = CompareRead(request=self.engine.next_request(), path=str(path))
        return self.engine.ask(command, ReadCompared, 30)

    def check(self, path: str) -> WriteChecked:
        command = CheckWrite(request=self.engine.next_request(), path=path)
        return self.engine.ask(command, WriteChecked, 30)

    def forget(self, path: str = "") -> ReadsForgotten:
        command = ForgetReads(request=self.engine.next_request(), path=path)
        return self.engine.ask(command, ReadsForgotten, 30)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    with Engine(open_workspace(tmp_path / "work")) as engine:
        yield House(tmp_path, engine)


def age(path: Path, when: float) -> None:
    os.utime(path, (when, when))


def test_the_newest_session_until_one_is_chosen(house: House) -> None:
    one, two = house.transcript("one"), house.transcript("two")
    one.read(house.file("a"))
    two.read(house.file("b"))
    age(one.path, 1000.0)
    age(two.path, 2000.0)
    assert house.log().session.id == "two"
    age(one.path, 3000.0)  # both run at the same time: they do not take turns on the screen
    assert house.log().session.id == "two"
    assert house.log("one").session.id == "one"
    three = house.transcript("three")
    three.read(house.file("c"))
    assert house.log().session.id == "one"
    assert house.log("").session.id == "three"
    four = house.transcript("four")
    four.read(house.file("d"))
    age(four.path, 1_900_000_000.0)
    assert house.log().session.id == "four"


def test_a_session_that_is_not_there_or_elsewhere(house: House, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no session nope"):
        house.load("nope")
    other = tmp_path / "other"
    other.mkdir()
    Maker(project(house.claude, other) / "theirs.jsonl", other).prompt()
    with pytest.raises(EngineError) as raised:
        house.load("theirs")
    assert str(other) in raised.value.failure.hint
    ReadJournal("journalled").append("start", cwd=str(other))
    with pytest.raises(EngineError) as raised:
        house.load("journalled")
    assert str(other) in raised.value.failure.hint
    assert house.load().log is None


def test_no_home_folder_at_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "MEMLENS_STATE_DIR"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    (house.root / "projects").mkdir()
    with Engine(open_workspace(house.root)) as engine:
        loaded = engine.ask(LoadReads(request=1), ReadsLoaded, 30)
    assert loaded.log is None
    assert (loaded.sessions, loaded.journal_folder) == ((), "")


def test_sessions_of_another_home(house: House, tmp_path: Path) -> None:
    home = tmp_path / "theirs"
    Maker(project(home / ".claude", house.root) / "s.jsonl", house.root).read(house.file("a"))
    with Engine(open_workspace(house.root, home=home)) as engine:
        loaded = engine.ask(LoadReads(request=1), ReadsLoaded, 30)
    assert loaded.log is not None
    assert loaded.log.session.id == "s"


def test_news_is_told_once(house: House) -> None:
    journal = house.journal("j")
    path = house.file("a")
    journal.record(path, "read")
    house.load()

    def loaded() -> int:
        return sum(isinstance(event, ReadsLoaded) for event in house.heard)

    before = loaded()
    house.engine.bus.publish(DiskChanged())
    house.load()  # behind the other, in the same lane
    assert loaded() == before + 1
    path.write_text("changed\n")
    arrived = threading.Event()
    house.engine.bus.subscribe(ReadsLoaded, lambda _: arrived.set())
    house.engine.bus.publish(DiskChanged())
    assert arrived.wait(30)
    assert [entry.state for entry in house.log().paths] == ["changed"]


@pytest.fixture
def long_session(house: House) -> Maker:
    """A session of several chunks."""
    maker = house.transcript("long")
    path = house.file("a")
    for _ in range(40):
        maker.says("word " * 20_000)
    maker.read(path)
    return maker


def test_a_long_reading_can_be_ended(house: House, long_session: Maker) -> None:
    request = house.engine.next_request()
    long_session.says("word " * 200_000)
    told: list[tuple[str, int, int]] = []

    def end(work: Work) -> None:
        told.append(work.at)
        house.engine.bus.publish(Cancel(of=request))

    with at_each_step(end):
        loaded = house.engine.ask(LoadReads(request=request), ReadsLoaded, 60)
    assert {what for what, _, _ in told} == {"reading the session"}
    assert all(0 <= done < total for _, done, total in told)
    assert loaded.unread_bytes > 0
    again = house.load()
    assert again.unread_bytes == 0
    assert again.log is not None
    assert [entry.path for entry in again.log.paths] == [str(house.root / "a")]


def test_of_half_a_session_nothing_is_said_about_a_file(house: House, long_session: Maker) -> None:
    command = CheckWrite(request=house.engine.next_request(), path="a")
    with (
        stopped_while("reading the session"),
        pytest.raises(EngineError, match="nothing was changed"),
    ):
        house.engine.ask(command, WriteChecked, 60)
    command = CheckWrite(request=house.engine.next_request(), path="a")
    entry = house.engine.ask(command, WriteChecked, 60).entry
    assert entry is not None
    assert entry.problem is None


def test_other_commands_need_not_wait_for_a_long_reading(house: House, long_session: Maker) -> None:
    go_on = threading.Event()

    def stand_still(work: Work) -> None:
        if threading.current_thread().name == "memlens-reads":
            assert go_on.wait(30)

    with at_each_step(stand_still):
        house.engine.bus.publish(LoadReads(request=house.engine.next_request()))
        # The lane of the reads stands still now; this one does not.
        house.engine.ask(LoadContext(request=house.engine.next_request()), ContextLoaded, 30)
        go_on.set()
        house.load()


def test_the_engine_ends_while_a_session_is_read(house: House, long_session: Maker) -> None:
    reading = threading.Event()
    with at_each_step(lambda _: reading.set()):
        house.engine.bus.publish(LoadReads(request=house.engine.next_request()))
        assert reading.wait(30)
        house.engine.close(timeout=30)
    assert not any(
        thread.name == "memlens-reads" and thread.is_alive() for thread in threading.enumerate()
    )


def test_reads_are_counted(house: House) -> None:
    house.transcript("t").read(house.file("a"))
    house.journal("j").record(house.file("b"), "read")

    def counts(limit: int) -> dict[str, int]:
        command = CountSessions(request=house.engine.next_request(), limit=limit)
        found = house.engine.ask(command, SessionsCounted, 30).sessions
        return {session.id: session.reads for session in found}

    assert counts(0) == {"t": -1, "j": 1}
    assert counts(1 << 20) == {"t": 1, "j": 1}


def test_what_a_write_would_be_told(house: House) -> None:
    assert house.check("a").entry is None
    path = house.file("a")
    house.journal("j").record(path, "read")
    house.file("b")
    for name, problem in (("a", None), (str(path), None), ("b", NEVER_READ), ("none", None)):
        entry = house.check(name).entry
        assert entry is not None
        assert entry.problem == problem
        assert ("no such file yet" in entry.reason) == (name == "none")
    path.write_text("changed\n")
    entry = house.check("a").entry
    assert entry is not None
    assert entry.problem == MODIFIED


def test_the_difference_to_what_the_transcript_holds(house: House) -> None:
    path = house.file("a")
    house.transcript("t").read(path)
    assert house.compare(path).lines == ()
    assert house.compare(path).problem == ""
    path.write_text("one\n2\nthree\n")
    compared = house.compare(path)
    assert [(line.kind, line.text) for line in compared.lines] == [
        ("same", "one"), ("removed", "two"), ("added", "2"), ("same", "three"),
    ]  # fmt: skip
    assert (compared.source, compared.first_line) == ("transcript", 2)
    path.unlink()
    assert {line.kind for line in house.compare(path).lines} == {"removed"}
    path.mkdir()
    assert "folder" in house.compare(path).problem


def test_the_last_line_end_of_a_transcript_is_no_difference(house: House) -> None:
    path = house.file("a")
    house.transcript("t").read(path, TEXT.rstrip("\n"))
    path.write_text("one\ntwo\nthree\nfour\n")
    kinds = [(line.kind, line.text) for line in house.compare(path).lines]
    assert kinds[-1] == ("added", "four")
    assert ("removed", "three") not in kinds


def test_the_difference_to_what_git_has(house: House) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", *words],
            cwd=house.root, check=True, capture_output=True,
        )  # fmt: skip

    path = house.file("a")
    journal = house.journal("j")
    journal.record(path, "read")
    path.write_text("one\n2\nthree\n")
    assert "hash of what was read" in house.compare(path).problem
    path.write_text(TEXT)
    git("init", "-q")
    git("add", "a")
    path.write_text("one\n2\nthree\n")
    assert house.compare(path).source == "git"
    path.write_text(TEXT)
    git("commit", "-qm", "x")
    path.write_text("later\n")
    git("commit", "-qam", "y")
    compared = house.compare(path)
    assert compared.source == "git"
    assert ("added", "later") in [(line.kind, line.text) for line in compared.lines]


def test_what_cannot_be_compared_says_why(house: House) -> None:
    part, binary, ends = house.file("part"), house.file("binary", "a\0b"), house.file("ends")
    never = house.file("never")
    journal = house.journal("j")
    journal.record(part, "partial", ranges=[[2, 3]], total_lines=3)
    part.write_text("now\n")
    assert "Only lines 2–3 were read" in house.compare(part).problem
    assert house.compare(part).first_line == 2
    assert "nothing to compare" in house.compare(never).problem
    maker = house.transcript("j")
    maker.read(binary, "a\0b")
    binary.write_bytes(b"a\0c")
    assert "no text" in house.compare(binary).problem
    maker.read(ends)
    ends.write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert house.compare(ends).lines == ()


def test_forgetting_can_be_taken_back(house: House) -> None:
    path, part = house.file("a"), house.file("b")
    journal = house.journal("j")
    journal.record(path, "read")
    journal.record(path, "write")
    journal.record(part, "partial", ranges=[[1, 1]], total_lines=3)
    journal.refuse(part, MODIFIED)
    path.write_text("changed since\n")
    before = house.log().paths
    done = house.forget(str(path))
    assert (done.count, done.still_told) == (1, False)
    assert [entry.path for entry in house.log().paths] == [str(part)]

    def restore(done: ReadsForgotten) -> int:
        command = RestoreReads(request=house.engine.next_request(), step=done.step)
        return house.engine.ask(command, ReadsRestored, 30).count

    assert restore(done) == 1
    assert house.log().paths == before
    done = house.forget()
    assert done.count == 2
    assert house.log().paths == ()
    assert restore(done) == 2
    assert house.log().paths == before
    with pytest.raises(EngineError, match="knows nothing of this file"):
        house.forget(str(house.root / "other"))


def test_what_was_lost_in_a_compaction_does_not_come_back(house: House) -> None:
    path = house.file("a")
    journal = house.journal("j")
    journal.record(path, "read")
    journal.append("compact")
    done = house.forget(str(path))
    house.engine.ask(
        RestoreReads(request=house.engine.next_request(), step=done.step), ReadsRestored, 30
    )
    assert journal.write_problem(path)[0] == NEVER_READ


def test_a_transcript_is_never_changed(house: House) -> None:
    path = house.file("a")
    maker = house.transcript("t")
    maker.read(path)
    before = maker.path.read_bytes()
    with pytest.raises(EngineError, match="never changes"):
        house.forget(str(path))
    house.journal("t").record(path, "read")
    done = house.forget(str(path))
    assert done.still_told
    assert maker.path.read_bytes() == before


def test_nothing_is_forgotten_where_nothing_may_be_written(house: House) -> None:
    path = house.file("a")
    journal = house.journal("j")
    journal.record(path, "read")
    with Engine(open_workspace(house.root, read_only=True)) as engine:
        failures: list[Failed] = []
        engine.bus.subscribe(Failed, failures.append)
        with pytest.raises(EngineError, match="nothing can be written"):
            engine.ask(ForgetReads(request=1, path=str(path)), ReadsForgotten, 30)
    assert journal.write_problem(path)[0] is None


def test_folders_close_by(house: House) -> None:
    house.transcript("s").read(house.file("a"))
    inner = house.root / "inner" / "deep"
    inner.mkdir(parents=True)
    for root, near in ((inner, house.root), (house.root.parent, house.root)):
        with Engine(open_workspace(root)) as engine:
            loaded = engine.ask(LoadReads(request=1), ReadsLoaded, 30)
        assert loaded.log is None
        assert loaded.near == (str(near),)
