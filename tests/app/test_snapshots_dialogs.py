"""What stands over the panes or in their place, compared with what it looked like before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.app import MemlensApp
from memlens.app.screens.choose import Choose
from memlens.demo import make_repository
from memlens.engine.workspace import Workspace
from tests.app.conftest import DEMO_PLACE, NOW
from tests.app.pilot import loaded, screen_text, until
from tests.app.test_snapshots import SnapCompare

SMALL, LARGE = (80, 24), (120, 36)
_FACT = "---\nname: {}\ndescription: {}\ntags: [tools]\n---\n\n{}\n"


def fact(name: str) -> Path:
    return Path(os.environ["MERMAID_DATA_DIR"], "memory", f"{name}.md")


def clash_of_a_fact() -> None:
    text = "Lead with the answer.\nThen say why."
    fact("answer-style").write_text(_FACT.format("answer-style", "Short answers", text))


def clash_of_a_file() -> None:
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


def nothing() -> None:
    pass


DIALOGS = (
    ("clash", nothing, "3 e X", clash_of_a_fact, "ctrl+s", "Changed on disk"),
    ("clash-file", nothing, "1 e X", clash_of_a_file, "ctrl+s", "Changed on disk"),
    ("trash", nothing, "3 d", nothing, "T", "1 deleted fact"),
    ("log", nothing, "3 d", nothing, "at", "1 step"),
    ("twins", twins, "3", nothing, "w", "nearly the same"),
    ("twins-none", nothing, "3", nothing, "w", "No two facts"),
    ("stale", out_of_use, "3", nothing, "o", "not"),
    ("new", nothing, "3 n", nothing, "s h i p", "ship.md"),
    ("filter", nothing, "3", nothing, "f", "older than a year"),
    ("quit", nothing, "3 e X", nothing, "ctrl+q", "Quit without it"),
    ("staged-editor", nothing, "r", nothing, "2 e", "as it is staged"),
    ("compare", nothing, "P", nothing, "enter", "only here"),
    ("first", nothing, "", nothing, "", "Which agent do you use?"),
)
"""A name; what is done before; keys; what happens then; more keys; what is shown at the end."""
READY = {
    "3 e X": "not saved", "1 e X": "not saved", "3 d": "deleted answer", "3 n": "a new fact",
    "r": "style.md", "P": "Compare raider with",
}  # fmt: skip
"""What is shown when keys have done their work."""
LOOKS = [
    *((one, SMALL, "memlens") for one in DIALOGS),
    *((one, LARGE, "memlens") for one in DIALOGS if one[0] in ("clash", "twins", "compare")),
    *((one, LARGE, "memlens-light") for one in DIALOGS if one[0] in ("clash", "quit", "compare")),
    *((one, SMALL, "memlens-16") for one in DIALOGS if one[0] in ("clash", "staged-editor")),
]


def _named(look: tuple[Any, ...]) -> str:
    return f"{look[0][0]}-{look[1][0]}-{look[2].removeprefix('memlens')}".rstrip("-")


@pytest.mark.parametrize("look", LOOKS, ids=_named)
def test_dialog(
    look: tuple[Any, ...],
    demo: Workspace,
    snap_compare: SnapCompare,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (name, before, keys, between, more, shown), size, theme = look
    monkeypatch.setenv("XDG_CONFIG_HOME", str(DEMO_PLACE / "home" / ".config"))
    make_repository(DEMO_PLACE)
    before()
    app = MemlensApp(demo, live=False, ask_agent=name == "first")
    app.animation_level = "none"

    async def play(pilot: Pilot[Any]) -> None:
        app.theme = theme
        if name == "first":
            await until(pilot, lambda: isinstance(app.screen, Choose))
        else:
            await loaded(pilot)
        for key in keys.split():
            await pilot.press(key)
        await until(pilot, lambda: READY.get(keys, "") in screen_text(app), keys)
        between()
        app.clear_notifications()
        await until(pilot, lambda: not app.screen.query("Toast"))
        for key in more.split():
            await pilot.press(key)
        await until(pilot, lambda: shown in screen_text(app), f"no {shown!r}")
        for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
            field.cursor_blink = False
        await until(pilot, lambda: app.engine.drain(0.05))
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=play)
