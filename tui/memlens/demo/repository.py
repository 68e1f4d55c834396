"""The sample's git repository: a commit, and what somebody is about to add to it.

The files stay as they are; the commit holds what they were before. So the review has something to
show: a hidden character, an import that leads nowhere, and a new shared fact.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

NEW: Final = (".mermaid/memory/release-day.md",)
"""Files that are not in the commit, relative to the repository."""
PERSONAL: Final = "CLAUDE.local.md"
"""The name of the file that is in no repository."""
_WHO: Final = b"Sam Ple <sam@example.invalid> 1795860000 +0000"
_MESSAGE: Final = b"Write down how we work\n"
_PATIENCE: Final = 10.0
"""Seconds for each call of git."""


def make(top: Path, before: Path) -> bool:
    """Makes `top` a repository; `before` holds files as they were before what is staged.

    Returns whether it was made. Nothing of the person's own configuration or hooks takes part.
    """
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.fspath(top),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }

    def git(*words: str, say: bytes = b"") -> None:
        subprocess.run(
            ["git", *words], cwd=top, env=environment, input=say, check=True,
            capture_output=True, timeout=_PATIENCE,
        )  # fmt: skip

    try:
        git("-c", "init.defaultBranch=main", "init", "--quiet", "--template=")
        info = top / ".git" / "info"
        info.mkdir(exist_ok=True)
        (info / "exclude").write_text(f"{PERSONAL}\n", encoding="utf-8")
        git("fast-import", "--quiet", say=_commit(top, before))
        git("add", "--all")
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _commit(top: Path, before: Path) -> bytes:
    """The commit, in the language of `git fast-import`."""
    parts = [b"commit refs/heads/main\ncommitter %s\ndata %d\n%s" % (_WHO, len(_MESSAGE), _MESSAGE)]
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        inside_git = name.partition("/")[0] == ".git"
        if inside_git or not path.is_file() or name in NEW or path.name == PERSONAL:
            continue
        old = before / name
        text = (old if old.exists() else path).read_bytes()
        parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(text), text))
    return b"".join(parts)
