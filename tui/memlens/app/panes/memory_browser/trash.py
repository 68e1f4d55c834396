"""The trash: deleted facts, what they said, and the way back."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from textual import on

from memlens.app.panes.memory_browser.lines import TextLines
from memlens.app.panes.memory_browser.screen import READ_ONLY, MemoryScreen
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit, fit_path
from memlens.app.words import age_words, at_home
from memlens.engine.commands.memory_changes import LoadTrash, PeekTrash, RestoreMemory
from memlens.engine.events.memory_changes import MemoriesChanged, TrashLoaded, TrashPeeked

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.durable.results import TrashItem


class TrashLines:
    """Deleted facts, one a line."""

    def __init__(self, items: Sequence[TrashItem], now: float, home: str | None) -> None:
        self.items, self._now, self._home = items, now, home

    def count(self, width: int) -> int:
        return len(self.items)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.items[index].kept if index < len(self.items) else None

    def index(self, key: Hashable) -> int | None:
        return next((at for at, item in enumerate(self.items) if item.kept == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        item = self.items[index]
        name_width = max(12, min(32, (width - 16) // 2))
        return (
            (fit(item.name, name_width), "strong"),
            (f" {age_words(self._now - item.deleted):>4}", "dim"),
            (f" {item.size:>7,} ", "dim"),
            (fit_path(at_home(item.path, self._home), max(0, width - name_width - 14)), ""),
        )


_TEACHING: Final = (
    "What you delete comes here first: d in the durable memory, one of two duplicates, facts that "
    "were merged.\n\n"
    "⏎ brings one back to where it was, also after a restart, and beside a fact that has taken its "
    "place meanwhile. Right after deleting, u does the same."
)


class Trash(MemoryScreen):
    """Lists what was deleted, the last first; Enter brings one back."""

    AREA = "trash"
    PARTS = frozenset(["memory_changes"])
    TITLE_TEXT = "Deleted facts"

    def start(self) -> None:
        self.listen(TrashLoaded, self._loaded)
        self.listen(TrashPeeked, self._peeked)
        self.listen(MemoriesChanged, lambda _: self.look())
        self.say("loading …")

    def look(self) -> None:
        self.ask(LoadTrash())

    @property
    def selected(self) -> TrashItem | None:
        lines = self.listing.lines
        if isinstance(lines, TrashLines) and self.listing.cursor < len(lines.items):
            return lines.items[self.listing.cursor]
        return None

    def reason_against(self, action: Action) -> str | None:
        if action.name == "trash.restore":
            if self.read_only:
                return READ_ONLY
            if self.selected is None:
                return "The trash is empty."
        return None

    def _loaded(self, event: TrashLoaded) -> None:
        number = len(event.items)
        self.say(
            f"{number} deleted fact{'s' if number != 1 else ''}: name, how long ago, bytes, where"
            if number
            else "The trash is empty."
        )
        self.list_all(TrashLines(event.items, event.now, self.home), empty=_TEACHING)

    @on(LineView.Moved, "#memory-screen-list")
    def _moved(self) -> None:
        item = self.selected
        if item is None:
            self.detail.show(NoLines())
        else:
            self.ask(PeekTrash(item=item))

    def _peeked(self, event: TrashPeeked) -> None:
        if event.item == self.selected:
            self.detail.show(TextLines(event.fact.text))

    @on(LineView.Chosen, "#memory-screen-list")
    def do_trash_restore(self) -> None:
        if self.selected is not None:
            self.ask(RestoreMemory(item=self.selected))

    def do_trash_close(self) -> None:
        self.leave()
