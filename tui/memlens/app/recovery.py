"""Unsaved text outlives a crash, a kill and a lost connection: it is kept while it is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast, runtime_checkable

from memlens.engine.commands.keeping import DropDraft, KeepDraft

if TYPE_CHECKING:
    from textual.screen import Screen

    from memlens.app.app import MemlensApp
    from memlens.engine.keeping import Draft, DraftKind

LOOK: Final = 0.5
"""Seconds between two looks at what is unsaved: what a kill can take at the most."""


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
        screen.set_interval(LOOK, self.keep)

    def _writers(self) -> list[Writing]:
        nodes = self._screen.walk_children(with_self=True)
        return [one for one in nodes if isinstance(one, Writing)]

    def unsaved(self) -> tuple[Draft, ...]:
        """What would be lost by leaving now."""
        found = (one.unsaved() for one in self._writers())
        return tuple(draft for draft in found if draft is not None)

    def keep(self) -> None:
        """Has the engine keep what is unsaved, and forget what is not any more."""
        bridge = cast("MemlensApp", self._screen.app).bridge
        now = {(draft.kind, draft.path): draft for draft in self.unsaved()}
        for key, draft in now.items():
            known = self._kept.get(key)
            if known is None or known.fields != draft.fields:
                bridge.publish(KeepDraft(draft=draft))
        for key, draft in self._kept.items():
            if key not in now:
                bridge.publish(DropDraft(kind=draft.kind, path=draft.path))
        self._kept = now

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
        bridge = cast("MemlensApp", self._screen.app).bridge
        for draft in self._kept.values():
            bridge.publish(DropDraft(kind=draft.kind, path=draft.path))
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
        bridge = cast("MemlensApp", self._screen.app).bridge
        bridge.publish(DropDraft(kind=draft.kind, path=draft.path, pid=draft.pid))
