"""The folder in which an agent keeps notes of its own about a project (spec B)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memlens.engine.configured.transcript_folders import project_folders

if TYPE_CHECKING:
    from memlens.engine.configured.read import Configured


class AutoFolder(NamedTuple):
    """Where the notes of a project are. Absolute paths."""

    path: str
    """The folder that counts; it need not exist. Empty where there is none."""
    index_file: str
    """Its file that is read at the start; empty where there is no folder."""
    candidates: tuple[str, ...] = ()
    """All folders that the notes may be in: by the main checkout and by the working folder, in
    each spelling."""
    off: str = ""
    """What switches the notes off: a variable or a setting; empty where they are on."""
    chosen: bool = False
    """Whether a setting names the folder."""


def auto_folder(configured: Configured) -> AutoFolder | None:
    """Where the notes are; None for an agent that keeps none."""
    rules = configured.profile.configuration
    if rules is None:
        return None
    auto = rules.auto
    off = ""
    if configured.switched_on(auto.off_variable):
        off = auto.off_variable
    elif configured.setting(auto.enabled) is False:
        off = auto.enabled
    given = configured.setting(auto.directory)
    if isinstance(given, str):
        if given.startswith("~/") and configured.home is not None:
            given = os.path.join(configured.home, given[2:])
        if given.startswith("/"):
            path = os.path.normpath(given)
            return AutoFolder(path, os.path.join(path, auto.index_name), (path,), off, chosen=True)
    if configured.config_folder is None:
        return AutoFolder("", "", (), off)
    before, _, behind = auto.folder.partition("{slug}")
    base = os.path.join(configured.config_folder, before)
    keys = dict.fromkeys((configured.checkout.main or configured.root, configured.root))
    candidates = [
        os.path.normpath(folder + behind)
        for key in keys
        for folder in project_folders(configured.files, base, key)
    ]
    if not candidates:
        return AutoFolder("", "", (), off)
    path = candidates[0]
    every = tuple(dict.fromkeys(candidates))
    return AutoFolder(path, os.path.join(path, auto.index_name), every, off)
