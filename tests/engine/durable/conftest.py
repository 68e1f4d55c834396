"""A store of facts of its own for every test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from pathlib import Path


class Place(NamedTuple):
    """A repository and the folders of its three scopes."""

    cwd: Path
    data: Path

    @property
    def facts(self) -> Path:
        return self.data / "memory"

    @property
    def shared(self) -> Path:
        return self.cwd / ".mermaid" / "memory"

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.facts / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = make_place(tmp_path)
    monkeypatch.setenv("MERMAID_DATA_DIR", str(made.data))
    return made


def make_place(root: Path) -> Place:
    (root / "repo" / ".git").mkdir(parents=True)
    return Place(root / "repo", root / "data")
