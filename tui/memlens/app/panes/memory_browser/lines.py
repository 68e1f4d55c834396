"""How facts are drawn, one a line: state, name, scope, age, and what of it matches a search."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from memlens.app.widgets.line_view import Piece, fit
from memlens.app.widgets.long_text import TAB
from memlens.app.widgets.texts import WrappedLines
from memlens.app.words import age_words
from memlens.engine.events.memories import made_at
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.durable import FuzzyHit
    from memlens.engine.durable.model import MemoryEntry
    from memlens.engine.durable.results import Span
    from memlens.engine.events.memories import FoundMemory
    from memlens.engine.events.memory_curation import Problems
    from memlens.engine.findings import Finding, Severity

    Hit = FoundMemory | FuzzyHit

SCOPE_WORDS: Final = {
    "global": "global",
    "project-private": "private",
    "project-shared": "shared",
    "auto": "auto",
}
"""What the screen calls the scopes."""

SIGNS: Final[dict[Severity, tuple[str, str]]] = {
    "error": ("✗", "error"), "warning": ("!", "warning"), "note": ("·", "note"),
}  # fmt: skip
"""How findings are marked: a sign, and the style that repeats it."""


def scope_word(scope: object) -> str:
    """A scope as the screen calls it."""
    return SCOPE_WORDS.get(str(scope), str(scope))


class FoundLines:
    """The hits of a search, one a line."""

    def __init__(
        self,
        hits: Sequence[Hit],
        now: float,
        *,
        problems: Problems,
        cut: Collection[str],
        marked: Collection[str],
        unread: Sequence[Finding] = (),
    ) -> None:
        self._hits = hits
        self._unread = unread
        """Files that would be facts and are none; they stand behind the facts."""
        self._now = now
        self._problems = problems
        self._cut = cut
        """Paths of the facts that the agent does not see."""
        self._marked = marked
        self._places: dict[Hashable, int] | None = None

    def hit(self, index: int) -> Hit | None:
        return self._hits[index] if 0 <= index < len(self._hits) else None

    def entries(self) -> Sequence[MemoryEntry]:
        """All facts that are listed."""
        return [hit.entry for hit in self._hits]

    def unread(self, index: int) -> Finding | None:
        """What is wrong with the file in a line that is no fact's."""
        behind = index - len(self._hits)
        return self._unread[behind] if 0 <= behind < len(self._unread) else None

    def count(self, width: int) -> int:
        return len(self._hits) + len(self._unread)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        unread = self.unread(index)
        if unread is not None:
            return unread.file
        return self._hits[index].entry.path if 0 <= index < len(self._hits) else None

    def index(self, key: Hashable) -> int | None:
        if self._places is None:
            self._places = {hit.entry.path: place for place, hit in enumerate(self._hits)}
            for place, finding in enumerate(self._unread, len(self._hits)):
                self._places[finding.file] = place
        return self._places.get(key)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        name_width = max(16, min(30, (width - 18) // 2))
        unread = self.unread(index)
        if unread is not None:
            sign, style = SIGNS[unread.severity]
            name = fit(unread.file.rpartition("/")[2], name_width)
            room = max(0, width - name_width - 5)
            return ((" ", ""), (f"{sign} ", style), (name, "dim"),
                    ("  " + fit(unread.message, room), style))  # fmt: skip
        hit = self._hits[index]
        entry = hit.entry
        scope = scope_word(entry.scope)
        age = age_words(self._now - made_at(entry))
        return (
            ("✓" if entry.path in self._marked else " ", "marked"),
            self._state(entry),
            *pieces_of(entry.name, hit.name_spans, name_width, "strong"),
            (" " + fit(scope, 7), scope),
            (f" {age:>4} ", "dim"),
            *_text(hit, max(0, width - name_width - 17)),
        )

    def _state(self, entry: MemoryEntry) -> Piece:
        found = self._problems.of(entry.path)
        if found and found[0].severity != "note":
            sign, style = SIGNS[found[0].severity]
            return sign + " ", style
        if entry.path in self._cut:
            return "◌ ", "dim"
        return "● ", scope_word(entry.scope)


def _text(hit: Hit, width: int) -> list[Piece]:
    """The description, or the place in tags or body where the search was met."""
    description = hit.entry.description
    if hit.description_spans:
        return pieces_of(description, hit.description_spans, width, "")
    if any(hit.tag_spans):
        text, spans = "", []
        for tag, found in zip(hit.entry.tags, hit.tag_spans, strict=True):
            if found:
                spans += [(start + len(text) + 1, end + len(text) + 1) for start, end in found]
                text += f"#{tag} "
        return pieces_of(text + description, spans, width, "")
    if not hit.name_spans and hit.snippet and hit.snippet_spans:
        return pieces_of(hit.snippet, hit.snippet_spans, width, "dim")
    return pieces_of(description, (), width, "")


def pieces_of(text: str, spans: Sequence[Span], width: int, style: str) -> list[Piece]:
    """`text` in exactly `width` cells, with the spans in the style of matches."""
    parts: list[Piece] = []
    at = 0
    for start, end in spans:
        parts += [(visible(text[at:start]), style), (visible(text[start:end]), "match")]
        at = end
    parts.append((visible(text[at:]), style))
    left = width
    pieces: list[Piece] = []
    total = sum(cell_len(part) for part, _ in parts)
    for part, name in parts:
        size = cell_len(part)
        if total > width and size >= left:
            pieces.append((fit(part + "…", left), name))
            return pieces
        pieces.append((part, name))
        left -= size
    pieces.append((" " * left, ""))
    return pieces


class TextLines(WrappedLines):
    """A text to read, wrapped; the first lines may have a style of their own."""

    def __init__(self, text: str, heads: Sequence[Piece] = ()) -> None:
        lines = ((line, style) for head, style in heads for line in head.split("\n"))
        super().__init__([(line.expandtabs(TAB), style, 0) for line, style in lines], text)
