"""The hooks of git that review each commit and merge, beside those that are already there.

A hook that was there is kept as `pre-commit.before-memlens` and runs first; if it stops the
commit, nothing is reviewed. A merge without a conflict has a hook of its own, and what it brings
from others is what most needs a look. Without memlens the hook lets the commit through and says
so: a hook lies in one person's checkout, and to block them because a program was removed protects
nobody. Whoever must not be passed uses the check on the server.
"""

from __future__ import annotations

import os
import shlex
import stat
from typing import Final, NamedTuple

from memlens.engine.files import replace_file
from memlens.engine.review.git import Repository

NAMES: Final = ("pre-commit", "pre-merge-commit")
"""The hooks that come before a commit: git runs the second one for a merge that it makes alone."""
KEPT: Final = ".before-memlens"
"""What is put behind the name of a hook that was there."""
_SIGN: Final = "# This hook was written by memlens review --install-hook"

_SCRIPT: Final = """\
#!/bin/sh
{sign}; --uninstall-hook removes it.
# It reviews what the commit changes about what coding agents are told.

kept="$(dirname "$0")/{kept}"
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
    """Whether our hooks are there. Raises `GitError`."""
    folder = hooks_folder(repository)
    return all(_is_ours(os.path.join(folder, name)) for name in NAMES)


def install_hook(repository: Repository, program: str) -> HookChange:
    """Installs the hooks; those that are there are kept and run first.

    `program` is the absolute path of the `memlens` command. May be called again: then it only
    brings the hooks up to date. Raises `HookRefusedError` with nothing changed, `GitError` and
    `OSError`.
    """
    folder = hooks_folder(repository)
    scripts = {name: _script(program, name) for name in NAMES}
    for name in NAMES:
        _check(folder, name)
    os.makedirs(folder, exist_ok=True)
    done = [_install(folder, name, script) for name, script in scripts.items()]
    return _both(done, _scope(repository, folder))


def uninstall_hook(repository: Repository) -> HookChange:
    """Removes the hooks and puts back those that were there before.

    Raises `HookRefusedError`, `GitError` and `OSError`.
    """
    folder = hooks_folder(repository)
    path = os.path.join(folder, NAMES[0])
    if not any(_is_ours(os.path.join(folder, name)) for name in NAMES) and os.path.lexists(path):
        raise HookRefusedError(
            "the hook there is not ours", f"look at {path}, and remove the call of memlens"
        )
    return _both([_uninstall(folder, name) for name in NAMES])


def _both(done: list[HookChange], scope: str = "") -> HookChange:
    """One answer for all hooks: of the others only what differs is told."""
    first, *others = done
    message = first.message + "".join(
        f"; {os.path.basename(other.path)}, for merges: {other.message}"
        for other in others
        if other.message != first.message
    )
    return HookChange(first.path, message + scope, changed=any(one.changed for one in done))


def _check(folder: str, name: str) -> None:
    """Raises `HookRefusedError` where ours cannot take the place of what is there."""
    path, kept = os.path.join(folder, name), os.path.join(folder, name + KEPT)
    if not os.path.lexists(path) or _is_ours(path):
        return
    if os.path.lexists(kept) and not os.path.samestat(os.lstat(path), os.lstat(kept)):
        raise HookRefusedError(
            f"there is a hook that is not ours, and {name}{KEPT} is taken, too",
            f"join {path} and {kept}, or remove one",
        )
    if os.path.isdir(path):
        raise HookRefusedError(f"{path} is a folder", "remove it")


def _install(folder: str, name: str, script: str) -> HookChange:
    path, kept = os.path.join(folder, name), os.path.join(folder, name + KEPT)
    if _is_ours(path):
        if _read(path) == script and os.access(path, os.X_OK):
            return HookChange(path, "the hook is installed already", changed=False)
        _write(path, script)
        return HookChange(path, "the hook was brought up to date")
    if not os.path.lexists(path):
        _write(path, script)
        first = f", and {name}{KEPT}, which was there, runs first" if os.path.lexists(kept) else ""
        return HookChange(path, f"the hook was installed{first}")
    runs = os.access(path, os.X_OK)
    _put_before(path, kept, script)
    told = "runs first" if runs else "was not executable, so it still does not run"
    return HookChange(path, f"the hook was installed; the old one is now {name}{KEPT} and {told}")


def _uninstall(folder: str, name: str) -> HookChange:
    path, kept = os.path.join(folder, name), os.path.join(folder, name + KEPT)
    if not _is_ours(path):
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


def _script(program: str, name: str) -> str:
    if not os.path.isabs(program):
        raise HookRefusedError(f"{program!r} is no absolute path", "give the whole path of memlens")
    return _SCRIPT.format(sign=_SIGN, kept=name + KEPT, program=shlex.quote(program))


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
