"""The list to choose from: nothing of a question is cut, however small the screen."""

from __future__ import annotations

import pytest

from memlens.app.screens.choose import Choose
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.engine.keeping import Draft
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, until


@pytest.mark.parametrize("size", [(60, 20), (120, 36)])
async def test_the_offer_of_unsaved_text_names_its_file(
    demo: Workspace, size: tuple[int, int]
) -> None:
    path = "/somewhere/far/away/in/a/folder/of/a/folder/of/a/project/docs/CLAUDE.md"
    async with opened(demo, size) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, WorkspaceScreen)
        assert screen.recovery is not None
        screen.recovery.offer((Draft(kind="file", path=path, fields={"text": "x"}, time=1e9),))
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))

        def joined() -> str:
            return "".join(screen_text(pilot.app).replace("│", "").split())

        await until(pilot, lambda: path in joined())
        assert "Forgetit" in joined()
        assert "Esccloses" in joined()


@pytest.mark.parametrize("theme", ["memlens", "memlens-16"])
async def test_what_is_below_a_dialog_can_be_seen(demo: Workspace, theme: str) -> None:
    async with opened(demo) as pilot:
        pilot.app.theme = theme
        await until(pilot, lambda: pilot.app.has_class(f"-theme-{theme}"))
        await pilot.press("p")
        await until(pilot, lambda: "Whose memory?" in screen_text(pilot.app))
        await until(pilot, lambda: "~/shop/CLAUDE.md" in screen_text(pilot.app))


async def test_a_list_says_when_nothing_fits(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("ctrl+p", *"xyzzy")
        await until(pilot, lambda: "Nothing fits these words" in screen_text(pilot.app))
        await pilot.press(*["backspace"] * 5)
        await until(pilot, lambda: "takes it" in screen_text(pilot.app))
