"""Memory files: which ones an agent reads in a folder, their imports, and the text they make.

Public names are resolved when they are first used, so a script pays only for what it needs.
"""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.context.layout import walk_dirs_for
    from memlens.engine.context.memory import ContextMemory
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
    from memlens.engine.context.resolver import ContextResolver

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

_ROOMS = {
    "ContextMemory": "memory",
    "ContextResolver": "resolver",
    "walk_dirs_for": "layout",
}

__getattr__ = resolver(
    __name__, {name: f"{__name__}.{_ROOMS.get(name, 'model')}" for name in __all__}
)
