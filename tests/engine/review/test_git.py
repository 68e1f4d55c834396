"""What git says, in every situation in which a hook may ask it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memlens.engine.review.git import open_repository
from memlens.engine.review.listings import read_changes, read_index, read_tree
from memlens.engine.review.process import GitError, Running
from memlens.engine.review.sides import between, everything, staged
from tests.engine.review.conftest import Repo, make_repo


def statuses(repo: Repo) -> list[tuple[str, str, str]]:
    with staged(open_repository(repo.top)) as sides:
        return [(change.status, change.old_path, change.path) for change in sides.changes]


def test_the_staged_change_is_read(repo: Repo) -> None:
    repo.commit({"keep": "1\n", "old": "a\nb\nc\nd\n", "gone": "2\n", "edit": "3\n"})
    repo.git("mv", "old", "new")
    repo.git("rm", "-q", "gone")
    repo.add({"edit": "4\n", "fresh": "5\n"})
    repo.write({"edit": "not staged\n", "untracked": "x"})
    assert statuses(repo) == [
        ("M", "edit", "edit"),
        ("A", "fresh", "fresh"),
        ("D", "gone", "gone"),
        ("R", "old", "new"),
    ]


def test_a_first_commit_has_nothing_before(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "hi\n"})
    with staged(open_repository(repo.top)) as sides:
        assert sides.before == {}
        assert sides.before_name == "nothing yet"
        assert list(sides.after) == ["CLAUDE.md"]
        assert sides.repository.operation() == ""


def test_an_empty_repository_changes_nothing(repo: Repo) -> None:
    assert statuses(repo) == []
    with everything(open_repository(repo.top)) as sides:
        assert sides.changes == []


@pytest.mark.skipif(sys.platform == "darwin", reason="names there are always Unicode")
@pytest.mark.parametrize("quote", ["true", "false"])
def test_paths_come_in_any_encoding(repo: Repo, quote: str) -> None:
    repo.git("config", "core.quotePath", quote)
    names = ["日本.md", "a b\tc.md", 'q"uo\\te.md', "line\nend.md", os.fsdecode(b"caf\xe9.md")]
    for name in names:
        repo.write({name: f"{len(name)}\n"})
    repo.git("add", "-A")
    with staged(open_repository(repo.top)) as sides:
        assert sorted(sides.after) == sorted(names)
        for name in names:
            assert sides.read(name, sides.after[name], 100) == f"{len(name)}\n".encode()
    with everything(open_repository(repo.top)) as sides:
        assert sorted(sides.after) == sorted(names)
        for name in names:
            assert sides.read(name, sides.after[name], 100) == f"{len(name)}\n".encode()


def test_the_index_that_a_hook_is_handed_counts(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": "1\n", "b": "1\n"})
    other = os.path.join(repo.git_dir, "other-index")
    repo.git("read-tree", "HEAD", environment={"GIT_INDEX_FILE": other})
    repo.write({"a": "2\n"})
    repo.git("add", "a", environment={"GIT_INDEX_FILE": other})
    assert statuses(repo) == []
    monkeypatch.chdir(repo.top)
    for handed in (other, ".git/other-index"):
        monkeypatch.setenv("GIT_INDEX_FILE", handed)
        assert statuses(repo) == [("M", "a", "a")]
        assert open_repository(repo.top).index_file == other
        os.makedirs(os.path.join(repo.top, "sub"), exist_ok=True)
        assert open_repository(os.path.join(repo.top, "sub")).index_file == other


def test_what_a_hook_is_handed_for_another_repository_does_not_count(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": "1\n"})
    other = make_repo(tmp_path / "other")
    other.add({"b": "1\n"})
    monkeypatch.chdir(repo.top)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    assert open_repository(other.top).top == other.top
    with staged(open_repository(other.top)) as sides:
        assert list(sides.after) == ["b"]
    assert open_repository(repo.top).top == repo.top


def test_a_checkout_that_only_its_variables_can_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(tmp_path / "store")
    work = tmp_path / "work"
    (work / "sub").mkdir(parents=True)
    (work / "CLAUDE.md").write_text("hi\n")
    monkeypatch.chdir(work)
    monkeypatch.setenv("GIT_DIR", repo.git_dir)
    monkeypatch.setenv("GIT_WORK_TREE", str(work))
    repo.git("add", "CLAUDE.md", folder=str(work))
    opened = open_repository(str(work / "sub"))
    assert opened.top == os.path.realpath(work)
    with staged(opened) as sides:
        assert list(sides.after) == ["CLAUDE.md"]


def test_a_linked_worktree_is_a_checkout_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree")
    tree.add({"a": "2\n"})
    assert statuses(tree) == [("M", "a", "a")]
    assert statuses(repo) == []
    opened = open_repository(tree.top)
    assert opened.common_dir == os.path.realpath(repo.git_dir)
    assert opened.git_dir != opened.common_dir
    assert opened.index_file == os.path.join(opened.git_dir, "index")


def test_inside_a_submodule_it_is_the_submodule(repo: Repo, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner")
    inner.commit({"CLAUDE.md": "1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.top, "sub")
    repo.commit()
    sub = Repo(Path(repo.top) / "sub")
    sub.add({"CLAUDE.md": "2\n"})
    assert open_repository(sub.top).top == sub.top
    assert statuses(sub) == [("M", "CLAUDE.md", "CLAUDE.md")]
    assert statuses(repo) == []


def test_a_merge_is_compared_with_our_side(repo: Repo) -> None:
    repo.commit({"a": "1\n", "b": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a": "side\n", "c": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a": "main\n"})
    repo.git("merge", "-q", "side", fine=(1,))
    with staged(open_repository(repo.top)) as sides:
        assert sides.repository.operation() == "merge"
        assert sides.unmerged == {"a"}
        assert [(change.status, change.path) for change in sides.changes] == [
            ("M", "a"),
            ("A", "c"),
        ]
        assert sides.after["a"] == sides.before["a"]
    repo.add({"a": "both\n"})
    assert statuses(repo) == [("M", "a", "a"), ("A", "c", "c")]


def test_everything_is_read_as_git_would_commit_it(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.commit({"a.md": "1\r\n2\r\n", ".gitignore": "ignored\n"})
    repo.write({"a.md": "1\r\n3\r\n", "b.md": "new\r\n", "ignored": "x"})
    os.symlink("a.md", os.path.join(repo.top, "link"))
    before = repo.state()
    with everything(open_repository(repo.top)) as sides:
        assert [(change.status, change.path) for change in sides.changes] == [
            ("M", "a.md"),
            ("A", "b.md"),
            ("A", "link"),
        ]
        assert sides.read("a.md", sides.before["a.md"], 100) == b"1\n2\n"
        assert sides.read("a.md", sides.after["a.md"], 100) == b"1\n3\n"
        assert sides.read("b.md", sides.after["b.md"], 100) == b"new\n"
        assert sides.read("link", sides.after["link"], 100) == b"a.md"
    assert repo.state() == before


def test_a_file_only_meant_to_be_added_is_not_in_the_commit(repo: Repo) -> None:
    repo.commit({"a": "1\n"})
    repo.write({"b": "1\n"})
    repo.git("add", "-N", "b")
    with staged(open_repository(repo.top)) as sides:
        assert sides.changes == []
        assert list(sides.after) == ["a"]


def test_commits_are_compared(repo: Repo) -> None:
    first = repo.commit({"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"b": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a": "2\n"})
    repository = open_repository(repo.top)

    def paths(commits: str) -> list[tuple[str, str]]:
        with between(repository, commits) as sides:
            return [(change.status, change.path) for change in sides.changes]

    assert paths("main..side") == [("M", "a"), ("A", "b")]
    assert paths("main...side") == [("A", "b")]
    assert paths(f"{first}..") == [("M", "a")]
    assert paths(first) == [("M", "a")]
    for wrong in ("nowhere..main", "..", "--output=x..main", "main^{tree}.."):
        with pytest.raises(GitError) as caught:
            paths(wrong)
        assert caught.value.kind == "no-such-commit"


def test_commits_without_a_common_past(repo: Repo) -> None:
    repo.commit({"a": "1\n"})
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"a": "2\n"})
    with pytest.raises(GitError, match="share no commit"):
        between(open_repository(repo.top), "main...other")


def test_places_without_a_checkout_are_told_apart(tmp_path: Path) -> None:
    bare = make_repo(tmp_path / "bare")
    cases = {
        str(tmp_path): "no-repository",
        str(tmp_path / "missing"): "no-repository",
        os.path.join(bare.top, ".git"): "bare",
    }
    for folder, kind in cases.items():
        with pytest.raises(GitError) as caught:
            open_repository(folder)
        assert caught.value.kind == kind
        assert caught.value.hint


def test_without_git_it_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(GitError) as caught:
        open_repository(repo.top)
    assert caught.value.kind == "no-git"


def test_a_folder_with_a_line_end_in_its_name(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "two\nlines")
    repo.add({"a": "1\n"})
    assert open_repository(repo.top).top == repo.top
    assert statuses(repo) == [("A", "a", "a")]


def test_a_failing_git_is_told_with_its_own_words(repo: Repo) -> None:
    with pytest.raises(GitError, match=r"ls-tree failed: .*Not a valid object name nowhere"):
        open_repository(repo.top).ask("ls-tree", "nowhere")
    talking = open_repository(repo.top).start("cat-file", "--nonsense", talk=True)
    with pytest.raises(GitError, match="cat-file failed"):
        talking.line()


def test_a_silent_git_is_not_waited_for_without_end(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memlens.engine.review.process.TIMEOUT", 0.05)
    sleepy = {"alias.doze": "!sleep 600"}
    arguments = ("-c", f"alias.doze={sleepy['alias.doze']}", "doze")
    repository = open_repository(repo.top)
    for ask in (Running.answer, Running.line):
        running = Running(arguments, repo.top, repository.environment, talk=False)
        with pytest.raises(GitError) as caught:
            ask(running)
        assert caught.value.kind == "too-slow"
        assert running.code is not None


@pytest.mark.parametrize(
    ("reader", "answer"),
    [
        (read_tree, b"\x01\0"),
        (read_index, b"100644 a\tx\0"),
        (read_index, b"100644 a 9\tx\0"),
        (read_changes, b":1 2 3 M\0a\0"),
        (read_changes, b":1 2 3 4 R\0a\0"),
    ],
)
def test_an_answer_that_is_none_is_said_to_be_none(
    reader: Callable[[bytes], object], answer: bytes
) -> None:
    with pytest.raises(GitError, match="does not understand"):
        reader(answer)
