"""The engine: everything memlens knows and does, without a screen.

`Engine` takes commands from an `EventBus` and answers with events on it. All names are imported
when they are first used.
"""

from __future__ import annotations

from memlens.lazy import resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.bus import EventBus, Subscription
    from memlens.engine.commands.agents import (
        ChooseAgent,
        CompareAgents,
        KeepQuestion,
        LoadAgents,
    )
    from memlens.engine.commands.base import Cancel, Command
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
    )
    from memlens.engine.commands.reads import (
        CheckWrite,
        CompareRead,
        CountSessions,
        FollowReads,
        ForgetReads,
        LoadReads,
        RestoreReads,
    )
    from memlens.engine.commands.review import (
        ChangeHook,
        CompareFile,
        ComparePrompt,
        LoadReview,
        OpenStaged,
        Restage,
        StageWorking,
    )
    from memlens.engine.commands.verify import VerifyContext
    from memlens.engine.commands.why import AskWhy
    from memlens.engine.commands.workspace import (
        DiskChanged,
        LoadContext,
        ResetTouches,
        TouchPath,
    )
    from memlens.engine.core import Engine, EngineError
    from memlens.engine.events.agents import (
        AgentChosen,
        AgentsCompared,
        AgentsLoaded,
        KnownAgent,
    )
    from memlens.engine.events.base import Cancelled, Event, Failed, Progress, WorkEnded
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
        ReadsRestored,
        SessionsCounted,
        WriteChecked,
    )
    from memlens.engine.events.review import (
        FileCompared,
        HookChanged,
        PromptCompared,
        Restaged,
        RestageRefused,
        ReviewAnswer,
        ReviewLoaded,
        ReviewRefused,
        StagedOpened,
    )
    from memlens.engine.events.verify import ContextVerified
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
    ".commands.agents": ("ChooseAgent", "CompareAgents", "KeepQuestion", "LoadAgents"),
    ".commands.base": ("Cancel", "Command"),
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
    ),
    ".commands.reads": (
        "CheckWrite", "CompareRead", "CountSessions", "FollowReads",
        "ForgetReads", "LoadReads", "RestoreReads",
    ),
    ".commands.review": (
        "ChangeHook", "CompareFile", "ComparePrompt", "LoadReview", "OpenStaged", "Restage",
        "StageWorking",
    ),
    ".commands.workspace": (
        "DiskChanged", "LoadContext", "ResetTouches", "TouchPath",
    ),
    ".commands.why": ("AskWhy",),
    ".commands.verify": ("VerifyContext",),
    ".core": ("Engine", "EngineError"),
    ".events.agents": ("AgentChosen", "AgentsCompared", "AgentsLoaded", "KnownAgent"),
    ".events.base": ("Cancelled", "Event", "Failed", "Progress", "WorkEnded"),
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
        "JournalStep", "ReadCompared", "ReadsForgotten", "ReadsLoaded", "ReadsRestored",
        "SessionsCounted", "WriteChecked",
    ),
    ".events.review": (
        "FileCompared", "HookChanged", "PromptCompared", "RestageRefused", "Restaged",
        "ReviewAnswer", "ReviewLoaded", "ReviewRefused", "StagedOpened",
    ),
    ".events.workspace": (
        "ContextLoaded", "PathTouched", "TouchesReset", "WatchChanged",
    ),
    ".events.why": ("WhyAnswered",),
    ".events.verify": ("ContextVerified",),
    ".workspace": ("NoWorkspaceError", "Workspace", "open_workspace"),
}  # fmt: skip

__all__ = [
    "AdoptEdit",
    "AgentChosen",
    "AgentsCompared",
    "AgentsLoaded",
    "AskWhy",
    "Cancel",
    "Cancelled",
    "ChangeHook",
    "ChangesFound",
    "CheckDraft",
    "CheckMemories",
    "CheckWrite",
    "ChooseAgent",
    "Command",
    "CompareAgents",
    "CompareFile",
    "CompareMemories",
    "ComparePrompt",
    "CompareRead",
    "CompareTexts",
    "CompareWithCommit",
    "CompletePath",
    "ContextLoaded",
    "ContextVerified",
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
    "FileCompared",
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
    "HookChanged",
    "JournalStep",
    "KeepQuestion",
    "KnownAgent",
    "LoadAgents",
    "LoadContext",
    "LoadHistory",
    "LoadMemories",
    "LoadReads",
    "LoadReview",
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
    "OpenStaged",
    "PathCompleted",
    "PathTouched",
    "PeekMemory",
    "PeekTrash",
    "Progress",
    "PromptCompared",
    "ReadCompared",
    "ReadText",
    "ReadsForgotten",
    "ReadsLoaded",
    "ReadsRestored",
    "ResetTouches",
    "Restage",
    "RestageRefused",
    "Restaged",
    "RestoreMemory",
    "RestoreReads",
    "ReviewAnswer",
    "ReviewLoaded",
    "ReviewRefused",
    "SaveFile",
    "SaveMemory",
    "SaveText",
    "SearchMemories",
    "SessionsCounted",
    "SideBySide",
    "StageWorking",
    "StagedOpened",
    "StaleEvidence",
    "StaleFound",
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
    "VerifyContext",
    "WatchChanged",
    "WhyAnswered",
    "WorkEnded",
    "Workspace",
    "WriteChecked",
    "open_workspace",
]

__getattr__ = resolver(__name__, {name: room for room, names in _ROOMS.items() for name in names})
