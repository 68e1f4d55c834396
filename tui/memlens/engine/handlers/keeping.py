"""Commands about what is kept between two starts."""

from __future__ import annotations

import errno

from memlens.engine.commands.keeping import DropDraft, KeepDraft, KeepView, LoadKept
from memlens.engine.events.keeping import DraftKept, DraftRefused, KeptLoaded
from memlens.engine.keeping import Keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.keeping import DraftKind


class NotKeptError(Exception):
    """Something is not kept; the message says what that means, `hint` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class _Keeping:
    """Keeps, and says once that it cannot: whoever asks tries again."""

    def __init__(self, desk: Desk, keeper: Keeper) -> None:
        self._desk = desk
        self._keeper = keeper
        self._refused: set[tuple[DraftKind, str]] = set()
        """Texts that could not be kept when it was tried last."""
        self._view_refused = False

    def draft(self, command: KeepDraft) -> None:
        kind, path = command.draft.kind, command.draft.path
        try:
            self._keeper.keep_draft(command.draft)
        except OSError as error:
            known = bool(self._refused)
            self._refused.add((kind, path))
            self._desk.publish(DraftRefused(request=command.request, kind=kind, path=path))
            if not known:
                raise _not_kept(
                    error, "what you write would not outlive a crash",
                    "Save it, or make room on the disk: then it is kept by itself.",
                ) from error  # fmt: skip
        else:
            again = self._goes(kind, path)
            self._desk.publish(
                DraftKept(request=command.request, kind=kind, path=path, again=again)
            )

    def drop(self, command: DropDraft) -> None:
        self._keeper.drop_draft(command.kind, command.path, command.pid)
        if command.pid is None:
            self._goes(command.kind, command.path)

    def _goes(self, kind: DraftKind, path: str) -> bool:
        """Whether that was the last of the texts that are refused."""
        before = len(self._refused)
        self._refused.discard((kind, path))
        return before == 1 and not self._refused

    def view(self, command: KeepView) -> None:
        try:
            self._keeper.keep_view(command.values)
        except OSError as error:
            known, self._view_refused = self._view_refused, True
            if not known:
                raise _not_kept(
                    error, "the next start cannot show this folder as it is now",
                    "Make room on the disk.",
                ) from error  # fmt: skip
        else:
            self._view_refused = False


def _not_kept(error: OSError, words: str, hint: str) -> NotKeptError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return NotKeptError(
        f"{words}: {'the disk is full' if full else error.strerror or error}", hint if full else ""
    )


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    keeper = Keeper(desk.workspace.state_dir, desk.workspace.root)
    keeping = _Keeping(desk, keeper)

    def load(command: LoadKept) -> None:
        desk.publish(
            KeptLoaded(request=command.request, drafts=keeper.drafts(), view=keeper.view())
        )

    return {
        LoadKept: load,
        KeepDraft: keeping.draft,
        DropDraft: keeping.drop,
        KeepView: keeping.view,
    }
