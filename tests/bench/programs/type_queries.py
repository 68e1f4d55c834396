"""Types queries into the app and prints the seconds from each key to its letter and to the list.

Its argument is a file of JSON: the folder, and the queries as they grow key by key.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from textual._compositor import CompositorUpdate
from textual.widgets import Input

from memlens.app.app import MemlensApp
from memlens.app.widgets.line_view import LineView
from memlens.engine.events.memories import MemoriesFound

if TYPE_CHECKING:
    from textual.pilot import Pilot
    from textual.screen import Screen
    from textual.strip import Strip

_PATIENCE: Final = 60.0
_SETTLED: Final = 0.15
"""Seconds after which nothing of what was typed before is still at work."""


class Painter:
    """Tells when a letter was painted, and when the list with the answer to what is typed.

    Without a terminal nobody makes what one would get, so that is done here too.
    """

    def __init__(self, app: MemlensApp) -> None:
        self.results: Final = app.screen.query_one("#memory-results", LineView)
        self.search: Final = app.screen.query_one("#memory-search", Input)
        self.painted: Final = asyncio.Event()
        self.letter = self.when = 0.0
        self._app: Final = app
        self._answered = ""
        self._drawn = self._written = False
        self._display: Final = app._display
        self._render_line: Final = self.results.render_line
        self._search_line: Final = self.search.render_line
        self._typed = ""
        app._display = self._displaying  # type: ignore[method-assign]
        self.results.render_line = self._drawing  # type: ignore[method-assign]
        self.search.render_line = self._writing  # type: ignore[method-assign]
        # Subscribed last: the pane has taken the answer when this hears of it.
        app.bridge.subscribe(MemoriesFound, self._found)

    def begin(self, typed: str) -> None:
        """What was painted so far does not count; `typed` is what will stand there."""
        self._answered, self._drawn = "", False
        self._typed, self._written = typed, False
        self.letter = 0.0
        self.painted.clear()

    def _found(self, event: MemoriesFound) -> None:
        self._answered = event.query

    def _drawing(self, y: int) -> Strip:
        if self._answered and self._answered == self.search.value:
            self._drawn = True
        return self._render_line(y)

    def _writing(self, y: int) -> Strip:
        if self.search.value == self._typed:
            self._written = True
        return self._search_line(y)

    def _displaying(self, screen: Screen[Any], renderable: Any) -> None:
        self._display(screen, renderable)
        if isinstance(renderable, CompositorUpdate):
            renderable.render_segments(self._app.console)
        now = time.perf_counter()
        if self._written and not self.letter:
            self.letter = now
        if self._drawn and not self.painted.is_set():
            self.when = now
            self.painted.set()


async def type_all(root: str, queries: list[str]) -> list[tuple[float, float]]:
    """For each query the seconds to the letter, and to the list."""
    app = MemlensApp(root, live=False)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36)) as pilot:
        deadline = time.monotonic() + _PATIENCE
        while not any(
            view.lines.count(80) for view in app.screen.query("#memory-results").results(LineView)
        ):
            assert time.monotonic() < deadline, "the facts never came"
            await pilot.pause(0.01)
        # What a start has to do behind the first paint is not what a key waits for later.
        await asyncio.to_thread(app.engine.drain, _PATIENCE)
        painter = Painter(app)
        painter.search.focus()
        await pilot.pause(_SETTLED)
        return [await _type(pilot, painter, query) for query in queries]


async def _type(pilot: Pilot[Any], painter: Painter, query: str) -> tuple[float, float]:
    search = painter.search
    if search.value != query[:-1]:  # another word begins
        search.value = query[:-1]
        search.cursor_position = len(search.value)
        await pilot.pause(_SETTLED)
    painter.begin(query)
    start = time.perf_counter()
    pressing = asyncio.ensure_future(pilot.press(query[-1]))
    async with asyncio.timeout(_PATIENCE):
        await painter.painted.wait()
    await pressing
    assert search.value == query, f"{search.value!r} instead of {query!r}"
    return painter.letter - start, painter.when - start


if __name__ == "__main__":
    folder, asked = json.loads(Path(sys.argv[1]).read_text())
    print(json.dumps(asyncio.run(type_all(folder, asked))))
