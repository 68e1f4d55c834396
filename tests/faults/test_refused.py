"""The disk refuses: full, or read-only. What was there stays, and the message says what and why."""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.faults.children import in_child
from tests.faults.kinds import KINDS, Kind
from tests.faults.kinds.review import GitHook, Restaged
from tests.faults.kinds.settings import SettingsTemplate
from tests.faults.place import make_place
from tests.faults.tried import Trial, note

NOBODY = 65534
QUOTA, FULL, READ_ONLY = "a file may not grow", "the disk is full", "the folder is read-only"
TRIALS = {
    (fault, kind): Trial(fault, kind.title, 1, 20)
    for fault in (QUOTA, FULL, READ_ONLY)
    for kind in KINDS
}


def told(kind: Kind, number: int) -> str:
    """What a step that must fail tells: `what`, or where it went through."""
    try:
        kind.begin()(number)
    except Exception as error:  # noqa: BLE001 - it is looked at
        if isinstance(error, OSError):
            return f"OSError: {error.strerror}: {error.filename or ''}"
        return f"{type(error).__name__}: {error} {getattr(error, 'hint', '')}"
    return "done"


def is_clear(message: str, *reasons: str) -> bool:
    """Whether a message gives the reason in words, and is no traceback."""
    return "Traceback" not in message and any(reason in message for reason in reasons)


def refused(trial: Trial, writes: Kind, message: str, *reasons: str) -> None:
    if message == "done" and writes.raises:
        assert trial.fault == QUOTA, "nothing was refused"
        writes.check(1, 1)  # it was short enough
        return
    if writes.raises:
        assert is_clear(message, *reasons), message
    stands = writes.check(0, 1)
    # git's own files may have been written before the disk was full, the rest not.
    assert stands == 0 or isinstance(writes, Restaged | GitHook | SettingsTemplate), stands


def goes_on(writes: Kind) -> None:
    """When the fault is over, the next write goes through and what it says is what stands."""
    message = in_child(partial(told, writes, 3))
    assert message == "done", message
    writes.check(3, 3)
    writes.finish()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_file_may_not_grow(kind: type[Kind], tmp_path: Path) -> None:
    """RLIMIT_FSIZE: each write takes some bytes and refuses the rest, as a quota would."""
    trial = TRIALS[QUOTA, kind]
    for number in range(trial.times):
        writes = kind(make_place(tmp_path / str(number)))
        writes.prepare()
        writes.torn = True

        def starved(writes: Kind = writes, limit: int = 20 + 7 * number) -> str:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            return told(writes, 1)

        refused(trial, writes, in_child(starved), "larger", "File too large", "only part", "git")
        goes_on(writes)
    note(trial, trial.times)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_disk_is_full(kind: type[Kind], small_disk: Path) -> None:
    trial = TRIALS[FULL, kind]
    for number in range(trial.times):
        writes = kind(make_place(small_disk / str(number)))
        writes.prepare()
        writes.torn = True
        ballast = small_disk / "ballast"
        with pytest.raises(OSError, match="No space"):
            ballast.write_bytes(b"x" * (2 << 20))
        message = in_child(partial(told, writes, 1))
        refused(trial, writes, message, "full", "No space", "only part", "git")
        ballast.unlink()
        goes_on(writes)
        shutil.rmtree(small_disk / str(number))
    note(trial, trial.times)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that another user of this machine can reach."""
    folder = Path(tempfile.mkdtemp(prefix="memlens-"))
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_folder_is_read_only(kind: type[Kind], open_place: Path) -> None:
    trial = TRIALS[READ_ONLY, kind]
    for number in range(trial.times):
        writes = kind(make_place(open_place / str(number)))
        writes.prepare()
        folders = [open_place / str(number), *(open_place / str(number)).rglob("*")]
        modes = {path: path.stat().st_mode & 0o777 for path in folders if path.is_dir()}
        for path in folders:
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        for path in modes:
            path.chmod(0o555)

        def unprivileged(writes: Kind = writes) -> str:
            if os.geteuid() == 0:  # root may write everywhere
                os.setresgid(NOBODY, NOBODY, 0)
                os.setresuid(NOBODY, NOBODY, 0)
            return told(writes, 1)

        message = in_child(unprivileged)
        for path, mode in modes.items():
            path.chmod(mode)
        for path in folders:
            if os.geteuid() == 0 and path.exists():
                os.chown(path, 0, 0)
        refused(trial, writes, message, "ermission denied", "not permitted", "git")
        goes_on(writes)
    note(trial, trial.times)
