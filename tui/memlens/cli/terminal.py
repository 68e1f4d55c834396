"""The terminal of a process whose own input and output may be something else, as in a git hook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PLACE = "/dev/tty"
"""The terminal that a process belongs to, whatever its input and output are."""
_STREAMS: Final = {"__stdin__": (0, "r"), "__stdout__": (1, "w"), "__stderr__": (2, "w")}


def may_take_terminal() -> bool:
    """Whether a screen may be opened for the person who sees our messages.

    Only where messages go to a terminal: a program that collects them, such as an editor that was
    started in some terminal long ago, would leave a person with a screen they do not see. And only
    in the foreground: whoever writes to a terminal from the background is stopped.
    """
    if os.environ.get("TERM", "dumb") == "dumb" or not _is_terminal(2):
        return False
    try:
        handle = os.open(PLACE, os.O_RDWR | os.O_NOCTTY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        return os.tcgetpgrp(handle) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(handle)


@contextmanager
def terminal() -> Iterator[None]:
    """Makes the terminal standard input, output and error meanwhile.

    The screen reads from the first, writes to the last and takes its size from the second. What
    was there before is put back. Raises `OSError` where there is no terminal.
    """
    wanted = [handle for handle in (0, 1, 2) if not _is_terminal(handle)]
    if not wanted:
        yield
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    place = os.open(PLACE, os.O_RDWR | os.O_NOCTTY)
    try:
        saved = {handle: _duplicate(handle) for handle in wanted}
        for handle in wanted:
            os.dup2(place, handle)
    finally:
        if place > 2:
            os.close(place)
    mended = _mend_streams()
    try:
        yield
    finally:
        for handle, copy in saved.items():
            if copy is None:
                os.close(handle)
            else:
                os.dup2(copy, handle)
                os.close(copy)
        for name in mended:
            setattr(sys, name, None)


def _is_terminal(handle: int) -> bool:
    try:
        return os.isatty(handle)
    except OSError:
        return False


def _duplicate(handle: int) -> int | None:
    try:
        return os.dup(handle)
    except OSError:  # it was closed
        return None


def _mend_streams() -> list[str]:
    """Makes the streams that Python has not, because their files were closed when it started."""
    missing = [name for name in _STREAMS if getattr(sys, name) is None]
    for name in missing:
        handle, mode = _STREAMS[name]
        stream = open(handle, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
    return missing
