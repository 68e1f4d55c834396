"""What lies outside the screen: the person's shell and editor, and the clipboard."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any, Final

from memlens.engine.editor import NoEditorError, editor_command

if TYPE_CHECKING:
    from textual.app import App

CLIPBOARD_LIMIT: Final = 64 * 1024
"""Bytes that terminals take at once for the clipboard; more is left out without a word."""


def reason_against_stopping(app: App[Any]) -> str | None:
    """Why the terminal cannot be given back to a shell, as a sentence; `None` where it can."""
    if app.is_web:
        return "There is no shell to go back to: this is shown in a browser."
    return None if has_shell() else "There is no shell to go back to: none started memlens."


def has_shell() -> bool:
    """Whether a shell would go on if we stopped.

    It gives each job a group of its own. Where ours is the group of whoever has the terminal, as in
    a window that was opened for it, nobody would.
    """
    return hasattr(os, "getsid") and os.getpgrp() != os.getsid(0)


def stop(app: App[Any]) -> None:
    """Gives the terminal back to the shell until that wants us to go on.

    Whoever has started us is stopped with us, as by the terminal itself: a script, or a tool that
    installs and runs us, would go on waiting, so that nobody read what is typed.
    """
    with app.suspend():
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.killpg(os.getpgrp(), signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, ours)


def edit_outside(app: App[Any], path: str, line: int = 1) -> bool:
    """Opens the person's editor on `path` and waits; returns whether it ended well.

    Raises `NoEditorError` where it cannot be started, or has no terminal. The screen comes back in
    any case.
    """
    if app.is_web:
        raise NoEditorError("an editor needs a terminal, and a browser has none; edit it here")
    command = editor_command(path, line)
    with app.suspend():
        try:
            return subprocess.run(command, check=False).returncode == 0
        except OSError as error:
            raise NoEditorError(f"{command[0]} cannot be started: {error.strerror}") from None


def copy(app: App[Any], text: str, what: str) -> None:
    """Puts `text` into the clipboard and says so; `what` names it.

    What is too large for a terminal's clipboard is refused with a word instead of being lost.
    """
    size = len(text.encode("utf-8", "replace"))
    if size > CLIPBOARD_LIMIT:
        app.notify(
            f"{what} has {size:,} bytes; terminals take {CLIPBOARD_LIMIT:,}. Save it to a file.",
            title="Not copied", severity="warning", markup=False,
        )  # fmt: skip
        return
    # Names that are no UTF-8 cannot go into a clipboard as they are.
    app.copy_to_clipboard(text.encode("utf-8", "replace").decode())
    app.notify(f"{what} is in the clipboard.", title="Copied", markup=False)
