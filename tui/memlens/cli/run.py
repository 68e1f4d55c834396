"""From the words of the command line to the command that answers them."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from memlens.cli.plain import UsageError, plain_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
    from typing import Final

COMMANDS: Final = {
    "context": "What the agent gets here, file by file, and what is wrong with it",
    "prompt": "Print the exact prompt text, and nothing else",
    "why": "Whether a phrase reaches the prompt, through which imports, or why not",
    "memory": "Look at, change and curate durable facts",
    "reads": "What the agent has read, against the disk now",
    "review": "Review what a change in git does to what agents are told",
    "config": "The settings in force, where they come from, and what is wrong with them",
    "hook": "Answer one hook call of an agent (see memlens hook --help)",
}
"""Each is a module of this package with `add_arguments(parser)` and `run(options) -> int`."""
COMMON: Final = frozenset(["--root", "--home", "--agent"])
PLAIN: Final = frozenset(["prompt"])
"""Commands of scripts that count each millisecond; they have plain options only."""


def run(words: Sequence[str]) -> int:
    """Runs the command that `words` name, or opens the screen."""
    if sys.stderr is None:  # closed: what is meant for it must not come out as data
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
    if sys.stdout is None:
        return _complain("standard output is closed")
    try:
        return _run(list(words))
    except UsageError as error:
        return _complain(str(error))
    except KeyboardInterrupt as interrupt:
        _complain(str(interrupt) or "interrupted")
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
    words = _command_first(words)
    if words and words[0] in COMMANDS:
        name = words[0]
        if name == "hook":
            from memlens.engine.reads.hook import main as hook

            return hook(words[1:])
        module = import_module(f"memlens.cli.{name}")
        if name in PLAIN:
            options = plain_options((add_common, module.add_arguments), words[1:])
            if options is not None:
                return int(module.run(options))
        from memlens.cli.parser import Parser

        parser = Parser(prog=f"memlens {name}", description=COMMANDS[name] + ".")
        add_common(parser)
        module.add_arguments(parser)
        return int(module.run(parser.parse_args(words[1:])))
    from memlens.cli import open_screen

    options = plain_options((add_common, open_screen.add_arguments), words)
    if options is not None:
        return open_screen.run(options)
    from memlens.cli.parser import Parser

    parser = Parser(
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


def _command_first(words: list[str]) -> list[str]:
    """The words with the command before the options that every command takes."""
    at = 0
    while at < len(words) and words[at].partition("=")[0] in COMMON:
        at += 1 if "=" in words[at] else 2
    if not 0 < at < len(words) or words[at] not in COMMANDS:
        return words
    return [words[at], *words[:at], *words[at + 1 :]]


def add_common(parser: ArgumentParser) -> None:
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
