"""The hook: beside the one that is there, wherever git looks for hooks, and honest about itself."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from memlens.engine.review.git import open_repository
from memlens.engine.review.githook import (
    KEPT,
    HookChange,
    HookRefusedError,
    hooks_folder,
    install_hook,
    is_installed,
    own_program,
    uninstall_hook,
)
from tests.engine.review.conftest import Repo

KEPT_NAME = f"pre-commit{KEPT}"


def stub(folder: Path, name: str = "memlens", code: int = 0) -> str:
    """A program that notes how it was called, with which index, and returns a code."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(
        "#!/bin/sh\n"
        f'echo "{name} $*" >>"$CALLS"\n'
        'git diff --cached --name-only >>"$CALLS"\n'
        f"exit {code}\n"
    )
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "calls"
    path.touch()
    monkeypatch.setenv("CALLS", str(path))
    return path


def install(repo: Repo, program: str) -> HookChange:
    return install_hook(open_repository(repo.top), program)


def old_hook(folder: str, code: int, mode: int = 0o755) -> Path:
    path = Path(folder) / "pre-commit"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho old >>"$CALLS"\nexit {code}\n')
    path.chmod(mode)
    return path


def test_a_commit_is_reviewed(repo: Repo, tmp_path: Path, calls: Path) -> None:
    change = install(repo, stub(tmp_path / "it's here"))
    assert change.changed
    assert change.path == os.path.join(repo.git_dir, "hooks", "pre-commit")
    assert change.message == "the hook was installed"
    assert is_installed(open_repository(repo.top))
    repo.commit({"a": "1\n"})
    assert calls.read_text() == "memlens review --hook\na\n"


def test_a_rejection_stops_the_commit_and_touches_nothing(
    repo: Repo, tmp_path: Path, calls: Path
) -> None:
    repo.commit({"a": "1\n"})
    install(repo, stub(tmp_path / "bin", code=1))
    repo.add({"a": "2\n"})
    repo.write({"a": "3\n"})
    before = repo.state()
    repo.git("commit", "-q", "-m", "no", fine=(1,))
    assert repo.state()[:2] == before[:2]  # git itself has made tree objects
    assert "memlens review --hook\n" in calls.read_text()


@pytest.mark.parametrize("code", [0, 1, 7])
def test_the_hook_that_was_there_runs_first(
    repo: Repo, tmp_path: Path, calls: Path, code: int
) -> None:
    old_hook(f"{repo.git_dir}/hooks", code)
    change = install(repo, stub(tmp_path / "bin"))
    assert KEPT_NAME in change.message
    assert "runs first" in change.message
    repo.add({"a": "1\n"})
    repo.git("commit", "-q", "-m", "c", fine=(0,) if code == 0 else (1,))
    expected = "old\n" + ("memlens review --hook\na\n" if code == 0 else "")
    assert calls.read_text() == expected


def test_a_hook_that_did_not_run_still_does_not(repo: Repo, tmp_path: Path, calls: Path) -> None:
    old_hook(f"{repo.git_dir}/hooks", 1, 0o644)
    assert "still does not run" in install(repo, stub(tmp_path / "bin")).message
    repo.commit({"a": "1\n"})
    assert calls.read_text() == "memlens review --hook\na\n"


def test_installing_again_changes_nothing(repo: Repo, tmp_path: Path) -> None:
    old = old_hook(f"{repo.git_dir}/hooks", 0).read_text()
    program = stub(tmp_path / "bin")
    install(repo, program)
    folder = Path(repo.git_dir) / "hooks"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    change = install(repo, program)
    assert not change.changed
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    moved = install(repo, stub(tmp_path / "elsewhere"))
    assert moved.changed
    assert moved.message == "the hook was brought up to date"
    assert (folder / KEPT_NAME).read_text() == old


def test_it_can_be_removed_again(repo: Repo, tmp_path: Path) -> None:
    repository = open_repository(repo.top)
    assert not uninstall_hook(repository).changed
    install(repo, stub(tmp_path / "bin"))
    assert uninstall_hook(repository).changed
    assert not os.path.lexists(f"{repo.git_dir}/hooks/pre-commit")
    old = old_hook(f"{repo.git_dir}/hooks", 0)
    text, mode = old.read_text(), stat.S_IMODE(old.stat().st_mode)
    install(repo, stub(tmp_path / "bin"))
    assert "is back" in uninstall_hook(repository).message
    assert (old.read_text(), stat.S_IMODE(old.stat().st_mode)) == (text, mode)
    assert not os.path.lexists(f"{repo.git_dir}/hooks/{KEPT_NAME}")
    with pytest.raises(HookRefusedError, match="not ours"):
        uninstall_hook(repository)
    assert old.read_text() == text


def test_two_foreign_hooks_are_not_joined(repo: Repo, tmp_path: Path) -> None:
    old_hook(f"{repo.git_dir}/hooks", 0).rename(f"{repo.git_dir}/hooks/{KEPT_NAME}")
    old_hook(f"{repo.git_dir}/hooks", 0)
    with pytest.raises(HookRefusedError) as caught:
        install(repo, stub(tmp_path / "bin"))
    assert caught.value.hint
    assert not is_installed(open_repository(repo.top))


