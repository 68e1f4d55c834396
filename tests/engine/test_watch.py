"""Changes on disk are told within half a second, wherever they matter."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from memlens.engine import ContextLoaded, Engine, LoadContext, WatchChanged, open_workspace


class Latest:
    """The text of the newest plan, to wait for."""

    def __init__(self, engine: Engine) -> None:
        self._arrived = threading.Condition()
        self._text = ""
        engine.bus.subscribe(ContextLoaded, self._note)

    def _note(self, event: ContextLoaded) -> None:
        with self._arrived:
            self._text = event.plan.text
            self._arrived.notify_all()

    def wait_for(self, part: str, seconds: float = 10) -> float:
        """Waits until `part` is in the plan; returns the seconds it took."""
        begin = time.monotonic()
        with self._arrived:
            assert self._arrived.wait_for(lambda: part in self._text, seconds), self._text
        return time.monotonic() - begin


def test_memory_files_and_imports_are_followed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    docs = root / "docs"
    docs.mkdir(parents=True)
    (root / "CLAUDE.md").write_text("See @docs/a.md\n")
    (docs / "a.md").write_text("first\n")
    live = threading.Event()
    with Engine(open_workspace(root), live=True) as engine:
        latest = Latest(engine)
        engine.bus.subscribe(WatchChanged, lambda event: live.set() if event.live else None)
        engine.ask(LoadContext(request=1), ContextLoaded)
        assert live.wait(10)
        latest.wait_for("first")
        (docs / "a.md").write_text("second\n")
        latest.wait_for("second")
        (root / "CLAUDE.local.md").write_text("mine only\n")
        latest.wait_for("mine only")
        # As editors save: another file renamed over it.
        (docs / "new").write_text("third\n")
        (docs / "new").rename(docs / "a.md")
        latest.wait_for("third")
