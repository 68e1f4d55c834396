"""Between look and write a file becomes something else: nothing is written through it, or lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.children import in_child
from tests.faults.kinds import KINDS, Kind
from tests.faults.kinds.facts import (
    DeleteFact,
    MoveFact,
    OfFacts,
    RenameFact,
    RestoreFact,
)
from tests.faults.kinds.files import OfFiles
from tests.faults.kinds.reads import HookSettings, Journalled, Logged
from tests.faults.kinds.settings import ChosenAgent
from tests.faults.place import make_place
from tests.faults.tried import Trial, note

VICTIM = "somebody else's\n"
THEIRS = "what another program has just written\n"


def gone(path: Path, _: Path) -> None:
    path.unlink(missing_ok=True)


def folder(path: Path, _: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def link(path: Path, victim: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(victim)


def dangling(path: Path, victim: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(victim.with_name("not-there"))


def fifo(path: Path, _: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def others(path: Path, _: Path) -> None:
    beside = path.with_name("theirs.tmp")
    beside.write_text(THEIRS)
    os.replace(beside, path)


WAYS: tuple[Callable[[Path, Path], None], ...] = (gone, folder, link, dangling, fifo, others)
NAMES: dict[Callable[[Path, Path], None], str] = {
    gone: "the file is removed",
    folder: "the file becomes a folder",
    link: "the file becomes a link to another one",
    dangling: "the file becomes a link to nothing",
    fifo: "the file becomes a FIFO",
    others: "the file is replaced by another program",
}
APPENDS: tuple[type[Kind], ...] = (Journalled, Logged)
ENDING_IN_A_REMOVAL = (DeleteFact, RestoreFact, RenameFact, MoveFact)
SWAPPED = [
    kind
    for kind in KINDS
    if kind.targets is not Kind.targets and kind not in APPENDS + ENDING_IN_A_REMOVAL
]
TRIALS = {
    (way, kind): Trial(f"{NAMES[way]}, between look and write", kind.title, 1, 20)
    for way in WAYS
    for kind in SWAPPED
}
KEPT = (OfFacts, OfFiles, HookSettings, ChosenAgent)
"""What looks once more before the old file goes, so that another program's text is never lost."""


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", SWAPPED, ids=lambda kind: kind.__name__)
def test_the_target_is_swapped(
    kind: type[Kind], way: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    trial = TRIALS[way, kind]
    for number in range(trial.times):
        writes = kind(make_place(tmp_path / str(number)))
        writes.prepare()
        victim = tmp_path / str(number) / "victim"
        victim.write_text(VICTIM)
        state = {"swapped": ""}

        def swapping(
            writes: Kind = writes, victim: Path = victim, state: dict[str, str] = state
        ) -> str:
            step = writes.begin()
            if not writes.targets():
                step(1)
            fsync = os.fsync
            beginnings = {str(path): f".{path.name[:80]}." for path in writes.targets()}

            def swap(handle: int) -> None:
                # All bytes of the new file are on the disk, and its name is not yet there.
                name = os.readlink(f"/proc/self/fd/{handle}")
                for path, beginning in beginnings.items():
                    beside = os.path.dirname(path) == os.path.dirname(name)
                    if beside and os.path.basename(name).startswith(beginning):
                        if not state["swapped"]:
                            way(Path(path), victim)
                        state["swapped"] = path
                fsync(handle)

            os.fsync = swap  # type: ignore[assignment]
            try:
                step(3)
            except Exception as error:  # noqa: BLE001 - the parent looks at it
                return f"{state['swapped']}\n{type(error).__name__}: {error}"
            return f"{state['swapped']}\ndone"

        path, _, message = in_child(swapping).partition("\n")
        assert path, "it was never replaced"
        assert "Traceback" not in message
        assert victim.read_text() == VICTIM
        assert not victim.with_name("not-there").exists()
        if message == "done":
            assert not os.path.islink(path)
            assert os.path.isfile(path)
        if way is others and issubclass(kind, KEPT):
            assert message != "done", "another program's text was overwritten"
            assert Path(path).read_text() == THEIRS
        if way is folder:
            assert os.path.isdir(path)
    note(trial, trial.times)


PLANTED = {kind: Trial("a link planted where it is written", kind.title, 1, 20) for kind in APPENDS}


@pytest.mark.parametrize("kind", APPENDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("way", [link, dangling, fifo, folder], ids=lambda way: way.__name__)
def test_what_is_appended_to_is_no_link(
    kind: type[Kind], way: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    trial = PLANTED[kind]
    for number in range(trial.times):
        writes = kind(make_place(tmp_path / str(number)))
        writes.prepare()
        victim = tmp_path / str(number) / "victim"
        victim.write_text(VICTIM)
        for path in writes.targets():
            path.parent.mkdir(parents=True, exist_ok=True)
            way(path, victim)

        def step(writes: Kind = writes) -> str:
            try:
                writes.begin()(1)
            except OSError as error:
                return f"OSError: {error}"
            return "done"

        message = in_child(step)
        assert message.startswith("OSError") == writes.raises
        assert victim.read_text() == VICTIM
        assert not victim.with_name("not-there").exists()
    note(trial, trial.times)
