"""The form in which a fact is edited, in the place of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label, Static, TextArea

from memlens.app.hosting import ActionHost, bindings_of
from memlens.app.screens.confirm import Confirm
from memlens.engine.commands.memory_changes import SaveMemory
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.app.app import MemlensApp
    from memlens.engine.bus import Subscription
    from memlens.engine.durable.results import Fact
    from memlens.engine.events.memory_changes import MemoryClashed, MemorySaved


class MemoryForm(Vertical, ActionHost):
    """Name, description, tags and body of one fact. Saved where it came from, or not at all."""

    AREA = "form"
    BINDINGS = bindings_of("form")

    class Closed(Message):
        """The form is done with; the list has its place again."""

    def __init__(self) -> None:
        super().__init__(id="memory-form")
        self._fact: Fact | None = None
        self._subscriptions: list[Subscription] = []
        self._close_when_saved = False

    def compose(self) -> ComposeResult:
        yield Static(id="form-place")
        yield Label("Name")
        yield Input(id="form-name", compact=True)
        yield Label("Description")
        yield Input(id="form-description", compact=True)
        yield Label("Tags")
        yield Input(id="form-tags", compact=True, placeholder="comma, separated")
        yield TextArea(id="form-body", compact=True)

    def on_mount(self) -> None:
        from memlens.engine.events.memory_changes import MemoryClashed, MemorySaved

        bridge = cast("MemlensApp", self.app).bridge
        self._subscriptions = [
            bridge.subscribe(MemorySaved, self._saved),
            bridge.subscribe(MemoryClashed, self._clashed),
        ]

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    @property
    def dirty(self) -> bool:
        """Whether something would be lost by closing."""
        return self._fact is not None and self._values() != self._values_of(self._fact)

    def open(self, fact: Fact) -> None:
        """Shows a fact for editing."""
        self._fact = fact
        self.query_one("#form-name", Input).value = fact.name
        self.query_one("#form-description", Input).value = fact.description
        self.query_one("#form-tags", Input).value = ", ".join(fact.tags)
        self.query_one("#form-body", TextArea).load_text(fact.body)
        self._say_place()
        self.query_one("#form-body", TextArea).focus()

    @staticmethod
    def _values_of(fact: Fact) -> tuple[str, str, tuple[str, ...], str]:
        return fact.name, fact.description, tuple(fact.tags), fact.body

    def _values(self) -> tuple[str, str, tuple[str, ...], str]:
        tags = self.query_one("#form-tags", Input).value.split(",")
        return (
            self.query_one("#form-name", Input).value,
            self.query_one("#form-description", Input).value,
            tuple(tag.strip() for tag in tags if tag.strip()),
            self.query_one("#form-body", TextArea).text,
        )

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _say_place(self) -> None:
        if self._fact is not None:
            mark = ("● not saved  ", "$text-warning") if self.dirty else ("", "")
            place = f"{self._fact.scope}  {visible(self._fact.path)}"
            self.query_one("#form-place", Static).update(Content.assemble(mark, (place, "dim")))

    def do_form_save(self) -> None:
        if self._fact is None:
            return
        name, description, tags, body = self._values()
        cast("MemlensApp", self.app).bridge.publish(
            SaveMemory(
                fact=self._fact, name=name, description=description, tags=tags, body=body,
            )
        )  # fmt: skip

    def _saved(self, event: MemorySaved) -> None:
        self._fact = None
        self.post_message(self.Closed())

    def _clashed(self, event: MemoryClashed) -> None:
        now = f"\n\nNow it says:\n{event.theirs.body[:600]}" if event.theirs else ""
        question = f"{event.path}\n\n{event.problem}{now}\n\nSave your text over it all the same?"

        def answer(over: bool | None) -> None:
            if over and self._fact is not None and event.theirs is not None:
                self._fact = event.theirs
                self.do_form_save()

        self.app.push_screen(
            Confirm(visible_text(question), yes="Save mine", no="Go on editing"), answer
        )

    def do_form_close(self) -> None:
        if not self.dirty:
            self._fact = None
            self.post_message(self.Closed())
            return

        def answer(leave: bool | None) -> None:
            if leave:
                self._fact = None
                self.post_message(self.Closed())

        self.app.push_screen(
            Confirm("This fact has changes that are not saved.", yes="Discard", no="Go on editing"),
            answer,
        )
