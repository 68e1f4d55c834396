"""The engine: everything memlens knows and does, without a screen.

`Engine` takes commands from an `EventBus` and answers with events on it. All names are imported
when they are first used.
"""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.bus import EventBus, Subscription
    from memlens.engine.commands.base import Command
    from memlens.engine.commands.files import (
        CompletePath,
        OpenFile,
        ReadText,
        SaveFile,
        SaveText,
    )
    from memlens.engine.commands.looks import CompareTexts, CompareWithCommit, FindChanges
    from memlens.engine.commands.memories import (
        CheckDraft,
        LoadMemories,
        MemoryFilter,
        OpenMemory,
        PeekMemory,
        SearchMemories,
    )
    from memlens.engine.commands.memory_changes import (
        AdoptEdit,
        CreateMemory,
        DeleteMemories,
        LoadHistory,
        LoadTrash,
        MergeMemories,
        MoveMemories,
        PeekTrash,
        RestoreMemory,
        SaveMemory,
        TagMemories,
        UndoMemory,
    )
    from memlens.engine.commands.memory_curation import (
        CheckMemories,
        CompareMemories,
        FindDuplicates,
        FindStale,
        StopCurating,
    )
    from memlens.engine.commands.reads import (
        CancelReads,
        CheckWrite,
        CompareRead,
        CountSessions,
        FollowReads,
        ForgetReads,
        LoadReads,
        RestoreReads,
    )
    from memlens.engine.commands.why import AskWhy
    from memlens.engine.commands.workspace import (
        DiskChanged,
        LoadContext,
        ResetTouches,
        TouchPath,
    )
    from memlens.engine.core import Engine, EngineError
    from memlens.engine.events.base import Event, Failed, Progress
    from memlens.engine.events.files import (
        FileClashed,
        FileOpened,
        FileRefused,
        FileSaved,
        PathCompleted,
        TextNotSaved,
        TextRead,
        TextSaved,
    )
    from memlens.engine.events.looks import ChangesFound, TextsCompared
    from memlens.engine.events.memories import (
        DraftChecked,
        FoundMemory,
        MemoriesFound,
        MemoriesLoaded,
        MemoryOpened,
    )
    from memlens.engine.events.memory_changes import (
        EditAdopted,
        HistoryLoaded,
        MemoriesChanged,
        MemoryClashed,
        MemorySaved,
        MemoryUndone,
        MergedDraft,
        TrashLoaded,
        TrashPeeked,
    )
    from memlens.engine.events.memory_curation import (
        DuplicatesFound,
        MemoriesChecked,
        MemoriesCompared,
        SideBySide,
        StaleEvidence,
        StaleFound,
    )
    from memlens.engine.events.reads import (
        JournalStep,
        ReadCompared,
        ReadsForgotten,
        ReadsLoaded,
        ReadsProgress,
        ReadsRestored,
        SessionsCounted,
        WriteChecked,
    )
    from memlens.engine.events.why import WhyAnswered
    from memlens.engine.events.workspace import (
        ContextLoaded,
        PathTouched,
        TouchesReset,
        WatchChanged,
    )
    from memlens.engine.workspace import NoWorkspaceError, Workspace, open_workspace

