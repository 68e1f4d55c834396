"""What a change in git does to what agents are told: differences, findings, reports, hooks.

Stands above `context`, `durable` and `plan`; knows neither screen nor bus. Names are resolved when
they are first used.

    repository = open_repository(folder)
    with staged(repository) as sides:
        review = make_review(sides, Reader(root_in(repository)))
    print(report(review), end="")
    raise SystemExit(exit_code(review))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlens.lazy import resolver

if TYPE_CHECKING:
    from memlens.engine.review.changes import make_review, root_in
    from memlens.engine.review.differences import difference, prompt_difference
    from memlens.engine.review.git import Repository, open_repository
    from memlens.engine.review.githook import (
        HookChange,
        HookRefusedError,
        install_hook,
        is_installed,
        own_program,
        uninstall_hook,
    )
    from memlens.engine.review.model import (
        ChangedFile,
        DiffLine,
        Mode,
        Prompt,
        PromptSource,
        Review,
        Role,
        Status,
    )
    from memlens.engine.review.process import GitError
    from memlens.engine.review.reports import FORMATS, Format, exit_code, public_findings, report
    from memlens.engine.review.restaging import (
        RestageRefusedError,
        Staging,
        check_restage,
        put_back,
        restage,
        stage_working,
        staged_bytes,
    )
    from memlens.engine.review.safety import check_path
    from memlens.engine.review.sides import Sides, between, everything, staged
    from memlens.engine.review.told import Reader
    from memlens.engine.review.trees import GitTreeFiles

__all__ = [
    "FORMATS",
    "ChangedFile",
    "DiffLine",
    "Format",
    "GitError",
    "GitTreeFiles",
    "HookChange",
    "HookRefusedError",
    "Mode",
    "Prompt",
    "PromptSource",
    "Reader",
    "Repository",
    "RestageRefusedError",
    "Review",
    "Role",
    "Sides",
    "Staging",
    "Status",
    "between",
    "check_path",
    "check_restage",
    "difference",
    "everything",
    "exit_code",
    "install_hook",
    "is_installed",
    "make_review",
    "open_repository",
    "own_program",
    "prompt_difference",
    "public_findings",
    "put_back",
    "report",
    "restage",
    "root_in",
    "stage_working",
    "staged",
    "staged_bytes",
    "uninstall_hook",
]

_ROOMS = {
    "model": "ChangedFile DiffLine Mode Prompt PromptSource Review Role Status",
    "changes": "make_review root_in",
    "differences": "difference prompt_difference",
    "git": "Repository open_repository",
    "githook": "HookChange HookRefusedError install_hook is_installed own_program uninstall_hook",
    "process": "GitError",
    "reports": "FORMATS Format exit_code public_findings report",
    "restaging": (
        "RestageRefusedError Staging check_restage put_back restage stage_working staged_bytes"
    ),
    "safety": "check_path",
    "sides": "Sides between everything staged",
    "told": "Reader",
    "trees": "GitTreeFiles",
}

__getattr__ = resolver(
    __name__, {name: f".{room}" for room, names in _ROOMS.items() for name in names.split()}
)
