"""The bridge between the engine's thread and the app's loop.

Commands go to the engine's bus at once. Each event becomes one message of the app's loop, where it
is published on a bus of the screen's own: subscribers there may touch widgets. Answers that a
newer question of the same kind overtook are dropped.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final, TypeVar

from textual.message import Message

from memlens.app.typeahead import TypeAhead
from memlens.engine.bus import EventBus, Subscription
from memlens.engine.commands.base import Command
from memlens.engine.events.base import Event, Failed, Progress, WorkEnded
from memlens.engine.record import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.events import Key

M = TypeVar("M")


class EventArrived(Message):
    """An event of the engine, on its way to the screen."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event: Final = event


class Bridge:
    """What panes know of the engine: `publish` a command, `subscribe` to events."""

    def __init__(
        self,
        app: App[Any],
        engine_bus: EventBus,
        too_soon: Callable[[Key], bool] = lambda _: False,
    ) -> None:
        """`too_soon`: whether whoever a key is meant for is still being loaded."""
        self._app: Final = app
        self._engine_bus: Final = engine_bus
        self._screen_bus: Final = EventBus(self._report)
        self._numbers: Final = itertools.count(1)
        self._asked: Final[dict[int, type[Command]]] = {}
        self._newest: Final[dict[type[Command], int]] = {}
        self._answered: Final[set[int]] = set()
        """Those of them that were answered."""
        self.typed: Final = TypeAhead(app, too_soon)
        self._subscription: Subscription = engine_bus.subscribe(Event, self._carry)

    def publish(self, command: Command) -> int:
        """Asks the engine; returns the number that the answers will carry."""
        number = next(self._numbers)
        if type(command).overtakes:
            older = self._newest.get(type(command), 0)
            self.typed.answered(older)  # it may never be
            self._answered.discard(older)
            self._asked[number] = type(command)
            self._newest[type(command)] = number
        if command.leads:
            self.typed.wait_for(number)
        self._engine_bus.publish(replace(command, request=number))
        return number

    def awaits(self, kind: type[Command]) -> bool:
        """Whether the answer to the newest command of an overtaking class is still to come; so it
        is before the first one was asked."""
        return self._newest.get(kind, 0) not in self._answered

    def again(self, command: Command) -> None:
        """Asks again what was asked before, so that whoever waits for the answer gets it."""
        self._answered.discard(command.request)
        self._engine_bus.publish(command)

    def subscribe(self, kind: type[M], handler: Callable[[M], None]) -> Subscription:
        """Calls `handler` on the app's loop with each event or pane's word of class `kind`."""
        return self._screen_bus.subscribe(kind, handler)

    def tell(self, word: object) -> None:
        """Publishes what a pane has to say to whoever on the screen listens."""
        self._screen_bus.publish(word)

    def deliver(self, event: Event) -> None:
        """Publishes an event that arrived to the screen, unless it was overtaken."""
        kind = self._asked.get(event.request)
        if isinstance(event, Progress | WorkEnded):
            # It goes on, whether its answer is still of use or not.
            self._screen_bus.publish(event)
            if isinstance(event, WorkEnded):
                self.typed.answered(event.request)
            return
        if kind is None or event.request >= self._newest[kind]:
            self._screen_bus.publish(event)
            if kind is not None:
                self._answered.add(event.request)
        self.typed.answered(event.request)

    def close(self) -> None:
        self.typed.close()
        self._subscription.close()

    def _carry(self, event: Event) -> None:
        self._app.post_message(EventArrived(event))

    def _report(self, message: object, error: Exception) -> None:
        if isinstance(message, Failed):
            raise error
        what = f"show {type(message).__name__}"
        self._screen_bus.publish(Failed(what=what, why=f"{type(error).__name__}: {error}"))
