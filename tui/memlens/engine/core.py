"""The engine: a queue of commands, the thread that works through it, and who handles which."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from importlib import import_module

from memlens.engine.bus import EventBus, Subscription
from memlens.engine.commands.base import EVERY_PART, KEYS, Cancel, Command
from memlens.engine.events.base import Cancelled, Event, Failed, Progress, WorkEnded
from memlens.engine.way import RightOfWay
from memlens.engine.work import Stopped, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, TypeVar

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.pace import Pace
    from memlens.engine.watch import Watcher
    from memlens.engine.workspace import Workspace

    E = TypeVar("E", bound=Event)


class EngineError(Exception):
    """A command that a script asked for failed; `failure` says how."""

    def __init__(self, failure: Failed) -> None:
        where = f"{failure.where}: " if failure.where else ""
        super().__init__(f"cannot {failure.what}: {where}{failure.why}")
        self.failure: Final = failure
        self.hint: Final = failure.hint


class Interrupted(KeyboardInterrupt):
    """A person pressed Ctrl+C while a script waited for a command; the message says what of it
    was done."""


class Engine:
    """Takes commands from the bus and answers with events on it.

    Commands run one after another on a thread of the engine's own, so that whoever publishes one
    never waits for a disk; those of another lane have another thread. Events are published from
    these threads. `start` before the first command; `close` lets the commands at hand end, those
    that write nothing early, and drops the rest. `live`: changes on disk become commands, too.

    What a handler does is the `Work` of its thread (see there): it can be cancelled (`Cancel`),
    and after `show_progress` all that takes longer than a second is told of (`Progress`).
    """

    def __init__(
        self, workspace: Workspace, bus: EventBus | None = None, *, live: bool = False
    ) -> None:
        self.bus: Final = bus or EventBus(self._report)
        self.workspace: Final = workspace
        self._live: Final = live
        self._watcher: Watcher | None = None
        self._numbers: Final = itertools.count(1)
        self._lock: Final = threading.Lock()
        """Held while lanes and parts are made."""
        self._lanes: Final[dict[str, _Lane]] = {}
        self._newest = 0
        """The number of what was asked for last, counted from 1."""
        self._running: Final[dict[int, tuple[Work, Command]]] = {}
        """By the number of the work, what the lanes are at."""
        self._pace: Pace | None = None
        self._way: Final = RightOfWay()
        self._closing = False
        self._desk: Desk | None = None
        self._parts: Final[dict[str, Mapping[type, Callable[[Command], None]]]] = {}
        self._subscription: Subscription | None = None

    def start(self) -> None:
        """Begins to work; a second call does nothing."""
        if self._subscription is None:
            self._subscription = self.bus.subscribe(Command, self._enqueue)

    def show_progress(self) -> None:
        """Has `Progress` told from now on; scripts that show none need no thread for it."""
        if self._pace is None:
            from memlens.engine.pace import Pace

            self._pace = Pace(lambda: [work for work, _ in self._at_hand()], self._tell_progress)
            self._pace.wake()

    def cancel_all(self) -> None:
        """Ends what runs at its next step, and drops what waits. From any thread."""
        self._drop(lambda _: True)
        for work, _ in self._at_hand():
            work.stop()

    def _cancel(self, cancel: Cancel) -> None:
        """At once, on the thread of whoever asks: in a lane it would wait for what it ends."""
        for work, command in self._at_hand():
            if work.number == cancel.work or (cancel.of and command.request == cancel.of):
                work.stop()
        if cancel.of:
            self._drop(lambda waiting: waiting.request == cancel.of)

    def _drop(self, unwanted: Callable[[Command], bool]) -> None:
        """Ends what waits and is unwanted."""
        with self._lock:
            lanes = list(self._lanes.values())
        for lane in lanes:
            for command in lane.drop(unwanted):
                self.bus.publish(_cancelled(command, Stopped(), asked=True))

    def close(self, timeout: float = 5.0) -> None:
        """Ends the threads; waits at most `timeout` seconds for the command at hand in each."""
        if self._subscription is not None:
            self._subscription.close()
        with self._lock:
            self._closing = True
            lanes = list(self._lanes.values())
            if self._desk is not None:
                self._desk.closing = True
        for lane in lanes:
            lane.end()
        for work, command in self._at_hand():
            if not command.writes:
                work.stop()
        if self._pace is not None:
            self._pace.close()
        if self._watcher is not None:
            self._watcher.close()
        for lane in lanes:
            lane.join(timeout)

    def drain(self, timeout: float) -> bool:
        """Waits at most `timeout` seconds until no command waits or runs; whether that is so."""
        until = time.monotonic() + timeout
        with self._lock:
            lanes = list(self._lanes.values())
        return all(lane.idle_by(until) for lane in lanes)

    def __enter__(self) -> Engine:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next_request(self) -> int:
        """A number for a command, larger than all before."""
        return next(self._numbers)

    def ask(self, command: Command, kind: type[E], timeout: float | None = None) -> E:
        """Publishes `command` and waits for the event of class `kind` that answers it.

        For scripts. The command needs a `request` number of its own. Raises `EngineError` when the
        answer is a failure, `TimeoutError` after `timeout` seconds, `Interrupted` when Ctrl+C ended
        the command between two items; a second Ctrl+C does not wait for that.
        """
        answers: list[Event] = []
        arrived = threading.Event()

        def listen(event: Event) -> None:
            if event.request == command.request and isinstance(event, (kind, Failed)):
                answers.append(event)
                arrived.set()

        with self.bus.subscribe(Event, listen):
            self.bus.publish(command)
            try:
                if not arrived.wait(timeout):
                    raise TimeoutError(f"no answer to {type(command).__name__} in {timeout} s")
            except KeyboardInterrupt:
                self.cancel_all()
                arrived.wait()
                raise Interrupted(_interrupted(command, answers[0])) from None
        answer = answers[0]
        if isinstance(answer, Failed):  # also where any event at all would do
            raise EngineError(answer)
        assert isinstance(answer, kind)
        return answer

    def _enqueue(self, command: Command) -> None:
        if isinstance(command, Cancel):
            self._cancel(command)
            return
        with self._lock:
            if self._closing:
                return
            lane = self._lanes.get(command.lane)
            if lane is None:
                lane = self._lanes[command.lane] = _Lane(command.lane, self._try)
            self._newest = number = self._newest + 1
        if _is_question(command):
            self._way.take()
        lane.take(command, number)

    def _at_hand(self) -> list[tuple[Work, Command]]:
        return list(self._running.values())

    def _try(self, command: Command, number: int) -> None:
        question = _is_question(command)
        # Who writes holds locks, and the lane of the keys must not wait for itself.
        way = None if command.writes or (command.lane == KEYS and not question) else self._way
        work = Work(command.doing or _words(command), number, way, question=question)
        if question:
            self._way.take()
        self._running[number] = work, command
        if self._pace is not None:
            self._pace.wake()
        try:
            with work:
                self._handle(command)
        except Stopped as stopped:
            self.bus.publish(_cancelled(command, stopped, asked=work.stopped))
        except Exception as error:  # noqa: BLE001 - a handler that raises never stops the engine
            self.bus.publish(_failure(command, error))
        finally:
            del self._running[number]
            work.answered()
            if work.end():
                self.bus.publish(WorkEnded(request=command.request, work=number))

    def _tell_progress(self, work: Work) -> None:
        running = self._running.get(work.number)
        if running is not None:
            what, done, total = work.at
            command = running[1]
            self.bus.publish(
                Progress(
                    request=command.request, work=work.number, part=command.part, what=what,
                    done=done, total=total,
                )
            )  # fmt: skip

    def _handle(self, command: Command) -> None:
        if command.part == EVERY_PART:
            for handlers in list(self._parts.values()):
                if type(command) in handlers:
                    handlers[type(command)](command)
            return
        self._part(command.part)[type(command)](command)

    def _part(self, name: str) -> Mapping[type, Callable[[Command], None]]:
        with self._lock:
            if self._desk is None:
                from memlens.engine.handlers.desk import Desk

                self._desk = Desk(
                    self.workspace, self.bus, self._watch,
                    live=self._live, newest_work=lambda: self._newest,
                )  # fmt: skip
            if name not in self._parts:
                module = import_module(f"memlens.engine.handlers.{name}")
                self._parts[name] = module.handlers(self._desk)
            return self._parts[name]

    def _watch(self, part: str, folders: frozenset[str]) -> None:
        if not self._live:
            return
        with self._lock:  # the lanes ask for it, each on its own thread
            if self._closing:
                return
            if self._watcher is None:
                from memlens.engine.watch import Watcher

                self._watcher = Watcher(self.bus)
        self._watcher.watch(part, folders)

    def _report(self, message: object, error: Exception) -> None:
        # A subscriber's fault is shown like any other; one in showing faults ends here.
        if not isinstance(message, Failed):
            what = f"show {type(message).__name__}"
            self.bus.publish(Failed(what=what, why=f"{type(error).__name__}: {error}"))


class _Lane:
    """Commands that wait for one another, and the thread that works through them."""

    def __init__(self, name: str, do: Callable[[Command, int], None]) -> None:
        self._do: Final = do
        self._ready: Final = threading.Condition()
        self._queue: Final[deque[tuple[Command, int]]] = deque()
        self._busy = False
        self._closing = False
        name = f"memlens-{name or 'engine'}"
        self._thread: Final = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def take(self, command: Command, number: int) -> None:
        """Queues a command; where it overtakes, those of its class that wait are dropped."""
        with self._ready:
            if self._closing:
                return
            if command.overtakes:
                kind = type(command)
                for waiting in [other for other in self._queue if type(other[0]) is kind]:
                    self._queue.remove(waiting)
                    command = command.absorbing(waiting[0])
            self._queue.append((command, number))
            self._ready.notify_all()

    def drop(self, unwanted: Callable[[Command], bool]) -> list[Command]:
        """Takes out what waits and is unwanted."""
        with self._ready:
            dropped = [one for one in self._queue if unwanted(one[0])]
            for one in dropped:
                self._queue.remove(one)
        return [command for command, _ in dropped]

    def end(self) -> None:
        """Drops what waits; the thread ends behind the command at hand."""
        with self._ready:
            self._closing = True
            self._queue.clear()
            self._ready.notify_all()

    def join(self, timeout: float) -> None:
        if self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _work(self) -> None:
        while True:
            with self._ready:
                while not self._queue and not self._closing:
                    self._ready.wait()
                if self._closing:
                    return
                command, number = self._queue.popleft()
                self._busy = True
            self._do(command, number)
            with self._ready:
                self._busy = False
                self._ready.notify_all()

    def idle_by(self, until: float) -> bool:
        """Waits until nothing waits or runs, at most until a time of `time.monotonic`."""
        with self._ready:
            return self._ready.wait_for(
                lambda: not self._queue and not self._busy, max(0.0, until - time.monotonic())
            )


def _is_question(command: Command) -> bool:
    """Whether somebody has pressed a key and waits for what comes of it."""
    return command.lane == KEYS and command.request > 0


def _words(command: Command) -> str:
    name = type(command).__name__
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def _interrupted(command: Command, answer: Event) -> str:
    """What a person who pressed Ctrl+C is told."""
    if isinstance(answer, Failed):
        return f"interrupted while {command.doing or _words(command)}: {answer.why}"
    return "interrupted" + (", but it was done already" if command.writes else "")


def _cancelled(command: Command, stopped: Stopped, *, asked: bool) -> Cancelled:
    again = stopped.rest if isinstance(stopped.rest, Command) else command
    return Cancelled(
        request=command.request, what=_words(command), doing=command.doing or _words(command),
        why=stopped.done or "nothing was changed", part=command.part, again=again,
        asked=asked,
    )  # fmt: skip


def _failure(command: Command, error: Exception) -> Failed:
    """What a person is told of an error that a handler did not foresee."""
    words = _words(command)
    where = getattr(error, "filename", None) or getattr(error, "path", None) or ""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    hint = getattr(error, "hint", "")
    if not isinstance(error, OSError) and not hasattr(error, "hint"):
        reason = f"{type(error).__name__}: {reason}"
    reason = reason.removeprefix(f"{where}: ")  # it is told once
    return Failed(request=command.request, what=words, why=reason, where=str(where), hint=hint)