_ROOMS = {
    ".bus": ("EventBus", "Subscription"),
    ".commands.base": ("Command",),
    ".commands.files": ("CompletePath", "OpenFile", "ReadText", "SaveFile", "SaveText"),
    ".commands.looks": ("CompareTexts", "CompareWithCommit", "FindChanges"),
    ".commands.memories": (
        "CheckDraft",
        "LoadMemories",
        "MemoryFilter",
        "OpenMemory",
        "PeekMemory",
        "SearchMemories",
    ),
    ".commands.memory_changes": (
        "AdoptEdit",
        "CreateMemory",
        "DeleteMemories",
        "LoadHistory",
        "LoadTrash",
        "MergeMemories",
        "MoveMemories",
        "PeekTrash",
        "RestoreMemory",
        "SaveMemory",
        "TagMemories",
        "UndoMemory",
    ),
    ".commands.memory_curation": (
        "CheckMemories",
        "CompareMemories",
        "FindDuplicates",
        "FindStale",
        "StopCurating",
    ),
    ".commands.reads": (
        "CancelReads", "CheckWrite", "CompareRead", "CountSessions", "FollowReads",
        "ForgetReads", "LoadReads", "RestoreReads",
    ),
    ".commands.workspace": (
        "DiskChanged", "LoadContext", "ResetTouches", "TouchPath",
    ),
    ".commands.why": ("AskWhy",),
    ".core": ("Engine", "EngineError"),
    ".events.base": ("Event", "Failed", "Progress"),
    ".events.files": (
        "FileClashed", "FileOpened", "FileRefused", "FileSaved", "PathCompleted", "TextNotSaved",
        "TextRead", "TextSaved",
    ),
    ".events.looks": ("ChangesFound", "TextsCompared"),
    ".events.memories": (
        "DraftChecked",
        "FoundMemory",
        "MemoriesFound",
        "MemoriesLoaded",
        "MemoryOpened",
    ),
    ".events.memory_changes": (
        "EditAdopted",
        "HistoryLoaded",
        "MemoriesChanged",
        "MemoryClashed",
        "MemorySaved",
        "MemoryUndone",
        "MergedDraft",
        "TrashLoaded",
        "TrashPeeked",
    ),
    ".events.memory_curation": (
        "DuplicatesFound",
        "MemoriesChecked",
        "MemoriesCompared",
        "SideBySide",
        "StaleEvidence",
        "StaleFound",
    ),
    ".events.reads": (
        "JournalStep", "ReadCompared", "ReadsForgotten", "ReadsLoaded", "ReadsProgress",
        "ReadsRestored", "SessionsCounted", "WriteChecked",
    ),
    ".events.workspace": (
        "ContextLoaded", "PathTouched", "TouchesReset", "WatchChanged",
    ),
    ".events.why": ("WhyAnswered",),
    ".workspace": ("NoWorkspaceError", "Workspace", "open_workspace"),
}  # fmt: skip

__all__ = [
    "AdoptEdit",
    "AskWhy",
    "CancelReads",
    "ChangesFound",
    "CheckDraft",
    "CheckMemories",
    "CheckWrite",
    "Command",
    "CompareMemories",
    "CompareRead",
    "CompareTexts",
    "CompareWithCommit",
    "CompletePath",
    "ContextLoaded",
    "CountSessions",
    "CreateMemory",
    "DeleteMemories",
    "DiskChanged",
    "DraftChecked",
    "DuplicatesFound",
    "EditAdopted",
    "Engine",
    "EngineError",
    "Event",
    "EventBus",
    "Failed",
    "FileClashed",
    "FileOpened",
    "FileRefused",
    "FileSaved",
    "FindChanges",
    "FindDuplicates",
    "FindStale",
    "FollowReads",
    "ForgetReads",
    "FoundMemory",
    "HistoryLoaded",
    "JournalStep",
    "LoadContext",
    "LoadHistory",
    "LoadMemories",
    "LoadReads",
    "LoadTrash",
    "MemoriesChanged",
    "MemoriesChecked",
    "MemoriesCompared",
    "MemoriesFound",
    "MemoriesLoaded",
    "MemoryClashed",
    "MemoryFilter",
    "MemoryOpened",
    "MemorySaved",
    "MemoryUndone",
    "MergeMemories",
    "MergedDraft",
    "MoveMemories",
    "NoWorkspaceError",
    "OpenFile",
    "OpenMemory",
    "PathCompleted",
    "PathTouched",
    "PeekMemory",
    "PeekTrash",
    "Progress",
    "ReadCompared",
    "ReadText",
    "ReadsForgotten",
    "ReadsLoaded",
    "ReadsProgress",
    "ReadsRestored",
    "ResetTouches",
    "RestoreMemory",
    "RestoreReads",
    "SaveFile",
    "SaveMemory",
    "SaveText",
    "SearchMemories",
    "SessionsCounted",
    "SideBySide",
    "StaleEvidence",
    "StaleFound",
    "StopCurating",
    "Subscription",
    "TagMemories",
    "TextNotSaved",
    "TextRead",
    "TextSaved",
    "TextsCompared",
    "TouchPath",
    "TouchesReset",
    "TrashLoaded",
    "TrashPeeked",
    "UndoMemory",
    "WatchChanged",
    "WhyAnswered",
    "Workspace",
    "WriteChecked",
    "open_workspace",
]

__getattr__ = resolver(__name__, {name: room for room, names in _ROOMS.items() for name in names})
