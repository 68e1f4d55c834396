"""Prints the resident memory, in bytes, of an app at rest: the empty one, or memlens on a folder
whose facts are loaded, listed and searched once."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time

_PATIENCE = 60.0


def resident() -> int:
    """Bytes of this process that are in memory."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        shown = subprocess.check_output(["ps", "-o", "rss=", "-p", str(os.getpid())])
        return int(shown) * 1024


async def empty() -> int:
    """The app with one line of text."""
    from empty_app import EmptyApp  # type: ignore[import-not-found]

    app = EmptyApp()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(0.5)
        gc.collect()
        return resident()


async def full(root: str) -> int:
    """memlens, its facts in use."""
    from textual.widgets import Input

    from memlens.app.app import MemlensApp
    from memlens.app.widgets.line_view import LineView
    from memlens.engine.events.memories import MemoriesFound

    app = MemlensApp(root, live=True)
    app.animation_level = "none"
    answered: list[str] = []
    async with app.run_test(size=(120, 36)) as pilot:
        deadline = time.monotonic() + _PATIENCE
        app.bridge.subscribe(MemoriesFound, lambda event: answered.append(event.query))
        while not answered or not app.screen.query_one("#memory-results", LineView).lines.count(80):
            assert time.monotonic() < deadline, "the facts never came"
            await pilot.pause(0.01)
        search = app.screen.query_one("#memory-search", Input)
        search.focus()
        await pilot.press("t", "e", "s", "t")
        while "test" not in answered:
            assert time.monotonic() < deadline, "the answer never came"
            await pilot.pause(0.01)
        await pilot.press("escape")
        await pilot.pause(0.5)
        gc.collect()
        return resident()


if __name__ == "__main__":
    print(asyncio.run(full(sys.argv[1]) if len(sys.argv) > 1 else empty()))
