"""The pictures, made from the demo: what lies in `screenshots` is what the app shows.

`pytest --update-screenshots` makes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from memlens.engine.workspace import Workspace
from tests.app.conftest import DEMO_PLACE
from tests.app.pilot import driven
from tests.app.scenes import SCENES, Scene

PICTURES = Path(__file__).parent.parent.parent / "screenshots"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_picture_is_current(
    scene: Scene,
    demo: Workspace,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(DEMO_PLACE / "home" / ".config"))
    app = scene.opened(demo)
    async with driven(app, scene.size) as pilot:
        await scene.play(pilot)
        picture = app.export_screenshot()
    path = PICTURES / f"{scene.name}.svg"
    if request.config.getoption("--update-screenshots"):
        path.write_text(picture, encoding="utf-8")
    assert path.exists(), "run pytest --update-screenshots"
    assert path.read_text(encoding="utf-8") == picture, "run pytest --update-screenshots and look"


def test_no_picture_is_left_over() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == {scene.name for scene in SCENES}
