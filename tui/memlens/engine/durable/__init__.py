"""Durable memory: facts as Markdown files, one each, in a few folders; no database (seed).

A library that stands alone: where the facts are, what the agent's index of them says, searching,
writing without losing anything, curating. Names resolve when they are first used, because scripts
that only want the index must not wait for YAML or a fuzzy search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import (
        DurableError,
        FactAmbiguous,
        FactChanged,
        FactMissing,
        InvalidFact,
        NameTaken,
        NothingToUndo,
        NotWritable,
        ScopeUnavailable,
        StoreBusy,
        UndoConflict,
    )
    from .index import index_line
    from .model import (
        FACT_LIMIT,
        MemoryConfig,
        MemoryEntry,
        MemoryReloadOutcome,
        MemoryRoot,
        MemoryScope,
        MemorySnapshot,
    )
    from .results import (
        Consolidation,
        DeleteResult,
        Draft,
        DraftCheck,
        Duplicate,
        Fact,
        MemorySearchHit,
        Operation,
        Redaction,
        StaleFact,
        TrashItem,
        UndoResult,
        WriteResult,
    )
    from .scopes import data_dir, dir_for, find_git_root, label_of, memory_roots, project_key
    from .slugs import slugify
    from .snapshot import load, refresh

__all__ = [
    "FACT_LIMIT",
    "Consolidation",
    "DeleteResult",
    "Draft",
    "DraftCheck",
    "Duplicate",
    "DurableError",
    "Fact",
    "FactAmbiguous",
    "FactChanged",
    "FactMissing",
    "InvalidFact",
    "MemoryConfig",
    "MemoryEntry",
    "MemoryReloadOutcome",
    "MemoryRoot",
    "MemoryScope",
    "MemorySearchHit",
    "MemorySnapshot",
    "NameTaken",
    "NotWritable",
    "NothingToUndo",
    "Operation",
    "Redaction",
    "ScopeUnavailable",
    "StaleFact",
    "StoreBusy",
    "TrashItem",
    "UndoConflict",
    "UndoResult",
    "WriteResult",
    "data_dir",
    "dir_for",
    "find_git_root",
    "index_line",
    "label_of",
    "load",
    "memory_roots",
    "project_key",
    "refresh",
    "slugify",
]

_HOMES = {
    "errors": (
        "DurableError", "FactAmbiguous", "FactChanged", "FactMissing", "InvalidFact", "NameTaken",
        "NotWritable", "NothingToUndo", "ScopeUnavailable", "StoreBusy", "UndoConflict",
    ),
    "index": ("index_line",),
    "model": (
        "FACT_LIMIT", "MemoryConfig", "MemoryEntry", "MemoryReloadOutcome", "MemoryRoot",
        "MemoryScope", "MemorySnapshot",
    ),
    "results": (
        "Consolidation", "DeleteResult", "Draft", "DraftCheck", "Duplicate", "Fact",
        "MemorySearchHit", "Operation", "Redaction", "StaleFact", "TrashItem", "UndoResult",
        "WriteResult",
    ),
    "scopes": ("data_dir", "dir_for", "find_git_root", "label_of", "memory_roots", "project_key"),
    "slugs": ("slugify",),
    "snapshot": ("load", "refresh"),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value
