"""git itself calls the check from a real hook: what it says is what the commit then holds."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.review.git import open_repository
from memlens.engine.review.githook import install_hook
from tests.engine.review.conftest import Repo, make_repo

PROGRAM = f"""#!{sys.executable}
import os, sys
from memlens.engine.review import (
    Reader, exit_code, make_review, open_repository, report, root_in, staged,
)
with staged(open_repository(os.getcwd())) as sides:
    found = make_review(sides, Reader(root_in(sides.repository)))
with open(os.environ["SAID"], "a") as file:
    file.write(report(found, "json").replace("\\n", "") + "\\n")
print(report(found), file=sys.stderr)
sys.exit(exit_code(found))
"""


class Said:
    """What the reviews in hooks have said."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "memlens"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.path = folder / "said"
        self.path.touch()

    def install(self, repo: Repo) -> None:
        install_hook(open_repository(repo.top), str(self.program))

    def last(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.path.read_text().splitlines()[-1])
        return data

    def files(self) -> list[tuple[str, str]]:
        return [(file["path"], file["status"]) for file in self.last()["files"]]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    folder = tmp_path / "program"
    folder.mkdir()
    found = Said(folder)
    monkeypatch.setenv("SAID", str(found.path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    return found


@pytest.fixture
def ready(repo: Repo, said: Said) -> Repo:
    repo.commit({"CLAUDE.md": "".join(f"{n}\n" for n in range(30)), "AGENTS.md": "agents\n"})
    said.install(repo)
    return repo


def test_commit_with_all_changes(ready: Repo, said: Said) -> None:
    ready.write({"CLAUDE.md": "changed\n", "AGENTS.md": "changed\n", "new/CLAUDE.md": "untracked"})
    ready.git("commit", "-qam", "c")
    assert said.files() == [("AGENTS.md", "modified"), ("CLAUDE.md", "modified")]


def test_commit_of_named_paths(ready: Repo, said: Said) -> None:
    ready.add({"CLAUDE.md": "staged\n"})
    ready.write({"AGENTS.md": "named\n"})
    ready.git("commit", "-qm", "c", "AGENTS.md")
    assert said.files() == [("AGENTS.md", "modified")]
    ready.git("commit", "-qm", "c")
    assert said.files() == [("CLAUDE.md", "modified")]


def test_commit_of_patches(ready: Repo, said: Said) -> None:
    text = Path(ready.top, "CLAUDE.md").read_text()
    ready.write({"CLAUDE.md": text.replace("2\n", "t\u200bwo\n", 1).replace("28\n", "x\n")})
    before = ready.state()[1:2]
    ready.git("commit", "-qp", "-m", "c", say="n\ny\n")
    assert said.last()["findings"] == []
    ready.git("commit", "-qp", "-m", "c", say="y\n", fine=(1,))
    assert [(f["name"], f["line"]) for f in said.last()["findings"]] == [("hidden-characters", 3)]
    assert ready.state()[1:2] != before  # only by the first commit
    assert "wo" not in ready.git("show", "HEAD:CLAUDE.md")


def test_amended_commit(ready: Repo, said: Said) -> None:
    ready.add({"CLAUDE.md": "amended\n"})
    ready.git("commit", "-q", "--amend", "--no-edit")
    assert said.files() == [("CLAUDE.md", "modified")]
    ready.git("commit", "-q", "--amend", "-m", "other words")
    assert said.files() == []


def test_first_commit(repo: Repo, said: Said) -> None:
    said.install(repo)
    repo.commit({"CLAUDE.md": "first\n"})
    assert said.files() == [("CLAUDE.md", "added")]
    assert said.last()["before"] == "nothing yet"


def test_from_a_folder_below(ready: Repo, said: Said) -> None:
    ready.add({"deep/er/CLAUDE.md": "deep\n"})
    ready.git("commit", "-qm", "c", folder="deep/er")
    assert said.files() == [("deep/er/CLAUDE.md", "added")]


def test_in_a_linked_worktree(ready: Repo, said: Said, tmp_path: Path) -> None:
    ready.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree")
    tree.write({"CLAUDE.md": "in the tree\n"})
    tree.git("commit", "-qam", "c")
    assert said.files() == [("CLAUDE.md", "modified")]
    tree.add({"CLAUDE.md": "again\n"})
    tree.git("commit", "-qm", "c")
    assert said.files() == [("CLAUDE.md", "modified")]


def test_in_a_submodule(ready: Repo, said: Said, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner")
    inner.commit({"CLAUDE.md": "1\n"})
    ready.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.top, "sub")
    sub = Repo(Path(ready.top) / "sub")
    said.install(sub)
    sub.write({"CLAUDE.md": "2\n"})
    sub.git("commit", "-qam", "c")
    assert said.files() == [("CLAUDE.md", "modified")]
    ready.git("commit", "-qam", "c")
    assert said.files() == [("sub", "added")]


def test_a_merge(ready: Repo, said: Said) -> None:
    ready.git("checkout", "-q", "-b", "side")
    ready.commit({"AGENTS.md": "side\n", "CLAUDE.md": "side\n"})
    ready.git("checkout", "-q", "main")
    ready.commit({"CLAUDE.md": "main\n"})
    ready.git("merge", "-q", "side", fine=(1,))
    ready.git("commit", "-qam", "with marks", fine=(1,))
    assert [(f["name"], f["line"]) for f in said.last()["findings"]] == [("conflict-markers", 1)]
    ready.add({"CLAUDE.md": "both\n"})
    ready.git("commit", "-q", "--no-edit")
    assert said.files() == [("AGENTS.md", "modified"), ("CLAUDE.md", "modified")]


def test_a_rejected_commit_leaves_everything_as_it_was(ready: Repo, said: Said) -> None:
    ready.add({"CLAUDE.md": "hid\u200bden\n"})
    ready.write({"AGENTS.md": "not staged\n", "x/y": "untracked\n"})
    before = ready.state()[:2]
    head = ready.git("rev-parse", "HEAD")
    for arguments in (["-m", "c"], ["-am", "c"], ["-m", "c", "CLAUDE.md"], ["--amend", "-m", "c"]):
        ready.git("commit", "-q", *arguments, fine=(1,))
        assert ready.state()[:2] == before
        assert ready.git("rev-parse", "HEAD") == head


def test_configuration_given_on_the_command_line_counts(ready: Repo, said: Said) -> None:
    ready.write({"CLAUDE.md": b"1\r\n2\r\n"})
    ready.git("-c", "core.autocrlf=true", "commit", "-qam", "c")
    assert said.files() == [("CLAUDE.md", "modified")]
    assert ready.git("show", "HEAD:CLAUDE.md") == "1\n2\n"
