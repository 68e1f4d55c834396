"""Whether an `@word` that leads nowhere was meant as an import (spec, part 6, number 1).

Most `@` in real files never were imports: packages, decorators, mentions, addresses. What is
loud about them is useless.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from memlens.engine.files import FileProblem, Files, kind_of

_EXTENSIONS: Final = frozenset({
    "adoc", "bash", "bat", "c", "cc", "cfg", "cjs", "conf", "cpp", "cs", "css", "csv", "cxx",
    "dart", "env", "ex", "exs", "fish", "go", "gql", "gradle", "graphql", "h", "hpp", "htm",
    "html", "ini", "ipynb", "java", "jpeg", "jpg", "js", "json", "json5", "jsonc", "jsonl",
    "jsx", "kt", "kts", "less", "lua", "markdown", "md", "mdc", "mdown", "mdx", "mjs", "mkd",
    "org", "pdf", "php", "pl", "png", "proto", "ps1", "py", "pyi", "rb", "rs", "rst", "sass",
    "scala", "scss", "sh", "sql", "svelte", "svg", "swift", "tex", "tf", "toml", "ts", "tsv",
    "tsx", "txt", "vue", "xml", "yaml", "yml", "zsh",
})  # fmt: skip
"""Without endings that are names of methods as well, such as `log` or `get`: `@app.get`."""

PUNCTUATION: Final = ".,;:!?)]}>\"'*_`’”…»"
_MOST_PUNCTUATION = 4
_LINES: Final = re.compile(r":L?\d[\dL:,-]*+(?=[^\w/]*$)")
"""What names lines of a file, such as `:12`, `:12:5` or `:L3-L9`."""
_LONGEST_LINES: Final = 40


class Guess(NamedTuple):
    """What a token that leads nowhere may have been meant for."""

    meant: bool
    path: str | None = None
    """An existing file it would name if it were put right."""
    without: str = ""
    """What has to go from its end for that."""
    case: bool = False
    """Whether its letter case has to change for that."""
    extension: str = ""
    """What has to be added to its end for that."""


_ALIASES: Final = ("/", "~/")
"""Alone they are how modules are imported in many languages: `@/`, `@~/`."""


def looks_like_a_path(written: str) -> bool:
    """Whether the words alone say that a file is meant."""
    if written in _ALIASES:
        return False
    if written.startswith(("./", "../", "~/", "/")):
        return True
    bare = _whole(written).rstrip(PUNCTUATION)
    if "(" in bare or "@" in bare:
        return False
    stem, dot, extension = bare.rpartition(".")
    return bool(dot) and bool(stem) and extension.lower() in _EXTENSIONS


def _whole(written: str) -> str:
    """What is in front of the name of a part: of `#heading`, `#L3-L9`, `:12`."""
    before, mark, _ = written.partition("#")
    if mark:
        return before
    tail = written[-_LONGEST_LINES:]
    lines = _LINES.search(tail)
    return written if lines is None else written[: len(written) - len(tail) + lines.start()]


_MOST_GUESSES = 5000


class Judge:
    """Judges tokens; lists each folder once and looks for each token once.

    After a bounded number of different tokens only their looks count: a file made to hold a
    million of them must not keep anyone waiting.
    """

    def __init__(self, files: Files, *, guesses_extension: bool = False) -> None:
        """`guesses_extension`: a name without an extension may be meant for a file with one."""
        self._files = files
        self._guesses_extension = guesses_extension
        self._names: dict[str, dict[str, str]] = {}
        self._guesses: dict[tuple[str, str], Guess] = {}

    def guess(self, folder: str, path: str, written: str) -> Guess:
        """Judges the token `written`, which names the missing `path` from `folder`."""
        known = self._guesses.get((folder, written))
        if known is None:
            if len(self._guesses) >= _MOST_GUESSES:
                return Guess(meant=looks_like_a_path(written))
            known = self._guesses[folder, written] = self._look_around(folder, path, written)
        return known

    def _look_around(self, folder: str, path: str, written: str) -> Guess:
        for size in range(1, min(_MOST_PUNCTUATION, len(written) - 1) + 1):
            # The last character may be anything, more of them only punctuation.
            ending = written[-size:]
            if size > 1 and ending.strip(PUNCTUATION):
                break
            if self._is_file(path[:-size]):
                return Guess(meant=True, path=path[:-size], without=ending)
        bare = _whole(written)
        if bare and bare != written:
            whole = path[: len(path) - len(written) + len(bare)]
            if self._is_file(whole):
                return Guess(meant=True, path=whole, without=written[len(bare) :])
        other = self._other_case(folder, path, written)
        if other is not None:
            return Guess(meant=True, path=other, case=True)
        if self._guesses_extension:
            extended = self._with_extension(path)
            if extended is not None:
                return Guess(meant=True, path=extended, extension=extended[len(path) :])
        return Guess(meant=looks_like_a_path(written))

    def _with_extension(self, path: str) -> str | None:
        """The first file that has this path and an extension."""
        folder, _, name = path.rpartition("/")
        if not name or "." in name:
            return None
        start = f"{name}."
        found = sorted(
            other
            for other in self._listing(self._files.real_path(folder or "/")).values()
            if other.startswith(start) and other[len(start) :] in _EXTENSIONS
        )
        return next((whole for other in found if self._is_file(whole := f"{folder}/{other}")), None)

    def _is_file(self, path: str) -> bool:
        kind = kind_of(self._files, path)
        if kind == "link":
            kind = kind_of(self._files, self._files.real_path(path))
        return kind == "file"

    def _other_case(self, folder: str, path: str, written: str) -> str | None:
        """The file that `written` names when letter case does not matter."""
        here, rest = folder, _whole(written).rstrip(PUNCTUATION)
        if written.startswith("/"):
            here = "/"
        elif written.startswith("~/"):
            here, rest = path[: len(path) - len(written) + 1] or "/", rest[2:]
        differs = False
        for part in rest.split("/"):
            if part in ("", "."):
                continue
            if part == "..":
                here = here.rpartition("/")[0] or "/"
                continue
            exact = f"{here.rstrip('/')}/{part}"
            if kind_of(self._files, exact) == "missing":
                name = self._listing(here).get(part.casefold())
                if name is None:
                    return None
                differs = True
                exact = f"{here.rstrip('/')}/{name}"
            here = exact
        return here if differs and self._is_file(here) else None

    def _listing(self, folder: str) -> dict[str, str]:
        names = self._names.get(folder)
        if names is None:
            try:
                names = {name.casefold(): name for name in self._files.names(folder)}
            except FileProblem:
                names = {}
            self._names[folder] = names
        return names
