"""The sample is a repository with something to review, where there is git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memlens.demo import demo_workspace, lay_out, make_repository
from memlens.demo.repository import make
from memlens.engine import (
    CompareRead,
    Engine,
    LoadReads,
    LoadReview,
    ReadCompared,
    ReadsLoaded,
    ReviewAnswer,
    ReviewLoaded,
    Workspace,
)

NOW = 1_795_946_400.0


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("MERMAID_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(tmp_path / "state"))
    return lay_out(tmp_path, now=NOW)


def git(folder: str, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def review_of(workspace: Workspace) -> ReviewLoaded:
    with Engine(workspace) as engine:
        loaded = engine.ask(LoadReview(request=1), ReviewAnswer, 30)
    assert isinstance(loaded, ReviewLoaded)
    return loaded


def test_something_is_staged_that_a_review_finds_fault_with(
    sample: Workspace, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.md")}
    make_repository(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md")} == before
    review = review_of(sample).review
    assert [(file.path, file.status, file.unstaged) for file in review.files] == [
        (".mermaid/memory/release-day.md", "added", False),
        ("api/docs/database.md", "modified", False),
        ("api/docs/style.md", "modified", False),
    ]
    assert {finding.name for finding in review.findings} == {"broken-import", "hidden-characters"}
    assert review.before.tokens != review.after.tokens
    assert git(sample.root, "status", "--porcelain", "-uall").count("\n") == 4


def test_what_the_agent_read_before_it_changed_is_in_the_commit(
    sample: Workspace, tmp_path: Path
) -> None:
    make_repository(tmp_path)
    with Engine(sample) as engine:
        log = engine.ask(LoadReads(request=1), ReadsLoaded, 30).log
        assert log is not None
        (changed,) = [entry for entry in log.paths if entry.state == "changed"]
        compared = engine.ask(CompareRead(request=2, path=changed.path), ReadCompared, 30)
    assert [line.text for line in compared.lines if line.kind in ("added", "removed")] == [
        '    return f"Your order {number}"', '    return f"Your order no. {number}"',
    ]  # fmt: skip
    assert compared.source == "git"


def test_it_is_always_the_same_commit_whatever_a_person_has_configured(
    sample: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gitconfig"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "post-commit").write_text("#!/bin/sh\nexit 1\n")
    config.write_text(
        f"[core]\nhooksPath = {hooks}\nautocrlf = true\nexcludesFile = {config}\n*.md\n"
        "[commit]\ngpgSign = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    make_repository(tmp_path)
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    assert git(sample.root, "log", "--format=%an %s").strip() == "Sam Ple Write down how we work"
    first = git(sample.root, "rev-parse", "HEAD")
    assert not (tmp_path / "elsewhere").exists()
    again = tmp_path / "again"
    again.mkdir()
    monkeypatch.setenv("MERMAID_DATA_DIR", str(again / "data"))
    monkeypatch.setenv("MEMLENS_STATE_DIR", str(again / "state"))
    other = lay_out(again, now=NOW)
    make_repository(again)
    assert git(other.root, "rev-parse", "HEAD") == first


def test_without_git_the_sample_works_all_the_same(
    sample: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not make(tmp_path / "home" / "shop", tmp_path)
    assert (tmp_path / "home" / "shop" / ".git").is_dir()


def test_the_demo_has_it_by_the_time_it_ends() -> None:
    with demo_workspace() as (workspace, prepare):
        root = Path(workspace.root)
        assert list(root.iterdir()) == []
        prepare()
        assert (root / "CLAUDE.md").exists()
    assert not root.exists()


def test_a_demo_that_ends_before_it_began_leaves_nothing() -> None:
    with demo_workspace() as (workspace, _):
        root = Path(workspace.root)
    assert not root.exists()
