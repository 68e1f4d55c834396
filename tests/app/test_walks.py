"""The three uses from end to end, by keys only and by mouse only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Button

from memlens.app.actions import BY_NAME
from memlens.app.panes.memory_browser.form import MemoryForm
from memlens.app.screens.choose import Choose
from memlens.app.screens.review import ReviewScreen
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.line_view import LineView
from memlens.demo import make_repository
from memlens.engine.workspace import Workspace
from tests.app.conftest import DEMO_PLACE
from tests.app.pilot import line_at_cursor, opened, screen_text, shown, until


class Keys:
    """Does everything with keys."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot

    async def pane(self, number: int) -> None:
        await self.pilot.press(str(number))

    async def act(self, name: str) -> None:
        await self.pilot.press(BY_NAME[name].keys[0])

    async def line(self, view: str, text: str) -> None:
        lines = self.pilot.app.screen.query_one(view, LineView)
        await self.pilot.press("g")
        for _ in shown(lines):
            if text in line_at_cursor(lines):
                return
            await self.pilot.press("j")
        raise AssertionError(f"no {text!r} in {shown(lines)}")

    async def answer(self, key: str) -> None:
        await self.pilot.press(key)


class Mouse:
    """Does everything with the mouse."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot

    async def pane(self, number: int) -> None:
        names = ("#tree-lines", "#prompt-lines", "#memory-results", "#read-lines")
        await self.pilot.click(names[number - 1], offset=(4, 0))

    async def act(self, name: str) -> None:
        bar = self.pilot.app.screen.query_one(ActionBar)
        await self.pilot.pause()
        for start, _, _, action in bar._places:
            if action.name == name:
                await self.pilot.click(bar, offset=(start + 1, 0))
                return
        # What has no room in the footer stands in the menu of the right button.
        focused = self.pilot.app.screen.focused
        assert isinstance(focused, Widget)
        await self.pilot.click(focused, button=3, offset=(4, 0))
        await until(self.pilot, lambda: isinstance(self.pilot.app.screen, Choose))
        lines = self.pilot.app.screen.query_one("#choose-lines", LineView)
        row = next(
            row for row, text in enumerate(shown(lines)) if f" {BY_NAME[name].title} " in f"{text} "
        )
        lines.scroll_to(y=max(0, row - 2), animate=False, immediate=True)
        await self.pilot.pause()
        await self.pilot.click(lines, offset=(4, row - round(lines.scroll_y)))

    async def line(self, view: str, text: str) -> None:
        lines = self.pilot.app.screen.query_one(view, LineView)
        row = next(row for row, line in enumerate(shown(lines)) if text in line)
        lines.scroll_to(y=max(0, row - 2), animate=False, immediate=True)
        await self.pilot.pause()
        await self.pilot.click(lines, offset=(4, row - round(lines.scroll_y)))

    async def answer(self, key: str) -> None:
        names = {"y": "#yes", "n": "#no"}
        await self.pilot.click(self.pilot.app.screen.query_one(names[key], Button))


@pytest.fixture(params=[Keys, Mouse], ids=["keys", "mouse"])
def hands(request: pytest.FixtureRequest) -> Any:
    return request.param


async def test_inspect(demo: Workspace, hands: Any) -> None:
    async with opened(demo, (160, 48)) as pilot:
        person = hands(pilot)
        prompt = pilot.app.screen.query_one("#prompt-lines", LineView)
        await person.pane(1)
        await person.line("#tree-lines", "glossary.md")
        await until(pilot, lambda: "see the glossary" in line_at_cursor(prompt))
        await person.act("app.zoom")
        await until(pilot, lambda: pilot.app.screen.has_class("-zoomed"))
        await person.act("app.zoom")
        await until(pilot, lambda: not pilot.app.screen.has_class("-zoomed"))
        await person.pane(4)
        await person.line("#read-lines", "mailer.py")
        await until(pilot, lambda: "modified since read" in screen_text(pilot.app))


async def test_curate(demo: Workspace, hands: Any) -> None:
    async with opened(demo, (160, 48)) as pilot:
        person = hands(pilot)
        results = pilot.app.screen.query_one("#memory-results", LineView)
        fact = Path(os.environ["MERMAID_DATA_DIR"], "memory", "answer-style.md")
        before = fact.read_bytes()
        await person.pane(3)
        await person.line("#memory-results", "answer-style")
        await person.act("memories.edit")
        form = pilot.app.screen.query_one(MemoryForm)
        await until(pilot, lambda: form.display and form.query_one("#form-body").has_focus)
        await pilot.press("x")  # a text needs keys, whoever holds the mouse
        await person.act("form.save")
        await until(pilot, lambda: fact.read_bytes() != before)
        await until(pilot, lambda: not form.display)
        await person.pane(3)
        await person.line("#memory-results", "answer-style")
        await person.act("memories.delete")
        await until(pilot, lambda: not fact.exists() or not pilot.app.screen.is_current
                    or not isinstance(pilot.app.screen, WorkspaceScreen))  # fmt: skip
        if not isinstance(pilot.app.screen, WorkspaceScreen):
            await person.answer("y")
        await until(pilot, lambda: not fact.exists())
        await until(pilot, lambda: len(shown(results)) == 7)
        await person.act("app.undo")
        await until(pilot, fact.exists)
        await until(pilot, lambda: len(shown(results)) == 8)
        await person.act("app.undo")
        await until(pilot, lambda: fact.read_bytes() == before)


async def test_review(demo: Workspace, hands: Any) -> None:
    make_repository(DEMO_PLACE)
    async with opened(demo, (160, 48)) as pilot:
        person = hands(pilot)
        await person.act("app.review")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await until(pilot, lambda: "style.md" in screen_text(pilot.app))
        files = pilot.app.screen.query_one("#review-files", LineView)
        await until(pilot, lambda: shown(files))
        await person.line("#review-files", "style.md")
        await until(pilot, lambda: "+" in screen_text(pilot.app))
        await person.act("review.leave")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
