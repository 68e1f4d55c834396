"""A person's own keys are those that are told everywhere; what is wrong with them is said."""

from __future__ import annotations

import pytest

from memlens.app.actions import ACTIONS, BY_NAME, key_sign
from memlens.app.actions.keys import is_key, key_name, own_keys
from memlens.app.app import MemlensApp
from memlens.app.hosting import keys_of
from memlens.app.panes.memory_browser.history import History
from memlens.app.screens.choose import Choose
from memlens.app.screens.help import Help
from memlens.app.screens.palette import Palette
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.findings import Finding
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import driven, loaded, opened, screen_text, shown, until


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


@pytest.mark.parametrize("key", [key for one in ACTIONS for key in one.keys])
def test_a_key_may_be_written_as_it_is_told(key: str) -> None:
    assert key_name(key_sign(key)) in (key, key_sign(key))  # the framework knows single signs
    assert is_key(key_name(key_sign(key)))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("F6", "f6"), ("Ctrl+L", "ctrl+l"), ("^S", "ctrl+s"), ("esc", "escape"), ("G", "G"),
        (" Enter ", "enter"), ("Shift+Tab", "shift+tab"), ("shift+a", "A"), ("^", "^"), ("+", "+"),
        ("ALT+x", "alt+x"), ("é", "é"), ("PageDown", "pagedown"), ("Control+Up", "ctrl+up"),
        ("^F5", "ctrl+f5"),
        ("Question_Mark", "question_mark"), ("ctrl++", "ctrl++"), ("", ""),
    ],
)  # fmt: skip
def test_a_key_may_be_written_as_people_write_it(written: str, name: str) -> None:
    assert key_name(written) == name


async def test_the_own_key_that_opens_the_help_closes_it(remapped: Workspace) -> None:
    async with opened(remapped, (80, 24)) as pilot:
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


def test_what_is_no_key_is_left_out() -> None:
    own = {"app.quit": "", "app.zoom": "hyperr, F6", "app.log": "no such", "tree.edit": "?"}
    assert own_keys(own) == {"app.zoom": "f6", "tree.edit": "question_mark"}


async def test_keys_as_they_are_told_do_what_they_are_for(demo: Workspace) -> None:
    own = {"app.log": "hyperr", "app.help": "^T", "lists.down": "F6", "app.theme": "f7"}
    here = replace(demo, settings=replace(demo.settings, keys=own))
    async with opened(here) as pilot:
        view = pilot.app.screen.query_one("#tree-lines", LineView)
        await pilot.press("f6")
        await until(pilot, lambda: view.cursor == 1)
        await pilot.press("at")  # what is no key takes none away
        await until(pilot, lambda: isinstance(pilot.app.screen, History))
        await pilot.press("escape", "ctrl+t")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


async def test_a_key_that_another_action_has_now_is_told_of_that_alone(demo: Workspace) -> None:
    own = {"tree.edit": "n", "lists.down": "f6,w", "tree.copy_path": "u"}
    here = replace(demo, settings=replace(demo.settings, keys=own))
    async with opened(here, (120, 60)) as pilot:
        app = pilot.app
        for name, keys in (
            ("tree.edit", ("n",)), ("tree.notes", ()), ("memories.new", ("n",)),
            ("memories.twins", ()), ("reads.why", ()), ("lists.down", ("f6", "w")),
            ("app.undo", ("u",)),  # in the other panes
        ):  # fmt: skip
            assert keys_of(app, BY_NAME[name]) == keys, name
        await until(pilot, lambda: " n Edit " in screen_text(app).splitlines()[-1])
        assert "Notes" not in screen_text(app).splitlines()[-1]


async def test_of_many_that_are_wrong_a_few_are_told(demo: Workspace) -> None:
    wrong = [Finding("settings", "warning", "/c", at, 1, f"wrong {at}", "Mend.") for at in range(9)]
    app = MemlensApp(demo, live=False, wrong=wrong)
    async with app.run_test(size=(60, 20), notifications=True) as pilot:
        await loaded(pilot)
        await until(pilot, lambda: len(app._notifications) == 3)
        assert [one.message.split("\n")[0] for one in app._notifications] == [
            "wrong 0. Mend.", "wrong 1. Mend.", "7 more: memlens config --check names them all.",
        ]  # fmt: skip


async def test_what_is_wrong_with_the_settings_is_told(demo: Workspace) -> None:
    wrong = Finding("settings", "warning", "/c/config.toml", 3, 1, "no such\x1b[31m", "Mend it.")
    app = MemlensApp(demo, live=False, wrong=[wrong])
    async with driven(app, (80, 24)) as pilot:
        await loaded(pilot)
        await until(pilot, lambda: "no such␛[31m. Mend it." in screen_text(app))
        assert "/c/config.toml:3" in screen_text(app)
