"""What the hook writes: the read journal, the log, an agent's settings."""

from __future__ import annotations

import json
from mmap import PAGESIZE
from pathlib import Path

from memlens.engine.log import LOG_NAME, log
from memlens.engine.reads import ReadJournal
from memlens.engine.reads.hook_settings import install, uninstall
from tests.faults.kinds.base import Kind, Step


def torn_ends(path: Path, ending: bytes) -> list[int]:
    """Where lines end, in bytes of the file, that do not have the ending of a whole one."""
    ends, at = [], 0
    for line in path.read_bytes().split(b"\n"):
        at += len(line)
        if line and not line.endswith(ending):
            ends.append(at)
        at += 1
    return ends


class Journalled(Kind):
    title = "the read journal"
    limit = 20_000
    """Small, so that writers are also killed where a new part begins."""

    @property
    def journal(self) -> ReadJournal:
        return ReadJournal("session", limit=self.limit)

    def prepare(self) -> None:
        self.saved: set[int] = set()

    def begin(self) -> Step:
        journal = self.journal
        return lambda n: journal.append("read", path=f"/x/{n}", sha256="0" * 64)

    def check(self, done: int, begun: int) -> int:
        entries = list(self.journal.entries())
        numbers = [int(entry.path[3:]) for entry in entries if entry is not None]
        assert numbers == sorted(set(numbers)), "out of order, or twice"
        ends = [end for part in self.journal.parts() for end in torn_ends(Path(part), b"}")]
        assert self.torn or not any(end % PAGESIZE for end in ends), "a torn line"
        assert entries.count(None) <= len(ends)  # the last one is not told yet
        assert (numbers[-1] if numbers else 0) in range(done, begun + 1)
        assert self.saved <= set(numbers), "lines are missing"
        self.saved = set(numbers)
        return numbers[-1] if numbers else 0

    def targets(self) -> list[Path]:
        return [self.place.state / "reads" / "session.jsonl"]


class Logged(Kind):
    title = "the log"
    raises = False

    def begin(self) -> Step:
        return lambda n: log(f"line {n} {'x' * 200} end", "test")

    def check(self, done: int, begun: int) -> int:
        path = self.place.state / LOG_NAME
        files = [one for one in (path.with_name(LOG_NAME + ".1"), path) if one.exists()]
        lines = [line for file in files for line in file.read_text().splitlines()]
        whole = [line for line in lines if line.endswith("x end")]
        ends = [end for file in files for end in torn_ends(file, b"x end")]
        assert self.torn or not any(end % PAGESIZE for end in ends), "a torn line"
        newest = int(whole[-1].split()[3]) if whole else 0
        assert done <= newest <= begun
        return newest

    def targets(self) -> list[Path]:
        return [self.place.state / LOG_NAME]


class HookSettings(Kind):
    title = "an agent's settings, hooks put in and taken out"

    @property
    def file(self) -> Path:
        return self.place.claude / "settings.json"

    def prepare(self) -> None:
        self.file.write_text('{\n  "model": "x",\n  "more": [1, 2]\n}\n')
        self.file.chmod(0o640)
        self.without = self.file.read_text()
        install(str(self.file))
        self.with_hooks = self.file.read_text()
        uninstall(str(self.file))
        assert self.file.read_text() == self.without

    def begin(self) -> Step:
        path = str(self.file)
        return lambda n: install(path) if n % 2 else uninstall(path)

    def check(self, done: int, begun: int) -> int:
        text = self.file.read_text()
        assert text in (self.without, self.with_hooks)
        assert self.file.stat().st_mode & 0o777 == 0o640
        json.loads(text)
        wanted = self.with_hooks if done % 2 else self.without
        if begun == done:
            assert text == wanted
        return done if text == wanted else done + 1

    def targets(self) -> list[Path]:
        return [self.file]
