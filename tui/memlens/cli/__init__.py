"""The command line. It loads the screen only to open it, and each command only to run it."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Runs memlens with `arguments` (default: the process's). Returns the exit code.

    0: fine. 1: the answer is no, such as a finding or a refused write. 2: it could not be done;
    standard error says why.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["hook"]:
        # An agent waits for this one: nothing else may be loaded for it.
        from memlens.engine.reads.hook import main as hook

        return hook(given[1:])
    from memlens.cli.run import run

    return run(given)
