"""Unsaved text outlives a crash, a kill and a lost connection: it is kept while it is written."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast, runtime_checkable

from memlens.engine.commands.keeping import DropDraft, KeepDraft
from memlens.engine.events.keeping import DraftKept, DraftRefused

if TYPE_CHECKING:
    from textual.screen import Screen

    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.engine.keeping import Draft, DraftKind

LOOK: Final = 0.5
"""Seconds between two looks at what is unsaved: what a kill can take at the most."""
AGAIN: Final = 3.0
"""Seconds after which what the disk has refused to keep is tried again."""


class Restoring(NamedTuple):
    """A draft of an earlier start that is gone on with."""

    draft: Draft
    done: Callable[[], None]
    """Called when its text stands where it is kept from now on."""


@runtime_checkable
class Writing(Protocol):
    """A widget in which a person writes something that is saved later."""

    def unsaved(self) -> Draft | None:
        """What would be lost now; `None`: nothing."""

    def restore(self, restoring: Restoring) -> bool:
        """Goes on with a draft of an earlier start, where it is of this widget's kind."""


class Recovery:
    """Looks twice a second at what is unsaved on a screen, and offers what earlier starts left."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen: Final = screen
        self._kept: dict[tuple[DraftKind, str], Draft] = {}
        self._refused: dict[tuple[DraftKind, str], float] = {}
        """What the disk has refused to keep, and the moment from which it is tried again."""
        self._subscriptions = [
            self._bridge.subscribe(DraftKept, self._was_kept),
            self._bridge.subscribe(DraftRefused, self._was_refused),
        ]
        screen.set_interval(LOOK, self._look)

    @property
    def _bridge(self) -> Bridge:
        return cast("MemlensApp", self._screen.app).bridge

    def close(self) -> None:
        """Does not listen any more: the screen goes."""
        for subscription in self._subscriptions:
            subscription.close()

    def _writers(self) -> list[Writing]:
        nodes = self._screen.walk_children(with_self=True)
        return [one for one in nodes if isinstance(one, Writing)]

    def unsaved(self) -> tuple[Draft, ...]:
        """What would be lost by leaving now."""
        found = (one.unsaved() for one in self._writers())
        return tuple(draft for draft in found if draft is not None)

    def keep(self) -> None:
        """Has the engine keep what is unsaved, and forget what is not any more."""
        self._refused = dict.fromkeys(self._refused, 0.0)  # it may be the last moment
        self._look()

    def _look(self) -> None:
        bridge, moment = self._bridge, time.monotonic()
        now = {(draft.kind, draft.path): draft for draft in self.unsaved()}
        for key, draft in now.items():
            known = self._kept.get(key)
            new = known is None or known.fields != draft.fields
            if new or moment >= self._refused.get(key, math.inf):
                self._refused.pop(key, None)
                bridge.publish(KeepDraft(draft=draft))
        for key, draft in self._kept.items():
            if key not in now:
                bridge.publish(DropDraft(kind=draft.kind, path=draft.path))
        self._kept = now

    def _was_refused(self, event: DraftRefused) -> None:
        self._refused[event.kind, event.path] = time.monotonic() + AGAIN

    def _was_kept(self, event: DraftKept) -> None:
        key = event.kind, event.path
        self._refused.pop(key, None)
        if event.again and key in self._kept:
            self._screen.app.notify(
                "What you write outlives a crash again.", title="Unsaved text", markup=False
            )

    def restore(self, draft: Draft) -> None:
        """Goes on with what an earlier start left unsaved. It may be that this cannot be opened;
        so it is only forgotten when it stands where it is kept from now on."""

        def done() -> None:
            self.keep()
            self._drop(draft)

        restoring = Restoring(draft, done)
        any(one.restore(restoring) for one in self._writers())

    def forget(self) -> None:
        """Drops what is unsaved: the person left without it."""
        for draft in self._kept.values():
            self._bridge.publish(DropDraft(kind=draft.kind, path=draft.path))
        self._kept = {}

    def offer(self, drafts: Sequence[Draft]) -> None:
        """Asks what to do with text that an earlier start left unsaved, one at a time."""
        if not drafts:
            return
        from memlens.app.screens.choose import Choice, Choose

        draft, *others = drafts
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(draft.time))
        choices = [
            Choice("restore", "Go on with it", "opens it, unsaved, where it was"),
            Choice("later", "Not now", "it is offered again at the next start"),
            Choice("drop", "Forget it", "for good"),
        ]

        def decide(answer: str | None) -> None:
            if answer == "restore":
                self.restore(draft)
                return
            if answer == "drop":
                self._drop(draft)
            self.offer(others)

        about = f"Since {when}: {draft.title}"
        self._screen.app.push_screen(Choose("Unsaved text", choices, about=about), decide)

    def _drop(self, draft: Draft) -> None:
        self._bridge.publish(DropDraft(kind=draft.kind, path=draft.path, pid=draft.pid))
