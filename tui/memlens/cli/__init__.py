"""The command line. It loads the screen only to open it, and each command only to run it."""

from __future__ import annotations

import gc
import os
import sys

_NO_GARBAGE_YET = 50_000
"""Objects that are made before the first look for garbage: what a start makes stays."""
_SCRIPTS = frozenset(["hook", "prompt", "context", "why", "memory", "reads", "config"])
"""The commands that end without a screen."""


def main(arguments: list[str] | None = None) -> int:
    """Runs memlens with `arguments` (default: the process's). Returns the exit code.

    0: fine. 1: the answer is no, such as a finding or a refused write. 2: it could not be done;
    standard error says why.
    """
    given = sys.argv[1:] if arguments is None else arguments
    gc.set_threshold(_NO_GARBAGE_YET)  # a script ends before that; the screen sees to it itself
    code = _run(given)
    if arguments is None and given and given[0] in _SCRIPTS:
        _end(code)
    return code


def _run(given: list[str]) -> int:
    if given[:1] == ["hook"]:
        # An agent waits for this one: nothing else may be loaded for it.
        from memlens.engine.reads.hook import main as hook

        return hook(given[1:])
    from memlens.cli.run import run

    return run(given)


def _end(code: int) -> None:
    """Ends the process as it is.

    To take the interpreter apart, module by module, takes half as long as starting it did, and
    whoever called waits for that, too. All files are written and all threads at rest by now.
    """
    if os.environ.get("MEMLENS_DEBUG"):
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return  # the interpreter knows what to say
    os._exit(code)
