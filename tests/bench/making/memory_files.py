"""Memory files with imports, as real projects write them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.bench.making.words import Words

CONTENT: Final = (
    "headings, prose, lists, links; in two files of three a fence with code, some five code spans "
    "a file, packages and mentions with @ that lead nowhere in one file of three"
)


class MemoryFiles:
    """A folder whose one memory file imports `count` files, three levels deep.

    `size`: bytes of each file, about.
    """

    def __init__(self, place: Path, count: int, size: int, seed: int = 11) -> None:
        self.root: Final = place
        self.count: Final = count
        words = Words(seed)
        (place / ".git").mkdir(parents=True)
        (place / "docs").mkdir()
        self.paths: Final = [place / "CLAUDE.md"]
        # Each file imports as many as it takes for three levels to hold all.
        width = max(2, round(count ** (1 / 3)))
        targets: list[list[int]] = [[] for _ in range(count + 1)]
        parent = 0
        for number in range(1, count + 1):
            while len(targets[parent]) >= (width if parent else max(width, count // width**2)):
                parent += 1
            targets[parent].append(number)
        for number, below in enumerate(targets):
            path = place / f"docs/{number}.md" if number else self.paths[0]
            folder = "" if number else "docs/"
            path.write_text(
                memory_text(words, number, size, [f"@{folder}{one}.md" for one in below])
            )
            if number:
                self.paths.append(path)
        self.bytes: Final = sum(path.stat().st_size for path in self.paths)

    def read_all(self) -> int:
        """The floor: reads the bytes of all files."""
        size = 0
        for path in self.paths:
            with open(path, "rb") as file:
                size += len(file.read())
        return size


class DeepFolders:
    """A checkout `levels` folders deep with a memory file in each, and `count` imports in all."""

    def __init__(self, place: Path, levels: int, count: int, size: int, seed: int = 13) -> None:
        words = Words(seed)
        (place / ".git").mkdir(parents=True)
        (place / "docs").mkdir()
        folder = place
        each = count // levels
        for level in range(levels):
            if level:
                folder /= f"level{level}"
                folder.mkdir()
            tokens = []
            for number in range(level * each, (level + 1) * each):
                (place / f"docs/{number}.md").write_text(memory_text(words, number, size, ()))
                tokens.append(f"@{'../' * level}docs/{number}.md")
            (folder / "CLAUDE.md").write_text(memory_text(words, level, size, tokens))
        self.root: Final = folder
        self.bytes: Final = sum(path.stat().st_size for path in place.rglob("*.md"))


def memory_text(words: Words, number: int, size: int, tokens: list[str] | tuple[str, ...]) -> str:
    """One memory file of about `size` characters that imports by `tokens`."""
    one, two, three, four = words.some(4)
    parts = [
        f"# {one.capitalize()} {two}\n",
        words.prose(size // 4),
        f"- Use `{one}_{two}` before `{three}`, see [the notes]({four}.md).",
        f"- **{three.capitalize()}**: {words.sentence(9)}",
        f"  - `{two} --{four} {number}` when it {three}s.",
        f"1. {words.sentence(11)}",
        "",
    ]
    if number % 3 != 2:
        fence = words.code(size // 4)
        decorated = f"@{one}.{two}\n" if number % 3 == 0 else ""
        parts += [f"```python\n{decorated}{fence}\n```\n"]
    if number % 3 == 1:
        parts += [f"Ask @{four} about @{two}/{three}, which `@{one}` needs.\n"]
    parts += [f"See {token} for {words.sentence(6)}" for token in tokens]
    parts += ["", f"## {three.capitalize()}\n"]
    left = size - sum(map(len, parts))
    parts += [words.prose(left) if left > 60 else words.sentence(8)]
    return "\n".join(parts) + "\n"
