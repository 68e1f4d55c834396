"""Work that takes longer than a second: it is shown, cancelled by key and mouse, and done again."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memlens.app.screens.choose import Choose
from memlens.app.screens.compare import CompareScreen
from memlens.app.screens.review import ReviewScreen
from memlens.app.widgets.work_line import WorkLine
from memlens.engine import CheckMemories
from memlens.engine import pace as pace_module
from memlens.engine.work import Work
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import PATIENCE, driven, loaded, make_app, opened, screen_text, until
from tests.engine.review.conftest import IDENTITY, make_repo
from tests.engine.stepping import at_each_step


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "SILENT", 0.0)
    monkeypatch.setattr(pace_module, "_STEP", 0.01)


class Held:
    """Work that stands still at its steps until it is let go or cancelled."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.go_on = threading.Event()
        self.at_work = threading.Event()

    def at_step(self, work: Work) -> None:
        if work.at[0] == self._what:
            self.at_work.set()
            while not work.stopped and not self.go_on.wait(0.005):
                pass


@asynccontextmanager
async def held(
    workspace: Workspace, what: str, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Pilot[Any], Held]]:
    """The app, everything loaded; whatever does `what` stands still then."""
    stands = Held(what)
    async with opened(workspace, size, waits_for_engine=False) as pilot:
        with at_each_step(stands.at_step):
            try:
                yield pilot, stands
            finally:
                stands.go_on.set()


def line_of(pilot: Pilot[Any]) -> str:
    """The corner of the screen on top."""
    lines = [line for line in pilot.app.screen.query(WorkLine) if line.display]
    return str(lines[0].render()) if lines else ""


def check(pilot: Pilot[Any]) -> None:
    """Asks for what may take long."""
    pilot.app.bridge.publish(CheckMemories())  # type: ignore[attr-defined]


def toasts(pilot: Pilot[Any]) -> list[str]:
    return [f"{one.title}: {one.message}" for one in pilot.app._notifications]


def shows(pilot: Pilot[Any], words: str) -> Callable[[], bool]:
    return lambda: words in screen_text(pilot.app)


async def test_it_appears_in_the_corner_and_goes(demo: Workspace) -> None:
    async with held(demo, "checking facts") as (pilot, stands):
        assert not line_of(pilot)
        check(pilot)
        await until(pilot, stands.at_work.is_set)
        await until(pilot, lambda: "checking facts" in line_of(pilot))
        assert "F8 cancels" in screen_text(pilot.app).splitlines()[0]
        stands.go_on.set()
        await until(pilot, lambda: not line_of(pilot))
        assert not toasts(pilot)


async def test_a_key_cancels_and_another_does_it_again(demo: Workspace) -> None:
    async with held(demo, "checking facts") as (pilot, stands):
        check(pilot)
        await until(pilot, lambda: "checking facts" in line_of(pilot))
        await pilot.press("f8")
        await until(pilot, lambda: toasts(pilot))
        assert toasts(pilot) == [
            "Cancelled: checking facts: Nothing was changed. F9 does it again."
        ]
        pane = pilot.app.screen.query_one("#memory-browser")
        await until(pilot, lambda: "cancelled, F9 does it again" in str(pane.border_subtitle))
        await until(pilot, lambda: not line_of(pilot))
        stands.at_work.clear()
        await pilot.press("f9")
        await until(pilot, stands.at_work.is_set, "it was not done again")
        stands.go_on.set()
        await until(pilot, lambda: not line_of(pilot))


async def test_a_click_cancels(demo: Workspace) -> None:
    async with held(demo, "checking facts") as (pilot, _):
        check(pilot)
        await until(pilot, lambda: "checking facts" in line_of(pilot))
        await pilot.click(WorkLine)
        await until(pilot, lambda: toasts(pilot))
        await until(pilot, lambda: not line_of(pilot))


async def test_it_is_shown_over_a_dialog_and_cancelled_from_a_field(demo: Workspace) -> None:
    async with held(demo, "checking facts") as (pilot, _):
        check(pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        await until(pilot, lambda: "checking facts" in line_of(pilot))
        await pilot.press("f8")
        await until(pilot, lambda: not line_of(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def test_without_long_work_the_keys_say_so(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("f8", "f9")
        await until(pilot, lambda: len(toasts(pilot)) == 2)
        assert toasts(pilot) == [
            "Cancel: Nothing takes long just now.", "Do it again: Nothing was cancelled.",
        ]  # fmt: skip


async def test_loading_at_the_start_can_be_cancelled(demo: Workspace) -> None:
    stands = Held("reading memory files")
    app = make_app(demo)
    with at_each_step(stands.at_step):
        async with driven(app, waits_for_engine=False) as pilot:
            try:
                await until(pilot, lambda: "reading memory files" in line_of(pilot))
                await pilot.press("f8")
                tree = app.screen.query_one("#memory-tree")
                await until(pilot, lambda: "cancelled" in str(tree.border_subtitle))
            finally:
                stands.go_on.set()
            await pilot.press("f9")
            await loaded(pilot)
            await until(pilot, lambda: "cancelled" not in str(tree.border_subtitle))


async def test_a_comparison_that_was_cancelled_says_so(demo: Workspace) -> None:
    async with held(demo, "reading memory files") as (pilot, stands):
        await pilot.press("P")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, lambda: "reading memory files" in line_of(pilot))
        await pilot.press("f8")
        await until(pilot, lambda: "cancelled, F9 does it again" in screen_text(pilot.app))
        stands.go_on.set()
        await pilot.press("f9")
        await until(pilot, lambda: "only one of them gets" in screen_text(pilot.app))


async def test_a_review_that_was_cancelled_says_so(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    repo = make_repo(tmp_path / "repo")
    repo.commit({"CLAUDE.md": "One.\n"})
    repo.add({"CLAUDE.md": "Two.\n"})
    workspace = open_workspace(repo.top, home=home)
    async with held(workspace, "finding who reads the files") as (pilot, stands):
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await until(pilot, lambda: "finding who reads" in line_of(pilot))
        await pilot.press("f8")
        await until(pilot, lambda: "reading it was cancelled" in screen_text(pilot.app))
        stands.go_on.set()
        await pilot.press("f5")
        await until(pilot, lambda: "reading it was cancelled" not in screen_text(pilot.app))


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_it_fits_a_small_terminal(demo: Workspace, size: tuple[int, int]) -> None:
    async with held(demo, "checking facts", size) as (pilot, _):
        check(pilot)
        await until(pilot, lambda: "checking facts" in line_of(pilot))
        await until(pilot, shows(pilot, "F8 cancels"))
        line = pilot.app.screen.query_one(WorkLine)
        assert line.region.right == size[0]
        assert line.region.y == 0


async def test_what_ends_late_says_that_it_is_ending(demo: Workspace) -> None:
    go_on, at_work = threading.Event(), threading.Event()

    def hold(work: Work) -> None:
        if work.at[0] == "checking facts":
            at_work.set()
            assert go_on.wait(PATIENCE)

    async with opened(demo, waits_for_engine=False) as pilot:
        with at_each_step(hold):
            check(pilot)
            await until(pilot, lambda: "checking facts" in line_of(pilot))
            await pilot.press("f8")
            await until(pilot, lambda: "ending: checking facts" in line_of(pilot))
            assert "cancels" not in line_of(pilot)
            await pilot.press("f8")
            await until(pilot, lambda: "half done" in str(toasts(pilot)))
            go_on.set()
            await until(pilot, lambda: "Nothing was changed" in str(toasts(pilot)))
            await until(pilot, lambda: not line_of(pilot))
