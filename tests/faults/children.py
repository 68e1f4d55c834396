"""Writers in processes of their own, that may be killed, starved, or kept out."""

from __future__ import annotations

import os
import signal
import struct
import time
import traceback
import warnings
from collections.abc import Callable

from tests.faults.kinds.base import Kind

_NUMBER = struct.Struct("q")


def fork() -> int:
    with warnings.catch_warnings():  # the child takes no lock that another thread may hold
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def in_child(work: Callable[[], str]) -> str:
    """What `work` returns, done in a process of its own; a traceback where it fails."""
    ours, theirs = os.pipe()
    child = fork()
    if not child:
        try:
            answer = work()
        except BaseException:  # noqa: BLE001 - the parent is told
            answer = traceback.format_exc()
        with os.fdopen(theirs, "wb") as file:
            file.write(answer.encode("utf-8", "backslashreplace"))
        os._exit(0)
    os.close(theirs)
    told = b""
    while part := os.read(ours, 65536):
        told += part
    os.close(ours)
    os.waitpid(child, 0)
    return told.decode()


def killed(kind: Kind, first: int, seconds: float) -> int:
    """Has a new process do steps from `first` on and kills it `seconds` after the first of them;
    returns the last step that it had finished."""
    ours, theirs = os.pipe()
    writer = fork()
    if not writer:
        try:
            step = kind.begin()
            number = first
            while True:
                step(number)
                os.write(theirs, _NUMBER.pack(number))
                number += 1
        except BaseException:  # noqa: BLE001 - the parent sees that it ended by itself
            traceback.print_exc()
        finally:
            os._exit(3)
    os.close(theirs)
    told = os.read(ours, _NUMBER.size)
    # What is tested is that the moment does not matter, so it has to be any moment.
    time.sleep(seconds)
    os.kill(writer, signal.SIGKILL)
    _, status = os.waitpid(writer, 0)
    while part := os.read(ours, 1 << 16):
        told += part
    os.close(ours)
    assert os.WIFSIGNALED(status), f"the writer of {kind.title} ended by itself"
    return int(_NUMBER.unpack(told[-_NUMBER.size :])[0])
