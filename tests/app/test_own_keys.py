"""A person's own keys are those that are told everywhere; what is wrong with them is said."""

from __future__ import annotations

import pytest

from memlens.app.app import MemlensApp
from memlens.app.screens.choose import Choose
from memlens.app.screens.help import Help
from memlens.app.screens.palette import Palette
from memlens.app.widgets.line_view import LineView
from memlens.engine.findings import Finding
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import loaded, opened, screen_text, shown, until


@pytest.fixture
def remapped(demo: Workspace) -> Workspace:
    keys = {"tree.edit": "f4", "memories.trash": "ctrl+n", "app.help": "f1"}
    return replace(demo, settings=replace(demo.settings, keys=keys))


async def test_help_palette_and_menu_tell_a_persons_own_keys(remapped: Workspace) -> None:
    async with opened(remapped, (120, 60)) as pilot:
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        lines = shown(pilot.app.screen.query_one(LineView))
        assert any(line.split()[:2] == ["F4", "Edit"] for line in lines)
        await pilot.press("escape", "ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, Palette))
        assert isinstance(pilot.app.screen, Palette)
        choices = {" ".join(one.title.split()): one for one in pilot.app.screen.choices}
        assert "F4 Edit" in choices
        restore = next(one for title, one in choices.items() if title.endswith("Restore"))
        assert restore.off == "Deleted facts: not open now; ^n in Durable memory opens it."
        await pilot.press("escape")
        view = pilot.app.screen.query_one("#tree-lines", LineView)
        await pilot.click(view, button=3, offset=(5, 1))
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await until(pilot, lambda: "F4  Edit" in screen_text(pilot.app))


async def test_what_is_wrong_with_the_settings_is_told(demo: Workspace) -> None:
    wrong = Finding("settings", "warning", "/c/config.toml", 3, 1, "no such\x1b[31m", "Mend it.")
    app = MemlensApp(demo, live=False, wrong=[wrong])
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await loaded(pilot)
        await until(pilot, lambda: "no such␛[31m. Mend it." in screen_text(app))
        assert "/c/config.toml:3" in screen_text(app)
