"""The names of the folders in which Claude Code keeps what belongs to a project (spec B)."""

from __future__ import annotations

import os
from typing import Final

from memlens.engine.files import FileProblem, Files
from memlens.engine.places import slugs

MOST: Final = 200
"""Characters of a name that are kept; behind them stands `-` and a hash nobody has published."""


def project_folders(files: Files, base: str, folder: str) -> list[str]:
    """The folders in `base` that may belong to `folder`: those that exist, the likeliest first;
    where there is none, the one that would be made, as far as its name can be known."""
    long = [slug for slug in slugs(folder) if len(slug) > MOST]
    found = [
        path
        for slug in slugs(folder)
        if slug not in long and _is_folder(files, path := os.path.join(base, slug))
    ]
    if long:
        try:
            names = files.names(base)
        except FileProblem:
            names = []
        for slug in long:
            cut = slug[:MOST] + "-"
            found += [os.path.join(base, name) for name in names if name.startswith(cut)]
    if found or long:
        return list(dict.fromkeys(found))
    return [os.path.join(base, slugs(folder)[0])]


def _is_folder(files: Files, path: str) -> bool:
    try:
        files.look(path)
    except FileProblem as problem:
        return problem.kind == "folder"
    return False
