"""Real repositories, cut off from this machine's git configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.invalid",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


class Repo:
    """A repository for a test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.top = os.path.realpath(folder)
        self.git_dir = os.path.join(self.top, ".git")

    def git(
        self,
        *arguments: str,
        say: str | None = None,
        fine: tuple[int, ...] = (0,),
        environment: Mapping[str, str] | None = None,
        folder: str = "",
    ) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=os.path.join(self.top, folder),
            env={**os.environ, **(environment or {})},
            input=(say or "").encode(),
            capture_output=True,
            check=False,
        )
        words = done.stdout.decode("utf-8", "surrogateescape")
        assert done.returncode in fine, words + done.stderr.decode("utf-8", "replace")
        return words

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = os.path.join(self.top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            with open(path, "wb") as file:
                file.write(data)

    def add(self, files: Mapping[str, str | bytes] | None = None) -> None:
        self.write(files or {})
        self.git("add", "-A", "--", *(files or ["."]))

    def commit(self, files: Mapping[str, str | bytes] | None = None, message: str = "c") -> str:
        self.add(files)
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def state(self) -> tuple[str, str, str]:
        """What git says about index and working tree, to see that nothing has changed."""
        return (
            self.git("status", "--porcelain=v2", "-z", "-uall", "--ignored"),
            self.git("ls-files", "-s", "-z"),
            self.git("count-objects", "-v"),
        )


@pytest.fixture(autouse=True)
def _isolated(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("GIT_", "CLAUDE_", "MERMAID_", "XDG_", "MEMLENS_")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    settings = {
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "MERMAID_DATA_DIR": str(home / "data"),
        **IDENTITY,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def home() -> Path:
    return Path(os.environ["HOME"])


def make_repo(folder: Path) -> Repo:
    folder.mkdir(parents=True, exist_ok=True)
    repo = Repo(folder)
    repo.git("-c", "init.defaultBranch=main", "init", "-q")
    return repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return make_repo(tmp_path / "repo")
