"""Work of a thread: its steps, its end, and what must not be cut."""

from __future__ import annotations

import threading

import pytest

from memlens.engine.work import Stopped, Work, check, current, is_wanted, step, steps, whole


def test_without_work_nothing_is_told_and_nothing_ends() -> None:
    assert current() is None
    step(1, 2, "nothing")
    check()
    assert is_wanted()
    assert list(steps([1, 2, 3], "nothing")) == [1, 2, 3]
    with whole():
        step()


def test_each_step_says_how_far_it_is() -> None:
    seen: list[tuple[str, tuple[str, int, int]]] = []
    with Work("first") as work:
        assert work.at == ("first", 0, 0)
        seen += [(item, work.at) for item in steps("ab", "reading")]
        step(5, 9)
        assert work.at == ("reading", 5, 9)
        check()
        assert work.at == ("reading", 5, 9)
        for _ in steps(iter("ab"), "asking"):
            assert work.at[2] == 0  # nobody knows how many there are
    assert seen == [("a", ("reading", 0, 2)), ("b", ("reading", 1, 2))]
    assert current() is None


def test_it_ends_at_the_next_step_but_for_what_must_be_whole() -> None:
    with Work("it") as work:
        work.stop()
        with whole(), whole():
            step(1, 2, "writing")
            assert is_wanted()
        assert not is_wanted()
        for act in (step, check, lambda: list(steps([1]))):
            with pytest.raises(Stopped):
                act()


def test_it_is_that_of_its_thread_alone() -> None:
    others: list[Work | None] = []
    with Work("mine") as work:
        work.stop()
        other = threading.Thread(target=lambda: others.append(current()))
        other.start()
        other.join()
    assert others == [None]


def test_nothing_is_told_of_it_behind_its_end() -> None:
    told: list[Work] = []
    silent, loud = Work("silent"), Work("loud")
    assert not silent.end()
    silent.tell(told.append)
    loud.tell(told.append)
    assert loud.end()
    loud.tell(told.append)
    assert told == [loud]


def test_what_was_done_and_what_is_left_go_along() -> None:
    stopped = Stopped("moved 3 facts", rest="the others")
    assert (str(stopped), stopped.done, stopped.rest) == ("moved 3 facts",) * 2 + ("the others",)
    assert str(Stopped()) == "it was stopped"
