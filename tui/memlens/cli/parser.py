"""The parser of command lines: argparse, with our errors and our width."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memlens.cli.plain import UsageError

if TYPE_CHECKING:
    from typing import Any, NoReturn


class Formatter(argparse.HelpFormatter):
    """Knows its width: to ask for it, argparse would import half of the standard library. Keeps
    the lines of descriptions, and folds those that are too long between words."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        import textwrap

        lines: list[str] = []
        for line in text.splitlines():
            within = indent + " " * (len(line) - len(line.lstrip()))
            _, gap, told = line.strip().partition("  ")  # a column of its own, if any
            further = within + " " * (len(line.strip()) - len(told.lstrip())) * bool(gap)
            lines += textwrap.wrap(
                indent + line, width, subsequent_indent=further, break_long_words=False,
                break_on_hyphens=False, drop_whitespace=True, replace_whitespace=False,
            ) or [""]  # fmt: skip
        return "\n".join(lines)


class Parser(argparse.ArgumentParser):
    """Raises `UsageError` instead of ending the process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=Formatter, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\nTry: {self.prog} --help")


def _width() -> int:
    try:
        return max(40, min(100, os.get_terminal_size().columns - 2))
    except OSError:
        return 98
