"""How the room is shared, by keys and by mouse, and that the next start remembers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.screens.choose import Choose
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.pane_grid import PaneGrid
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, until


def widths(pilot: Pilot[Any]) -> list[tuple[int, int]]:
    grid = pilot.app.screen.query_one(PaneGrid)
    return [(pane.region.width, pane.region.height) for pane in grid.panes]


def kept(workspace: Workspace, name: str) -> object:
    """What the next start in the folder will have."""
    for kept in Path(workspace.state_dir).rglob("view.json"):
        return json.loads(kept.read_text())["view"][name]
    return None


async def test_keys_give_the_current_pane_more_room_and_less(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        before = widths(pilot)
        await pilot.press("2", "greater_than_sign", "plus")
        wider = widths(pilot)
        assert wider[1][0] > before[1][0]
        assert wider[0][0] < before[0][0]
        assert wider[1][1] > before[1][1]
        await pilot.press("3", "greater_than_sign", "plus")
        assert widths(pilot) == before
        await pilot.press("less_than_sign", "minus", *["minus"] * 30, *["less_than_sign"] * 30)
        assert min(widths(pilot)[2]) >= 4


async def test_a_border_is_pulled_with_the_mouse(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        grid = pilot.app.screen.query_one(PaneGrid)
        edge = grid.panes[0].region.width - 1
        await pilot.mouse_down(grid, offset=(edge, 6))
        await pilot.hover(grid, offset=(30, 6))
        await pilot.mouse_up(grid, offset=(30, 6))
        await pilot.pause()
        assert abs(grid.panes[0].region.width - 30) <= 1
        top = grid.panes[0].region.height - 1
        await pilot.mouse_down(grid, offset=(10, top))
        await pilot.hover(grid, offset=(10, 10))
        await pilot.mouse_up(grid, offset=(10, 10))
        await pilot.pause()
        assert abs(grid.panes[0].region.height - 10) <= 1


async def test_the_next_start_in_the_folder_looks_the_same(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("4", "less_than_sign", "z")
        assert isinstance(pilot.app, MemlensApp)
        pilot.app.theme = "memlens-light"
        expected = widths(pilot)
        await until(pilot, lambda: kept(demo, "theme") == "memlens-light")
    async with opened(demo) as pilot:
        await until(pilot, lambda: pilot.app.theme == "memlens-light")
        grid = pilot.app.screen.query_one(PaneGrid)
        assert grid.current.id == "read-log"
        assert grid.zoomed
        assert widths(pilot) == expected


async def test_the_next_start_selects_and_filters_the_same(demo: Workspace) -> None:
    def view(name: str) -> LineView:
        return pilot.app.screen.query_one(name, LineView)

    def places() -> list[object]:
        names = ("#tree-lines", "#prompt-lines", "#memory-results", "#read-lines")
        return [view(name).place for name in names]

    async with opened(demo) as pilot:
        await pilot.press("1", "j", "j", "2", "w", "j", "j", "j")
        await pilot.press("4", "j", "j", "3", "s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press(*"name", "enter")
        await until(pilot, lambda: "by name" in screen_text(pilot.app))
        await pilot.press("f")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await pilot.press(*"global", "enter")
        await until(pilot, lambda: "global ×" in screen_text(pilot.app))
        await until(pilot, lambda: view("#memory-results").lines.count(80) > 2)
        await pilot.press("j")
        expected = places()
        await pilot.press("q")  # at once
    async with opened(demo) as pilot:
        await until(pilot, lambda: places() == expected, f"{expected}")
        await until(pilot, lambda: "global ×" in screen_text(pilot.app))
        assert "by name" in screen_text(pilot.app)
        assert "no wrap" in screen_text(pilot.app)
        assert all(view(name).cursor for name in ("#tree-lines", "#prompt-lines", "#read-lines"))
        await until(pilot, lambda: view("#memory-results").cursor == 1)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (200, 60)])
async def test_each_pane_is_usable_at_each_size(demo: Workspace, size: tuple[int, int]) -> None:
    async with opened(demo, size) as pilot:
        for key in "1234":
            await pilot.press(key)
            pane = pilot.app.screen.query_one(PaneGrid).current
            assert pane.display
            assert pane.region.height >= 8
            focused = pilot.app.screen.focused
            assert focused is not None
            assert focused.region.height >= 3


@pytest.mark.parametrize(
    "keys", ["question_mark", "ctrl+t", "3 m", "t", "3 T", "at"], ids=lambda keys: keys
)
async def test_a_dialog_stands_in_the_middle_over_what_it_was_opened_from(
    demo: Workspace, keys: str
) -> None:
    async with opened(demo, (80, 24)) as pilot:
        below = pilot.app.screen
        await pilot.press(*keys.split())
        await until(pilot, lambda: pilot.app.screen is not below)
        await until(pilot, lambda: pilot.app.screen.query(".dialog"))
        room = pilot.app.screen.query_one(".dialog").region
        left, right = room.x, 80 - room.right
        above, under = room.y, 24 - room.bottom
        assert abs(left - right) <= 1
        assert abs(above - under) <= 1
        assert left > 0
        assert "memlens" in screen_text(pilot.app).splitlines()[0]


async def test_the_tabs_have_room_for_all(demo: Workspace) -> None:
    async with opened(demo, (60, 20)) as pilot:
        await until(pilot, lambda: "1 Tree  2 Preview  3 Memory  4 State" in screen_text(pilot.app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "2 Prompt preview  3 Durable" in screen_text(pilot.app))
