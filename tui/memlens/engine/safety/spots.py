"""What a check has found in a text, before anyone knows which file it is."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from memlens.engine.findings import Finding

if TYPE_CHECKING:
    from memlens.engine.findings import Severity


class Spot(NamedTuple):
    """A finding without its file."""

    name: str
    severity: Severity
    line: int
    column: int
    message: str
    hint: str = ""

    def in_file(self, file: str) -> Finding:
        return Finding(
            self.name, self.severity, file, self.line, self.column, self.message, self.hint
        )


class Lines:
    """Where the lines of a text begin. Only LF ends a line."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column, from 1, of the character at `index`."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        """The index of a line's first character."""
        return self._starts[line - 1]
