"""The palette: every action of the registry, what can be done here and now first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from memlens.app.actions import ACTIONS, AREAS
from memlens.app.hosting import MainScreen, not_open, sign_of, told_from
from memlens.app.screens.choose import Choice, Choose

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp

Deed = Callable[[], object]


class Palette(Choose[Deed]):
    """Offers first what can be done where the focus is, then what can be done elsewhere, and at
    the end, with the reason, what cannot be done now."""

    def __init__(self, app: MemlensApp, main: MainScreen) -> None:
        super().__init__("Commands", list(_choices(app, main)))


def _choices(app: MemlensApp, main: MainScreen) -> Iterator[Choice[Deed]]:
    hosts = [host for host in told_from(main.focused or main) if not host.rests]
    near = {host.AREA: at for at, host in enumerate(hosts)}
    found: list[tuple[tuple[bool, int], Choice[Deed]]] = []
    for action in ACTIONS:
        host = app if action.area == app.AREA else main.host_of(action.area)
        if action.name == f"{main.AREA}.palette" or (host is None and not main.OPENS_OTHERS):
            continue
        off = not_open(app, action.area) if host is None else host.reason_against(action) or ""
        told = action.sentence
        if action.area not in near:
            told = f"{AREAS[action.area]}: {told}"
        title = f"{sign_of(app, action):>6}  {action.title}"
        choice: Choice[Deed] = Choice(partial(app.perform_at, main, action), title, told, off)
        found.append(((bool(off), near.get(action.area, len(near))), choice))
    found.sort(key=lambda one: one[0])
    yield from (choice for _, choice in found)
    yield Choice(app.deliver_screenshot, f"{'':>6}  Screenshot", "Save a picture of the screen.")
