"""Watches the app's loop: how long each of its steps takes, and what ran in it.

While a step runs no key is taken and nothing is painted. Counted is the processor time of the
loop's own thread, so that a machine that is busy with something else makes no step longer. How fast
the machine is, is told by a yardstick: work that is always the same.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from contextlib import ExitStack
from itertools import cycle, pairwise
from random import Random
from statistics import median
from time import thread_time
from types import SimpleNamespace, TracebackType
from typing import Any, Final, NamedTuple, Self
from unittest.mock import patch

from textual import events
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.message_pump import MessagePump

from memlens.app.actions import Action
from memlens.app.bridge import EventArrived
from memlens.app.hosting import ActionHost

NOTED: Final = 0.005
"""Seconds from which a step is kept."""
YARDSTICK: Final = 0.0022
"""Seconds that `yardstick` takes on the machine for which the promises are given."""
_MANY: Final = [SimpleNamespace(name=f"name {number}", value=number) for number in range(50_000)]
Random(7).shuffle(_MANY)
_SOME: Final = 2_000
_TURNS: Final = cycle(range(0, len(_MANY), _SOME))


def yardstick() -> float:
    """Processor seconds of a little work of the kind that a screen does, on objects all over."""
    at = next(_TURNS)
    start = thread_time()
    found = {}
    for one in _MANY[at : at + _SOME]:
        found[one.name] = (one.value, one.name.upper())
    "".join(sorted(found))
    return thread_time() - start


class Step(NamedTuple):
    """What the loop did in one go."""

    seconds: float
    """Of processor time."""
    doing: str
    """What the test was about, in its own words."""
    ran: tuple[str, ...]
    """The callback, then each message that was handled, with the milliseconds until the next."""

    def __str__(self) -> str:
        return f"{1000 * self.seconds:5.1f} ms while {self.doing}: {', '.join(self.ran)}"


class Watchdog:
    """Notes the long steps of the running loop while it is entered.

    The steps of the task that enters it are the test's own, not the app's, and are left out. What
    the collection of garbage takes on other threads stands in the way of the loop, too, because
    nothing else runs meanwhile: it counts as a step.
    """

    def __init__(self) -> None:
        self.steps: Final[list[Step]] = []
        self.total = 0.0
        """Processor seconds of all steps."""
        self.doing = "starting"
        self.done: Final[set[str]] = set()
        """Names of the actions that were asked for."""
        self._yards: Final[list[float]] = []
        self.painted = 0
        """How often something was painted."""
        self.painted_at = 0.0
        """Processor seconds of all steps up to the first painting since this was set to 0."""
        self._start = 0.0
        self._handled: list[tuple[float, str]] = []
        self._test: asyncio.Task[Any] | None = None
        self._thread = 0
        self._collecting = 0.0
        self._undo: Final = ExitStack()

    def worst(self, count: int = 10) -> list[Step]:
        """The longest steps, longest first."""
        return sorted(self.steps, key=lambda step: -step.seconds)[:count]

    def measure(self) -> None:
        """Looks how fast the machine is now."""
        self._yards.append(yardstick())

    @property
    def slowness(self) -> float:
        """How many times longer work takes here; at least 1."""
        return max(1.0, median(self._yards) / YARDSTICK) if self._yards else 1.0

    def __enter__(self) -> Self:
        self._test = asyncio.current_task()
        self._thread = threading.get_ident()
        run, dispatch = asyncio.Handle._run, MessagePump._dispatch_message
        perform, display = ActionHost.perform, App._display
        watchdog = self

        def watched(handle: asyncio.Handle) -> None:
            watchdog._watch(handle, run)

        async def noted(pump: MessagePump, message: Any) -> None:
            watchdog._handled.append((thread_time(), f"{_name(message)} to {_of(pump)}"))
            await dispatch(pump, message)

        def performed(host: ActionHost, action: Action) -> None:
            watchdog.done.add(action.name)
            perform(host, action)

        def displayed(app: App[Any], screen: Any, drawn: Any) -> None:
            # Without a terminal nobody makes what one would get.
            if isinstance(drawn, CompositorUpdate):
                drawn.render_segments(app.console)
            display(app, screen, drawn)
            if drawn is not None:
                watchdog.painted += 1
                if not watchdog.painted_at:
                    watchdog.painted_at = watchdog.total + thread_time() - watchdog._start

        self._undo.enter_context(patch.object(ActionHost, "perform", performed))
        self._undo.enter_context(patch.object(App, "_display", displayed))
        self._undo.enter_context(patch.object(asyncio.Handle, "_run", watched))
        self._undo.enter_context(patch.object(MessagePump, "_dispatch_message", noted))
        gc.callbacks.append(self._collected)
        self._undo.callback(gc.callbacks.remove, self._collected)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._undo.close()

    def _watch(self, handle: asyncio.Handle, run: Callable[[asyncio.Handle], None]) -> None:
        callback: Any = handle._callback  # type: ignore[attr-defined]
        task = getattr(callback, "__self__", None)
        if self._test is not None and task is self._test:
            run(handle)
            return
        self._handled.clear()
        self._start = start = thread_time()
        run(handle)
        end = thread_time()
        self.total += end - start
        if end - start >= NOTED:
            ran = self._what_ran(callback, end)
            self.steps.append(Step(end - start, self.doing, ran))

    def _what_ran(self, callback: Any, end: float) -> tuple[str, ...]:
        task = getattr(callback, "__self__", None)
        if isinstance(task, asyncio.Task):
            name = task.get_name()
        else:
            name = getattr(callback, "__qualname__", repr(callback))
        told = [name]
        for (start, what), (until, _) in pairwise([*self._handled, (end, "")]):
            told.append(f"{what} for {1000 * (until - start):.1f}")
        return tuple(told)

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._collecting = thread_time()
            return
        spent = thread_time() - self._collecting
        if threading.get_ident() == self._thread:
            if spent > 0.001:
                self._handled.append((thread_time() - spent, f"garbage {info['generation']}"))
        elif spent >= NOTED:
            what = f"garbage {info['generation']} on another thread"
            self.steps.append(Step(spent, self.doing, (what,)))


def _name(message: Any) -> str:
    if isinstance(message, EventArrived):
        return type(message.event).__name__
    if isinstance(message, events.Key):
        return f"key {message.key}"
    if isinstance(message, events.Callback):
        return f"call {getattr(message.callback, '__qualname__', message.callback)}"
    if isinstance(message, events.Timer):
        return f"timer {message.timer.name}"
    return type(message).__name__


def _of(pump: MessagePump) -> str:
    identity = getattr(pump, "id", None)
    return f"{type(pump).__name__}{f'#{identity}' if identity else ''}"
