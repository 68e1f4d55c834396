"""From the words of the command line to the command that answers them."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, NoReturn

COMMANDS: Final = {
    "context": "What the agent gets here, file by file, and what is wrong with it",
    "prompt": "Print the exact prompt text, and nothing else",
    "why": "Whether a phrase reaches the prompt, through which imports, or why not",
    "memory": "List, show and search durable facts",
    "reads": "What the agent has read, against the disk now",
    "review": "Review what a change in git does to what agents are told",
    "config": "The settings in force, where they come from, and what is wrong with them",
    "hook": "Answer one hook call of an agent (see memlens hook --help)",
}
"""Each is a module of this package with `add_arguments(parser)` and `run(options) -> int`."""


class UsageError(Exception):
    """The words make no sense; the message says which and why."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows its width: to ask for it, argparse would import half of the standard library."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_width())


def _width() -> int:
    try:
        return max(40, min(100, os.get_terminal_size().columns - 2))
    except OSError:
        return 98


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Formatter, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\nTry: {self.prog} --help")


def run(words: Sequence[str]) -> int:
    """Runs the command that `words` name, or opens the screen."""
    try:
        return _run(list(words))
    except UsageError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough. Nothing more may be flushed into the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("MEMLENS_DEBUG"):
            raise
        return _complain(_reason(error))


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        name = words[0]
        module = import_module(f"memlens.cli.{name}")
        parser = _Parser(prog=f"memlens {name}", description=COMMANDS[name] + ".")
        add_common(parser)
        module.add_arguments(parser)
        return int(module.run(parser.parse_args(words[1:])))
    from memlens.cli import open_screen

    parser = _Parser(
        prog="memlens",
        description="Shows what a coding agent has in mind in a folder, lets you curate it, and "
        "reviews what a commit changes about it.",
        usage="memlens [options] [PATH]\n       memlens COMMAND [options]",
        epilog="commands:\n"
        + "\n".join(f"  {name:9} {text}" for name, text in COMMANDS.items())
        + "\n\nEach command has its own --help. A folder named like a command is opened as ./NAME.",
    )
    add_common(parser)
    open_screen.add_arguments(parser)
    return open_screen.run(parser.parse_args(words))


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options that every command takes."""
    parser.add_argument(
        "--root", metavar="DIR", help="the project's folder (default: the current folder)"
    )
    parser.add_argument("--home", metavar="DIR", help="another home folder than yours")
    parser.add_argument("--agent", metavar="NAME", help="whose memory, such as raider")


def _complain(message: str) -> int:
    from memlens.engine.visible import visible_text

    print(f"memlens: {visible_text(message)}", file=sys.stderr)
    return 2


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    hint = getattr(error, "hint", "")
    return f"{error}\n{hint}" if hint else str(error) or type(error).__name__
