"""Where a writer under test works: a home, a project, and every folder that memlens writes to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

FOLDERS = {
    "HOME": "home",
    "MERMAID_DATA_DIR": "data",
    "MEMLENS_STATE_DIR": "state",
    "MEMLENS_CONFIG_DIR": "config",
    "CLAUDE_CONFIG_DIR": "claude",
}


class Place(NamedTuple):
    """Folders of one trial."""

    base: Path

    @property
    def root(self) -> Path:
        """The project, a git checkout to all who look at the names only."""
        return self.base / "project"

    @property
    def data(self) -> Path:
        return self.base / "data"

    @property
    def state(self) -> Path:
        return self.base / "state"

    @property
    def config(self) -> Path:
        return self.base / "config"

    @property
    def claude(self) -> Path:
        return self.base / "claude"


def make_place(base: Path) -> Place:
    """Makes the folders below `base` and has the environment name them."""
    for variable, name in FOLDERS.items():
        (base / name).mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(base / name)
    (base / "project" / ".git").mkdir(parents=True, exist_ok=True)
    return Place(base)


def body(number: int) -> str:
    """A text that shows at once whether it is whole, and which one it is."""
    return f"{number} " * 400 + "end"


def number_of(text: str) -> int:
    """Which `body` a text is; fails when it is not one, whole."""
    words = text.split()
    assert words[-1:] == ["end"], f"cut short: {text[-60:]!r}"
    assert len(words) == 401, f"{len(words)} words"
    assert len(set(words)) == 2, "two texts in one"
    return int(words[0])
