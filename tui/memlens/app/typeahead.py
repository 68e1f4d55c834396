"""Keys that come faster than what they lead to: each waits until the one before has had its effect.

The framework hands a key to whatever has the focus when it comes. But a key's effect takes several
turns: it goes from widget to widget, an action asks for the focus or opens a screen, that is
mounted, and the focus goes there; and where the engine must answer first, that takes longer still.
A key that comes meanwhile would go to where the focus was. So it is held here until nothing is
under way, and goes on in its order. So is a key for something that is still being loaded: refused,
it would be lost, and those behind it would do what they do elsewhere. Where nothing is under way
nothing is held, and each wait has an end.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from textual import events

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

_SCREEN_S: Final = 2.0
"""Seconds that the screen has for one key's effect."""
_ENGINE_S: Final = 60.0
"""Seconds that the engine has for an answer."""
_LONG_S: Final = 1.0
"""Seconds of waiting for the engine after which some keys are not held any more."""
_AT_ONCE: Final = "ctrl+c"
"""One of those keys, which ends the program; so are all that come before everything else, such as
those that end what is waited for, or go to the shell. Escape ends the waiting."""
_TURNS: Final = 50
"""Turns of the loop in which the effect of a key has mostly come about."""


class TypeAhead:
    """Holds what is typed, pasted and clicked, while what came before has not had its effect."""

    def __init__(self, app: App[Any], too_soon: Callable[[events.Key], bool]) -> None:
        """`too_soon`: whether whoever a key is meant for is still being loaded."""
        self._app: Final = app
        self._too_soon: Final = too_soon
        self._held: Final[deque[events.Event]] = deque()
        self._free: events.Event | None = None
        """What goes on next and is not held again."""
        self._awaited: dict[int, float] = {}
        """Requests whose answers open or close something, and since when they are waited for."""
        self._early: float | None = None
        """Since when the next key waits for something to be loaded."""
        self._letting_go: asyncio.Task[None] | None = None

    def holds(self, event: events.Event) -> bool:
        """Whether an event that has just come is kept back; it comes again when its turn is."""
        if not _is_input(event):
            return False
        if event is self._free:
            self._free = None
            return False
        if isinstance(event, events.Key) and self._waits_long():
            if event.key == "escape":
                self._give_up()
                return True
            if self._comes_first(event.key):
                return False
        in_order = not self._held and self._free is None
        if in_order and self._is_quiet(own=True) and not self._is_too_soon(event):
            return False
        self._held.append(event)
        if self._letting_go is None:
            self._letting_go = asyncio.create_task(self._let_go())
        return True

    def wait_for(self, request: int) -> None:
        """What is typed from now on is meant for what the answer to `request` leads to."""
        self._awaited[request] = time.monotonic()

    def answered(self, request: int) -> None:
        """The answer has come, and has been shown."""
        self._awaited.pop(request, None)

    def close(self) -> None:
        """Lets nothing go any more."""
        self._held.clear()
        if self._letting_go is not None:
            self._letting_go.cancel()

    async def _let_go(self) -> None:
        try:
            while self._held:
                await self._quiet()
                await self._in_time()
                if not self._held:
                    return  # a person gave up
                event = self._free = self._held.popleft()
                if not self._app.post_message(event):
                    return  # the app ends
                await self._quiet()
        finally:
            self._letting_go = None

    async def _quiet(self) -> None:
        """Waits until what has been let go has had its effect; not for ever."""
        until, turns = time.monotonic() + _SCREEN_S, 0
        while True:
            now = time.monotonic()
            if self._awaited:
                self._awaited = {
                    request: since
                    for request, since in self._awaited.items()
                    if now < since + _ENGINE_S
                }
                until = now + _SCREEN_S
            elif self._is_quiet() or now > until:
                return
            turns += 1
            await asyncio.sleep(0 if turns < _TURNS else 0.005)

    async def _in_time(self) -> None:
        """Waits until what the next key is meant for is loaded; not for ever."""
        self._early = time.monotonic()
        told = False
        try:
            while self._held and self._is_too_soon(self._held[0]):
                waited = time.monotonic() - self._early
                if waited > _ENGINE_S:
                    return
                if waited > _LONG_S and not told:
                    told = True
                    self._app.notify("What you typed waits until this is loaded. Esc drops it.")
                await asyncio.sleep(0.005)
                await self._quiet()
        finally:
            self._early = None

    def _is_too_soon(self, event: events.Event) -> bool:
        if not isinstance(event, events.Key) or event.key == "escape":
            return False
        return not self._comes_first(event.key) and self._too_soon(event)

    def _comes_first(self, key: str) -> bool:
        """Whether what a key does comes before everything else here."""
        chain = self._app.screen._binding_chain  # noqa: SLF001 - there is no other way to ask
        found = (one for _, bindings in chain for one in bindings.key_to_bindings.get(key, ()))
        return key == _AT_ONCE or any(one.priority for one in found)

    def _waits_long(self) -> bool:
        early = () if self._early is None else (self._early,)
        now = time.monotonic()
        return any(now > since + _LONG_S for since in (*self._awaited.values(), *early))

    def _give_up(self) -> None:
        """A person does not want to wait; what was typed for what does not come is of no use."""
        dropped = len(self._held)
        self._held.clear()
        self._awaited = {}
        if dropped:
            keys = f"{dropped} key{'s' if dropped > 1 else ''}"
            self._app.notify(f"{keys} typed meanwhile went nowhere.", markup=False)

    def _is_quiet(self, *, own: bool = False) -> bool:
        """Whether all have done what they were told. `own`: the app, which asks, is at a message
        of its own."""
        app = self._app
        if self._awaited or self._free is not None:
            return False
        if own and _has_more(app):
            return False
        if not all(map(_rests, app._registry)) or not (own or _rests(app)):  # noqa: SLF001
            return False
        # What is to be done behind the next drawing, such as to move the focus.
        return not any(screen._callbacks for screen in app.screen_stack[-1:])  # noqa: SLF001


def _is_input(event: events.Event) -> bool:
    """Whether a person did something that has its place in an order."""
    if getattr(event, "is_forwarded", False):
        return False
    return isinstance(event, events.Key | events.Paste | events.MouseDown | events.MouseUp)


def _has_more(pump: Any) -> bool:
    """Whether a message pump has something to do after the message at hand."""
    return bool(pump._next_callbacks or not pump._message_queue.empty())  # noqa: SLF001


def _rests(pump: Any) -> bool:
    """Whether a message pump waits for its next message. There is no other way to ask."""
    if pump._closed or pump._closing:  # noqa: SLF001
        return True
    ready = pump._message_queue.ready_event  # noqa: SLF001
    return bool(ready._waiters and not ready.is_set() and not pump._next_callbacks)  # noqa: SLF001
