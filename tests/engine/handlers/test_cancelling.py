"""Whatever takes long can be cancelled: it ends early, and nothing is half done."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlens.engine import (
    AskWhy,
    Cancel,
    Cancelled,
    CheckMemories,
    Command,
    CompareAgents,
    ContextLoaded,
    CountSessions,
    DeleteMemories,
    Engine,
    EngineError,
    Event,
    Failed,
    FindDuplicates,
    FindStale,
    HistoryLoaded,
    LoadContext,
    LoadHistory,
    LoadMemories,
    LoadReads,
    LoadTrash,
    MemoriesChanged,
    MemoriesChecked,
    MemoriesLoaded,
    MemoryUndone,
    MoveMemories,
    Progress,
    SearchMemories,
    StaleFound,
    TagMemories,
    TouchPath,
    TrashLoaded,
    UndoMemory,
    VerifyContext,
    WorkEnded,
    open_workspace,
)
from memlens.engine import pace as pace_module
from memlens.engine.core import Interrupted
from memlens.engine.durable import MemoryScope, empty_trash
from memlens.engine.durable.model import MemoryEntry
from memlens.engine.record import replace
from memlens.engine.work import Stopped, Work
from tests.engine.stepping import at_each_step, stopped_while

FACTS = 12


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("Two spaces.\n@one.md\n@two.md\n")
    (root / "one.md").write_text("One.\n")
    (root / "two.md").write_text("Two.\n")
    for name in ("a", "b", "c"):
        (root / name).mkdir()
        (root / name / "CLAUDE.md").write_text(f"In {name}.\n")
    return root


@pytest.fixture
def folder(home: Path) -> Path:
    folder = home / ".local" / "share" / "mermaid" / "memory"
    folder.mkdir(parents=True)
    for number in range(FACTS):
        text = (
            f"---\nname: fact {number:02}\ndescription: about it {number}\n---\n\nBody {number}.\n"
        )
        path = folder / f"fact-{number:02}.md"
        path.write_text(text)
        os.utime(path, (1_600_000_000, 1_600_000_000))
    return folder


@pytest.fixture
def engine(root: Path, folder: Path) -> Iterator[Engine]:
    with Engine(open_workspace(root)) as engine:
        yield engine


def ask(engine: Engine, command: Command, kind: type[Event] = Event) -> Event:
    return engine.ask(replace(command, request=engine.next_request()), kind, 60)


def facts(engine: Engine) -> tuple[MemoryEntry, ...]:
    loaded = ask(engine, LoadMemories(), MemoriesLoaded)
    assert isinstance(loaded, MemoriesLoaded)
    return loaded.entries


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def cancelled(engine: Engine, command: Command, what: str, at: int = 3) -> Cancelled:
    """Stops a command at one of its steps, which must be one that it makes."""
    with stopped_while(what, at) as seen, pytest.raises(EngineError) as caught:
        ask(engine, command)
    assert [said for said, _, _ in seen].count(what) == at, f"it went on behind: {seen}"
    failure = caught.value.failure
    assert isinstance(failure, Cancelled)
    assert failure.asked
    return failure


@pytest.mark.parametrize("what", ["reading facts", "keeping what was there", "writing"])
@pytest.mark.parametrize("verb", ["tag", "delete"])
def test_a_change_of_many_facts_is_taken_back_whole(
    engine: Engine, folder: Path, verb: str, what: str
) -> None:
    before = content(folder)
    entries = facts(engine)
    command: Command = (
        TagMemories(facts=entries, add=("new",)) if verb == "tag" else DeleteMemories(facts=entries)
    )
    told = cancelled(engine, command, what)
    assert told.why == "nothing was changed"
    assert content(folder) == before
    history = ask(engine, LoadHistory(), HistoryLoaded)
    assert isinstance(history, HistoryLoaded)
    assert not history.operations
    trash = folder.parent / "trash"
    assert not trash.exists() or not any(path.is_dir() for path in trash.iterdir())
    # And what the answer carries does it again, as if nothing had been.
    again = engine.ask(replace(told.again, request=engine.next_request()), MemoriesChanged, 60)
    assert len(again.paths) == FACTS


@pytest.mark.parametrize("what", ["reading what is there", "writing"])
def test_an_undo_of_many_is_whole_or_not_at_all(engine: Engine, folder: Path, what: str) -> None:
    before = content(folder)
    ask(engine, DeleteMemories(facts=facts(engine)), MemoriesChanged)
    gone = content(folder)
    cancelled(engine, UndoMemory(), what)
    assert content(folder) == gone
    undone = ask(engine, UndoMemory(), MemoryUndone)
    assert isinstance(undone, MemoryUndone)
    assert content(folder) == before


def test_moving_ends_between_two_facts_and_says_what_was_moved(
    engine: Engine, folder: Path
) -> None:
    changes: list[MemoriesChanged] = []
    engine.bus.subscribe(MemoriesChanged, changes.append)
    private = MemoryScope.PROJECT_PRIVATE
    command = MoveMemories(facts=facts(engine), scope=private)
    with stopped_while("moving facts", 4):
        ask(engine, command)
    # Its answer tells what was done; that it was cancelled comes behind.
    listed = facts(engine)
    assert sum(one.scope is private for one in listed) == 3
    assert [change.title for change in changes] == [f"moved 3 facts to {private}"]
    assert len(content(folder)) == FACTS - 3


def test_what_is_left_of_moving_can_be_done_then(engine: Engine, folder: Path) -> None:
    told: list[Cancelled] = []
    arrived = threading.Event()

    def note(event: Cancelled) -> None:
        told.append(event)
        arrived.set()

    engine.bus.subscribe(Cancelled, note)
    private = MemoryScope.PROJECT_PRIVATE
    with stopped_while("moving facts", 4):
        ask(engine, MoveMemories(facts=facts(engine), scope=private))
        assert arrived.wait(30)
    assert told[0].why == f"moved 3 facts to {private}, {FACTS - 3} facts not"
    ask(engine, told[0].again, MemoriesChanged)
    assert {one.scope for one in facts(engine)} == {private}
    assert not content(folder)


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (CheckMemories(), "checking facts"),
        (CheckMemories(near_duplicates=True), "comparing facts"),
        (FindDuplicates(), "reading facts"),
        (FindDuplicates(), "comparing facts"),
        (SearchMemories(query="fact"), "reading facts"),
        (SearchMemories(query="fact", fuzzy=False), "reading facts"),
        (LoadContext(), "reading memory files"),
        (CompareAgents(left="raider", right="claude"), "reading memory files"),
        (AskWhy(text="Two"), "reading memory files"),
        (VerifyContext(), "reading memory files"),
    ],
)
def test_what_only_looks_ends_early_and_can_be_asked_again(
    engine: Engine, command: Command, what: str
) -> None:
    facts(engine)
    told = cancelled(engine, command, what, 2)
    assert told.why == "nothing was changed"
    ask(engine, told.again)


def test_reading_the_trash_and_the_log_can_be_cancelled(engine: Engine) -> None:
    for entry in facts(engine)[:4]:
        ask(engine, DeleteMemories(facts=(entry,)), MemoriesChanged)
    cancelled(engine, LoadHistory(), "reading what was done", 2)
    cancelled(engine, LoadTrash(), "reading what was done", 2)
    trash = ask(engine, LoadTrash(), TrashLoaded)
    assert isinstance(trash, TrashLoaded)
    assert len(trash.items) == 4


def test_sorting_out_the_trash_ends_between_two_deeds(engine: Engine) -> None:
    for entry in facts(engine)[:4]:
        ask(engine, DeleteMemories(facts=(entry,)), MemoriesChanged)
    with stopped_while("emptying the trash", 3), Work("sorting"), pytest.raises(Stopped):
        empty_trash(-1)
    trash = ask(engine, LoadTrash(), TrashLoaded)
    assert isinstance(trash, TrashLoaded)
    assert len(trash.items) == 2


def test_looking_for_nested_files_ends_with_what_was_found(engine: Engine) -> None:
    with stopped_while("looking for memory files in folders", 3):
        loaded = ask(engine, LoadContext(), ContextLoaded)
    assert isinstance(loaded, ContextLoaded)
    assert not loaded.nested.complete
    assert loaded.plan.text.endswith("Two spaces.\n@one.md\n@two.md") or "Two." in loaded.plan.text
    again = ask(engine, LoadContext(), ContextLoaded)
    assert isinstance(again, ContextLoaded)
    assert again.nested.complete


def test_reading_sessions_for_evidence_ends_with_what_there_is(engine: Engine) -> None:
    found = ask(engine, FindStale(), StaleFound)
    assert isinstance(found, StaleFound)
    assert len(found.facts) == FACTS


def test_facts_that_nobody_wants_are_not_loaded_by_the_next_in_the_queue(engine: Engine) -> None:
    answers: list[Event] = []
    ended = threading.Event()

    def note(event: Event) -> None:
        answers.append(event)
        if event.request == 102:
            ended.set()

    engine.bus.subscribe(Event, note)
    with stopped_while("loading facts", 2) as seen:
        at_work, go_on = threading.Event(), threading.Event()

        def hold(work: Work) -> None:
            at_work.set()
            assert go_on.wait(30)

        with at_each_step(hold):
            engine.bus.publish(LoadContext(request=101))
            engine.bus.publish(LoadMemories(request=102))
            assert at_work.wait(30)
            go_on.set()
            assert ended.wait(30)
    assert [what for what, _, _ in seen].count("loading facts") == 2
    first, second = (one for one in answers if one.request in (101, 102))
    assert isinstance(first, Cancelled)
    assert isinstance(second, Cancelled)
    assert (first.asked, second.asked) == (True, False)
    assert len(facts(engine)) == FACTS  # who asks from now on is answered


def test_what_waits_can_be_cancelled_too(engine: Engine) -> None:
    at_work, go_on = threading.Event(), threading.Event()
    answers: list[Event] = []
    engine.bus.subscribe(Event, answers.append)

    def hold(work: Work) -> None:
        at_work.set()
        assert go_on.wait(30)

    with at_each_step(hold):
        engine.bus.publish(LoadMemories(request=101))
        assert at_work.wait(30)
        engine.bus.publish(LoadHistory(request=102))
        engine.bus.publish(Cancel(of=102))
        go_on.set()
        facts(engine)
    assert [type(one) for one in answers if one.request == 102] == [Cancelled]
    assert not any(isinstance(one, Cancelled) for one in answers if one.request == 101)


def test_progress_is_told_until_the_end(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "SILENT", 0.0)
    monkeypatch.setattr(pace_module, "_STEP", 0.005)
    told: list[Progress] = []
    heard, ended = threading.Event(), threading.Event()

    def note(progress: Progress) -> None:
        told.append(progress)
        heard.set()

    engine.bus.subscribe(Progress, note)
    engine.bus.subscribe(WorkEnded, lambda _: ended.set())
    engine.show_progress()

    def hold(work: Work) -> None:
        if work.at[:2] == ("checking facts", 5):
            heard.clear()
            assert heard.wait(30)
            engine.bus.publish(Cancel(work=told[-1].work))

    with at_each_step(hold), pytest.raises(EngineError) as caught:
        ask(engine, CheckMemories(), MemoriesChecked)
    assert ended.wait(30)
    last = told[-1]
    assert (last.part, last.what, last.done, last.total) == (
        "memory_curation", "checking facts", 5, FACTS,
    )  # fmt: skip
    assert isinstance(caught.value.failure, Cancelled)
    assert caught.value.failure.doing == "checking facts"


def test_short_work_is_not_told_of(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "SILENT", 3600.0)
    monkeypatch.setattr(pace_module, "_STEP", 0.005)
    told: list[Event] = []
    engine.bus.subscribe(Progress, told.append)
    engine.bus.subscribe(WorkEnded, told.append)
    engine.show_progress()
    facts(engine)
    ask(engine, CheckMemories())
    assert not told


def test_an_end_of_the_program_waits_for_what_is_written(engine: Engine, folder: Path) -> None:
    entries = facts(engine)
    at_work, go_on = threading.Event(), threading.Event()

    def hold(work: Work) -> None:
        if work.at[0] == "writing":
            at_work.set()
            assert go_on.wait(30)

    with at_each_step(hold):
        engine.bus.publish(DeleteMemories(request=7, facts=entries))
        assert at_work.wait(30)
        closing = threading.Thread(target=engine.close, args=(30.0,))
        closing.start()
        go_on.set()
        closing.join(30)
    assert not content(folder)


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(),
    reason="signals reach the main thread",
)
def test_ctrl_c_ends_a_script_s_command_and_says_what_was_done(
    engine: Engine, folder: Path
) -> None:
    before = content(folder)
    entries = facts(engine)

    def press(work: Work) -> None:
        if work.at[0] == "writing" and not work.stopped:
            os.kill(os.getpid(), signal.SIGINT)
            while not work.stopped:
                threading.Event().wait(0.001)

    with at_each_step(press), pytest.raises(Interrupted) as caught:
        ask(engine, DeleteMemories(facts=entries))
    assert str(caught.value) == "interrupted while deleting facts: nothing was changed"
    assert content(folder) == before


def test_reads_and_touches_answer_after_a_cancelled_question(engine: Engine) -> None:
    cancelled(engine, TouchPath(path="a/x.py"), "reading memory files", 1)
    ask(engine, TouchPath(path="a/x.py"))
    ask(engine, LoadReads())
    ask(engine, CountSessions())


def test_cancelling_all_answers_also_what_waits(engine: Engine) -> None:
    at_work, go_on = threading.Event(), threading.Event()
    answers: list[Event] = []
    engine.bus.subscribe(Event, answers.append)

    def hold(work: Work) -> None:
        at_work.set()
        assert go_on.wait(30)

    with at_each_step(hold):
        engine.bus.publish(LoadMemories(request=101))
        assert at_work.wait(30)
        engine.bus.publish(LoadHistory(request=102))
        engine.cancel_all()
        go_on.set()
    assert engine.drain(30)
    assert {one.request for one in answers if isinstance(one, Cancelled)} == {101, 102}


def test_the_prompt_is_told_whole_when_facts_have_been_loaded(engine: Engine, folder: Path) -> None:
    ask(engine, LoadContext(), ContextLoaded)  # from now on it follows the facts
    heard: list[Event] = []
    engine.bus.subscribe(Event, heard.append)
    (folder / "fact-00.md").unlink()
    with stopped_while("looking for memory files in folders", 2):
        ask(engine, LoadMemories(), MemoriesLoaded)
    engine.drain(30)
    loaded = [event for event in heard if isinstance(event, ContextLoaded)]
    assert [event.nested.complete for event in loaded] == [True]
    assert "fact 00" not in loaded[0].plan.text
    assert not any(isinstance(event, Failed) for event in heard)
