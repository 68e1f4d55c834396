"""`memlens prompt`: the exact prompt text, and nothing else."""

from __future__ import annotations

from memlens.cli.common import add_folders, engine_of, for_terminal, write_exactly
from memlens.engine.commands.workspace import LoadContext, TouchPath
from memlens.engine.events.workspace import ContextLoaded, PathTouched

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--touch", metavar="PATH", action="append", default=[],
        help="add what the agent is given when it touches PATH; may be repeated",
    )  # fmt: skip
    add_folders(parser)


def run(options: argparse.Namespace) -> int:
    with engine_of(options) as engine:
        plan = engine.ask(
            LoadContext(request=engine.next_request(), details=False), ContextLoaded
        ).plan
        parts = [plan.text] if plan.text else []
        for path in options.touch:
            command = TouchPath(request=engine.next_request(), path=path, details=False)
            touched = engine.ask(command, PathTouched)
            if touched.text:
                parts.append(touched.text)
    text = "\n\n".join(parts)
    # A pipe gets every byte as it is; a terminal only what cannot drive it.
    write_exactly(for_terminal(text))
    return 0
