"""Durable facts as agents and people write them, in the folders of the three scopes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memlens.engine.durable import MemoryScope, dir_for
from tests.bench.making.words import Words

CONTENT: Final = (
    "a fifth global, half private, the rest shared; 200 to 1,400 characters each; of a hundred "
    "headers 84 as an agent writes them, 6 quoted, 4 with keys and comments of other tools, 3 that "
    "only YAML can read, 2 with CRLF, 1 without a header"
)


class Facts:
    """A checkout with `count` facts, and the folders that hold them."""

    def __init__(self, place: Path, count: int, seed: int = 7) -> None:
        self.count: Final = count
        self.root: Final = place / "repo"
        self.home: Final = place / "home"
        self.data: Final = place / "data"
        (self.root / ".git").mkdir(parents=True)
        self.home.mkdir()
        (self.root / "CLAUDE.md").write_text("Two spaces.\n")
        self.words: Final = Words(seed)
        self.paths: Final[list[str]] = []
        with self.surroundings():
            self.folders: Final = [
                folder for scope in MemoryScope if (folder := dir_for(scope, self.root)) is not None
            ]
        self._write()

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process needs in its environment to find these facts."""
        return {"MERMAID_DATA_DIR": str(self.data), "HOME": str(self.home)}

    @contextmanager
    def surroundings(self) -> Iterator[None]:
        """This process finds these facts, too."""
        before = dict(os.environ)
        os.environ.update(self.environment)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def queries(self, count: int) -> list[str]:
        """At least `count` queries as they grow key by key: words of facts, some with a slip."""
        draw = self.words.random
        typed: list[str] = []
        names = [name for name in self.words.some(400) if len(name) >= 5]
        while len(typed) < count:
            first, second = draw.sample(names, 2)
            kind = draw.randrange(4)
            if kind == 0:  # a slip
                at = draw.randrange(1, len(first) - 1)
                text = first[:at] + first[at + 1] + first[at] + first[at + 2 :]
            else:
                text = f"{first} {second[:4]}" if kind == 1 else first
            typed += [text[: end + 1] for end in range(len(text)) if text[end] != " "]
        return typed

    def _write(self) -> None:
        scopes = ("global", "project-private", "project-shared")
        for folder in self.folders:
            os.makedirs(folder)
        for number in range(self.count):
            which = 0 if number % 10 < 2 else 1 if number % 10 < 7 else 2
            path = f"{self.folders[which]}/{self._file_name(number)}"
            with open(path, "wb") as file:
                file.write(self._fact(number, scopes[which]))
            self.paths.append(path)

    def _file_name(self, number: int) -> str:
        return f"{'-'.join(self.words.some(2))}-{number}.md"

    def _fact(self, number: int, scope: str) -> bytes:
        words, draw = self.words, self.words.random
        name = " ".join(words.some(draw.randint(2, 4))) + f" {number}"
        about = words.sentence(draw.randint(6, 14))
        tags = words.some(draw.randint(0, 3))
        created = f"2026-{1 + number % 12:02}-{1 + number % 28:02}T09:{number % 60:02}:00Z"
        body = words.prose(draw.choice((200, 300, 400, 600, 1000)))
        rest = f"scope: {scope}\ncreated: {created}\ntags: [{', '.join(tags)}]\n---\n\n{body}"
        kind = number % 100
        if kind < 84:
            text = f"---\nname: {name}\ndescription: {about}\n{rest}"
        elif kind < 90:
            text = f'---\nname: "{name}"\ndescription: "{about[:-1]}: see below"\n{rest}'
        elif kind < 94:
            text = f"---\n# by hand\nname: {name}\ntype: note\ndescription: {about}\n{rest}"
        elif kind < 97:
            listed = "".join(f"  - {tag}\n" for tag in ("made", *tags))
            text = (
                f"---\nname: {name}\ndescription: >-\n  {about}\n  {about}\nscope: {scope}\n"
                f"tags:\n{listed}---\n\n{body}"
            )
        elif kind < 99:
            text = f"---\nname: {name}\ndescription: {about}\n{rest}".replace("\n", "\r\n")
        else:
            text = body
        return text.encode()
