"""`memlens why`: does a phrase reach the prompt, through which imports, or why not."""

from __future__ import annotations

from memlens.cli.common import add_folders, engine_of, print_json, print_text
from memlens.engine.commands.why import AskWhy
from memlens.engine.events.why import WhyAnswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="a phrase; white space counts as any other")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--touch", metavar="PATH", action="append", default=[],
        help="what the agent is given when it touches PATH counts, too; may be repeated",
    )  # fmt: skip
    add_folders(parser)


def run(options: argparse.Namespace) -> int:
    with engine_of(options) as engine:
        command = AskWhy(
            request=engine.next_request(), text=options.text, touched=tuple(options.touch)
        )
        answer = engine.ask(command, WhyAnswered)
    if options.json:
        print_json(
            {
                "reached": answer.reached,
                "chain": [{"file": file, "line": line} for file, line in answer.chain],
                "reason": answer.reason,
                "line": answer.line,
            }
        )
    else:
        place = f", line {answer.line} of the prompt" if answer.line else ""
        lines = [f"{'In' if answer.reached else 'Not in'}{place}: {answer.reason}."]
        lines += [
            f"{'  ' * depth}{file}:{line}" for depth, (file, line) in enumerate(answer.chain, 1)
        ]
        print_text("\n".join(lines))
    return 0 if answer.reached else 1
