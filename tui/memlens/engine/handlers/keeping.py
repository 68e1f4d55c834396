"""Commands about what is kept between two starts."""

from __future__ import annotations

from memlens.engine.commands.keeping import DropDraft, KeepDraft, KeepView, LoadKept
from memlens.engine.events.keeping import KeptLoaded
from memlens.engine.keeping import Keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    keeper = Keeper(desk.workspace.state_dir, desk.workspace.root)

    def load(command: LoadKept) -> None:
        desk.publish(
            KeptLoaded(request=command.request, drafts=keeper.drafts(), view=keeper.view())
        )

    def keep_draft(command: KeepDraft) -> None:
        keeper.keep_draft(command.draft)

    def drop_draft(command: DropDraft) -> None:
        keeper.drop_draft(command.kind, command.path, command.pid)

    def keep_view(command: KeepView) -> None:
        keeper.keep_view(command.values)

    return {
        LoadKept: load,
        KeepDraft: keep_draft,
        DropDraft: drop_draft,
        KeepView: keep_view,
    }
