"""Commands about what is kept between two starts."""

from __future__ import annotations

import errno

from memlens.engine.commands.keeping import DropDraft, KeepDraft, KeepView, LoadKept
from memlens.engine.events.keeping import KeptLoaded
from memlens.engine.keeping import Keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk


class NotKeptError(Exception):
    """Something is not kept; the message says what that means, `hint` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class _Keeping:
    """Keeps, and says once that it cannot: it is tried again with each word that is typed."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._refused: set[str] = set()
        """What could not be kept when it was tried last."""

    def draft(self, command: KeepDraft) -> None:
        self._keep(
            lambda: self._keeper.keep_draft(command.draft),
            "what you write would not outlive a crash", "Save it, or make room on the disk.",
        )  # fmt: skip

    def view(self, command: KeepView) -> None:
        self._keep(
            lambda: self._keeper.keep_view(command.values),
            "the next start cannot show this folder as it is now", "Make room on the disk.",
        )  # fmt: skip

    def _keep(self, do: Callable[[], None], words: str, hint: str) -> None:
        try:
            do()
        except OSError as error:
            if words in self._refused:
                return
            self._refused.add(words)
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            raise NotKeptError(
                f"{words}: {'the disk is full' if full else error.strerror or error}",
                hint if full else "",
            ) from error
        self._refused.discard(words)


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    keeper = Keeper(desk.workspace.state_dir, desk.workspace.root)
    keeping = _Keeping(keeper)

    def load(command: LoadKept) -> None:
        desk.publish(
            KeptLoaded(request=command.request, drafts=keeper.drafts(), view=keeper.view())
        )

    def drop_draft(command: DropDraft) -> None:
        keeper.drop_draft(command.kind, command.path, command.pid)

    return {
        LoadKept: load,
        KeepDraft: keeping.draft,
        DropDraft: drop_draft,
        KeepView: keeping.view,
    }
