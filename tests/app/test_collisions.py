"""Which of a person's own keys collide: what is told is what the screen does."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from memlens.app.actions import ACTIONS, Area
from memlens.app.actions.collisions import BEHIND, collisions
from memlens.app.hosting import hosts_from
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, until

PANES: dict[str, Area] = {"1": "tree", "2": "preview", "3": "memories", "4": "reads"}


def test_nothing_collides_by_default_nor_where_the_default_is_repeated() -> None:
    assert collisions({}) == ()
    assert collisions({one.name: ",".join(one.keys) for one in ACTIONS}) == ()
    assert collisions({"tree.edit": "", "no.such": "e"}) == ()


def test_two_actions_may_exchange_their_keys() -> None:
    assert collisions({"tree.edit": "n", "tree.notes": "e"}) == ()


@pytest.mark.parametrize(
    "own",
    [
        {"tree.edit": "f7", "preview.edit": "f7"},  # never within reach at once
        {"memories.tag": "ctrl+s"},  # the form takes the place of the list
        {"trash.restore": "u"},  # a dialog leaves nothing within reach
        {"review.accept": "P"},
    ],
)
def test_what_is_never_within_reach_at_once_does_not_collide(own: dict[str, str]) -> None:
    assert collisions(own) == ()


@pytest.mark.parametrize(
    ("own", "key", "done", "hidden"),
    [
        ({"tree.edit": "n"}, "n", "tree.edit", "tree.notes"),
        ({"tree.told": "n"}, "n", "tree.told", "tree.notes"),
        ({"tree.notes": "f7", "tree.edit": "f7"}, "f7", "tree.edit", "tree.notes"),
        ({"tree.edit": " ? "}, "question_mark", "tree.edit", "app.help"),
        ({"app.log": "space"}, "space", "tree.toggle", "app.log"),
        ({"app.log": "ctrl+g"}, "ctrl+g", "editor.changes", "app.log"),
        ({"trash.restore": "f8"}, "f8", "work.cancel", "trash.restore"),
        ({"staged.save": "f5"}, "f5", "staged.save", "review.reload"),
    ],
)
def test_what_is_within_reach_at_once_collides(
    own: dict[str, str], key: str, done: str, hidden: str
) -> None:
    assert (key, done, hidden) in collisions(own)


def _areas(pilot: Pilot[Any]) -> list[Area]:
    return [one.AREA for one in hosts_from(pilot.app.screen.focused)]


async def test_what_collides_is_what_the_screen_does(demo: Workspace) -> None:
    own = {
        "tree.edit": "d", "tree.notes": "f7", "tree.touch": "f7", "preview.wrap": "?",
        "app.log": "y,f6", "memories.mark": "f9", "app.zoom": "f6", "reads.order": "escape",
        "lists.page_down": "e", "reads.check": "j",
    }  # fmt: skip
    found = collisions(own)
    assert {one.key for one in found} == {
        "d", "f7", "question_mark", "y", "f9", "f6", "escape", "e", "j",
    }  # fmt: skip
    here = replace(demo, settings=replace(demo.settings, keys=own))
    async with opened(here) as pilot:
        for key, area in PANES.items():
            await pilot.press(key)
            within_reach = ["lists", area, *BEHIND[area], "work"]
            await until(pilot, lambda: _areas(pilot) == within_reach)  # noqa: B023
            active = pilot.app.screen.active_bindings
            for one in found:
                if {one.done.split(".")[0], one.hidden.split(".")[0]} <= {
                    "lists",
                    area,
                    "app",
                    "work",
                }:
                    assert active[one.key].binding.id == one.done, one
