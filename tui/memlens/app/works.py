"""What the engine does for longer than a second: shown in one place, cancelled, done again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memlens.app.actions import BY_NAME
from memlens.app.hosting import ActionHost, sign_of
from memlens.app.widgets.work_line import WorkLine
from memlens.app.words import progress_words
from memlens.engine.commands.base import Cancel
from memlens.engine.events.base import Cancelled, Progress, WorkEnded
from memlens.engine.visible import visible_text

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.engine.commands.base import Command


class Works:
    """Follows what takes long, for the whole app."""

    def __init__(self, app: MemlensApp) -> None:
        self._app: Final = app
        self._running: Final[dict[int, Progress]] = {}
        """By number, what is told of."""
        self._ending: Final[set[int]] = set()
        """Those of them that were told to end."""
        self._again: list[Command] = []
        """What does again what was cancelled last."""
        app.bridge.subscribe(Progress, self._go_on)
        app.bridge.subscribe(WorkEnded, self._end)
        app.bridge.subscribe(Cancelled, self._tell_cancelled)

    @property
    def shown(self) -> Progress | None:
        """What was asked for last, of those of which it is known how far they are; else of all.
        What was told to end comes after the others."""
        works = [one for one in self._running.values() if one.work not in self._ending]
        works = works or list(self._running.values())
        counted = [work for work in works if work.done or work.total]
        return max(counted or works, key=lambda work: work.work, default=None)

    def reason_against(self, name: str) -> str | None:
        """Why the action of that name cannot run now."""
        if name == "work.cancel" and self.shown is None:
            return "Nothing takes long just now."
        if name == "work.cancel" and all(number in self._ending for number in self._running):
            return "It ends as soon as nothing is left half done."
        if name == "work.again" and not self._again:
            return "Nothing was cancelled."
        return None

    def cancel(self) -> None:
        """Ends what is shown."""
        work = self.shown
        if work is not None:
            self._again = []
            self._ending.add(work.work)
            self._show()
            self._app.bridge.publish(Cancel(work=work.work))

    def again(self) -> None:
        """Does again what was cancelled."""
        commands, self._again = self._again, []
        for command in commands:
            self._app.bridge.again(command)

    def _go_on(self, event: Progress) -> None:
        self._running[event.work] = event
        self._show()

    def _end(self, event: WorkEnded) -> None:
        self._running.pop(event.work, None)
        self._ending.discard(event.work)
        self._show()

    def _show(self) -> None:
        work = self.shown
        for screen in self._app.screen_stack:
            on_top = screen is self._app.screen
            line = next(iter(screen.query_children(WorkLine)), None)
            if work is not None and on_top and screen.is_mounted:
                if line is None:
                    line = WorkLine()
                    screen.mount(line)
                ending = work.work in self._ending
                key = "" if ending else self._key("work.cancel")
                words = f"ending: {work.what}" if ending else progress_words(work)
                line.say(words, key, len(self._running) - 1)
            elif line is not None:
                line.display = False

    def _tell_cancelled(self, event: Cancelled) -> None:
        self._again.append(event.again)
        key = self._key("work.again")
        words = f"cancelled, {key} does it again"
        for screen in self._app.screen_stack:
            for host in screen.walk_children(with_self=True):
                if isinstance(host, ActionHost) and event.part in host.PARTS:
                    host.say_cancelled(words)
        if event.asked:
            sentence = event.why[:1].upper() + event.why[1:]
            self._app.notify(
                visible_text(f"{sentence}. {key} does it again."),
                title=f"Cancelled: {event.doing}", markup=False,
            )  # fmt: skip

    def _key(self, name: str) -> str:
        return sign_of(self._app, BY_NAME[name])
