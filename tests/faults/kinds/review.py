"""What the review writes: a corrected text with the index of git, and the hook."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from pathlib import Path

from memlens.engine.review.git import open_repository
from memlens.engine.review.githook import KEPT, install_hook, is_installed, uninstall_hook
from memlens.engine.review.restaging import restage
from tests.faults.kinds.base import Kind, Step
from tests.faults.place import body, number_of


class OfGit(Kind):
    def git(self, *words: str) -> bytes:
        return subprocess.run(
            ["git", *words], cwd=self.place.root, check=True, capture_output=True
        ).stdout

    def prepare(self) -> None:
        (self.place.root / ".git").rmdir()
        self.git("init", "-q")


class Restaged(OfGit):
    title = "a corrected text, staged in git"
    pace = 0.15

    @property
    def file(self) -> Path:
        return self.place.root / "CLAUDE.md"

    def prepare(self) -> None:
        super().prepare()
        self.file.write_text(body(0))
        self.git("add", "CLAUDE.md")

    def begin(self) -> Step:
        repository = open_repository(str(self.place.root))

        def step(number: int) -> None:
            restage(repository, "CLAUDE.md", body(number).encode(), self.file.read_bytes())

        return step

    def check(self, done: int, begun: int) -> int:
        deadline = time.monotonic() + 60
        while (self.place.root / ".git" / "index.lock").exists():  # git itself was not killed
            assert time.monotonic() < deadline, "a lock stays"
            time.sleep(0.005)
        staged = number_of(self.git("cat-file", "blob", ":CLAUDE.md").decode())
        now = number_of(self.file.read_text())
        assert done <= staged <= now <= begun
        if staged != now:
            self.git("add", "CLAUDE.md")
        return now

    def finish(self) -> None:
        self.git("fsck", "--strict")

    def targets(self) -> list[Path]:
        return [self.file]


class GitHook(OfGit):
    title = "the hook of git, beside one that was there"
    theirs = "#!/bin/sh\n# theirs\nexit 0\n"

    @property
    def file(self) -> Path:
        return self.place.root / ".git" / "hooks" / "pre-commit"

    def prepare(self) -> None:
        super().prepare()
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(self.theirs)
        self.file.chmod(0o755)

    def begin(self) -> Step:
        repository = open_repository(str(self.place.root))

        def step(number: int) -> None:
            if number % 2:
                install_hook(repository, "/usr/bin/memlens")
            else:
                uninstall_hook(repository)

        return step

    def check(self, done: int, begun: int) -> int:
        kept = self.file.with_name(self.file.name + KEPT)
        assert self.file.exists(), "no hook at all runs"
        ours = self.file.read_text() != self.theirs
        assert (kept if ours else self.file).read_text() == self.theirs, "their hook is lost"
        assert stat.S_IMODE(os.stat(self.file).st_mode) & 0o111 == 0o111, "the hook would not run"
        if begun == done:
            assert is_installed(open_repository(str(self.place.root))) == bool(done % 2)
        return done if ours == bool(done % 2) else done + 1
