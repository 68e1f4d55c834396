"""The pre-commit hook of git that reviews each commit, beside one that is already there.

The hook that was there is kept as `pre-commit.before-memlens` and runs first; if it stops the
commit, nothing is reviewed. Without memlens the hook lets the commit through and says so: a hook
lies in one person's checkout, and to block them because a program was removed protects nobody.
Whoever must not be passed uses the check on the server.
"""

from __future__ import annotations

import os
import shlex
import stat
from typing import Final, NamedTuple

from memlens.engine.files import replace_file
from memlens.engine.review.git import Repository

NAME: Final = "pre-commit"
KEPT_NAME: Final = "pre-commit.before-memlens"
_SIGN: Final = "# This hook was written by memlens review --install-hook"

_SCRIPT: Final = """\
#!/bin/sh
{sign}; --uninstall-hook removes it.
# It reviews what the commit changes about what coding agents are told.

kept="$(dirname "$0")/{kept_name}"
if [ -x "$kept" ]; then
    "$kept" "$@" || exit $?
fi

memlens={program}
if [ ! -x "$memlens" ]; then
    memlens=$(command -v memlens) || {{
        echo "memlens: not found, so this commit is not reviewed" >&2
        echo "memlens: install it again, or remove the hook: $0" >&2
        exit 0
    }}
fi

# Whoever commits in a terminal gets the screen; elsewhere it is the check.
exec "$memlens" review --hook
"""


class HookChange(NamedTuple):
    """What was done about the hook."""

    path: str
    """The hook's file, absolute."""
    message: str
    """What was done, in a sentence."""
    changed: bool = True
    """False when everything was in order already."""


class HookRefusedError(Exception):
    """Why the hook could not be installed or removed; nothing was changed."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def hooks_folder(repository: Repository) -> str:
    """Where git looks for the hooks of this checkout, absolute: `core.hooksPath` counts."""
    answer = repository.ask("rev-parse", "--git-path", "hooks")
    folder = answer.decode("utf-8", "surrogateescape").removesuffix("\n")
    return os.path.normpath(os.path.join(repository.top, folder))


def is_installed(repository: Repository) -> bool:
    """Whether our hook is there. Raises `GitError`."""
    return _is_ours(os.path.join(hooks_folder(repository), NAME))


def install_hook(repository: Repository, program: str) -> HookChange:
    """Installs the hook; one that is there is kept and runs first.

    `program` is the absolute path of the `memlens` command. May be called again: then it only
    brings the hook up to date. Raises `HookRefusedError`, `GitError` and `OSError`.
    """
    folder = hooks_folder(repository)
    path = os.path.join(folder, NAME)
    kept = os.path.join(folder, KEPT_NAME)
    script = _script(program)
    scope = _scope(repository, folder)
    os.makedirs(folder, exist_ok=True)
    if _is_ours(path):
        if _read(path) == script and os.access(path, os.X_OK):
            return HookChange(path, "the hook is installed already" + scope, changed=False)
        _write(path, script)
        return HookChange(path, "the hook was brought up to date" + scope)
    if not os.path.lexists(path):
        _write(path, script)
        first = f", and {KEPT_NAME}, which was there, runs first" if os.path.lexists(kept) else ""
        return HookChange(path, f"the hook was installed{first}{scope}")
    if os.path.lexists(kept) and not os.path.samestat(os.lstat(path), os.lstat(kept)):
        raise HookRefusedError(
            f"there is a hook that is not ours, and {KEPT_NAME} is taken, too",
            f"join {path} and {kept}, or remove one",
        )
    if os.path.isdir(path):
        raise HookRefusedError(f"{path} is a folder", "remove it")
    runs = os.access(path, os.X_OK)
    _put_before(path, kept, script)
    told = "runs first" if runs else "was not executable, so it still does not run"
    return HookChange(
        path, f"the hook was installed; the old one is now {KEPT_NAME} and {told}{scope}"
    )


def uninstall_hook(repository: Repository) -> HookChange:
    """Removes the hook and puts back the one that was there before.

    Raises `HookRefusedError`, `GitError` and `OSError`.
    """
    folder = hooks_folder(repository)
    path = os.path.join(folder, NAME)
    kept = os.path.join(folder, KEPT_NAME)
    if not _is_ours(path):
        if os.path.lexists(path):
            raise HookRefusedError(
                "the hook there is not ours", f"look at {path}, and remove the call of memlens"
            )
        return HookChange(path, "there is no hook", changed=False)
    if os.path.lexists(kept):
        os.replace(kept, path)
        return HookChange(path, "the hook was removed, and the one before it is back")
    os.unlink(path)
    return HookChange(path, "the hook was removed")


def own_program() -> str:
    """The absolute path of the `memlens` command that runs now, else one on the PATH.

    Raises `HookRefusedError` where there is none, as when it runs as `python -m memlens`.
    """
    import shutil
    import sys

    beside = os.path.join(os.path.dirname(sys.executable), "memlens")
    for path in (os.path.abspath(sys.argv[0]), beside):
        if os.path.basename(path).startswith("memlens") and os.access(path, os.X_OK):
            return path
    found = shutil.which("memlens")
    if found is None:
        raise HookRefusedError(
            "there is no memlens command that a hook could call",
            "install memlens, so that it is on the PATH",
        )
    return os.path.abspath(found)


def _scope(repository: Repository, folder: str) -> str:
    """What one should know about a folder of hooks that is not the repository's own."""
    place = os.path.realpath(folder) + "/"
    if place.startswith((repository.common_dir + "/", repository.git_dir + "/")):
        return ""
    if place.startswith(repository.top.rstrip("/") + "/"):
        return "; core.hooksPath has it in the working tree, so git may see it as a change"
    return "; core.hooksPath has it outside, so it counts in every repository that uses that folder"


def _script(program: str) -> str:
    if not os.path.isabs(program):
        raise HookRefusedError(f"{program!r} is no absolute path", "give the whole path of memlens")
    return _SCRIPT.format(sign=_SIGN, kept_name=KEPT_NAME, program=shlex.quote(program))


def _is_ours(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path) and _SIGN in _read(path)


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(65536).decode("utf-8", "surrogateescape")


def _put_before(path: str, kept: str, script: str) -> None:
    """Puts our hook in the place of another one, which stays as `kept`.

    At every moment one of the two is in force, where the system has hard links.
    """
    linked = os.path.lexists(kept)  # both are one file: an installing was cut short
    if not linked and not os.path.islink(path):
        try:
            os.link(path, kept)
            linked = True
        except OSError:
            pass
    if not linked:
        os.rename(path, kept)
    try:
        _write(path, script)
    except BaseException:
        os.replace(kept, path)
        if os.path.lexists(kept):  # to rename one name of a file to another does nothing
            os.unlink(kept)
        raise


def _write(path: str, script: str) -> None:
    replace_file(path, script.encode("utf-8", "surrogateescape"), new_mode=0o755)
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & 0o111 != 0o111:
        os.chmod(path, mode | 0o111)
