"""The engine: commands in order on its own thread, failures as events, late questions dropped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlens.engine import (
    ContextLoaded,
    DiskChanged,
    Engine,
    EngineError,
    Event,
    Failed,
    LoadContext,
    LoadMemories,
    MemoriesLoaded,
    MemoryOpened,
    OpenMemory,
    open_workspace,
)
from memlens.engine.commands.base import Command


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "CLAUDE.md").write_text("Two spaces.\n")
    return root


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(open_workspace(root)) as engine:
        yield engine


def test_a_question_is_answered_from_the_engines_thread(engine: Engine) -> None:
    threads = set[int]()
    engine.bus.subscribe(Event, lambda _: threads.add(threading.get_ident()))
    loaded = engine.ask(LoadContext(request=engine.next_request()), ContextLoaded)
    assert loaded.plan.text.endswith("Two spaces.")
    assert threads
    assert threading.get_ident() not in threads


def test_commands_run_one_after_another_in_order(engine: Engine) -> None:
    answers = list[tuple[str, int]]()
    done = threading.Event()

    def note(event: Event) -> None:
        answers.append((type(event).__name__, event.request))
        if event.request == 4:
            done.set()

    engine.bus.subscribe(Event, note)
    for command in (LoadContext(request=1), LoadMemories(request=2), LoadContext(request=4)):
        engine.bus.publish(command)
        if command.request == 1:
            # Else the newer question of the same kind would overtake the first.
            engine.ask(LoadMemories(request=100), MemoriesLoaded)
    assert done.wait(60)
    assert [number for _, number in answers] == [1, 100, 2, 4]


def test_a_waiting_question_is_dropped_for_a_newer_one_of_its_kind(engine: Engine) -> None:
    first, go = threading.Event(), threading.Event()
    answers = list[int]()

    def hold(event: ContextLoaded) -> None:
        answers.append(event.request)
        first.set()
        go.wait(60)

    engine.bus.subscribe(ContextLoaded, hold)
    engine.bus.publish(LoadContext(request=1))
    assert first.wait(60)
    for number in range(2, 50):
        engine.bus.publish(LoadContext(request=number))
    go.set()
    engine.ask(LoadMemories(request=100), MemoriesLoaded)
    assert answers == [1, 49]


def test_a_failure_is_an_event_and_the_engine_goes_on(engine: Engine, root: Path) -> None:
    missing = str(root / "none.md")
    with pytest.raises(EngineError) as caught:
        engine.ask(OpenMemory(request=1, path=missing), MemoryOpened)
    assert caught.value.failure.what == "open memory"
    assert "none.md" in str(caught.value)
    assert engine.ask(LoadContext(request=2), ContextLoaded).request == 2


def test_a_command_nobody_handles_fails_loudly(engine: Engine) -> None:
    class Unknown(Command):
        part = "workspace"

    with pytest.raises(EngineError, match="cannot unknown"):
        engine.ask(Unknown(request=3), ContextLoaded)


def test_a_failing_subscriber_becomes_an_event_too(engine: Engine) -> None:
    failures = list[Failed]()
    engine.bus.subscribe(Failed, failures.append)

    def fail(_: ContextLoaded) -> None:
        raise RuntimeError("no paint")

    engine.bus.subscribe(ContextLoaded, fail)
    engine.ask(LoadContext(request=1), ContextLoaded)
    engine.ask(LoadMemories(request=2), MemoriesLoaded)
    assert [(one.what, one.why) for one in failures] == [
        ("show ContextLoaded", "RuntimeError: no paint")
    ]


def test_nothing_is_answered_after_closing(root: Path) -> None:
    engine = Engine(open_workspace(root))
    engine.start()
    engine.start()
    engine.close()
    with pytest.raises(TimeoutError):
        engine.ask(LoadContext(request=1), ContextLoaded, timeout=0.05)


def test_facts_that_change_change_the_plan(engine: Engine, root: Path) -> None:
    before = engine.ask(LoadContext(request=1), ContextLoaded)
    assert "# Memory" not in before.plan.text
    loaded = engine.ask(LoadMemories(request=2), MemoriesLoaded)
    folder = Path(loaded.roots[0].path)
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\nname: a\ndescription: first\n---\n\nbody\n")
    engine.ask(LoadMemories(request=3), MemoriesLoaded)
    after = engine.ask(LoadContext(request=4), ContextLoaded)
    assert "- [a] first" in after.plan.text


def test_changes_that_wait_are_done_together() -> None:
    one, other = DiskChanged(paths=frozenset(["/a"])), DiskChanged(paths=frozenset(["/b"]))
    assert other.absorbing(one) == DiskChanged(paths=frozenset(["/a", "/b"]))
    assert DiskChanged().absorbing(one) == one.absorbing(DiskChanged()) == DiskChanged()
    assert LoadContext(request=2).absorbing(LoadContext(request=1)) == LoadContext(request=2)
