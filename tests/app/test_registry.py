"""The one registry: each action is reachable by key, palette and mouse, and says what it does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from textual.pilot import Pilot

from memlens.app.actions import ACTIONS, AREAS, Action, Area, actions_of, key_sign
from memlens.app.hosting import ActionHost
from memlens.app.screens.help import Help, help_rows
from memlens.app.screens.palette import Palette
from memlens.app.screens.show import Show
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.line_view import LineView
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, shown, until


def hosts(pilot: Pilot[Any]) -> dict[str, ActionHost]:
    """The widget that does the actions of each area."""
    return {
        node.AREA: node
        for node in pilot.app.screen.walk_children(with_self=True)
        if isinstance(node, ActionHost)
    }


def test_names_are_unique_and_everything_is_said() -> None:
    assert max(Counter(action.name for action in ACTIONS).values()) == 1
    for action in ACTIONS:
        assert action.area in AREAS
        assert action.name.startswith(f"{action.area}.")
        assert action.sentence.endswith(".")
        assert action.keys, f"{action.name} has no key"
        assert len(action.title) <= 24


@pytest.mark.parametrize("area", AREAS)
def test_no_key_does_two_things_in_one_area(area: Any) -> None:
    keys = Counter(key for action in actions_of(area) for key in action.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_no_key_of_a_pane_hides_one_that_works_everywhere() -> None:
    everywhere = {key for action in actions_of("app") for key in action.keys}
    # Of their own, over the panes.
    screens = {"clash", "trash", "history", "twins", "stale", "compare", "show"}
    for area in AREAS.keys() - screens:
        if area not in ("app", "form", "editor", "review"):
            for action in actions_of(area):
                assert not everywhere.intersection(action.keys), action.name


async def test_each_action_has_a_host_that_does_it(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        found = hosts(pilot)
        for action in ACTIONS:
            if action.area in found:
                assert callable(getattr(found[action.area], action.method)), action.name


async def test_each_action_is_bound_to_its_keys_under_its_name(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        for area, host in hosts(pilot).items():
            bound = {
                (binding.key, binding.id)
                for bindings in host._bindings.key_to_bindings.values()
                for binding in bindings
            }
            for action in actions_of(area):  # type: ignore[arg-type]
                for key in action.keys:
                    assert (key, action.name) in bound


async def palette(pilot: Pilot[Any]) -> Palette:
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
    assert isinstance(pilot.app.screen, Palette)
    return pilot.app.screen


async def test_the_palette_offers_each_action(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        offered = Counter(one.title.split(None, 1)[-1] for one in (await palette(pilot)).choices)
        assert offered == Counter(
            [*(one.title for one in ACTIONS if one.name != "app.palette"), "Screenshot"]
        )


@pytest.mark.parametrize(("key", "area"), [("1", "tree"), ("4", "reads")])
async def test_the_palette_begins_with_what_can_be_done_here(
    demo: Workspace, key: str, area: Area
) -> None:
    async with opened(demo, (80, 24)) as pilot:
        await pilot.press(key)
        host = hosts(pilot)[area]
        here = [one.sentence for one in actions_of(area) if host.reason_against(one) is None]
        choices = (await palette(pilot)).choices
        assert [one.detail for one in choices[: len(here)]] == here
        off = [bool(one.off) for one in choices[:-1]]
        assert off == sorted(off)  # what cannot be done now comes last, and says why
        why = {one.title.split(None, 1)[-1]: one.off for one in choices}
        assert why["Restore"] == "Deleted facts: not open now; T in Durable memory opens it."
        assert why["Zoom"] == "Below 100 columns each pane has the whole room already."


async def test_the_palette_does_what_is_chosen_and_tells_why_not(demo: Workspace) -> None:
    async with opened(demo, (60, 20)) as pilot:
        await palette(pilot)
        await pilot.press(*"facts: bring", "enter")
        await until(pilot, lambda: pilot.app._notifications)
        (told,) = pilot.app._notifications
        assert told.message.endswith("T in Durable memory opens it.")
        assert isinstance(pilot.app.screen, Palette)
        await pilot.press("ctrl+u", *"whole file of", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))


async def test_the_menu_of_the_mouse_offers_each_action_of_its_pane(demo: Workspace) -> None:
    async with opened(demo, (120, 60)) as pilot:
        places: list[tuple[str, Area]] = [("#tree-lines", "tree"), ("#prompt-lines", "preview")]
        for name, area in places:
            await pilot.click(pilot.app.screen.query_one(name, LineView), button=3, offset=(5, 1))
            await until(pilot, lambda: AREAS[area] in screen_text(pilot.app))  # noqa: B023
            view = pilot.app.screen.query_one("#choose-lines", LineView)
            assert view.lines.count(70) == len(actions_of(area))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


@pytest.mark.parametrize("key", ["1", "2", "3", "4"])
async def test_each_key_of_the_footer_is_one_that_works_there(demo: Workspace, key: str) -> None:
    async with opened(demo, (200, 60)) as pilot:
        await pilot.press(key)
        bar = pilot.app.screen.query_one(ActionBar)
        await until(pilot, lambda: bar._places)
        focused = pilot.app.screen.focused
        assert focused is not None
        active = pilot.app.screen.active_bindings
        for _, _, host, action in bar._places:
            shown = bar._key_of(action)
            assert active[shown].binding.id == action.name, (shown, action.name)
            assert host in focused.ancestors_with_self


async def test_a_click_in_the_footer_does_the_action(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        bar = pilot.app.screen.query_one(ActionBar)
        await until(pilot, lambda: bar._places)
        start = next(place[0] for place in bar._places if place[3].name == "app.help")
        await pilot.click(bar, offset=(start + 1, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


async def test_what_cannot_run_stays_and_says_why(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("z", "greater_than_sign")
        await until(pilot, lambda: "no room to share" in screen_text(pilot.app))


def test_help_can_be_searched_and_begins_with_the_area_at_hand() -> None:
    rows = help_rows("reads")
    assert rows[0] == ("", "Read state", "", "")
    shown = {row[1:3] for row in rows}
    for action in ACTIONS:
        assert (action.title, action.sentence) in shown
    narrowed = help_rows("tree", "zoom")
    assert [row[1] for row in narrowed if row[0]] == ["Zoom"]


async def test_help_says_what_cannot_be_done_now(demo: Workspace) -> None:
    async with opened(replace(demo, read_only=True)) as pilot:
        await pilot.press("3", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        lines = " ".join(" ".join(shown(pilot.app.screen.query_one(LineView))).split())
        reason = "not now: memlens was opened so that nothing can be written."
        assert f"Make a new fact. {reason}" in lines
        assert f"Find any action by name. {reason}" not in lines


async def test_help_opens_and_closes(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press(*"zoom")
        await until(pilot, lambda: "Go to the memory tree" not in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
        await pilot.press("question_mark", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


def test_keys_are_written_as_people_write_them() -> None:
    assert [key_sign(key) for key in ("question_mark", "ctrl+s", "f5", "G", "slash")] == [
        "?", "^s", "F5", "G", "/",
    ]  # fmt: skip
    example = Action("app.x", "app", "X", "Does x.", ("x",))
    assert example.method == "do_app_x"


@pytest.mark.parametrize("key", ["1", "2", "3", "4"])
async def test_the_help_stays_in_the_footer_where_there_is_little_room(
    demo: Workspace, key: str
) -> None:
    async with opened(demo, (60, 20)) as pilot:
        await pilot.press(key)
        bar = pilot.app.screen.query_one(ActionBar)
        await until(pilot, lambda: bar._places and screen_text(pilot.app).endswith(" ? Help "))
        ends = [place[1] for place in bar._places]
        assert ends == sorted(ends)
        assert ends[-1] == 60


async def test_the_footer_follows_what_has_come_and_where_the_cursor_is(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        bar = pilot.app.screen.query_one(ActionBar)

        def off() -> set[str]:
            strip = bar.render_line(0)
            color = bar.get_component_rich_style("bar--off").color
            return {one.text.strip() for one in strip if one.style and one.style.color == color}

        before = bar.render_line(0)
        await until(pilot, lambda: "Fold" in off() and "Edit" not in off())
        await pilot.press("j", "j")
        await until(pilot, lambda: "Fold" not in off())
        assert bar.render_line(0) != before
        # What is on the screen is what is drawn now.
        shown = bar.screen._compositor.render_strips()[-1]
        assert [one.style for one in shown if one.text.strip()] == [
            one.style for one in bar.render_line(0) if one.text.strip()
        ]


@pytest.mark.parametrize(("key", "field"), [("3", "memory-search"), ("4", "read-filter")])
async def test_the_footer_tells_the_keys_of_a_search(demo: Workspace, key: str, field: str) -> None:
    async with opened(demo) as pilot:
        await pilot.press(key, "slash")
        await until(pilot, lambda: getattr(pilot.app.screen.focused, "id", "") == field)
        await until(pilot, lambda: "⏎ To the hits  Esc Clear" in screen_text(pilot.app))
        assert "Edit" not in screen_text(pilot.app).splitlines()[-1]


async def test_nothing_of_the_help_is_cut_on_a_small_screen(demo: Workspace) -> None:
    async with opened(demo, (60, 20)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        lines = " ".join(" ".join(shown(pilot.app.screen.query_one(LineView))).split())
        for action in ACTIONS:
            assert f"{action.title}. {action.sentence}" in lines


async def test_a_choice_tells_all_of_the_one_at_the_cursor(demo: Workspace) -> None:
    async with opened(demo, (60, 20)) as pilot:
        await palette(pilot)
        await pilot.press(*"last change that")
        told = "Take back the last change that memlens made here, also after a restart."
        await until(
            pilot, lambda: told in " ".join(screen_text(pilot.app).replace("│", "").split())
        )
