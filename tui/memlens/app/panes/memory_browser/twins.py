"""Facts that say the same, side by side: keep one, both, or make one of the two."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, cast

from rich.cells import cell_len
from textual import on

from memlens.app.panes.memory_browser.lines import scope_word
from memlens.app.panes.memory_browser.screen import READ_ONLY, MemoryScreen
from memlens.app.widgets.changed_words import differing, emphasised
from memlens.app.widgets.line_view import LineView, NoLines, Piece, fit
from memlens.app.widgets.long_text import TAB
from memlens.app.widgets.paragraphs import Paragraphs
from memlens.app.widgets.texts import wrapped
from memlens.engine.commands.memory_changes import DeleteMemories, UndoMemory
from memlens.engine.commands.memory_curation import CompareMemories, FindDuplicates
from memlens.engine.events.memories import MemoriesLoaded
from memlens.engine.events.memory_changes import MemoriesChanged
from memlens.engine.events.memory_curation import DuplicatesFound, MemoriesCompared

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.engine.durable.results import Duplicate, Fact


class PairLines:
    """Pairs, one a line, with how alike they are."""

    def __init__(self, pairs: Sequence[Duplicate]) -> None:
        self.pairs = pairs

    def count(self, width: int) -> int:
        return len(self.pairs)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return _key(self.pairs[index]) if index < len(self.pairs) else None

    def index(self, key: Hashable) -> int | None:
        return next((at for at, pair in enumerate(self.pairs) if _key(pair) == key), None)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        pair = self.pairs[index]
        half = (width - 9) // 2
        how = "same" if pair.exact else f"≈ {pair.score:.0f}"
        return (
            (f"{how:<6} ", "warning" if pair.exact else "note"),
            (fit(pair.first.name, half), "strong"),
            ("  ", ""),
            (fit(pair.second.name, width - 9 - half), "strong"),
        )


def _key(pair: Duplicate) -> Hashable:
    return pair.first.path, pair.second.path


class SideLines(Paragraphs):
    """Two facts side by side, wrapped; lines that differ are marked by sign and colour."""

    def __init__(self, event: MemoriesCompared) -> None:
        first, second = event.first, event.second
        same, other = ("", ""), ("removed", "added")
        about = same if first.description == second.description else other
        self._pairs: Final[list[tuple[str | None, str | None, tuple[str, str]]]] = [
            (first.name, second.name, ("heading", "heading")),
            (_about(first), _about(second), ("dim", "dim")),
            (first.description, second.description, about),
            ("", "", same),
            *((row.left, row.right, same if row.same else other) for row in event.rows),
        ]
        super().__init__(len(self._pairs))

    def height(self, number: int, width: int) -> int:
        return len(self.rows(number, width))

    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        half = (width - 3) // 2
        left, right, styles = self._pairs[number]
        differs = styles[0] != styles[1]
        marks = differing(left or "", right or "") if differs else ((), ())
        here, there = (
            [*emphasised(([(row, style)] for row in _rows(text, half)), style, some)]
            for text, style, some in zip((left, right), styles, marks, strict=True)
        )
        return [
            (
                *_filled(one, half, styles[0]),
                (" ≠ ", "changed") if differs and not row else (" │ ", "gutter"),
                *_filled(other, half, styles[1]),
            )
            for row, (one, other) in enumerate(zip_longest(here, there))
        ]

    def name(self, number: int) -> Hashable:
        return number


def _rows(text: str | None, width: int) -> list[str]:
    """One side of a pair in rows; none where the other side stands alone."""
    lines = [] if text is None else text.expandtabs(TAB).split("\n")
    return [row.rstrip(" ") for line in lines for row in wrapped(line, width)]


def _filled(row: Sequence[Piece] | None, width: int, style: str) -> Sequence[Piece]:
    """A row in exactly `width` cells; a blank one where the other side goes on alone."""
    missing = width - sum(cell_len(text) for text, _ in row or ())
    if missing < 0:  # there is hardly any room
        return ((fit("".join(text for text, _ in row or ()), width), style),)
    return (*(row or ()), (" " * missing, style if row else ""))


def _about(fact: Fact) -> str:
    tags = " ".join(f"#{tag}" for tag in fact.tags)
    return f"{scope_word(fact.scope)}  {fact.created[:10]}  {tags}".strip()


class Twins(MemoryScreen):
    """Lists the pairs and shows both facts of one; nothing happens by itself."""

    AREA = "twins"
    PARTS = frozenset(["memory_curation"])
    TITLE_TEXT = "Duplicates"

    def __init__(self) -> None:
        super().__init__()
        self._pairs: tuple[Duplicate, ...] = ()
        self._both: set[Hashable] = set()
        """Pairs of which both stay; they are not shown again here."""
        self._compared: MemoriesCompared | None = None
        self.merging: MemoriesCompared | None = None
        """What the person wants to merge, when the screen is left for that."""

    def start(self) -> None:
        self.listen(DuplicatesFound, self._found)
        self.listen(MemoriesCompared, self._side_by_side)
        self.listen(MemoriesLoaded, self._reloaded)
        self.listen(MemoriesChanged, self._changed)
        self.say("comparing all facts …")

    def look(self) -> None:
        self.ask(FindDuplicates())

    def _reloaded(self, event: MemoriesLoaded) -> None:
        if event.changed:
            self.ask(FindDuplicates())

    def _changed(self, event: MemoriesChanged) -> None:
        # At once, before all facts are compared again.
        gone = {path for path in event.paths if event.title.startswith("deleted")}
        self._pairs = tuple(
            pair for pair in self._pairs if not gone & {pair.first.path, pair.second.path}
        )
        self._show()

    @property
    def selected(self) -> Duplicate | None:
        lines = self.listing.lines
        if isinstance(lines, PairLines) and self.listing.cursor < len(lines.pairs):
            return lines.pairs[self.listing.cursor]
        return None

    def reason_against(self, action: Action) -> str | None:
        if action.name == "twins.close":
            return None
        if action.name != "twins.both" and self.read_only:
            return READ_ONLY
        if action.name == "twins.undo":
            return None
        if self.selected is None:
            return "There are no duplicates."
        if self._facts() is None:
            return "The two are still being read."
        return None

    def _found(self, event: DuplicatesFound) -> None:
        self._pairs = event.pairs
        self._show()

    def _show(self) -> None:
        left = [pair for pair in self._pairs if _key(pair) not in self._both]
        exact = sum(pair.exact for pair in left)
        if left:
            kept = f", {len(self._both)} kept" if self._both else ""
            self.say(f"{exact} with the same words, {len(left) - exact} nearly the same{kept}")
        else:
            self.say("No two facts say the same." if not self._both else "No others are left.")
        self.list_all(PairLines(left), empty=self._teaching())

    def _teaching(self) -> str:
        if self._both:
            return (
                f"You keep both of {len(self._both)} pair{'s' if len(self._both) > 1 else ''} for "
                "now; the next look shows them again."
            )
        least = cast("MemlensApp", self.app).workspace.settings.near_duplicate_threshold
        return (
            "All facts were compared, by the words of their descriptions and bodies. Two that are "
            f"alike by {least:.0f} of 100 or more (near_duplicate_threshold in the settings) stand "
            "here side by side: then you keep one or both, or make one of the two, and u takes any "
            "of it back."
        )

    @on(LineView.Moved, "#memory-screen-list")
    def _moved(self) -> None:
        pair = self.selected
        if pair is None:
            self.detail.show(NoLines())
        else:
            self.ask(CompareMemories(first=pair.first.path, second=pair.second.path))

    def _side_by_side(self, event: MemoriesCompared) -> None:
        self._compared = event
        self.detail.show(SideLines(event))
        self.query_one("ActionBar").refresh()

    def _facts(self) -> MemoriesCompared | None:
        """The two facts as they are shown, if they are those of the selected pair."""
        pair, shown = self.selected, self._compared
        if pair is None or shown is None:
            return None
        same = (shown.first.path, shown.second.path) == (pair.first.path, pair.second.path)
        return shown if same else None

    def do_twins_first(self) -> None:
        facts = self._facts()
        if facts is not None:
            self.ask(DeleteMemories(facts=(facts.second,)))

    def do_twins_second(self) -> None:
        facts = self._facts()
        if facts is not None:
            self.ask(DeleteMemories(facts=(facts.first,)))

    def do_twins_both(self) -> None:
        pair = self.selected
        if pair is not None:
            self._both.add(_key(pair))
            self._show()

    def do_twins_merge(self) -> None:
        facts = self._facts()
        if facts is not None:
            self.merging = facts
            self.leave(facts.first.path)

    def do_twins_undo(self) -> None:
        self.ask(UndoMemory())

    def do_twins_close(self) -> None:
        self.leave()
