"""What the four panes have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual.containers import Vertical
from textual.content import Content

from memlens.app.actions import BY_NAME
from memlens.app.hosting import ActionHost, bindings_of, sign_of
from memlens.app.widgets.hollow import Hollow
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.widget import Widget

    from memlens.app.actions import Area
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.app.widgets.line_view import LineView
    from memlens.engine.bus import Subscription
    from memlens.engine.commands.base import Command

M = TypeVar("M")


class Pane(Vertical, Hollow, ActionHost):
    """A framed part of the screen that publishes commands and renders events.

    A pane knows the bridge and the messages; it reads no file and knows no other pane.
    """

    TITLE: str
    NUMBER: int

    def __init_subclass__(cls, **options: object) -> None:
        area: Area | None = cls.__dict__.get("AREA")
        if area is not None:  # before the framework merges what it finds
            cls.BINDINGS = [*cls.__dict__.get("BINDINGS", ()), *bindings_of(area)]
        super().__init_subclass__(**options)  # type: ignore[arg-type]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._subscriptions: list[Subscription] = []
        self.say("")

    @property
    def bridge(self) -> Bridge:
        return cast("MemlensApp", self.app).bridge

    @property
    def main(self) -> Widget:
        """What gets the focus when a person goes to this pane."""
        return self

    @property
    def awaits(self) -> bool:
        """Whether there is nothing here to act on yet, but will be: what is typed waits for it."""
        return False

    @property
    def reason_unloaded(self) -> str:
        """Why nothing can be done here as long as nothing is loaded."""
        if self.awaits:
            return "This is still being loaded."
        return f"This is not loaded; {sign_of(self.app, BY_NAME['app.reload'])} tries again."

    def remembered(self) -> dict[str, Any]:
        """What the next start in this folder needs to show the same; JSON values only."""
        return {}

    def recall(self, values: Mapping[str, Any]) -> None:
        """Shows what `remembered` told at the last start; whatever does not fit is left out."""

    def say(self, state: str, problem: str = "") -> None:
        """Puts the pane's state into its frame."""
        self.border_title = f"{self.NUMBER} {self.TITLE}"
        warning = (f"  {visible(problem)}", "$text-error") if problem else ("", "")
        self.border_subtitle = Content.assemble(visible(state), warning)

    def say_cancelled(self, words: str) -> None:
        self.say("", words)

    def listen(self, kind: type[M], handler: Callable[[M], None]) -> None:
        """Subscribes for as long as the pane lives."""
        self._subscriptions.append(self.bridge.subscribe(kind, handler))

    def ask(self, command: Command) -> int:
        """Publishes a command; the answer comes as an event."""
        return self.bridge.publish(command)

    def on_line_view_menu_asked(self, event: LineView.MenuAsked) -> None:
        from memlens.app.screens.menu import open_menu

        event.stop()
        open_menu(self)

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()
