"""The first paint: the frame of the screen, before anything else is imported, read or asked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from textual import events

from memlens.app.app import MemlensApp
from memlens.app.panes.frame import frames, panes
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.engine.commands.workspace import LoadContext
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import PATIENCE, driven, loaded, make_app, screen_text, until

IDS = (
    "memory-tree", "prompt-preview", "memory-browser", "memory-search", "memory-results",
    "read-log",
)  # fmt: skip
TITLES = ("1 Memory tree", "2 Prompt preview", "3 Durable memory", "4 Read state")


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is on the screen when the panes begin to be made."""
    seen: list[str] = []
    furnish = WorkspaceScreen.furnish

    async def watched(screen: WorkspaceScreen) -> None:
        seen.append(screen_text(screen.app))
        await furnish(screen)

    monkeypatch.setattr(WorkspaceScreen, "furnish", watched)
    return seen


def test_each_frame_is_that_of_its_pane() -> None:
    heads = [(one.id, one.AREA, one.NUMBER, one.TITLE, str(one.border_title)) for one in frames()]
    assert heads == [
        (one.id, one.AREA, one.NUMBER, one.TITLE, str(one.border_title)) for one in panes()
    ]


async def test_the_frame_has_everything_in_its_place(demo: Workspace, first: list[str]) -> None:
    app = make_app(demo)
    async with driven(app) as pilot:
        await loaded(pilot)
        then, now = first[0].splitlines(), screen_text(app).splitlines()
        assert len(first) == 1
        for title in TITLES:
            before = next(row for row, line in enumerate(then) if title in line)
            after = next(row for row, line in enumerate(now) if title in line)
            assert (before, then[before].index(title)) == (after, now[after].index(title))
        assert "".join(then).count("loading …") == 5
        assert "q Quit" in then[-1]


async def test_where_there_is_little_room_the_frame_has_tabs(
    demo: Workspace, first: list[str]
) -> None:
    app = make_app(demo)
    async with driven(app, (80, 24)) as pilot:
        await loaded(pilot)
        assert all(title in first[0].splitlines()[1] for title in TITLES)
        assert first[0].count("loading …") == 2


async def test_whoever_drives_the_app_finds_every_widget_at_once(demo: Workspace) -> None:
    app = make_app(demo)
    async with app.run_test():
        for name in IDS:
            assert app.screen.query_one(f"#{name}").id == name


async def test_what_is_typed_before_the_panes_stand_reaches_them_in_order(demo: Workspace) -> None:
    class Hasty(MemlensApp):
        def on_load(self) -> None:
            for key in ("3", "2", "z", "greater_than_sign", "4"):
                self.post_message(events.Key(key, key if len(key) == 1 else ">"))

    app = Hasty(demo, live=False)
    app.animation_level = "none"
    async with driven(app) as pilot:
        await loaded(pilot)
        screen = app.screen
        assert isinstance(screen, WorkspaceScreen)
        await until(pilot, lambda: screen.grid.current.id == "read-log")
        assert screen.grid.zoomed
        assert screen.grid.current.has_focus_within


async def test_nothing_is_loaded_before_the_workspace_is_prepared(
    tmp_path: Path, first: list[str]
) -> None:
    prepared = threading.Event()
    on_threads: list[str] = []

    def prepare() -> None:
        on_threads.append(threading.current_thread().name)
        assert prepared.wait(PATIENCE)
        (tmp_path / "CLAUDE.md").write_text("Prepared just in time.\n")

    app = MemlensApp(open_workspace(tmp_path), live=False, prepare=prepare)
    asked: list[bool] = []
    app.engine.bus.subscribe(LoadContext, lambda _: asked.append(prepared.is_set()))
    freed = threading.Timer(0.2, prepared.set)
    freed.start()
    async with driven(app) as pilot:
        await loaded(pilot)
        await until(pilot, lambda: "Prepared just in time." in screen_text(app))
    freed.join()
    assert asked == [True]
    assert on_threads != [threading.main_thread().name]
    assert "1 Memory tree" in first[0]


def test_the_frame_needs_no_pane_and_no_field() -> None:
    program = (
        "import sys, memlens.app.app\n"
        "heavy = ('argparse', 'textual.widgets._text_area', 'memlens.app.screens.choose')\n"
        "print(*(name for name in sys.modules "
        "if name in heavy or name.startswith('memlens.app.panes.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    assert sorted(done.stdout.split()) == ["memlens.app.panes.base", "memlens.app.panes.frame"]


async def test_the_frame_is_arranged_as_it_was_left(demo: Workspace, first: list[str]) -> None:
    view = {
        "pane": "memories", "theme": "memlens-light",
        "grid": {"across": 60, "down": 50, "zoomed": True},
    }  # fmt: skip
    app = MemlensApp(demo, live=False, view=view)
    app.animation_level = "none"
    assert app.theme == "memlens-light"
    async with driven(app) as pilot:
        await loaded(pilot)
        assert "3 Durable memory" in first[0]
        assert "1 Memory tree" not in first[0]
        screen = app.screen
        assert isinstance(screen, WorkspaceScreen)
        assert screen.grid.current.id == "memory-browser"
        assert screen.grid.current.has_focus_within
        assert screen.grid.zoomed
        assert screen.grid.remembered()["across"] == 60
        assert app.theme == "memlens-light"


@pytest.mark.parametrize("view", [{}, {"pane": 7, "grid": "no", "theme": ["x"], "panes": None}])
async def test_what_is_no_view_changes_nothing(demo: Workspace, view: dict[str, object]) -> None:
    app = MemlensApp(demo, live=False, view=view)
    async with driven(app) as pilot:
        await loaded(pilot)
        screen = app.screen
        assert isinstance(screen, WorkspaceScreen)
        assert screen.grid.current.id == "memory-tree"


def test_the_review_needs_no_field_before_a_text_is_corrected() -> None:
    program = (
        "import sys, memlens.app.app, memlens.app.screens.review\n"
        "heavy = ('textual.widgets._text_area', 'memlens.app.screens.choose', "
        "'memlens.app.screens.confirm', 'memlens.app.screens.help')\n"
        "print(*(name for name in sys.modules if name in heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.split() == []
