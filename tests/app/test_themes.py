"""Colours: enough contrast in every theme, and nothing that colours alone tell."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, cast

import pytest
from rich.color import Color, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.themes import FAINT, READABLE, SIXTEEN
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.line_view import STYLES, LineView
from memlens.app.widgets.share_bar import ShareBar
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import opened, recoloured, until
from tests.app.terminal import Terminal

FAINT_ONES = {"gutter", "off"}


def luminance(color: Color) -> float:
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(text: Color | None, ground: Color | None) -> float:
    """Of two colours, from 1 to 21; infinite where it is the terminal's own affair."""
    if text is None or ground is None or ColorType.DEFAULT in (text.type, ground.type):
        return float("inf")
    if text.type is ColorType.STANDARD or ground.type is ColorType.STANDARD:
        return 1.0 if text == ground else float("inf")
    light, dark = sorted((luminance(text), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def test_everything_can_be_read_in_each_theme(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        app = pilot.app
        lines = app.screen.query_one("#tree-lines", LineView)
        bar, shares = app.screen.query_one(ActionBar), app.screen.query_one(ShareBar)
        low: list[str] = []
        assert len(app.available_themes) > 20
        for name in app.available_themes:
            app.theme = name
            theme = app.current_theme
            await recoloured(pilot)
            ground = lines._style("").bgcolor
            found: dict[str, Style] = {one: lines._style(one) for one in (*STYLES, "cursor")}
            found |= {one: bar.get_component_rich_style(f"bar--{one}") for one in ("key", "off")}
            found |= {
                f"share {one}": shares.get_component_rich_style(f"shares--{one}")
                for one in ("user", "managed", "ancestor", "project", "local", "nested", "index")
            }
            for style, drawn in found.items():
                least = FAINT if style in FAINT_ONES else READABLE
                if theme.name == "textual-light" and style == "dim":
                    continue
                if contrast(drawn.color, drawn.bgcolor or ground) < least - 0.05:
                    low.append(f"{name}: {style}")
                upon = lines._style("resting").bgcolor if drawn.bgcolor in (None, ground) else None
                least = FAINT if style == "dim" else least
                if contrast(drawn.color, upon) < least - 0.05:
                    low.append(f"{name}: {style} where the cursor rests")
        assert low == []


async def test_without_colours_what_is_wrong_is_louder_than_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(open_workspace(tmp_path, home=str(tmp_path))) as pilot:
        lines = pilot.app.screen.query_one("#tree-lines", LineView)
        assert lines._style("error").bold
        assert lines._style("warning").bold
        assert not lines._style("").bold


def drawn(pilot: Pilot[Any]) -> list[list[Segment]]:
    """What the screen shows, with its colours."""
    return [[*strip.simplify()] for strip in pilot.app.screen._compositor.render_strips()]


async def pressed(pilot: Pilot[Any], *keys: str) -> None:
    """Presses the keys, each when the one before has had its effect."""
    for key in keys:
        await pilot.press(key)
        await asyncio.to_thread(cast("MemlensApp", pilot.app).engine.drain, 10)
        await pilot.pause()
        await pilot.pause()


@pytest.mark.parametrize("keys", [(), ("ctrl+p",), ("3", "question_mark"), ("r",), ("2", "e")])
async def test_other_colours_reach_every_widget_of_every_screen(
    demo: Workspace, keys: tuple[str, ...]
) -> None:
    async with opened(replace(demo, settings=replace(demo.settings, theme="nord"))) as pilot:
        await pressed(pilot, *keys)
        over = drawn(pilot)
        await pressed(pilot, "escape")
        below = drawn(pilot)
    async with opened(demo) as pilot:
        await pressed(pilot, *keys)
        pilot.app.theme = "textual-light"
        await pilot.pause()
        pilot.app.theme = "nord"  # before the other is done with
        await until(pilot, lambda: drawn(pilot) == over)
        await pressed(pilot, "escape")
        await until(pilot, lambda: drawn(pilot) == below)


@pytest.mark.parametrize("colourless", [False, True], ids=["colours", "NO_COLOR"])
def test_a_terminal_of_few_colours_gets_none_that_it_lacks(
    tmp_path: Path, colourless: bool
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "CLAUDE.md").write_text("# Project\n")
    env = {
        "TERM": "linux", "COLORTERM": "", "HOME": str(tmp_path / "home"),
        "MEMLENS_STATE_DIR": str(tmp_path / "state"), "MEMLENS_AGENT": "raider",
        **({"NO_COLOR": "1"} if colourless else {}),
    }  # fmt: skip
    with Terminal(str(project), env=env) as terminal:
        terminal.until("CLAUDE.md")
        terminal.settle()
        colours = {
            code
            for sequence in re.findall(rb"\x1b\[([0-9;]*)m", terminal.all)
            for code in sequence.split(b";")
        }
        assert b"7" in colours, "the cursor cannot be seen without colours"
        assert not {b"38", b"48"} & colours
        # What is shown as a background there could be as light as the text upon it.
        assert bool({b"91", b"92", b"93"} & colours) is not colourless


async def test_the_theme_of_few_colours_is_not_taken_along(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        app = pilot.app
        app._first_theme = SIXTEEN.name  # type: ignore[attr-defined]
        app.theme = SIXTEEN.name
        app.recall_theme("dracula")  # type: ignore[attr-defined]
        assert app.theme == SIXTEEN.name
        assert app.chosen_theme == "dracula"  # type: ignore[attr-defined]
        app.theme = "nord"
        assert app.chosen_theme == "nord"  # type: ignore[attr-defined]
