"""Changes on disk are told within half a second, wherever they matter."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from memlens.engine import (
    ContextLoaded,
    DiskChanged,
    Engine,
    EventBus,
    LoadContext,
    WatchChanged,
    open_workspace,
)
from memlens.engine.watch import Watcher


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

    def wait_for(self, part: str, seconds: float = 60) -> float:
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
        assert live.wait(60)
        latest.wait_for("first")
        (docs / "a.md").write_text("second\n")
        latest.wait_for("second")
        (root / "CLAUDE.local.md").write_text("mine only\n")
        latest.wait_for("mine only")
        # As editors save: another file renamed over it.
        (docs / "new").write_text("third\n")
        (docs / "new").rename(docs / "a.md")
        latest.wait_for("third")


def test_a_folder_that_appears_is_watched_from_then_on(tmp_path: Path) -> None:
    changed = threading.Semaphore(0)
    bus = EventBus()
    bus.subscribe(DiskChanged, lambda _: changed.release())
    watcher = Watcher(bus)
    try:
        watcher.watch("part", frozenset([str(tmp_path / "later" / "deep")]))
        assert changed.acquire(timeout=60)  # the watch stands
        for name in ("later", "later/deep", "later/deep/file"):
            path = tmp_path / name
            path.touch() if name.endswith("file") else path.mkdir()
            assert changed.acquire(timeout=60), name
            while changed.acquire(timeout=1):  # the new watch tells that it stands
                pass
    finally:
        watcher.close()


def test_nothing_is_lost_while_the_watch_is_set_up(tmp_path: Path) -> None:
    for number in range(5):
        path = tmp_path / str(number)
        path.mkdir()
        seen = threading.Event()
        bus = EventBus()

        def look(_: DiskChanged, path: Path = path, seen: threading.Event = seen) -> None:
            if (path / "late").exists():
                seen.set()

        bus.subscribe(DiskChanged, look)
        watcher = Watcher(bus)
        try:
            watcher.watch("part", frozenset([str(path)]))
            (path / "late").touch()
            assert seen.wait(60)
        finally:
            watcher.close()


def test_a_name_that_is_not_utf_8_beside_it_stops_nothing(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "CLAUDE.md").write_text("first\n")
    os.mkdir(os.fsencode(root) + b"/caf\xe9")
    words = list[bool]()
    with Engine(open_workspace(root), live=True) as engine:
        latest = Latest(engine)
        engine.bus.subscribe(WatchChanged, lambda event: words.append(event.live))
        engine.ask(LoadContext(request=1), ContextLoaded)
        latest.wait_for("first")
        for word in ("second", "third"):
            (root / "CLAUDE.md").write_text(f"{word}\n")
            latest.wait_for(word)
            os.rename(os.fsencode(root) + b"/caf\xe9", os.fsencode(root) + b"/t\xe9")
            os.rename(os.fsencode(root) + b"/t\xe9", os.fsencode(root) + b"/caf\xe9")
        (root / "CLAUDE.md").write_text("fourth\n")
        latest.wait_for("fourth")
    assert all(words)
