"""The person's own editor: which one, and how it is told the line."""

from __future__ import annotations

import os
import shlex


class NoEditorError(Exception):
    """No editor can be started; the message says what to do."""


def editor_command(path: str, line: int = 1) -> list[str]:
    """The words that open `path` at `line` in the person's editor.

    `$VISUAL`, then `$EDITOR`. Raises `NoEditorError` where neither is set or can be read.
    """
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not chosen:
        raise NoEditorError("set VISUAL or EDITOR to the editor you want, such as vim")
    try:
        words = shlex.split(chosen)
    except ValueError as error:
        raise NoEditorError(f"VISUAL or EDITOR cannot be read ({error}): {chosen}") from None
    if not words:
        raise NoEditorError("VISUAL and EDITOR are blank")
    name = os.path.basename(words[0])
    if name in ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne"):
        return [*words, f"+{line}", path]
    if name in ("hx", "helix", "subl"):
        return [*words, f"{path}:{line}"]
    if name in ("code", "codium", "cursor"):
        return [*words, *([] if "--wait" in words else ["--wait"]), "--goto", f"{path}:{line}"]
    return [*words, path]
