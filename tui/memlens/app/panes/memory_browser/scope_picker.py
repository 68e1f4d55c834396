"""One line that chooses a scope, as a field of a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memlens.app.panes.memory_browser.lines import scope_word

if TYPE_CHECKING:
    from memlens.engine.durable.model import MemoryScope


class ScopePicker(Static, can_focus=True):
    """The scopes side by side; left, right and space choose, so does a click."""

    BINDINGS: ClassVar = [
        Binding("left,h", "step(-1)", show=False),
        Binding("right,l,space", "step(1)", show=False),
    ]

    class Changed(Message):
        """Another scope is chosen."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._scopes: tuple[MemoryScope, ...] = ()
        self._at = 0
        self.read_only = False
        """Whether it only shows which scope is chosen."""
        self._places: list[tuple[int, int]] = []

    @property
    def scope(self) -> MemoryScope:
        return self._scopes[self._at]

    def offer(self, scopes: Sequence[MemoryScope], chosen: MemoryScope) -> None:
        """Shows the scopes there are here."""
        self._scopes = tuple(scopes) if chosen in scopes else (*scopes, chosen)
        self._at = self._scopes.index(chosen)
        self._draw()

    def _draw(self) -> None:
        parts: list[tuple[str, str]] = []
        self._places = []
        used = 0
        for at, scope in enumerate(self._scopes):
            word = scope_word(scope)
            chosen = at == self._at
            text = f"[{word}]" if chosen else f" {word} "
            parts.append((text, "bold $accent" if chosen else "dim"))
            parts.append((" ", ""))
            self._places.append((used, used + len(text)))
            used += len(text) + 1
        if "shared" not in map(scope_word, self._scopes):
            parts.append((" shared: only in a git checkout", "dim"))
        self.update(Content.assemble(*parts))

    def _choose(self, at: int) -> None:
        if at != self._at and self._scopes and not (self.disabled or self.read_only):
            self._at = at
            self._draw()
            self.post_message(self.Changed())

    def action_step(self, step: int) -> None:
        if self._scopes:
            self._choose((self._at + step) % len(self._scopes))

    def on_click(self, event: events.Click) -> None:
        for at, (start, end) in enumerate(self._places):
            if start <= event.x < end:
                self._choose(at)
