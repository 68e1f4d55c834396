"""Every kind of write there is, for every fault to be tried on."""

from __future__ import annotations

from typing import Final

from tests.faults.kinds.base import Kind
from tests.faults.kinds.facts import (
    DeleteFact,
    MoveFact,
    RenameFact,
    RestoreFact,
    UndoFact,
    WriteFact,
)
from tests.faults.kinds.files import EditedFile, TextInFile
from tests.faults.kinds.reads import HookSettings, Journalled, Logged
from tests.faults.kinds.review import GitHook, Restaged
from tests.faults.kinds.settings import ChosenAgent, KeptDraft, KeptView, SettingsTemplate

KINDS: Final[tuple[type[Kind], ...]] = (
    WriteFact, RenameFact, MoveFact, DeleteFact, UndoFact, RestoreFact, EditedFile, TextInFile,
    Journalled, Logged, HookSettings, ChosenAgent, SettingsTemplate, KeptDraft, KeptView, Restaged,
    GitHook,
)  # fmt: skip

__all__ = ["KINDS", "Kind"]
