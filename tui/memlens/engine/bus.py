"""The event bus between the engine and whatever shows it.

Messages are frozen dataclasses; who subscribes to a class also gets its subclasses. Publishing is
synchronous and safe from any thread: subscribers run in the publishing thread, in the order in
which they subscribed. What a subscriber publishes is delivered after the message at hand, so that
all subscribers see one order.
"""

from __future__ import annotations

import threading
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TypeVar

    M = TypeVar("M")
    Handler = Callable[[Any], None]
    Report = Callable[[object, Exception], None]
    """Told of the message and of what a subscriber raised while it was delivered."""


class Subscription:
    """One subscriber's place on the bus, held until it is closed."""

    __slots__ = ("_bus", "handler", "kind")

    def __init__(self, bus: EventBus, kind: type, handler: Handler) -> None:
        self._bus: Final = bus
        self.kind: Final = kind
        self.handler: Final = handler

    def close(self) -> None:
        """Ends the delivery; closing twice does no harm."""
        self._bus._drop(self)  # noqa: SLF001 - the two are one thing in two classes

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class EventBus:
    """Delivers messages to subscribers by class; see the module's docstring for the order."""

    def __init__(self, report: Report | None = None) -> None:
        self._report: Final = report
        self._lock: Final = threading.Lock()
        self._subscriptions: tuple[Subscription, ...] = ()
        # Replaced, never changed, so that publishing needs no lock.
        self._routes: dict[type, tuple[Handler, ...]] = {}
        self._turn: Final = threading.local()

    def subscribe(self, kind: type[M], handler: Callable[[M], None]) -> Subscription:
        """Calls `handler` with every message of class `kind` or below, until closed."""
        subscription = Subscription(self, kind, handler)
        with self._lock:
            self._subscriptions = (*self._subscriptions, subscription)
            self._routes = {}
        return subscription

    def publish(self, message: object) -> None:
        """Delivers `message`; a subscriber that raises is reported and stops nobody."""
        turn = self._turn.__dict__
        waiting: deque[object] | None = turn.get("waiting")
        if waiting is not None:
            waiting.append(message)
            return
        turn["waiting"] = waiting = deque()
        try:
            while True:
                handlers = self._routes.get(type(message))
                if handlers is None:
                    handlers = self._route(type(message))
                for handler in handlers:
                    try:
                        handler(message)
                    except Exception as error:  # noqa: BLE001 - one subscriber must not stop others
                        if self._report is not None:
                            self._report(message, error)
                if not waiting:
                    return
                message = waiting.popleft()
        finally:
            turn["waiting"] = None

    def _route(self, kind: type) -> tuple[Handler, ...]:
        with self._lock:
            handlers = tuple(
                subscription.handler
                for subscription in self._subscriptions
                if issubclass(kind, subscription.kind)
            )
            self._routes = {**self._routes, kind: handlers}
        return handlers

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            self._subscriptions = tuple(
                other for other in self._subscriptions if other is not subscription
            )
            self._routes = {}
