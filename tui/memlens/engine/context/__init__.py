"""Memory files: which ones an agent reads in a folder, their imports, and the text they make.

Public names are resolved when they are first used, so a script pays only for what it needs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.context.layout import walk_dirs_for
    from memlens.engine.context.memory import ContextMemory, ContextResolver
    from memlens.engine.context.model import (
        FileReason,
        ImportRecord,
        ImportSite,
        MemoryItem,
        NestedFile,
        NestedSurvey,
        Outcome,
        Span,
        SpanKind,
    )

__all__ = [
    "ContextMemory",
    "ContextResolver",
    "FileReason",
    "ImportRecord",
    "ImportSite",
    "MemoryItem",
    "NestedFile",
    "NestedSurvey",
    "Outcome",
    "Span",
    "SpanKind",
    "walk_dirs_for",
]

_MODULES = dict.fromkeys(__all__, "model") | {
    "ContextMemory": "memory",
    "ContextResolver": "memory",
    "walk_dirs_for": "layout",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
