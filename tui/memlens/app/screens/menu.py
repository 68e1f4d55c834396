"""The menu of an area, opened with the right button of the mouse."""

from __future__ import annotations

from memlens.app.actions import AREAS, Action, actions_of
from memlens.app.hosting import ActionHost, sign_of
from memlens.app.screens.choose import Choice, Choose


def open_menu(host: ActionHost) -> None:
    """Offers every action of the host's area; what cannot run now says why."""
    choices = [
        Choice(
            action,
            f"{sign_of(host.app, action):>6}  {action.title}",
            action.sentence,
            host.reason_against(action) or "",
        )
        for action in actions_of(host.AREA)
    ]

    def do(action: Action | None) -> None:
        if action is not None:
            host.perform(action)

    host.app.push_screen(Choose(AREAS[host.AREA], choices), do)
