"""The fields of the form of a fact: what stands in them, and whether it can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, Static, TextArea

from memlens.app.panes.memory_browser.scope_picker import ScopePicker
from memlens.app.widgets.line_view import fit_path
from memlens.app.widgets.safe_text import SafeInput, SafeTextArea

if TYPE_CHECKING:
    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.durable.results import Fact

_LINES_LIMIT: Final = 64_000
"""Bytes of a file from which the form would be slow, and its text too long for a fact."""


class Values(NamedTuple):
    """What stands in the fields."""

    name: str
    description: str
    tags: tuple[str, ...]
    scope: MemoryScope
    body: str


def values_of(fact: Fact) -> Values:
    """What a fact puts into the fields."""
    return Values(fact.name, fact.description, tuple(fact.tags), fact.scope, fact.body)


def too_long(fact: Fact) -> bool:
    """Whether a fact's file is too long to be edited in a form, and to be saved whole."""
    return len(fact.text.encode("utf-8", "surrogateescape")) > _LINES_LIMIT


def tags_in(text: str) -> tuple[str, ...]:
    """The tags that are written with commas between them."""
    return tuple(tag.strip() for tag in text.split(",") if tag.strip())


class PlaceLine(Widget):
    """Where a text belongs, in one line; of a long path the end is what stays."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._mark = ("", "")
        self._place = ""

    def say(self, mark: tuple[str, str], place: str) -> None:
        """`mark`: a word that stands before the path, and its style."""
        self._mark, self._place = mark, place
        self.refresh()

    def render(self) -> Content:
        room = max(20, self.size.width - cell_len(self._mark[0]))
        return Content.assemble(self._mark, (fit_path(self._place, room).rstrip(), "dim"))


class FactFields(Vertical):
    """Name, description, tags, scope and body."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._scopes: tuple[MemoryScope, ...] = ()

    def offer_scopes(self, scopes: Sequence[MemoryScope]) -> None:
        """The scopes that there are in this folder."""
        self._scopes = tuple(scopes)

    def build(self) -> None:
        """Makes the fields when the first fact is opened; at a start nobody waits for them."""
        if not self.children:
            self.mount(
                PlaceLine(id="form-place"),
                Label("Name"),
                SafeInput(id="form-name", compact=True),
                Label("Description"),
                SafeInput(id="form-description", compact=True),
                Label("Tags"),
                SafeInput(id="form-tags", compact=True, placeholder="with, commas"),
                Label("Scope"),
                ScopePicker(id="form-scope"),
                SafeTextArea(id="form-body", compact=True),
                Static(id="form-verdict"),
            )

    def protect(self, *, everything: bool, identity: bool) -> None:
        """Whether nothing can be changed, or at least not name and scope."""
        for field in self.query(SafeInput):
            field.read_only = everything
        self.query_one(ScopePicker).read_only = everything
        self._body.read_only = everything
        for name in ("#form-name", "#form-scope"):
            self.query_one(name).disabled = identity

    @property
    def _body(self) -> TextArea:
        return self.query_one("#form-body", TextArea)

    def _field(self, name: str) -> Input:
        return self.query_one(f"#form-{name}", Input)

    @property
    def values(self) -> Values:
        """What stands in the fields now."""
        return Values(
            self._field("name").value,
            self._field("description").value,
            tags_in(self._field("tags").value),
            self.query_one(ScopePicker).scope,
            self._body.text,
        )

    def load(self, values: Values) -> None:
        """Other text in all fields, as the beginning that undo goes back to."""
        self._fill(values)
        self._body.load_text(values.body)

    def replace_all(self, values: Values) -> None:
        """Other text in all fields; undo in the body brings the old one back."""
        self._fill(values)
        body = self._body
        if body.text != values.body:
            body.replace(values.body, (0, 0), body.document.end)
            body.move_cursor((0, 0))

    def _fill(self, values: Values) -> None:
        self._field("name").value = values.name
        self._field("description").value = values.description
        self._field("tags").value = ", ".join(values.tags)
        self.query_one(ScopePicker).offer(self._scopes, values.scope)

    def go_to_line(self, line: int) -> None:
        """Into the body, at a line from 0."""
        self._body.focus()
        self._body.move_cursor((line, 0), center=True)

    def do_form_next_field(self) -> None:
        self._go_field(1)

    def do_form_previous_field(self) -> None:
        self._go_field(-1)

    def _go_field(self, step: int) -> None:
        fields = [field for field in self.children if field.focusable]
        at = next((at for at, field in enumerate(fields) if field.has_focus), -1)
        if fields:
            fields[(at + step) % len(fields)].focus()

    def say_place(self, mark: tuple[str, str], place: str) -> None:
        self.query_one(PlaceLine).say(mark, place)

    def say_verdict(self, words: Content) -> None:
        self.query_one("#form-verdict", Static).update(words)
