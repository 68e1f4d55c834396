"""What stands over the panes or in their place, compared with what it looked like before."""

from __future__ import annotations

import pytest

from memlens.engine.workspace import Workspace
from tests.app.conftest import DEMO_PLACE
from tests.app.scenes import OVER, Scene
from tests.app.test_snapshots import SnapCompare


def named(scene: Scene) -> str:
    return f"{scene.name}-{scene.size[0]}-{scene.theme.removeprefix('memlens')}".rstrip("-")


@pytest.mark.parametrize("scene", OVER, ids=named)
def test_dialog(
    scene: Scene, demo: Workspace, snap_compare: SnapCompare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(DEMO_PLACE / "home" / ".config"))
    app = scene.opened(demo)
    assert snap_compare(app, terminal_size=scene.size, run_before=scene.play)
