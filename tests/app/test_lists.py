"""What one does in a list comes from the registry, as everything else does, with any keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from textual.pilot import Pilot

from memlens.app.actions import ACTIONS, AREAS, BY_NAME, actions_of
from memlens.app.actions.collisions import BEHIND, LISTED, collisions
from memlens.app.screens.choose import Choose
from memlens.app.screens.help import Help
from memlens.app.screens.palette import Palette
from memlens.app.screens.show import Show
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, shown, until

SIDEWAYS = {"left", "right"}
"""Keys of a list only where something is out of sight at its sides; else of what holds it."""


def with_keys(demo: Workspace, keys: Mapping[str, str]) -> Workspace:
    return replace(demo, settings=replace(demo.settings, keys=keys))


def view_of(pilot: Pilot[Any], name: str) -> LineView:
    return pilot.app.screen.query_one(name, LineView)


def test_a_list_has_no_key_that_is_not_in_the_registry() -> None:
    bound = {
        (binding.key, binding.id)
        for bindings in LineView._merged_bindings.key_to_bindings.values()  # type: ignore[union-attr]
        for binding in bindings
    }
    assert bound == {(key, one.name) for one in actions_of("lists") for key in one.keys}


def test_no_key_of_a_list_is_one_of_what_holds_it() -> None:
    keys = {key for one in actions_of("lists") for key in one.keys} - SIDEWAYS
    for area in LISTED:
        for behind in (area, *BEHIND.get(area, ())):
            for one in actions_of(behind):
                assert not keys.intersection(one.keys), one.name
    assert AREAS.keys() >= LISTED


@pytest.mark.parametrize(
    ("own", "key", "done", "hidden"),
    [
        ({"tree.edit": "j"}, "j", "lists.down", "tree.edit"),
        ({"lists.down": "e"}, "e", "lists.down", "tree.edit"),
        ({"lists.down": "e"}, "e", "lists.down", "review.edit"),
        ({"lists.down": "u"}, "u", "lists.down", "app.undo"),
        ({"show.next": "G"}, "G", "lists.last", "show.next"),
        ({"lists.page_down": "f8"}, "f8", "work.cancel", "lists.page_down"),
    ],
)
def test_keys_of_lists_collide_like_others(
    own: dict[str, str], key: str, done: str, hidden: str
) -> None:
    assert (key, done, hidden) in collisions(own)


@pytest.mark.parametrize(
    "own", [{"form.save": "j"}, {"tree.close": "left"}, {"lists.down": "f7", "tree.edit": "j"}]
)
def test_where_there_is_no_list_nothing_collides_with_its_keys(own: dict[str, str]) -> None:
    assert collisions(own) == ()


async def test_a_person_can_give_a_list_other_keys(demo: Workspace) -> None:
    own = {"lists.down": "f7", "lists.up": "f6", "tree.edit": "j", "lists.last": "down"}
    async with opened(with_keys(demo, own)) as pilot:
        tree = view_of(pilot, "#tree-lines")
        await pilot.press("f7", "f7", "f6", "k")
        await until(pilot, lambda: tree.cursor == 1)
        await pilot.press("down")
        await until(pilot, lambda: tree.cursor == tree.lines.count(80) - 1)
        # In front of a list, too, where letters go into a field.
        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        themes = view_of(pilot, "#choose-lines")
        before = themes.cursor
        await pilot.press("f7", "f7", "f6")
        await until(pilot, lambda: themes.cursor == before + 1)
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press(*"one line down")
        await until(pilot, lambda: "F7" in screen_text(pilot.app))
        await pilot.press("escape", "g", "j")  # a letter that is free now does what it is given
        await until(pilot, lambda: tree.cursor == 0)
        await until(pilot, lambda: pilot.app.screen.query("FileEditor").first().display)


async def test_a_field_leaves_to_its_list_what_it_has_no_use_for(demo: Workspace) -> None:
    async with opened(demo, (80, 24)) as pilot:
        await pilot.press("3", "slash")
        found = view_of(pilot, "#memory-results")
        await pilot.press("down", "down", "up")
        await until(pilot, lambda: found.cursor == 1)
        await pilot.press("pagedown")
        await until(pilot, lambda: found.cursor > 1)
        await pilot.press(*"a b", "home", "x")  # the field's own
        field: Any = pilot.app.screen.focused
        await until(pilot, lambda: field.value == "xa b")
        await pilot.press("escape", "escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        lines = view_of(pilot, "#help-lines")
        await pilot.press("pagedown")
        await until(pilot, lambda: lines.cursor > 5)
        await pilot.press("up")
        await until(pilot, lambda: lines.scroll_y < lines.cursor)


async def test_arrows_are_the_panes_where_nothing_is_out_of_sight_at_the_sides(
    demo: Workspace,
) -> None:
    async with opened(demo) as pilot:
        tree, prompt = view_of(pilot, "#tree-lines"), view_of(pilot, "#prompt-lines")
        all_lines = tree.lines.count(80)
        await pilot.press("1", "g", "j", "j", "left")
        await until(pilot, lambda: tree.lines.count(80) < all_lines)
        assert not pilot.app._notifications
        await pilot.press("2", "w")
        await until(pilot, lambda: prompt.max_scroll_x > 0)
        await pilot.press("right")
        await until(pilot, lambda: prompt.scroll_x > 0)
        await pilot.press("left")
        await until(pilot, lambda: prompt.scroll_x == 0)


@pytest.mark.parametrize("pane", ["1", "2", "3", "4"])
async def test_the_palette_does_it_in_the_list_one_is_in(demo: Workspace, pane: str) -> None:
    async with opened(demo) as pilot:
        await pilot.press(pane)
        view = pilot.app.screen.focused
        assert isinstance(view, LineView)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
        await pilot.press(*"last line", "enter")
        await until(pilot, lambda: view.cursor == view.lines.count(view.size.width) - 1)
        assert view.has_focus


async def test_the_mouse_does_all_of_it(demo: Workspace) -> None:
    """By the palette, which the footer opens; a click, the wheel and the bar do it without."""
    async with opened(demo, (120, 36)) as pilot:
        prompt = view_of(pilot, "#prompt-lines")
        await pilot.press("2", "w")
        await until(pilot, lambda: prompt.max_scroll_x > 0)
        for one in actions_of("lists"):
            prompt.go_to(10)
            prompt.scroll_to(x=8, animate=False, immediate=True)
            before = prompt.cursor, prompt.scroll_x
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
            offered = view_of(pilot, "#choose-lines")
            await pilot.press(*one.title.casefold())
            await until(pilot, lambda: one.sentence in " ".join(shown(offered)))  # noqa: B023
            row = next(at for at, text in enumerate(shown(offered)) if one.title in text)
            await pilot.click(offered, offset=(4, row))
            await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
            await until(pilot, lambda: (prompt.cursor, prompt.scroll_x) != before)  # noqa: B023
        await pilot.press("w")
        await until(pilot, lambda: prompt.max_scroll_x == 0)
        assert prompt.reason_against(BY_NAME["lists.left"])


async def test_what_holds_the_list_comes_before_it_in_palette_and_help(demo: Workspace) -> None:
    async with opened(demo, (120, 60)) as pilot:
        await pilot.press("4", "ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
        palette = pilot.app.screen
        assert isinstance(palette, Palette)
        told = [one.detail for one in palette.choices if not one.off]
        assert told[0] == actions_of("reads")[0].sentence
        lists = [told.index(one.sentence) for one in actions_of("lists") if one.sentence in told]
        here = [told.index(one.sentence) for one in ACTIONS if one.area in ("reads", "app")
                and one.sentence in told]  # fmt: skip
        assert lists
        assert min(lists) > max(here)
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        view = view_of(pilot, "#help-lines")
        await until(pilot, lambda: shown(view)[0].strip() == AREAS["reads"])


async def test_it_works_in_what_stands_over_everything(demo: Workspace) -> None:
    async with opened(with_keys(demo, {"lists.last": "f7"}), (80, 24)) as pilot:
        await pilot.press("3", "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, Show))
        view = view_of(pilot, "#show-lines")
        await pilot.press("f7")
        await until(pilot, lambda: view.cursor == view.lines.count(view.size.width) - 1 > 0)
