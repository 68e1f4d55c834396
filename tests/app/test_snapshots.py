"""What the screen looks like, compared with what it looked like before."""

from __future__ import annotations

from typing import Protocol

import pytest

from memlens.engine.workspace import Workspace
from tests.app.pilot import make_app
from tests.app.scenes import LOOKS, Scene


class SnapCompare(Protocol):
    def __call__(
        self, app: object, *, terminal_size: tuple[int, int], run_before: object
    ) -> bool: ...


def named(scene: Scene) -> str:
    return f"{scene.name}-{scene.size[0]}"


@pytest.mark.parametrize("scene", LOOKS, ids=named)
def test_scene(scene: Scene, demo: Workspace, snap_compare: SnapCompare) -> None:
    assert snap_compare(scene.opened(demo), terminal_size=scene.size, run_before=scene.play)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}")
def test_without_colours(
    size: tuple[int, int],
    demo: Workspace,
    snap_compare: SnapCompare,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    scene = Scene("overview", size=size)
    assert snap_compare(make_app(demo), terminal_size=size, run_before=scene.play)