@pytest.mark.parametrize("relative", [True, False])
def test_hooks_may_lie_elsewhere(repo: Repo, tmp_path: Path, calls: Path, relative: bool) -> None:
    folder = "tools/hooks" if relative else str(tmp_path / "hooks")
    repo.git("config", "core.hooksPath", folder)
    os.makedirs(os.path.join(repo.top, "deep"))
    repository = open_repository(os.path.join(repo.top, "deep"))
    assert hooks_folder(repository) == os.path.join(repo.top, folder)
    change = install_hook(repository, stub(tmp_path / "bin"))
    assert "core.hooksPath" in change.message
    repo.add({"a": "1\n"})
    repo.git("commit", "-q", "-m", "c")
    assert "memlens review --hook\n" in calls.read_text()


def test_a_linked_worktree_has_the_hooks_of_its_repository(
    repo: Repo, tmp_path: Path, calls: Path
) -> None:
    repo.commit({"a": "1\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree")
    change = install(tree, stub(tmp_path / "bin"))
    assert change.path == os.path.join(repo.git_dir, "hooks", "pre-commit")
    tree.commit({"b": "1\n"})
    assert calls.read_text() == "memlens review --hook\nb\n"


def test_without_the_recorded_program_the_path_is_searched(
    repo: Repo, tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = stub(tmp_path / "bin")
    install(repo, program)
    os.unlink(program)
    monkeypatch.setenv("PATH", os.path.dirname(stub(tmp_path / "other")), prepend=os.pathsep)
    repo.commit({"a": "1\n"})
    assert calls.read_text() == "memlens review --hook\na\n"


def test_without_any_program_the_commit_passes_and_one_is_told(repo: Repo, tmp_path: Path) -> None:
    install(repo, str(tmp_path / "gone"))
    repo.add({"a": "1\n"})
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "c"],
        cwd=repo.top,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "memlens: not found, so this commit is not reviewed" in done.stderr


def test_only_a_whole_path_is_recorded(repo: Repo) -> None:
    with pytest.raises(HookRefusedError, match="no absolute path"):
        install(repo, "memlens")
    assert not is_installed(open_repository(repo.top))


def test_a_folder_in_the_way_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    os.makedirs(f"{repo.git_dir}/hooks/pre-commit")
    with pytest.raises(HookRefusedError, match="is a folder"):
        install(repo, stub(tmp_path / "bin"))


def test_the_hook_of_the_framework_is_the_check() -> None:
    import yaml

    path = Path(__file__).parents[3] / ".pre-commit-hooks.yaml"
    (hook,) = yaml.safe_load(path.read_text())
    assert hook["entry"] == "memlens review --check"
    assert hook["language"] == "python"
    assert hook["pass_filenames"] is False
    assert hook["always_run"] is True


def test_the_program_that_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = stub(tmp_path / "bin")
    monkeypatch.setattr("sys.argv", [program])
    assert own_program() == program
    monkeypatch.setattr("sys.argv", ["/nowhere/python"])
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    assert own_program() == program
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert own_program() == program
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HookRefusedError, match="no memlens command"):
        own_program()


def test_an_installing_that_was_cut_short_is_completed(repo: Repo) -> None:
    path = Path(repo.git_dir, "hooks", "pre-commit")
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    kept = path.with_name(KEPT_NAME)
    os.link(path, kept)  # both names, one file: killed before ours took the place
    install_hook(open_repository(repo.top), "/usr/bin/memlens")
    assert is_installed(open_repository(repo.top))
    assert kept.read_text() == "#!/bin/sh\n"


def test_a_merge_without_a_conflict_is_reviewed(repo: Repo, tmp_path: Path, calls: Path) -> None:
    repo.commit({"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"CLAUDE.md": "from others\n"})
    repo.git("checkout", "-q", "-")
    repo.commit({"b": "1\n"})
    before = repo.git("rev-parse", "HEAD")
    install(repo, stub(tmp_path / "bin", code=1))
    repo.git("merge", "-q", "--no-edit", "side", fine=(1,))
    assert calls.read_text() == "memlens review --hook\nCLAUDE.md\n"
    assert repo.git("rev-parse", "HEAD") == before


def test_a_hook_of_merges_is_kept_too(repo: Repo, tmp_path: Path) -> None:
    old = old_hook(f"{repo.git_dir}/hooks", 0).rename(f"{repo.git_dir}/hooks/pre-merge-commit")
    text = old.read_text()
    change = install(repo, stub(tmp_path / "bin"))
    assert change.path.endswith("/pre-commit")
    assert (
        f"pre-merge-commit, for merges: the hook was installed; the old one is now {old.name}{KEPT}"
        in change.message
    )
    assert "is back" in uninstall_hook(open_repository(repo.top)).message
    assert old.read_text() == text
    assert not os.path.lexists(f"{repo.git_dir}/hooks/pre-commit")


def test_where_one_hook_cannot_be_put_none_is(repo: Repo, tmp_path: Path) -> None:
    os.makedirs(f"{repo.git_dir}/hooks/pre-merge-commit")
    with pytest.raises(HookRefusedError, match="is a folder"):
        install(repo, stub(tmp_path / "bin"))
    assert not os.path.lexists(f"{repo.git_dir}/hooks/pre-commit")


def test_a_hook_from_before_merges_were_reviewed_is_completed(repo: Repo, tmp_path: Path) -> None:
    program = stub(tmp_path / "bin")
    install(repo, program)
    os.unlink(f"{repo.git_dir}/hooks/pre-merge-commit")
    change = install(repo, program)
    assert change.changed
    assert is_installed(open_repository(repo.top))
