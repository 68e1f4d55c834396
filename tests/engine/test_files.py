"""Bounded reads of regular files and atomic replacement, with real files of every kind."""

import os
import socket
import stat
from pathlib import Path

import pytest

from memlens.engine.files import DISK, FileProblem, replace_file
from memlens.engine.reads.lines import open_regular


def kind_of(path: Path, limit: int = 100) -> str:
    with pytest.raises(FileProblem) as caught:
        DISK.read(str(path), limit)
    assert caught.value.path == str(path)
    assert str(caught.value)
    return caught.value.kind


def test_a_read_gives_the_bytes_and_their_stamp(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\x00text")
    data, stamp = DISK.read(str(path), 6)
    assert data == b"\xff\x00text"
    assert stamp == DISK.look(str(path))
    assert (stamp.size, stamp.mtime_ns) == (6, path.stat().st_mtime_ns)


def test_whatever_is_no_readable_regular_file_has_its_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "big").write_bytes(b"x" * 101)
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    server.close()
    assert kind_of(tmp_path) == "folder"
    assert kind_of(tmp_path / "none") == "missing"
    assert kind_of(tmp_path / "fifo") == "special"
    assert kind_of(tmp_path / "socket") == "special"
    assert kind_of(Path("/dev/null")) == "special"
    assert kind_of(tmp_path / "loop") == "loop"
    assert kind_of(tmp_path / "big") == "too-large"
    assert kind_of(tmp_path / ("n" * 300)) == "name-too-long"
    assert kind_of(tmp_path / "big" / "below") == "missing"
    assert kind_of(tmp_path / "nul\0") == "missing"


def test_files_that_lie_about_their_size_are_read_whole_and_bounded() -> None:
    data, _ = DISK.read("/proc/self/status", 1 << 20)
    assert data.startswith(b"Name:")
    with pytest.raises(FileProblem, match="more than 10 bytes"):
        DISK.read("/proc/self/status", 10)


def test_replacing_keeps_the_mode_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    replace_file(str(path), b"new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    replace_file(str(tmp_path / "b"), b"")
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize("make", ["link", "folder", "fifo"])
def test_nothing_but_a_regular_file_is_replaced(tmp_path: Path, make: str) -> None:
    target, path = tmp_path / "target", tmp_path / "path"
    target.write_text("kept")
    if make == "link":
        path.symlink_to(target)
    elif make == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(FileProblem):
        replace_file(str(path), b"new")
    assert target.read_text() == "kept"
    assert sorted(os.listdir(tmp_path)) == ["path", "target"]


def test_what_is_no_regular_file_is_not_even_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To open a device can have effects: a tape rewinds, a watchdog starts."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("/dev/zero")
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda *given: opened.append(given))
    for path in (str(tmp_path / "fifo"), str(tmp_path / "link"), "/dev/null", str(tmp_path)):
        with pytest.raises(FileProblem):
            DISK.read(path, 100)
        with pytest.raises(OSError, match="regular"):
            open_regular(path)
    assert not opened
