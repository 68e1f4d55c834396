"""What the screens over the pane have in common: a list, what is selected in it, and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeVar, cast

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.menu import open_menu
from memlens.app.screens.quick import Dialog
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import Lines, LineView
from memlens.engine.events.memory_changes import MemoryUndone
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlens.app.actions import Area
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.engine.bus import Subscription
    from memlens.engine.commands.base import Command

M = TypeVar("M")
READ_ONLY = "memlens was opened so that nothing can be written."
_LEAST: Final = 3
"""Rows of a list, so that it does not jump where one line is followed by two."""


class MemoryScreen(Dialog[str | None], ActionHost):
    """A list of facts, or of what was done to them; answers with a path to go on with."""

    TITLE_TEXT: ClassVar[str]

    def __init_subclass__(cls, **options: object) -> None:
        area: Area | None = cls.__dict__.get("AREA")
        if area is not None:
            cls.BINDINGS = [*cls.__dict__.get("BINDINGS", ()), *bindings_of(area)]
        super().__init_subclass__(**options)  # type: ignore[arg-type]

    def __init__(self) -> None:
        super().__init__()
        self._subscriptions: list[Subscription] = []

    def compose(self) -> ComposeResult:
        with Frame(classes="dialog -full memory-screen") as dialog:
            dialog.border_title = self.TITLE_TEXT
            yield Static(id="memory-screen-says")
            yield LineView(id="memory-screen-list")
            yield LineView(id="memory-screen-detail")
            yield EmptyState(id="memory-screen-empty")
            yield ActionBar()

    def on_mount(self) -> None:
        self.listing.mark_always = True
        self.listing.focus()
        self.listen(MemoryUndone, lambda _: self.look())
        self.start()
        self.look()

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    def start(self) -> None:
        """Subscribes to what comes."""
        raise NotImplementedError

    def look(self) -> None:
        """Asks for what is to be shown, also when it may have changed."""
        raise NotImplementedError

    @property
    def listing(self) -> LineView:
        return self.query_one("#memory-screen-list", LineView)

    @property
    def detail(self) -> LineView:
        return self.query_one("#memory-screen-detail", LineView)

    @property
    def bridge(self) -> Bridge:
        return cast("MemlensApp", self.app).bridge

    @property
    def read_only(self) -> bool:
        return cast("MemlensApp", self.app).workspace.read_only

    def listen(self, kind: type[M], handler: Callable[[M], None]) -> None:
        """Subscribes for as long as the screen lives."""
        self._subscriptions.append(self.bridge.subscribe(kind, handler))

    def ask(self, command: Command) -> int:
        return self.bridge.publish(command)

    def say(self, text: str) -> None:
        """Says above the list what there is."""
        self.query_one("#memory-screen-says", Static).update(Content(visible(text)))

    def list_all(self, lines: Lines, *, empty: str) -> None:
        """Shows the list, in as much of the room as it needs; where it has no line, `empty`, which
        tells what would fill it."""
        number = lines.count(max(1, self.listing.size.width))
        dialog = self.query_one(".memory-screen")
        had_focus = self.listing.has_focus or self.query_one(EmptyState).has_focus
        dialog.set_class(not number, "-empty")
        self.listing.styles.height = max(_LEAST, number)
        self.listing.show(lines)
        if not number:
            self.query_one(EmptyState).say(empty)
        if had_focus:
            (self.listing if number else self.query_one(EmptyState)).focus()

    @property
    def home(self) -> str | None:
        """The person's home, for paths as they would write them."""
        return cast("MemlensApp", self.app).workspace.home

    def say_cancelled(self, words: str) -> None:
        self.say(words)

    def on_line_view_moved(self) -> None:
        self.query_one(ActionBar).refresh()

    def on_line_view_menu_asked(self, event: LineView.MenuAsked) -> None:
        event.stop()
        open_menu(self)

    def leave(self, path: str | None = None) -> None:
        if self.is_current:
            self.dismiss(path)
