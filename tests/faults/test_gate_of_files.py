"""The gate of files: never through a link, never elsewhere, never under a name one could guess."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlens.engine.durable import (
    DurableError,
    Fact,
    MemoryScope,
    delete_memory,
    edit,
    find_one,
    write_memory,
)
from memlens.engine.durable.store import fact_from
from memlens.engine.files import FileProblem, replace_file
from memlens.engine.keeping import Draft, Keeper
from memlens.engine.reads import ReadJournal
from tests.faults.place import make_place

SCOPES = (MemoryScope.GLOBAL, MemoryScope.PROJECT_PRIVATE, MemoryScope.PROJECT_SHARED)


def test_temporary_files_lie_beside_and_have_names_that_nobody_guesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.md"
    seen: list[tuple[str, str, int]] = []
    opened = os.open

    def watch(name: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            seen.append((os.path.dirname(name), os.path.basename(name), flags))
        return opened(name, flags, mode)

    monkeypatch.setattr(os, "open", watch)
    for _ in range(50):
        replace_file(str(path), b"x")
    assert {folder for folder, _, _ in seen} == {str(tmp_path)}
    assert len({name for _, name, _ in seen}) == 50
    assert all(len(name.split(".")[-2]) == 12 for _, name, _ in seen), "48 bits of chance"
    assert all(flags & os.O_EXCL and flags & os.O_NOFOLLOW for _, _, flags in seen)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755, 0o400])
def test_modes_are_kept(tmp_path: Path, mode: int) -> None:
    make_place(tmp_path)
    result = Path(write_memory(tmp_path / "project", MemoryScope.GLOBAL, "a", "d", [], "one"))
    result.chmod(mode)
    edit(tmp_path / "project", find_one(tmp_path / "project", "a"), body="two")
    assert result.stat().st_mode & 0o777 == mode


def test_what_is_private_is_nobody_elses(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    old = os.umask(0)
    try:
        write_memory(place.root, MemoryScope.PROJECT_PRIVATE, "a", "d", [], "b")
        write_memory(place.root, MemoryScope.GLOBAL, "a", "d", [], "b")
        delete_memory(place.root, "a")
        ReadJournal("s").append("read", path="/x")
        Keeper(str(place.state), str(place.root)).keep_draft(Draft("file", "/x", {"text": "t"}))
    finally:
        os.umask(old)
    for folder in (place.data, place.state):
        for path in folder.rglob("*"):
            assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_no_fact_is_written_through_a_link(scope: MemoryScope, tmp_path: Path) -> None:
    place = make_place(tmp_path)
    victim = tmp_path / "victim.md"
    victim.write_text("theirs\n")
    path = Path(write_memory(place.root, scope, "a", "d", [], "one"))
    path.unlink()
    path.symlink_to(victim)
    with pytest.raises(DurableError):
        edit(place.root, _entry(path, scope), body="two")
    write_memory(place.root, scope, "a", "d", [], "three")  # beside it, under a free name
    assert victim.read_text() == "theirs\n"
    assert path.is_symlink()


def _entry(path: Path, scope: MemoryScope) -> Fact:
    return fact_from(str(path), scope, b"---\nname: a\n---\n\none\n")


def test_a_shared_folder_behind_a_link_out_of_the_checkout_is_not_written(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (place.root / ".mermaid").symlink_to(elsewhere)
    with pytest.raises(DurableError, match="out of the checkout"):
        write_memory(place.root, MemoryScope.PROJECT_SHARED, "a", "d", [], "b")
    assert not list(elsewhere.rglob("*.md"))


def test_the_lock_is_no_link(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    (place.data / "trash").mkdir()
    (place.data / "trash" / ".lock").symlink_to(tmp_path / "made-elsewhere")
    with pytest.raises(DurableError):
        write_memory(place.root, MemoryScope.GLOBAL, "a", "d", [], "b")
    assert not (tmp_path / "made-elsewhere").exists()


@pytest.mark.parametrize("target", ["there", "not-there"])
def test_replacing_never_follows(tmp_path: Path, target: str) -> None:
    (tmp_path / "there").write_text("theirs\n")
    path = tmp_path / "x"
    path.symlink_to(target)
    with pytest.raises(FileProblem, match="link"):
        replace_file(str(path), b"new")
    assert sorted(os.listdir(tmp_path)) == ["there", "x"]
    assert (tmp_path / "there").read_text() == "theirs\n"


def test_leftovers_of_a_killed_writer_go(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    write_memory(place.root, MemoryScope.GLOBAL, "a", "d", [], "b")
    left = place.data / "memory" / ".a.md.0123456789ab.tmp"
    left.write_text("half")
    os.utime(left, (0, 0))
    write_memory(place.root, MemoryScope.GLOBAL, "a", "d2", [], "b")
    assert not left.exists()
