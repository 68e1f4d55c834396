"""Work makes way for the answers to what somebody types."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memlens.engine import Engine, MemoriesFound, SearchMemories, open_workspace
from memlens.engine import way as way_module
from memlens.engine.commands.base import KEYS, Command
from memlens.engine.way import RightOfWay
from memlens.engine.work import Stopped, Work, ahead, answered, step


@pytest.fixture(autouse=True)
def _nothing_to_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_module, "PAINTED", 0.0)
    monkeypatch.setattr(way_module, "HELD", 60.0)


def stepping(work: Work) -> tuple[threading.Thread, threading.Event]:
    """A thread that takes one step of `work`, and what tells that it has."""
    passed = threading.Event()

    def run() -> None:
        with work:
            try:
                step()
            except Stopped:
                pass
            passed.set()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, passed


def test_work_waits_while_somebody_waits_for_an_answer() -> None:
    way = RightOfWay()
    way.take()
    thread, passed = stepping(Work("checking", 1, way))
    assert not passed.wait(0.05)
    with Work("answering", 2, way, question=True):
        step()  # the question itself waits for nobody
        answered()
    assert passed.wait(60)
    thread.join()


def test_what_is_not_wanted_any_more_does_not_wait() -> None:
    way = RightOfWay()
    way.take()
    work = Work("checking", 1, way)
    thread, passed = stepping(work)
    work.stop()
    assert passed.wait(60)
    thread.join()


def test_what_everybody_waits_for_makes_no_way() -> None:
    way = RightOfWay()
    way.take()
    with Work("loading", 1, way):
        with ahead():
            step()
        answered()  # no question: it answers nobody
        way.give()
        step()
    answered()


def test_the_engine_gives_the_way_back_with_each_answer(tmp_path: Path) -> None:
    class Toil(Command):
        part = "toil"
        lane = "toil"

    class Ask(Command):
        part = "toil"
        lane = KEYS

    seen: list[str] = []
    asked, toiled, may_answer = threading.Event(), threading.Event(), threading.Event()

    def toil(_: Command) -> None:
        asked.wait(60)
        step()
        seen.append("toiled")
        toiled.set()

    def answer(_: Command) -> None:
        asked.set()
        may_answer.wait(60)
        seen.append("answered")

    with Engine(open_workspace(tmp_path)) as engine:
        engine._parts["toil"] = {Toil: toil, Ask: answer}
        engine.bus.publish(Toil(request=1))
        engine.bus.publish(Ask(request=2))
        assert not toiled.wait(0.05)
        may_answer.set()
        assert toiled.wait(60)
    assert seen == ["answered", "toiled"]


def test_facts_are_found_while_their_words_are_learnt(tmp_path: Path) -> None:
    from memlens.engine.durable import MemoryScope, write_memory

    write_memory(tmp_path, MemoryScope.GLOBAL, "pnpm", "Use pnpm", [], "never npm, always pnpm")
    with Engine(open_workspace(tmp_path)) as engine:
        for query in ("", "p", "pnpn", "alwyas"):
            command = SearchMemories(request=engine.next_request(), query=query)
            assert [hit.entry.name for hit in engine.ask(command, MemoriesFound).hits] == ["pnpm"]
        assert engine.drain(60)
