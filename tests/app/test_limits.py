"""The screen on a workspace of endless, huge and special files: it paints, and answers each key."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlens.engine.workspace import open_workspace
from tests.app.pilot import driven, loaded, make_app, screen_text, until
from tests.faults.place import FOLDERS, Place, make_place
from tests.faults.test_limits import THINGS, build, places

WHERE = (
    "an import", "a fact", "a shared fact", "a transcript", "a journal", "memlens' settings",
    "an agent's settings", "an operation in the trash", "unsaved text", "the log",
)  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    for variable, name in FOLDERS.items():
        monkeypatch.setenv(variable, str(tmp_path / name))  # so that it is taken back
    return make_place(tmp_path)


@pytest.mark.parametrize("turn", range(len(THINGS)))
async def test_it_paints_and_answers(place: Place, turn: int) -> None:
    """Each place holds another thing in each turn, so that every pair comes once."""
    build(place, "the log", Path.touch)
    (place.state / "memlens.log").unlink()
    for number, role in enumerate(WHERE):
        path = places(place)[role]
        path.parent.mkdir(parents=True, exist_ok=True)
        THINGS[(number + turn) % len(THINGS)](path)
    app = make_app(open_workspace(place.root), live=True)
    async with driven(app) as pilot:
        await loaded(pilot)
        await until(pilot, lambda: "good" in screen_text(app))
        for key in ("1", "j", "n", "2", "G", "g", "3", "j", "v", "escape", "T", "escape", "4", "j",
                    "s", "escape", "f5", "question_mark"):  # fmt: skip
            await pilot.press(key)
        await until(pilot, lambda: app.screen.is_modal)
        assert "memlens" in screen_text(app)
