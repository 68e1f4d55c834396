"""The scenes that pictures are made of: the demo, after some keys, once everything has come."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.app import MemlensApp
from memlens.app.screens.choose import Choose
from memlens.demo import make_repository
from memlens.engine.workspace import Workspace
from tests.app.conftest import DEMO_PLACE, NOW
from tests.app.pilot import PatientPilot, loaded, make_app, screen_text, until

SMALL: Final = (80, 24)
LARGE: Final = (120, 36)

Keys = tuple[str, str]
"""Keys, separated by blanks, and the text that the screen shows when they have done their work."""
Happening = Callable[[], None]
"""What somebody else does meanwhile, to the files of the demo."""


@dataclass(frozen=True)
class Scene:
    """A picture's name, and how to get there."""

    name: str
    steps: tuple[Keys | Happening, ...] = ()
    size: tuple[int, int] = LARGE
    theme: str = "memlens"
    before: Happening | None = None
    """What has happened before the start."""
    asks_agent: bool = False
    """Whether it is the first start, which asks."""

    def opened(self, workspace: Workspace) -> MemlensApp:
        """The app on the demo, after what has happened before."""
        make_repository(DEMO_PLACE)
        if self.before:
            self.before()
        return make_app(workspace, asks_agent=self.asks_agent)

    async def play(self, pilot: Pilot[Any]) -> None:
        """Brings the app into the scene."""
        pilot = PatientPilot(pilot.app)  # also where the library of the pictures drives
        app = pilot.app
        assert isinstance(app, MemlensApp)
        app.theme = self.theme
        if self.asks_agent:
            await until(pilot, lambda: isinstance(app.screen, Choose))
        else:
            await loaded(pilot)
        for step in (("", ""), *self.steps):
            await pilot.rest()  # the help and the menus say what cannot be done yet
            if callable(step):
                step()
                app.clear_notifications()
                await until(pilot, lambda: not app.screen.query("Toast"))
                continue
            keys, shown = step
            for key in keys.split():
                await pilot.press(key)
            await until(pilot, lambda: shown in screen_text(app), f"no {shown!r}")  # noqa: B023
            for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
                field.cursor_blink = False
        await until(pilot, lambda: app.engine.drain(0.05))
        await pilot.pause()
        await pilot.pause()


def fact(name: str) -> Path:
    """A fact of the demo that holds everywhere."""
    return Path(os.environ["MERMAID_DATA_DIR"], "memory", f"{name}.md")


def another_writes_the_fact() -> None:
    text = "Lead with the answer.\nThen say why."
    fact("answer-style").write_text(_FACT.format("answer-style", "Short answers", text))


def another_writes_the_file() -> None:
    path = DEMO_PLACE / "home" / ".claude" / "CLAUDE.md"
    path.write_text(path.read_text().replace("in English", "in French"))


def twins() -> None:
    text = fact("prefer-ripgrep").read_text().replace("name: prefer-ripgrep", "name: use-ripgrep")
    fact("use-ripgrep").write_text(f"{text.rstrip()} Always.\n")


def out_of_use() -> None:
    for name, days in (("answer-style", 400), ("no-force-push", 250)):
        path = fact(name)
        path.write_text(path.read_text().replace("created: 2026", "created: 2025"))
        os.utime(path, (NOW - days * 86_400,) * 2)


def toasts_go() -> None:
    """Nobody does anything meanwhile."""


_FACT: Final = "---\nname: {}\ndescription: {}\ntags: [tools]\n---\n\n{}\n"
_DELETED: Final = ("3 d", "deleted")
REVIEW: Final = (
    ("r", "style.md"),
    ("right_square_bracket right_square_bracket", ""),
    ("2", "glossary"),
)
OVERVIEW: Final = (
    ("4 j", "has been modified since read"),
    ("1 right_square_bracket right_square_bracket", "put a space behind"),
)
SCENES: Final = (
    Scene("overview", OVERVIEW),
    Scene("preview", (("2 z", "Prompt preview"), ("slash m o n e y", ""), ("enter", "1/"))),
    Scene("search", (("3 slash s a n d b o x", "1 of 8"),)),
    Scene("edit", (("3 e", "Description"),)),
    Scene("reads", (("4 z", "Read state"), ("j", "has been modified since read"))),
    Scene("review", REVIEW),
    Scene("review-prompt", (*REVIEW, ("3", "Prompt"))),
    Scene("review-findings", (*REVIEW, ("4", "Findings"))),
    Scene("help", (("question_mark", "Esc closes"),)),
    Scene("compare", (("P", "Compare raider with"), ("enter", "only here"))),
    Scene("twins", (("3", ""), ("w", "nearly the same")), before=twins),
    Scene("stale", (("3", ""), ("o", "not")), before=out_of_use),
    Scene("trash", (_DELETED, toasts_go, ("T", "1 deleted fact"))),
    Scene("log", (_DELETED, toasts_go, ("at", "1 step"))),
    Scene(
        "clash",
        (("3 e X", "not saved"), another_writes_the_fact, ("ctrl+s", "Changed on disk")),
    ),
    Scene("staged-editor", (("r", "style.md"), ("2 e", "as it is staged"))),
    Scene("first", (("", "Which agent do you use?"),), asks_agent=True),
)
"""A picture of every screen; some of them are the README's."""

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

_BY_NAME: Final = {scene.name: scene for scene in SCENES}
_OTHERS: Final = (
    Scene(
        "clash-file",
        (("1 e X", "not saved"), another_writes_the_file, ("ctrl+s", "Changed on disk")),
    ),
    Scene("twins-none", (("3", ""), ("w", "No two facts"))),
    Scene("new", (("3 n", "a new fact"), ("s h i p", "ship.md"))),
    Scene("filter", (("3", ""), ("f", "older than a year"))),
    Scene("quit", (("3 e X", "not saved"), ("ctrl+q", "Quit without it"))),
)
_OVER: Final = tuple(
    _BY_NAME[name]
    for name in ("clash", "trash", "log", "twins", "stale", "staged-editor", "compare", "first")
)
OVER: Final = (
    *(replace(scene, size=SMALL) for scene in (*_OVER, *_OTHERS)),
    *(_BY_NAME[name] for name in ("clash", "twins", "compare")),
    *(
        replace(scene, theme="memlens-light")
        for scene in (_BY_NAME["clash"], _BY_NAME["compare"], _OTHERS[-1])
    ),
    *(
        replace(_BY_NAME[name], size=SMALL, theme="memlens-16")
        for name in ("clash", "staged-editor")
    ),
)
"""Those of them that stand over the panes or in their place."""
