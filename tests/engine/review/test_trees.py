"""A side of a change reads like a checkout of it, with the disk around it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memlens.engine.files import DISK, FileProblem, Files
from memlens.engine.review.git import LINK, SUBMODULE, Entry, open_repository
from memlens.engine.review.objects import TooLargeError
from memlens.engine.review.sides import between, everything, staged
from memlens.engine.review.trees import GitTreeFiles
from tests.engine.review.conftest import Repo, make_repo


class Made:
    """Contents that a test makes up: the id is the content."""

    def read(self, path: str, entry: Entry, limit: int) -> bytes:
        data = entry.oid.encode()
        if len(data) > limit:
            raise TooLargeError(len(data))
        return data

    def prefetch(self, entries: Iterable[Entry], limit: int) -> None:
        pass


def problem(files: Files, path: str) -> str:
    with pytest.raises(FileProblem) as looked:
        files.look(path)
    with pytest.raises(FileProblem) as read:
        files.read(path, 1000)
    assert looked.value.kind == read.value.kind
    return looked.value.kind


def outcome(files: Files, path: str) -> tuple[str, bytes]:
    try:
        return "", files.read(path, 100)[0]
    except FileProblem as error:
        return error.kind, b""


NAMES = st.sampled_from(["a", "b", "c", "d"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
LINKS = st.lists(st.sampled_from(["a", "b", "c", "..", "."]), min_size=1, max_size=4).map("/".join)
TREES = st.dictionaries(PATHS, st.one_of(st.just(None), LINKS), max_size=8)


@example({"a": "b/../a"}, ["a"])
@example({"a": "b/../a"}, ["a/a"])
@example({"a": "b/.."}, ["a/a"])
@example({"a": None, "b": "a/../a", "c": "a/."}, ["b", "c/b", "c"])
@given(TREES, st.lists(LINKS, min_size=1, max_size=6))
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_tree_reads_like_its_checkout(
    tmp_path: Path, tree: dict[str, str | None], asked: list[str]
) -> None:
    top = os.path.realpath(tmp_path) + "/outer/top"
    elsewhere = os.path.realpath(tmp_path) + "/elsewhere/top"
    shutil.rmtree(os.path.dirname(top), ignore_errors=True)
    os.makedirs(top)
    os.makedirs(elsewhere, exist_ok=True)
    listing: dict[str, Entry] = {}
    for path, link in tree.items():
        if any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in listing):
            continue
        place = os.path.join(top, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if link is None:
            Path(place).write_text(path)
            listing[path] = Entry("100644", path)
        else:
            os.symlink(link, place)
            listing[path] = Entry(LINK, link)
    files = GitTreeFiles(elsewhere, listing, Made())
    for path in asked:
        here, there = os.path.join(top, path), os.path.join(elsewhere, path)
        real = DISK.real_path(here)
        if not real.startswith(top):
            continue
        kind, expected = outcome(DISK, here)
        if kind == "missing":  # the system minds a missing folder before `..`, real paths do not
            kind, expected = outcome(DISK, real)
        if kind:
            assert problem(files, there) == kind
        if kind == "loop":
            continue
        if not kind:
            assert files.real_path(there) == elsewhere + real.removeprefix(top)
            assert files.read(there, 100)[0] == expected
            assert files.look(there).size == len(expected)
        if ".." not in path and not path.endswith("."):
            assert files.is_link(there) == DISK.is_link(here)
        try:
            names = DISK.names(real)
        except FileProblem:
            with pytest.raises(FileProblem):
                files.names(there)
        else:
            assert files.names(there) == names


def test_each_side_has_its_own_files(repo: Repo) -> None:
    repo.commit({"old.md": "old\n", "edit.md": "1\n"})
    repo.git("rm", "-q", "old.md")
    repo.add({"edit.md": "2\n", "new/deep.md": "new\n"})
    repo.write({"edit.md": "3\n", "old.md": "back again\n", "CLAUDE.local.md": "mine\n"})
    with staged(open_repository(repo.top)) as sides:
        before, after = sides.files_before(), sides.files_after()
        top = repo.top
        assert before.read(f"{top}/edit.md", 9)[0] == b"1\n"
        assert after.read(f"{top}/edit.md", 9)[0] == b"2\n"
        assert before.read(f"{top}/old.md", 9)[0] == b"old\n"
        assert problem(after, f"{top}/old.md") == "missing"
        assert problem(before, f"{top}/new/deep.md") == "missing"
        assert after.read(f"{top}/new/deep.md", 9)[0] == b"new\n"
        for side in (before, after):
            assert side.read(f"{top}/CLAUDE.local.md", 9)[0] == b"mine\n"
            assert problem(side, top) == "folder"
            assert problem(side, f"{top}/edit.md/below") == "missing"
        assert problem(after, f"{top}/new") == "folder"
        assert after.names(top) == [".git", "CLAUDE.local.md", "edit.md", "new"]
        assert set(before.names(top)) >= {".git", "CLAUDE.local.md", "edit.md", "old.md"}
        assert before.names(f"{top}/new") == []
        with pytest.raises(FileProblem):
            after.names(f"{top}/missing")
        with pytest.raises(FileProblem):
            after.names(f"{top}/edit.md")


def test_the_disk_speaks_outside(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "notes.md").write_text("mine\n")
    os.symlink(repo.top, tmp_path / "link")
    repo.write({"a.md": "a\n"})
    os.symlink("../home/notes.md", os.path.join(repo.top, "out.md"))
    repo.add()
    repo.write({"a.md": "changed\n"})
    os.unlink(os.path.join(repo.top, "out.md"))
    with staged(open_repository(repo.top)) as sides:
        after = sides.files_after()
        home = os.path.realpath(tmp_path / "home")
        assert after.read(f"{home}/notes.md", 9)[0] == b"mine\n"
        assert after.names(home) == ["notes.md"]
        assert problem(after, f"{home}/none.md") == "missing"
        # Into the repository and out of it again, links of the tree count.
        assert after.read(f"{tmp_path}/link/a.md", 9)[0] == b"a\n"
        assert after.real_path(f"{tmp_path}/link/out.md") == f"{home}/notes.md"
        assert after.read(f"{repo.top}/out.md", 9)[0] == b"mine\n"


def test_a_submodule_is_a_folder_of_the_disk(repo: Repo, tmp_path: Path) -> None:
    repo.write({"sub/CLAUDE.md": "inner\n"})
    listing = {"sub": Entry(SUBMODULE, "1" * 40), "CLAUDE.md": Entry("100644", "outer")}
    files = GitTreeFiles(repo.top, listing, Made())
    assert problem(files, f"{repo.top}/sub") == "folder"
    assert files.names(f"{repo.top}/sub") == ["CLAUDE.md"]
    assert files.read(f"{repo.top}/sub/CLAUDE.md", 9)[0] == b"inner\n"
    assert "sub" in files.names(repo.top)


def test_links_in_a_loop_end(repo: Repo) -> None:
    files = GitTreeFiles(repo.top, {"a": Entry(LINK, "b"), "b": Entry(LINK, "a")}, Made())
    assert problem(files, f"{repo.top}/a") == "loop"
    assert problem(files, f"{repo.top}/a/x") == "loop"


def test_no_more_is_read_than_asked_for(repo: Repo) -> None:
    repo.add({"big": b"x" * 100_000, "small": b"y"})
    with staged(open_repository(repo.top)) as sides:
        files = sides.files_after()
        with pytest.raises(FileProblem) as caught:
            files.read(f"{repo.top}/big", 99_999)
        assert caught.value.kind == "too-large"
        assert files.read(f"{repo.top}/small", 10)[0] == b"y"
        assert files.read(f"{repo.top}/big", 100_000)[0] == b"x" * 100_000
        assert files.look(f"{repo.top}/big").size == 100_000
        assert files.look(f"{repo.top}/big") != files.look(f"{repo.top}/small")


def test_what_was_asked_for_ahead_is_read_all_the_same(repo: Repo) -> None:
    repo.add({f"{number}.md": f"{number}\n" * number * 9 for number in range(300)})
    repo.add({"big.md": b"x" * (5 * 1024 * 1024)})
    with staged(open_repository(repo.top)) as sides:
        files = sides.files_after()
        names = [name for name in files.names(repo.top) if name.endswith(".md")]
        os.unlink(os.path.join(repo.git_dir, "objects", *_object_of(sides.after["7.md"].oid)))
        files.prefetch(f"{repo.top}/{name}" for name in [*names, "missing.md"])
        assert problem(files, f"{repo.top}/7.md") == "unreadable"
        for number in {*range(300)} - {7}:
            data = files.read(f"{repo.top}/{number}.md", 10**6)[0]
            assert data == f"{number}\n".encode() * number * 9
        assert files.look(f"{repo.top}/big.md").size == 5 * 1024 * 1024


def _object_of(oid: str) -> tuple[str, str]:
    return oid[:2], oid[2:]


def test_equal_contents_are_different_files(repo: Repo) -> None:
    repo.add({"a": b"same", "b": b"same"})
    with staged(open_repository(repo.top)) as sides:
        files = sides.files_after()
        first, second = files.look(f"{repo.top}/a"), files.look(f"{repo.top}/b")
        assert (first.inode, first.device) != (second.inode, second.device)
        assert files.look(f"{repo.top}/a") == first


def test_the_checkout_takes_no_part_in_commits(repo: Repo) -> None:
    repo.commit({"a.md": "1\n"})
    repo.commit({"a.md": "2\n"})
    repo.commit({"later.md": "later\n"})
    repo.write({"a.md": "edited\n", "untracked.md": "u\n"})
    with between(open_repository(repo.top), "HEAD~2..HEAD~1") as sides:
        for side, text in ((sides.files_before(), b"1\n"), (sides.files_after(), b"2\n")):
            assert side.read(f"{repo.top}/a.md", 9)[0] == text
            assert problem(side, f"{repo.top}/later.md") == "missing"
            assert side.read(f"{repo.top}/untracked.md", 9)[0] == b"u\n"


def test_contents_out_of_reach_are_told(repo: Repo) -> None:
    repo.add({"a.md": "1\n"})
    with staged(open_repository(repo.top)) as sides:
        oid = sides.after["a.md"].oid
        os.unlink(os.path.join(repo.git_dir, "objects", oid[:2], oid[2:]))
        assert problem(sides.files_after(), f"{repo.top}/a.md") == "unreadable"


def test_a_file_that_goes_while_it_is_looked_at(repo: Repo) -> None:
    repo.write({"a.md": "1\n"})
    with everything(open_repository(repo.top)) as sides:
        os.unlink(os.path.join(repo.top, "a.md"))
        assert problem(sides.files_after(), f"{repo.top}/a.md") == "unreadable"


def test_a_repository_inside_is_not_looked_into(repo: Repo) -> None:
    inner = make_repo(Path(repo.top) / "inner")
    inner.add({"CLAUDE.md": "inner\n"})
    with everything(open_repository(repo.top)) as sides:
        assert sides.changes == []
        assert sides.files_after().read(f"{inner.top}/CLAUDE.md", 9)[0] == b"inner\n"
