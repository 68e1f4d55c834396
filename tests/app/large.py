"""A workspace as large as promised: 10,000 facts, a prompt of two megabytes, and all around it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memlens.engine.reads import ReadJournal
from memlens.engine.workspace import Workspace, open_workspace
from tests.bench.making.facts import Facts
from tests.bench.making.memory_files import memory_text
from tests.bench.making.words import Words

FACTS: Final = 10_000
IMPORTS: Final = 300
IMPORTED: Final = 4_000
"""Characters of each imported file."""
HANDBOOK: Final = 800_000
TOUCHED: Final = 3_000_000
READ: Final = 1_500
"""Files that a session has read."""


class LargeWorkspace:
    """Always the same for a seed, but for the names of folders and the times of files."""

    def __init__(self, place: Path, seed: int = 23) -> None:
        self.facts: Final = Facts(place, FACTS)
        self.root: Final = self.facts.root
        self.state: Final = place / "state"
        words = Words(seed)
        docs = self.root / "docs"
        docs.mkdir()
        for number in range(IMPORTS):
            (docs / f"{number}.md").write_text(memory_text(words, number, IMPORTED, ()))
        tokens = [f"@docs/{number}.md" for number in range(IMPORTS)]
        missing = [f"@docs/missing-{number}.md" for number in range(40)]
        self.handbook: Final = docs / "handbook.md"
        self.handbook.write_text(words.prose(HANDBOOK))
        (self.root / "CLAUDE.md").write_text(
            memory_text(words, 0, IMPORTED, [*tokens, *missing, "@docs/handbook.md"])
        )
        nested = self.root / "api"
        nested.mkdir()
        (nested / "CLAUDE.md").write_text(words.prose(TOUCHED))
        for number in range(200):
            folder = self.root / f"part{number}"
            folder.mkdir()
            (folder / "CLAUDE.md").write_text(words.prose(300))
        self._read_some(words)
        self._commit()
        staged = docs / "0.md"
        staged.write_text(staged.read_text().replace(" the ", " a ") + words.prose(2_000))
        self._git("add", "docs/0.md")

    def _read_some(self, words: Words) -> None:
        source = self.root / "src"
        source.mkdir()
        journal = ReadJournal("large", folder=str(self.state / "reads"), agent="test")
        journal.append("start", cwd=str(self.root))
        for number in range(READ):
            path = source / f"module{number}.py"
            path.write_text(words.code(400))
            journal.record(path, "read")
        self.changed = source / "changed.py"
        self.changed.write_text(words.code(1_000_000))
        journal.record(self.changed, "read")
        lines = self.changed.read_text().splitlines(keepends=True)
        self.changed.write_text("".join(line for at, line in enumerate(lines) if at % 9))

    def _commit(self) -> None:
        self._git("init", "-q")
        # That many facts, reviewed each time, would be a test of the engine.
        (self.root / ".git" / "info" / "exclude").write_text(".mermaid/\n")
        self._git("add", "-A")
        self._git("commit", "-qm", "x")

    def _git(self, *words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gc.auto=0", *words],
            cwd=self.root, check=True, capture_output=True, env=os.environ | self.environment,
        )  # fmt: skip

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process needs in its environment to look at this workspace alone."""
        return {**self.facts.environment, "MEMLENS_STATE_DIR": str(self.state)}

    @contextmanager
    def opened(self) -> Iterator[Workspace]:
        """The workspace, with this process' environment on it."""
        before = dict(os.environ)
        os.environ.update(self.environment)
        try:
            yield open_workspace(self.root, home=self.facts.home)
        finally:
            os.environ.clear()
            os.environ.update(before)
