"""Driving the real app: open it, wait for what must come, look at what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from textual.app import App
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from memlens.app.app import MemlensApp
from memlens.app.widgets.line_view import LineView
from memlens.engine.workspace import Workspace

PATIENCE = 60.0
"""Seconds after which what has not come will not come."""

MOMENT: Final = 0.1
"""Seconds up to which a timer of the app is a part of what it does at once."""


class PatientPilot(Pilot[Any]):
    """Presses and clicks, and looks only when all that follows from it has come about.

    The framework's own pilot goes on when the process seems to be idle, which on a machine that is
    busy with something else it always seems to be.
    """

    def __init__(self, app: App[Any], *, waits_for_engine: bool = True) -> None:
        """`waits_for_engine`: off where a test holds the engine back."""
        super().__init__(app)
        self._waits_for_engine: Final = waits_for_engine

    async def press(self, *keys: str) -> None:
        await super().press(*keys)
        await self.rest()

    async def _post_mouse_events(self, *given: Any, **options: Any) -> bool:
        hit = await super()._post_mouse_events(*given, **options)
        await self.rest()
        return hit

    async def resize_terminal(self, width: int, height: int) -> None:
        await super().resize_terminal(width, height)
        await self.rest()

    async def pause(self, delay: float | None = None) -> None:
        await super().pause(delay)
        if delay is None:
            await self.rest(screen_only=True)

    async def rest(self, *, screen_only: bool = False) -> None:
        """Waits until no widget has anything to do, no key is held back, and nothing is asked of
        the engine; or only until the screen can do nothing more before the engine has answered."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while not self._rests(engine=self._waits_for_engine and not screen_only):
            assert asyncio.get_running_loop().time() < deadline, "the app does not come to rest"
            await asyncio.sleep(0.001)

    def _rests(self, *, engine: bool) -> bool:
        app = self.app
        if not app.is_running:
            return True
        if isinstance(app, MemlensApp):
            typed = app.bridge.typed
            if not engine and typed._awaited:
                return True
            # The engine first: what it tells is a message before it is idle.
            if engine and not app.engine.drain(0):
                return False
            if typed._held or typed._letting_go is not None:
                return False
        # While the engine is held back, its progress is drawn again and again.
        if self._waits_for_engine and app.screen_stack and _is_drawn_soon(app.screen):
            return False
        return not any(_is_busy(pump) or _goes_on(pump) for pump in (app, *app._registry))


def _is_drawn_soon(screen: Screen[Any]) -> bool:
    """Whether something is still to be laid out or drawn, or to be done behind that."""
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
        or getattr(screen, "_drawing", False)
    )


def _is_busy(pump: MessagePump) -> bool:
    """Whether a widget has a message to handle, or is at one."""
    if pump._closed or pump._closing:
        return False
    queue: Any = pump._message_queue
    waits = bool(queue.ready_event._waiters) and not queue.ready_event.is_set()
    return bool(pump._next_callbacks) or not waits


def _goes_on(pump: MessagePump) -> bool:
    """Whether something is to be gone on with in a moment, such as a long text or a search."""
    return any(
        timer._repeat == 0 and timer._interval < MOMENT
        for timer in pump._timers
        if timer._task is not None and not timer._task.done()
    )


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
    return [_line(view, index, width) for index in range(view.lines.count(width))]


def line_at_cursor(view: LineView) -> str:
    """The line of a view under its cursor as text; of thousands no other is drawn."""
    width = view.scrollable_content_region.width
    assert view.cursor < view.lines.count(width)
    return _line(view, view.cursor, width)


def _line(view: LineView, index: int, width: int) -> str:
    return "".join(text for text, _ in view.lines.line(index, width)).rstrip()


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
async def driven(
    app: App[Any],
    size: tuple[int, int] = (120, 36),
    *,
    notifications: bool = True,
    waits_for_engine: bool = True,
) -> AsyncIterator[Pilot[Any]]:
    """The app, running; a `PatientPilot` drives it."""
    async with app.run_test(size=size, notifications=notifications):
        yield PatientPilot(app, waits_for_engine=waits_for_engine)


@asynccontextmanager
async def opened(
    workspace: Workspace,
    size: tuple[int, int] = (120, 36),
    *,
    live: bool = False,
    waits_for_engine: bool = True,
) -> AsyncIterator[Pilot[Any]]:
    """The app on `workspace`, everything loaded."""
    app = make_app(workspace, live=live)
    async with driven(app, size, waits_for_engine=waits_for_engine) as pilot:
        await loaded(pilot)
        await until(
            pilot, lambda: app.engine.drain(0)
        )  # it also looks what is wrong with the facts
        yield pilot
