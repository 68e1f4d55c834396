"""Meeting work at a step of it, wherever it runs: to stop it there, or to have it stand still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

from memlens.engine.work import Work


@contextmanager
def at_each_step(act: Callable[[Work], object]) -> Iterator[None]:
    """`act` is called at each step of any work, on its thread."""
    step, is_wanted = Work.step, Work.is_wanted

    def stepping(self: Work, done: int, total: int, what: str) -> None:
        self.at = (what or self.at[0], done, total)
        act(self)
        step(self, done, total, what)

    def asking(self: Work, done: int, total: int, what: str) -> bool:
        self.at = (what or self.at[0], done, total)
        act(self)
        return is_wanted(self, done, total, what)

    with mock.patch.object(Work, "step", stepping), mock.patch.object(Work, "is_wanted", asking):
        yield


@contextmanager
def stopped_while(what: str, at: int = 1) -> Iterator[list[tuple[str, int, int]]]:
    """Work is stopped at the `at`-th step (from 1) in which it does `what`; gives all steps."""
    seen: list[tuple[str, int, int]] = []

    def stop(work: Work) -> None:
        seen.append(work.at)
        if sum(said == what for said, _, _ in seen) == at and work.at[0] == what:
            work.stop()

    with at_each_step(stop):
        yield seen
