"""The real app on the demo, or on a folder of the test's own."""

from __future__ import annotations

import asyncio
import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlens.demo import lay_out
from memlens.engine.handlers.desk import Desk
from memlens.engine.workspace import Workspace

DEMO_PLACE = Path("/tmp/memlens-demo")
"""Always the same, because the prompt holds absolute paths and the pictures hold the prompt."""
NOW = 1_795_946_400.0
"""2026-11-29 10:00 UTC; it is always that time there, because pictures hold ages."""


@pytest.fixture(autouse=True)
def _no_guess_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework's pilot goes on when the process seems to be idle. On a machine that is busy
    with something else it always seems so: let it be so here, too, and what a test needs it waits
    for itself."""

    async def at_once(*_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("textual.app.wait_for_idle", at_once)
    monkeypatch.setattr("textual.pilot.wait_for_idle", at_once)


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """The demo's workspace, at a fixed place and time."""
    with DEMO_PLACE.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another run of the tests may want the same place
        shutil.rmtree(DEMO_PLACE, ignore_errors=True)
        DEMO_PLACE.mkdir(parents=True)
        monkeypatch.setenv("MERMAID_DATA_DIR", str(DEMO_PLACE / "data"))
        monkeypatch.setenv("MEMLENS_STATE_DIR", str(DEMO_PLACE / "state"))
        monkeypatch.setattr(Desk, "now", lambda _: NOW)
        yield lay_out(DEMO_PLACE, now=NOW)
        shutil.rmtree(DEMO_PLACE, ignore_errors=True)
