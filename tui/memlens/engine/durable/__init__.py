"""Durable memory: facts as Markdown files, one each, in a few folders; no database (seed).

A library that stands alone: where the facts are, what the agent's index of them says, searching,
writing without losing anything, curating. Names resolve when they are first used, because scripts
that only want the index must not wait for YAML or a fuzzy search.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.safety.secrets import Redacted, Secret, find_secrets, redact

    from .curate import consolidation, duplicates, exact_duplicates
    from .draft import check_draft
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
        WriteFailed,
    )
    from .findings import check, check_fact, check_file
    from .folders import any_folder, attach_notes, data_dir, find_git_root, project_key
    from .fuzzy import FuzzyHit, FuzzyHits, FuzzyIndex, fuzzy_search
    from .index import index_line
    from .journal import history, undo
    from .kept import empty_trash, note_edit, peek, restore, trash
    from .lookup import entries_with_bodies, find, find_all, find_one, search
    from .model import (
        FACT_LIMIT,
        MemoryConfig,
        MemoryEntry,
        MemoryReloadOutcome,
        MemoryRoot,
        MemoryScope,
        MemorySnapshot,
    )
    from .operations import (
        delete_entries,
        delete_memory,
        edit,
        edit_many,
        merge,
        write_memory,
        write_to_dir,
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
        StepFile,
        TrashItem,
        UndoResult,
        WriteResult,
    )
    from .scopes import dir_for, label_of, memory_roots
    from .slugs import slugify
    from .snapshot import load, load_roots, refresh
    from .store import read_fact

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
    "FuzzyHit",
    "FuzzyHits",
    "FuzzyIndex",
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
    "Redacted",
    "Redaction",
    "ScopeUnavailable",
    "Secret",
    "StaleFact",
    "StepFile",
    "StoreBusy",
    "TrashItem",
    "UndoConflict",
    "UndoResult",
    "WriteFailed",
    "WriteResult",
    "any_folder",
    "attach_notes",
    "check",
    "check_draft",
    "check_fact",
    "check_file",
    "consolidation",
    "data_dir",
    "delete_entries",
    "delete_memory",
    "dir_for",
    "duplicates",
    "edit",
    "edit_many",
    "empty_trash",
    "entries_with_bodies",
    "exact_duplicates",
    "find",
    "find_all",
    "find_git_root",
    "find_one",
    "find_secrets",
    "fuzzy_search",
    "history",
    "index_line",
    "label_of",
    "load",
    "load_roots",
    "memory_roots",
    "merge",
    "note_edit",
    "peek",
    "project_key",
    "read_fact",
    "redact",
    "refresh",
    "restore",
    "search",
    "slugify",
    "trash",
    "undo",
    "write_memory",
    "write_to_dir",
]

_HOMES = {
    "curate": ("consolidation", "duplicates", "exact_duplicates"),
    "draft": ("check_draft",),
    "errors": (
        "DurableError", "FactAmbiguous", "FactChanged", "FactMissing", "InvalidFact", "NameTaken",
        "NotWritable", "NothingToUndo", "ScopeUnavailable", "StoreBusy", "UndoConflict",
        "WriteFailed",
    ),
    "findings": ("check", "check_fact", "check_file"),
    "folders": ("any_folder", "attach_notes", "data_dir", "find_git_root", "project_key"),
    "fuzzy": ("FuzzyHit", "FuzzyHits", "FuzzyIndex", "fuzzy_search"),
    "index": ("index_line",),
    "journal": ("history", "undo"),
    "kept": ("empty_trash", "note_edit", "peek", "restore", "trash"),
    "lookup": ("entries_with_bodies", "find", "find_all", "find_one", "search"),
    "model": (
        "FACT_LIMIT", "MemoryConfig", "MemoryEntry", "MemoryReloadOutcome", "MemoryRoot",
        "MemoryScope", "MemorySnapshot",
    ),
    "operations": (
        "delete_entries", "delete_memory", "edit", "edit_many", "merge", "write_memory",
        "write_to_dir",
    ),
    "results": (
        "Consolidation", "DeleteResult", "Draft", "DraftCheck", "Duplicate", "Fact",
        "MemorySearchHit", "Operation", "Redaction", "StaleFact", "StepFile", "TrashItem",
        "UndoResult", "WriteResult",
    ),
    "scopes": ("dir_for", "label_of", "memory_roots"),
    "memlens.engine.safety.secrets": ("Redacted", "Secret", "find_secrets", "redact"),
    "slugs": ("slugify",),
    "snapshot": ("load", "load_roots", "refresh"),
    "store": ("read_fact",),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    place = module if "." in module else f"{__name__}.{module}"
    value = getattr(import_module(place), name)
    globals()[name] = value
    return value
