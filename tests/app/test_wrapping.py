"""Whether long lines are wrapped is chosen once, for all that is opened to be read."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from memlens.app.screens.clash import Clash
from memlens.app.screens.compare import CompareScreen
from memlens.app.screens.show import Show
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.texts import DiffLines, WrappedLines
from memlens.app.widgets.wrapping import Wrapping
from memlens.engine.review.model import DiffLine
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, until
from tests.app.test_layout import kept

LINES = [DiffLine("same", 1, 1, "x"), DiffLine("added", 0, 2, "many words " * 40)]


def difference() -> Show:
    return Show("a", DiffLines(LINES))


def clash() -> Clash:
    return Clash("/a", "changed", LINES)


def comparison() -> CompareScreen:
    return CompareScreen("raider", "claude")


async def wraps(pilot: Pilot[Any], screen: Screen[Any]) -> set[bool]:
    """Opens a screen and tells which of its views wrap."""
    pilot.app.push_screen(screen)
    await until(pilot, lambda: pilot.app.screen is screen)

    def found() -> list[Wrapping]:
        views = screen.query(LineView)
        return [view.lines for view in views if isinstance(view.lines, Wrapping)]

    await until(pilot, lambda: len(found()) == len(screen.query(LineView)))
    return {lines.wrap for lines in found()}


async def close(pilot: Pilot[Any]) -> None:
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


@pytest.mark.parametrize("first", [difference, clash, comparison])
async def test_what_was_chosen_holds_in_all_that_is_opened_next(
    demo: Workspace, first: Any
) -> None:
    async with opened(demo) as pilot:
        assert await wraps(pilot, first()) == {True}
        await pilot.press("w")
        await close(pilot)
        for following in (difference, clash, comparison):
            assert await wraps(pilot, following()) == {False}
            await close(pilot)
        assert await wraps(pilot, first()) == {False}
        await pilot.press("w")
        await close(pilot)
        assert await wraps(pilot, clash()) == {True}


async def test_what_was_chosen_holds_at_the_next_start_in_the_folder(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await wraps(pilot, difference())
        await pilot.press("w")
        await until(pilot, lambda: kept(demo, "wrap") is False)
    async with opened(demo) as pilot:
        await until(pilot, lambda: pilot.app.wraps is False)  # type: ignore[attr-defined]
        assert await wraps(pilot, difference()) == {False}


async def test_what_is_wrapped_always_stays_so(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await wraps(pilot, difference())
        await pilot.press("w")
        await close(pilot)
        show = Show("a", WrappedLines([], "many words " * 40))
        pilot.app.push_screen(show)

        def shown() -> list[bool]:
            return [isinstance(view.lines, WrappedLines) for view in show.query(LineView)]

        await until(pilot, lambda: shown() == [True])
        await pilot.press("w")
        await until(pilot, lambda: pilot.app._notifications)
        assert shown() == [True]
