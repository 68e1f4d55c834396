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
    from memlens.engine.commands.memories import (
        LoadMemories,
        OpenMemory,
        SaveMemory,
        SearchMemories,
    )
    from memlens.engine.commands.reads import LoadReads
    from memlens.engine.commands.workspace import (
        DiskChanged,
        LoadContext,
        OpenFile,
        ResetTouches,
        SaveFile,
        TouchPath,
    )
    from memlens.engine.core import Engine, EngineError
    from memlens.engine.events.base import Event, Failed, Progress
    from memlens.engine.events.memories import (
        FoundMemory,
        MemoriesFound,
        MemoriesLoaded,
        MemoryClashed,
        MemoryOpened,
        MemorySaved,
    )
    from memlens.engine.events.reads import ReadsLoaded
    from memlens.engine.events.workspace import (
        ContextLoaded,
        FileClashed,
        FileOpened,
        FileSaved,
        PathTouched,
        TouchesReset,
        WatchChanged,
    )
    from memlens.engine.workspace import NoWorkspaceError, Workspace, open_workspace

_ROOMS = {
    ".bus": ("EventBus", "Subscription"),
    ".commands.base": ("Command",),
    ".commands.memories": ("LoadMemories", "OpenMemory", "SaveMemory", "SearchMemories"),
    ".commands.reads": ("LoadReads",),
    ".commands.workspace": (
        "DiskChanged", "LoadContext", "OpenFile", "ResetTouches", "SaveFile", "TouchPath",
    ),
    ".core": ("Engine", "EngineError"),
    ".events.base": ("Event", "Failed", "Progress"),
    ".events.memories": (
        "FoundMemory", "MemoriesFound", "MemoriesLoaded", "MemoryClashed", "MemoryOpened",
        "MemorySaved",
    ),
    ".events.reads": ("ReadsLoaded",),
    ".events.workspace": (
        "ContextLoaded", "FileClashed", "FileOpened", "FileSaved", "PathTouched", "TouchesReset",
        "WatchChanged",
    ),
    ".workspace": ("NoWorkspaceError", "Workspace", "open_workspace"),
}  # fmt: skip

__all__ = [
    "Command",
    "ContextLoaded",
    "DiskChanged",
    "Engine",
    "EngineError",
    "Event",
    "EventBus",
    "Failed",
    "FileClashed",
    "FileOpened",
    "FileSaved",
    "FoundMemory",
    "LoadContext",
    "LoadMemories",
    "LoadReads",
    "MemoriesFound",
    "MemoriesLoaded",
    "MemoryClashed",
    "MemoryOpened",
    "MemorySaved",
    "NoWorkspaceError",
    "OpenFile",
    "OpenMemory",
    "PathTouched",
    "Progress",
    "ReadsLoaded",
    "ResetTouches",
    "SaveFile",
    "SaveMemory",
    "SearchMemories",
    "Subscription",
    "TouchPath",
    "TouchesReset",
    "WatchChanged",
    "Workspace",
    "open_workspace",
]

__getattr__ = resolver(__name__, {name: room for room, names in _ROOMS.items() for name in names})
