"""What the commands have in common: the engine they ask, and how they print."""

from __future__ import annotations

import os
import sys

from memlens.engine.core import Engine
from memlens.engine.settings.load import load_settings
from memlens.engine.workspace import NoWorkspaceError, Workspace, open_workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

SCHEMA = 1
"""Of the JSON; keys are only ever added within one number."""


class CommandError(Exception):
    """A command cannot do what was asked; the message says why."""


def workspace_of(options: argparse.Namespace, *, quiet: bool = False) -> Workspace:
    """The workspace that the common options name. What is wrong with the settings is said, unless
    it is to be `quiet`, for another program that asks."""
    from memlens.engine.agents import PROFILES

    settings = load_settings()
    for problem in () if quiet else settings.problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        say(f"{place}: {problem.message}. {problem.hint}")
    agent = options.agent or settings.values.agent
    if agent not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise CommandError(f"there is no agent named {agent!r}; known: {known}")
    root = options.root or getattr(options, "path", None) or os.curdir
    if options.home is not None and not os.path.isdir(options.home):
        raise CommandError(f"{options.home}: there is no such folder (--home)")
    try:
        return open_workspace(
            root, home=options.home, agent=agent, settings=settings.values,
            additional=tuple(getattr(options, "add_dir", ())),
        )  # fmt: skip
    except NoWorkspaceError as error:
        told = f"{os.path.abspath(root)}: {error}"
        meant = _command_meant(root) if root == getattr(options, "path", None) else ""
        raise CommandError(f"{told}{meant}") from None


def _command_meant(word: str) -> str:
    """The command that a word was meant to be, as a question, where one is near."""
    import difflib

    from memlens.cli.run import COMMANDS

    close = difflib.get_close_matches(word, COMMANDS, 1)
    return f"\nDid you mean the command, memlens {close[0]}?" if close else ""


def add_folders(parser: argparse.ArgumentParser) -> None:
    """The option for folders that are added to a session."""
    parser.add_argument(
        "--add-dir", metavar="DIR", action="append", default=[],
        help="as if DIR were added to the agent's session; may be repeated",
    )  # fmt: skip


def engine_of(options: argparse.Namespace, *, quiet: bool = False) -> Engine:
    """An engine on the workspace that the common options name, not yet started."""
    return Engine(workspace_of(options, quiet=quiet))


def print_json(value: dict[str, Any]) -> None:
    """Prints `value` with the schema's number first."""
    import json

    # In ASCII: names that are not UTF-8 stay valid JSON, and a terminal gets nothing else.
    text = json.dumps({"schema": SCHEMA, **value}, indent=2)
    write_exactly(text + "\n")


def print_text(text: str) -> None:
    """Prints text from disks and names: to a terminal only what is safe to show."""
    write_exactly(for_terminal(text) + "\n")


def say(text: str) -> None:
    """Says something to a person, beside the data: on standard error."""
    from memlens.engine.visible import visible_text

    print(f"memlens: {visible_text(text)}", file=sys.stderr)


def for_terminal(text: str) -> str:
    """`text` made safe where standard output is a terminal; a pipe gets it as it is."""
    if not sys.stdout.isatty():
        return text
    from memlens.engine.visible import visible_text

    return visible_text(text)


def write_exactly(text: str) -> None:
    """Writes `text` to standard output in UTF-8, names that are not UTF-8 byte for byte."""
    sys.stdout.flush()
    data = text.encode("utf-8", "surrogateescape")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "replace"))
    else:
        buffer.write(data)
        buffer.flush()


def table(rows: Sequence[tuple[str, ...]], right: frozenset[int] = frozenset()) -> str:
    """Columns, each as wide as its widest cell; those in `right` flush right."""
    from memlens.engine.visible import visible_text

    if not rows:
        return ""
    rows = [tuple(visible_text(cell).replace("\n", " ") for cell in row) for row in rows]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
