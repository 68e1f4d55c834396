"""The sample workspace: everything memlens shows, in a temporary folder of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlens.engine.workspace import Workspace

SESSION = "demo"


@contextmanager
def demo_workspace() -> Iterator[tuple[Workspace, Callable[[], None]]]:
    """The sample workspace in a temporary folder, which is removed at the end.

    With it comes what puts the sample there, to be called before anything is loaded: the screen
    need not wait for that. Meanwhile the environment of this process points into that folder, so
    that nothing of the person's own is shown or changed.
    """
    saved = dict(os.environ)
    making: list[threading.Thread] = []
    with tempfile.TemporaryDirectory(prefix="memlens-demo-", ignore_cleanup_errors=True) as folder:
        try:
            os.environ.pop("CLAUDE_CONFIG_DIR", None)
            os.environ["MERMAID_DATA_DIR"] = os.path.join(folder, "data")
            os.environ["MEMLENS_STATE_DIR"] = os.path.join(folder, "state")
            place = Path(folder).resolve()

            def prepare() -> None:
                lay_out(place, now=time.time())
                # Beside the loading, which must not wait for git.
                thread = threading.Thread(target=make_repository, args=(place,), daemon=True)
                making.append(thread)
                thread.start()

            yield _workspace(place), prepare
        finally:
            for thread in making:
                thread.join()
            os.environ.clear()
            os.environ.update(saved)


def make_repository(folder: Path) -> None:
    """Makes the sample a git repository in which a change is staged, where git is there.

    `folder` is where `lay_out` has put the sample; its files stay as they are.
    """
    from memlens.demo.repository import make

    with _sample() as sample:
        make(folder / "home" / "shop", sample / "before")


def lay_out(folder: Path, *, now: float) -> Workspace:
    """Puts the sample's files into `folder`, an hour's work old at `now` (seconds since 1970).

    `MERMAID_DATA_DIR` and `MEMLENS_STATE_DIR` must point into `folder` already.
    """
    from memlens.engine.durable import MemoryScope, dir_for

    workspace = _workspace(folder)
    home = folder / "home"
    project = _project(folder)
    with _sample() as sample:
        shutil.copytree(sample / "home", home, dirs_exist_ok=True)
        (home / "shop" / ".git").mkdir()
        for name, scope in (
            ("global", MemoryScope.GLOBAL),
            ("private", MemoryScope.PROJECT_PRIVATE),
        ):
            target = dir_for(scope, str(project))
            assert target is not None
            shutil.copytree(sample / name, os.fspath(target))
    for path in folder.rglob("*"):
        os.utime(path, (now - 86_400, now - 86_400))
    _read_some(project, now)
    return workspace


def _project(folder: Path) -> Path:
    return folder / "home" / "shop" / "api"


def _workspace(folder: Path) -> Workspace:
    """The workspace that the sample is laid out in."""
    from memlens.engine.workspace import open_workspace

    _project(folder).mkdir(parents=True, exist_ok=True)
    return open_workspace(_project(folder), home=folder / "home")


@contextmanager
def _sample() -> Iterator[Path]:
    """The sample as files."""
    beside = Path(__file__).parent / "sample"
    if beside.is_dir():
        yield beside
        return
    from importlib.resources import as_file, files  # for packages inside an archive

    with as_file(files("memlens.demo") / "sample") as unpacked:
        yield unpacked


def _read_some(project: Path, now: float) -> None:
    """An agent's hour: files read whole and in part, written, touched and changed since."""
    from memlens.engine.reads import ReadJournal

    source = project / "src"
    journal = ReadJournal(SESSION, agent="demo")
    journal.append("start", time=now - 3600, cwd=os.fspath(project))
    for name, action, minutes in (
        ("settings.py", "read", 58),
        ("orders.py", "read", 55),
        ("reports.py", "read", 41),
        ("mailer.py", "read", 37),
        ("settings.py", "write", 22),
    ):
        journal.record(source / name, action, time=now - 60 * minutes)
    journal.record(
        source / "payments.py", "partial", time=now - 2880, ranges=[[1, 8]], total_lines=12
    )
    touched, changed = source / "reports.py", source / "mailer.py"
    os.utime(touched, (now - 1800, now - 1800))
    changed.write_text(changed.read_text().replace("Your order", "Your order no."))
    os.utime(changed, (now - 1200, now - 1200))
    refusal = journal.write_problem(changed)[0]
    if refusal is not None:
        journal.append("refuse", path=os.fspath(changed), refusal=refusal, time=now - 900)
