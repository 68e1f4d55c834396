"""Driving the real app: open it, wait for what must come, look at what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from memlens.app.app import MemlensApp
from memlens.app.widgets.line_view import LineView
from memlens.engine.workspace import Workspace

PATIENCE = 20.0
"""Seconds after which what has not come will not come."""


async def until(pilot: Pilot[Any], condition: Callable[[], object], what: str = "") -> None:
    """Waits until `condition` holds, however fast or slow the machine is."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, what or "waited in vain"
        await pilot.pause(0.01)
    await pilot.pause()


def shown(view: LineView) -> list[str]:
    """The lines of a view as text, also those out of sight."""
    width = view.scrollable_content_region.width
    lines = view.lines
    return [
        "".join(text for text, _ in lines.line(index, width)).rstrip()
        for index in range(lines.count(width))
    ]


def screen_text(app: App[Any]) -> str:
    """What the terminal shows, line by line; nothing while it has another size than is drawn."""
    update = app.screen._compositor.render_strips()
    if len(update) != app.size.height:
        return ""
    return "\n".join(strip.text for strip in update)


def make_app(workspace: Workspace, *, live: bool = False, asks_agent: bool = False) -> MemlensApp:
    """The app as the tests want it: nothing moves by itself."""
    app = MemlensApp(workspace, live=live, ask_agent=asks_agent)
    app.animation_level = "none"
    return app


async def loaded(pilot: Pilot[Any]) -> None:
    """Waits until no pane says that it is loading."""
    app = pilot.app
    assert isinstance(app, MemlensApp)
    await until(pilot, lambda: len(app.screen.query("Pane")) == 4)
    panes = list(app.screen.query("Pane"))
    await until(
        pilot,
        lambda: not any("loading" in str(pane.border_subtitle) for pane in panes),
        "a pane never loaded",
    )


async def recoloured(pilot: Pilot[Any]) -> None:
    """Waits until the colours of the theme have reached every widget."""
    app = pilot.app
    await until(
        pilot,
        lambda: (
            app.stylesheet._variables == app.get_css_variables()
            and not any(worker.group == "colours" for worker in app.workers)
        ),
    )


@asynccontextmanager
async def opened(
    workspace: Workspace, size: tuple[int, int] = (120, 36), *, live: bool = False
) -> AsyncIterator[Pilot[Any]]:
    """The app on `workspace`, everything loaded."""
    app = make_app(workspace, live=live)
    async with app.run_test(size=size, notifications=True) as pilot:
        await loaded(pilot)
        yield pilot
