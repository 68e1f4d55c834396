"""The git checkout around a folder, and the main checkout that its worktrees share."""

from __future__ import annotations

import os
from typing import NamedTuple

from memlens.engine.files import FileProblem, Files, kind_of

_POINTER_LIMIT = 64 * 1024


class Checkout(NamedTuple):
    """Where a folder lies in git. Absolute real paths."""

    top: str | None
    """The folder with the `.git` entry; None outside of git."""
    main: str | None
    """The checkout whose worktree `top` is, else `top`. The folder of a bare repository counts as
    the main checkout of its worktrees."""

    @property
    def is_worktree(self) -> bool:
        return self.top is not None and self.main != self.top


def checkout_of(files: Files, folder: str) -> Checkout:
    """The checkout that a real folder lies in."""
    here = folder
    while True:
        entry = f"{here.rstrip('/')}/.git"
        kind = kind_of(files, entry)
        if kind == "link":
            kind = kind_of(files, files.real_path(entry))
        if kind == "folder":
            return Checkout(here, here)
        if kind == "file":
            return Checkout(here, _main_of(files, here, entry) or here)
        if here == "/":
            return Checkout(None, None)
        here = here.rpartition("/")[0] or "/"


def _main_of(files: Files, top: str, entry: str) -> str | None:
    """The main checkout that a worktree's `.git` file leads to; None for a submodule."""
    pointer = _line(files, entry)
    if not pointer.startswith("gitdir:"):
        return None
    own = os.path.normpath(os.path.join(top, pointer.removeprefix("gitdir:").strip()))
    common = _line(files, f"{own}/commondir")
    if not common:
        return None
    shared = files.real_path(os.path.normpath(os.path.join(own, common)))
    above, _, name = shared.rpartition("/")
    return (above or "/") if name == ".git" else shared


def _line(files: Files, path: str) -> str:
    try:
        data, _ = files.read(path, _POINTER_LIMIT)
    except FileProblem:
        return ""
    return os.fsdecode(data.partition(b"\n")[0]).strip()
