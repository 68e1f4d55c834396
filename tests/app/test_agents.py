"""Choosing the agent, being asked once, and two agents side by side."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.screens.choose import Choose
from memlens.app.screens.compare import CompareScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.commands.agents import CompareAgents
from memlens.engine.handlers.agents import AgentsHandler
from memlens.engine.settings import Settings, load_settings
from memlens.engine.workspace import Workspace, open_workspace

from .pilot import driven, line_at_cursor, loaded, opened, screen_text, shown, until


@pytest.fixture
def workspace(tmp_path: Path, home: Path) -> Workspace:
    root = tmp_path / "p"
    (root / ".claude/rules").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "CLAUDE.md").write_text("one\n<!-- hidden -->\nSee @a.md now\n")
    (root / "a.md").write_text("imported\n")
    (root / ".claude/rules/r.md").write_text("a rule\x1b[31m\n")
    (home / ".claude").mkdir()
    settings = Settings(managed_folder=str(tmp_path / "none"))
    return open_workspace(root, settings=settings, agent="raider")


@asynccontextmanager
async def asked(workspace: Workspace) -> AsyncIterator[Pilot[Any]]:
    app = MemlensApp(workspace, live=False, ask_agent=True)
    app.animation_level = "none"
    async with driven(app) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Choose))
        yield pilot


def header(pilot: Pilot[Any]) -> str:
    return screen_text(pilot.app).splitlines()[0]


async def choose(pilot: Pilot[Any], words: str) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
    await pilot.press(*words, "enter")


async def test_another_agent_is_looked_at(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        assert "agent raider" in header(pilot)
        await pilot.press("p")
        await choose(pilot, "claude")
        await until(pilot, lambda: "agent claude" in header(pilot))
        preview = pilot.app.screen.query_one("#prompt-preview").query_one(LineView)
        await until(pilot, lambda: any("a rule" in line for line in shown(preview)))
        assert not any("hidden" in line for line in shown(preview))
        assert not Path(load_settings().file).exists()


async def test_the_choice_is_kept_when_a_person_says_so(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        pilot.app.screen.perform_by_name("app.keep_agent")  # type: ignore[attr-defined]
        await until(pilot, lambda: Path(load_settings().file).exists())
    assert load_settings().values.agent == "raider"


@pytest.mark.parametrize("answer", ["claude", ""])
async def test_the_first_start_asks_once(workspace: Workspace, answer: str) -> None:
    async with asked(workspace) as pilot:
        text = screen_text(pilot.app)
        assert "Which agent do you use?" in text
        assert "Kept in ~/.config/memlens/config.toml" in text
        if answer:
            await choose(pilot, answer)
            await until(pilot, lambda: "agent claude" in header(pilot))
        else:
            await pilot.press("escape")
        mark = Path(workspace.state_dir) / "agent-asked"
        await until(pilot, mark.exists)
        await loaded(pilot)
    assert load_settings().origins["agent"] == (load_settings().file if answer else "default")


async def test_what_only_one_agent_gets_is_seen_with_what_follows(workspace: Workspace) -> None:
    long = "".join(f"line {number}, {'which has many words ' * 8}\n" for number in range(60))
    Path(workspace.root, "CLAUDE.md").write_text(f"{long}<!-- hidden -->\n{long}")
    async with opened(workspace) as pilot:
        await pilot.press("P")
        await choose(pilot, "claude")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        left, right = pilot.app.screen.query(LineView)
        await until(pilot, lambda: "▌ <!-- hidden -->" in line_at_cursor(left))
        height = left.scrollable_content_region.height
        await until(pilot, lambda: 0 < left.cursor - left.scroll_y < height / 2)
        here = left.cursor - left.scroll_y
        assert right.cursor - right.scroll_y == here  # level with one another
        rows = len(shown(left))
        await pilot.press("w")
        await until(pilot, lambda: len(shown(left)) < rows and len(shown(right)) < rows)
        assert "▌ <!-- hidden -->" in line_at_cursor(left)
        assert left.max_scroll_x > 0
        await pilot.press("w")
        await until(pilot, lambda: len(shown(left)) == rows)


async def test_keys_wait_until_the_comparison_is_made(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = threading.Event()
    compare = AgentsHandler.compare

    def wait(self: AgentsHandler, command: CompareAgents) -> None:
        begin.wait()
        compare(self, command)

    monkeypatch.setattr(AgentsHandler, "compare", wait)
    app = MemlensApp(workspace, live=False)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36)) as pilot:
        try:
            for key in ("P", "enter", "G"):
                app.post_message(events.Key(key, key if len(key) == 1 else None))
            await until(pilot, lambda: app.bridge.typed._early is not None)
            assert isinstance(app.screen, CompareScreen)
            assert app.bridge.awaits(CompareAgents)
        finally:
            begin.set()
        left = app.screen.query(LineView).first()
        await until(pilot, lambda: len(shown(left)) > 2 and left.cursor == len(shown(left)) - 1)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_two_agents_side_by_side(workspace: Workspace, size: tuple[int, int]) -> None:
    async with opened(workspace, size) as pilot:
        await pilot.press("P")
        await choose(pilot, "claude")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        screen = pilot.app.screen
        left = screen.query_one("#compare-left-lines", LineView)
        right = screen.query_one("#compare-right-lines", LineView)
        await until(pilot, lambda: len(shown(right)) > 2)
        assert "▌ <!-- hidden -->" in shown(left)
        assert "▌ a rule␛[31m" in shown(right)
        assert "  imported" in shown(right)
        text = screen_text(pilot.app)
        assert "a rule␛[31m" in text or size[1] < 36
        assert "1 line only here: CLAUDE.md (1)" in text
        assert "1 line only here: .claude/rules/r.md (1)" in text
        above = left.region.y + left.region.height <= right.region.y
        assert above == (size[0] < 100)

        assert line_at_cursor(left) == "▌ <!-- hidden -->"  # what one came for is shown first
        await pilot.press("g", "n")
        assert line_at_cursor(left) == "▌ <!-- hidden -->"
        await pilot.press("up")
        assert line_at_cursor(right) == "  one"
        await pilot.press("tab", "n")
        assert right.has_focus
        assert line_at_cursor(right).startswith("▌ a rule")
        await pilot.press("p")
        await choose(pilot, "codex")
        await until(pilot, lambda: "It gets nothing here." in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CompareScreen))
