"""The scenes that pictures are made of: the demo, after some keys, once everything has come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.app import MemlensApp
from tests.app.pilot import loaded, screen_text, until

Step = Callable[[Pilot[Any]], Awaitable[None]]


@dataclass(frozen=True)
class Scene:
    """A picture's name, and how to get there."""

    name: str
    steps: tuple[tuple[str, str], ...] = ()
    """Keys, separated by blanks, and the text that the screen shows when they have done their
    work."""
    size: tuple[int, int] = (120, 36)
    theme: str = "memlens"

    async def play(self, pilot: Pilot[Any]) -> None:
        """Brings the app into the scene."""
        app = pilot.app
        assert isinstance(app, MemlensApp)
        app.animation_level = "none"
        app.theme = self.theme
        await loaded(pilot)
        for keys, shown in (("", ""), *self.steps):
            for key in keys.split():
                await pilot.press(key)
            await until(pilot, lambda: shown in screen_text(app), f"no {shown!r}")  # noqa: B023
            for field in app.screen.query(Input):
                field.cursor_blink = False
            for area in app.screen.query(TextArea):
                area.cursor_blink = False
        await until(pilot, lambda: app.engine.drain(0.05))
        await pilot.pause()
        await pilot.pause()


REVIEW: Final = (
    ("r", "style.md"),
    ("right_square_bracket right_square_bracket", ""),
    ("2", "glossary"),
)
SCENES: Final = (
    Scene("overview"),
    Scene("preview", (("2 z", "Prompt preview"), ("slash m o n e y", ""), ("enter", "1/"))),
    Scene("search", (("3 slash s a n d b o x", "1 of 8"),)),
    Scene("edit", (("3 e", "Description"),)),
    Scene("reads", (("4 z", "Read state"), ("j", "has been modified since read"))),
    Scene("review", REVIEW),
    Scene("review-prompt", (*REVIEW, ("3", "Prompt"))),
    Scene("review-findings", (*REVIEW, ("4", "Findings"))),
    Scene("help", (("question_mark", "Esc closes"),)),
)
"""Those of the README."""

SIZES: Final = ((60, 20), (80, 24), (120, 36), (200, 60))
LOOKS: Final = (
    *(Scene("overview", size=size) for size in SIZES),
    *(Scene("overview-light", size=size, theme="memlens-light") for size in SIZES[1:]),
    *(
        Scene(scene.name, scene.steps, size)
        for scene in SCENES
        if scene.name in ("edit", "reads", "review", "review-findings", "help")
        for size in ((80, 24), (200, 60))
    ),
    *(
        Scene(f"{scene.name}-light", scene.steps, theme="memlens-light")
        for scene in SCENES
        if scene.name in ("search", "review")
    ),
)
"""Those that are compared with what they looked like before."""
