"""The parser of command lines: argparse, with our errors and our width."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memlens.cli.plain import UsageError

if TYPE_CHECKING:
    from typing import Any, NoReturn


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows its width: to ask for it, argparse would import half of the standard library."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_width())


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
