"""The scenes that pictures are made of: the demo, after some keys, once everything has come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.app import MemlensApp
from tests.app.pilot import loaded, screen_text, until

Step = Callable[[Pilot[Any]], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """A picture's name, and how to get there."""

    name: str
    keys: tuple[str, ...] = ()
    waits_for: str = ""
    """Text that the screen shows when everything has come."""
    size: tuple[int, int] = (120, 36)

    async def play(self, pilot: Pilot[Any]) -> None:
        """Brings the app into the scene."""
        app = pilot.app
        assert isinstance(app, MemlensApp)
        app.animation_level = "none"
        await loaded(pilot)
        for field in app.screen.query(Input):
            field.cursor_blink = False
        for area in app.screen.query(TextArea):
            area.cursor_blink = False
        for key in self.keys:
            await pilot.press(key)
        await until(pilot, lambda: self.waits_for in screen_text(app), f"no {self.waits_for!r}")
        await pilot.pause()


SCENES = (
    Scene("overview", waits_for="A write would pass"),
    Scene("search", ("3", "slash", *"sandbox"), "1 of 8"),
    Scene("edit", ("3", "e"), "Description"),
    Scene("reads", ("4", "z", "j"), "has been modified since read"),
    Scene("preview", ("2", "z", "G"), "line 82/82"),
    Scene("help", ("question_mark",), "Esc closes"),
)
