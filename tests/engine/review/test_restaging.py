"""A text corrected in the review is staged, and nothing else with it."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from memlens.engine.files import replace_file
from memlens.engine.review.git import open_repository
from memlens.engine.review.restaging import (
    RestageRefusedError,
    Staging,
    check_restage,
    put_back,
    restage,
    stage_working,
    staged_bytes,
)
from tests.engine.review.conftest import Repo


def fix(repo: Repo, path: str, text: bytes, expected: bytes | None = None) -> None:
    repository = open_repository(repo.top)
    if expected is None:
        expected = staged_bytes(repository, path)
    restage(repository, path, text, expected)


def staged_text(repo: Repo, path: str) -> str:
    return repo.git("cat-file", "blob", f":{path}")


@pytest.mark.parametrize("path", ["CLAUDE.md", "deep/er/a b,c.md", "日本\n.md", "caf\udce9.md"])
def test_a_corrected_text_is_staged_and_written(repo: Repo, path: str) -> None:
    repo.commit({path: "1\n"})
    repo.add({path: "2\n"})
    check_restage(open_repository(repo.top), path)
    fix(repo, path, b"3\n")
    assert staged_text(repo, path) == "3\n"
    assert Path(repo.top, path).read_bytes() == b"3\n"
    assert repo.git("diff-files") == ""


def test_the_mode_is_kept(repo: Repo) -> None:
    repo.write({"run.md": "1\n"})
    os.chmod(f"{repo.top}/run.md", 0o755)
    repo.git("add", "run.md")
    fix(repo, "run.md", b"2\n")
    assert repo.git("ls-files", "-s", "run.md").startswith("100755 ")
    assert stat.S_IMODE(os.stat(f"{repo.top}/run.md").st_mode) == 0o755


def test_line_ends_are_converted_as_a_checkout_would(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.add({"a.md": "1\r\n2\r\n"})
    repository = open_repository(repo.top)
    assert staged_bytes(repository, "a.md") == b"1\n2\n"
    fix(repo, "a.md", b"1\n3\n")
    assert staged_text(repo, "a.md") == "1\n3\n"
    assert Path(repo.top, "a.md").read_bytes() == b"1\r\n3\r\n"
    assert repo.git("status", "--porcelain") == "A  a.md\n"


def test_the_rest_of_the_index_stays(repo: Repo) -> None:
    repo.commit({"a.md": "1\n", "b.md": "1\n"})
    repo.add({"a.md": "2\n", "b.md": "2\n"})
    repo.write({"b.md": "not staged\n", "c.md": "untracked\n"})
    fix(repo, "a.md", b"3\n")
    assert repo.git("status", "--porcelain") == "M  a.md\nMM b.md\n?? c.md\n"


def refusal(repo: Repo, path: str) -> str:
    before = repo.state()
    repository = open_repository(repo.top)
    with pytest.raises(RestageRefusedError) as caught:
        restage(repository, path, b"new\n", b"2\n")
    assert caught.value.hint
    with pytest.raises(RestageRefusedError, match=re.escape(str(caught.value))):
        check_restage(repository, path)
    assert repo.state() == before
    return str(caught.value)


def test_nothing_unstaged_is_swept_along(repo: Repo) -> None:
    repo.commit({"a.md": "1\n"})
    repo.add({"a.md": "2\n"})
    repo.write({"a.md": "2\nand more\n"})
    assert "changes that are not staged" in refusal(repo, "a.md")
    os.unlink(f"{repo.top}/a.md")
    assert "the working file is gone" in refusal(repo, "a.md")
    os.symlink("b.md", f"{repo.top}/a.md")
    assert "no regular file" in refusal(repo, "a.md")


def test_only_plain_staged_files_are_replaced(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.md": "1\n", "sub/b.md": "2\n"})
    assert "it is not staged" in refusal(repo, "missing.md")
    os.symlink("a.md", f"{repo.top}/link.md")
    repo.git("add", "link.md")
    assert "no regular file" in refusal(repo, "link.md")
    os.rename(f"{repo.top}/sub", tmp_path / "moved")
    os.symlink(tmp_path / "moved", f"{repo.top}/sub")
    assert "through a link" in refusal(repo, "sub/b.md")


def test_an_unmerged_file_is_refused(repo: Repo) -> None:
    repo.commit({"a.md": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.md": "side\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.md": "main\n"})
    repo.git("merge", "-q", "side", fine=(1,))
    assert "has not merged it yet" in refusal(repo, "a.md")


def test_a_file_of_which_only_the_name_is_staged_is_refused(repo: Repo) -> None:
    repo.write({"a.md": ""})
    repo.git("add", "-N", "a.md")
    assert "add -N" in refusal(repo, "a.md")
    repo.write({"a.md": "text\n"})
    assert "changes that are not staged" in refusal(repo, "a.md")


def stage_anew(repo: Repo, path: str, text: bytes) -> tuple[Staging, bytes]:
    """Returns what is needed to put the index back, and what the working file held."""
    told: list[Staging] = []
    place = Path(repo.top, path)
    before = place.read_bytes()

    def write(place: str, data: bytes, staging: Staging) -> None:
        replace_file(place, data)
        told.append(staging)

    repository = open_repository(repo.top)
    restage(repository, path, text, staged_bytes(repository, path), write)
    (staging,) = told
    return staging, before


def back(repo: Repo, staging: Staging, before: bytes) -> str:
    """Takes back the working file, as the log does, then the index."""
    Path(repo.top, staging.path).write_bytes(before)
    return put_back(open_repository(repo.top), staging)


@pytest.mark.parametrize("path", ["CLAUDE.md", "deep/er/a b,c.md", "日本\n.md", "caf\udce9.md"])
@pytest.mark.parametrize("committed", [True, False])
def test_the_index_is_put_back(repo: Repo, path: str, committed: bool) -> None:
    if committed:  # else it is new in the index
        repo.commit({path: "1\n"})
    repo.add({path: "2\n", "other.md": "2\n"})
    repo.write({"other.md": "not staged\n"})
    before = repo.state()[:2]
    fix_back = stage_anew(repo, path, b"3\n")
    assert repo.state()[:2] != before
    assert back(repo, *fix_back) == ""
    assert repo.state()[:2] == before
    assert repo.git("diff-files", "--name-only") == "other.md\n"
    assert back(repo, *fix_back) == ""  # it is as it was
    assert repo.state()[:2] == before


def test_mode_and_line_ends_are_put_back(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write({"run.md": "1\r\n"})
    os.chmod(f"{repo.top}/run.md", 0o755)
    repo.git("add", "run.md")
    before = repo.state()[:2]
    assert back(repo, *stage_anew(repo, "run.md", b"2\n")) == ""
    assert repo.state()[:2] == before


def test_the_index_is_put_back_in_a_linked_worktree(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.md": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    repo.add({"a.md": "main\n"})
    linked.add({"a.md": "2\n"})
    before, elsewhere = linked.state()[:2], repo.state()[:2]
    staging, text = stage_anew(linked, "a.md", b"3\n")
    assert staging.top == linked.top
    assert back(linked, staging, text) == ""
    assert linked.state()[:2] == before
    assert repo.state()[:2] == elsewhere


def test_a_text_that_git_has_thrown_away_is_made_again(repo: Repo) -> None:
    repo.add({"a.md": "2\n"})
    before = repo.state()[:2]
    fix_back = stage_anew(repo, "a.md", b"3\n")
    repo.git("gc", "-q", "--prune=now")
    repo.git("cat-file", "-e", fix_back[0].before.split()[1], fine=(1, 128))
    assert back(repo, *fix_back) == ""
    assert repo.state()[:2] == before
    repo.git("fsck", "--strict")


@pytest.mark.parametrize("before_the_first_commit", [True, False])
def test_what_was_committed_or_staged_meanwhile_stays(
    repo: Repo, before_the_first_commit: bool
) -> None:
    if not before_the_first_commit:
        repo.commit({"a.md": "1\n"})
    repo.add({"a.md": "2\n"})
    staging, text = stage_anew(repo, "a.md", b"3\n")
    repo.git("commit", "-qm", "c")
    index = repo.git("ls-files", "-s")
    assert back(repo, staging, text) == "it has been committed"
    assert repo.git("ls-files", "-s") == index
    repo.add({"a.md": "4\n"})
    index = repo.git("ls-files", "-s")
    assert back(repo, staging, text) == "something else is staged by now"
    assert repo.git("ls-files", "-s") == index
    repo.git("rm", "-qf", "--cached", "a.md")
    assert back(repo, staging, text) == "it is not staged"
    assert repo.git("ls-files", "-s") == ""


def test_a_commit_of_other_files_does_not_keep_the_index_from_being_put_back(repo: Repo) -> None:
    repo.commit({"a.md": "1\n"})
    repo.add({"a.md": "2\n"})
    staging, text = stage_anew(repo, "a.md", b"1\n")  # as the last commit has it
    repo.write({"b.md": "1\n"})
    repo.git("add", "b.md")
    repo.git("commit", "-qm", "c", "b.md")
    assert back(repo, staging, text) == ""
    assert staged_text(repo, "a.md") == "2\n"


def test_a_file_of_which_git_makes_something_else_by_now_is_not_staged(repo: Repo) -> None:
    repo.add({"a.md": "2\r\n"})
    fix_back = stage_anew(repo, "a.md", b"3\n")
    repo.git("config", "core.autocrlf", "true")
    repo.git("gc", "-q", "--prune=now")
    assert "has thrown away" in back(repo, *fix_back)
    assert staged_text(repo, "a.md") == "3\n"


def in_a_merge(repo: Repo) -> None:
    """Both sides have changed a.md, and one has removed b.md."""
    repo.commit({"a.md": "1\n", "b.md": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.git("rm", "-q", "b.md")
    repo.commit({"a.md": "side\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.md": "main\n", "b.md": "main\n"})
    repo.git("merge", "-q", "side", fine=(1,))


def test_a_merge_is_staged_when_no_mark_of_it_is_left(repo: Repo) -> None:
    in_a_merge(repo)
    repository, before = open_repository(repo.top), repo.state()
    with pytest.raises(RestageRefusedError, match="both sides") as caught:
        stage_working(repository, "a.md")
    assert caught.value.hint
    assert repo.state() == before
    repo.write({"a.md": "both\n"})
    stage_working(repository, "a.md")
    assert staged_text(repo, "a.md") == "both\n"
    os.unlink(f"{repo.top}/b.md")
    stage_working(repository, "b.md")
    assert repo.git("ls-files", "-u") == ""
    assert repo.git("ls-files") == "a.md\n"


@pytest.mark.parametrize("path", ["a.md", "b.md"])
def test_the_sides_of_a_merge_are_put_back(repo: Repo, path: str) -> None:
    in_a_merge(repo)
    repository, before = open_repository(repo.top), repo.git("ls-files", "-s")
    repo.write({"a.md": "main\n"})
    os.unlink(f"{repo.top}/b.md")
    staging = stage_working(repository, path)
    assert repo.git("ls-files", "-s") != before
    assert put_back(repository, staging) == ""
    assert repo.git("ls-files", "-s") == before
    for one in ("a.md", "b.md"):
        staging = stage_working(repository, one)
    repo.git("commit", "-qm", "merged")
    assert put_back(repository, staging) == "it has been committed"
    assert repo.git("ls-files", "-u") == ""


@pytest.mark.parametrize("path", ["a.md", "-n.md", "日本\n.md", "caf\udce9.md"])
def test_what_was_staged_of_the_working_file_is_put_back(repo: Repo, path: str) -> None:
    repo.commit({path: "1\n", "other.md": "1\n"})
    repo.add({path: "2\n"})
    repository, before = open_repository(repo.top), repo.git("ls-files", "-s")
    repo.write({path: "3\n"})
    staging = stage_working(repository, path)
    repo.write({path: "4\n"})
    assert put_back(repository, staging) == ""
    assert repo.git("ls-files", "-s") == before
    os.unlink(os.path.join(repo.top, path))
    staging = stage_working(repository, path)
    assert put_back(repository, staging) == ""
    assert repo.git("ls-files", "-s") == before


def test_a_text_that_was_staged_meanwhile_is_not_overwritten(repo: Repo) -> None:
    repo.add({"a.md": "2\n"})
    with pytest.raises(RestageRefusedError, match="has changed since"):
        fix(repo, "a.md", b"3\n", expected=b"1\n")
    assert staged_text(repo, "a.md") == "2\n"


def test_in_a_hook_of_commit_a_it_reaches_the_commit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.md": "1\n", "b.md": "1\n"})
    repo.write({"a.md": "2\n", "b.md": "2\n"})
    handed = os.path.join(repo.git_dir, "index.lock")
    with open(os.path.join(repo.git_dir, "index"), "rb") as file:
        Path(handed).write_bytes(file.read())
    monkeypatch.chdir(repo.top)
    monkeypatch.setenv("GIT_INDEX_FILE", handed)
    repo.git("add", "-u")
    fix(repo, "a.md", b"3\n")
    assert staged_text(repo, "a.md") == "3\n"


def test_in_a_commit_of_named_paths_it_is_refused(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.md": "2\n"})
    handed = os.path.join(repo.git_dir, "next-index-123.lock")
    with open(os.path.join(repo.git_dir, "index"), "rb") as file:
        Path(handed).write_bytes(file.read())
    monkeypatch.chdir(repo.top)
    monkeypatch.setenv("GIT_INDEX_FILE", handed)
    assert "named paths only" in refusal(repo, "a.md")
    before = repo.state()
    with pytest.raises(RestageRefusedError, match="named paths only"):
        stage_working(open_repository(repo.top), "a.md")
    assert repo.state() == before


@pytest.mark.parametrize("path", ["a.md", "-n.md", "日本\n.md", "caf\udce9.md"])
def test_a_working_file_is_staged_as_it_is(repo: Repo, path: str) -> None:
    repo.commit({path: "1\n"})
    repo.add({path: "2\n"})
    repo.write({path: "3\n", "other.md": "untracked\n"})
    stage_working(open_repository(repo.top), path)
    assert staged_text(repo, path) == "3\n"
    assert "other.md" not in repo.git("ls-files")
    with pytest.raises(RestageRefusedError, match="staged already"):
        stage_working(open_repository(repo.top), path)
    os.unlink(os.path.join(repo.top, path))
    stage_working(open_repository(repo.top), path)
    assert repo.git("ls-files") == ""
