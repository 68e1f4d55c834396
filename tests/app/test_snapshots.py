"""What the screen looks like at three sizes, compared with what it looked like before."""

from __future__ import annotations

from typing import Protocol

import pytest

from memlens.engine.workspace import Workspace
from tests.app.pilot import make_app
from tests.app.scenes import SCENES, Scene


class SnapCompare(Protocol):
    def __call__(
        self, app: object, *, terminal_size: tuple[int, int], run_before: object
    ) -> bool: ...


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)], ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_scene(
    scene: Scene, size: tuple[int, int], demo: Workspace, snap_compare: SnapCompare
) -> None:
    if scene.name == "overview" and size[0] < 100:
        scene = Scene(scene.name, waits_for="project")
    assert snap_compare(make_app(demo), terminal_size=size, run_before=scene.play)
