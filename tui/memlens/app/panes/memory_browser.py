"""Pane 3: the durable facts, with a search that narrows on every keystroke."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memlens.app.panes.base import Pane
from memlens.app.panes.memory_form import MemoryForm
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.line_view import LineView, Piece, fit
from memlens.engine.commands.memories import OpenMemory, SearchMemories
from memlens.engine.events.memories import (
    FoundMemory,
    MemoriesFound,
    MemoriesLoaded,
    MemoryOpened,
)
from memlens.engine.events.memory_changes import MemorySaved
from memlens.engine.visible import visible, visible_text

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.engine.durable import FuzzyHit
    from memlens.engine.durable.results import Span

SCOPE_WORDS = {
    "global": "global",
    "project-private": "private",
    "project-shared": "shared",
    "auto": "auto",
}


class FoundLines:
    """The hits, one a line: name with its marks, scope, description or the line that matched."""

    def __init__(self, hits: Sequence[FoundMemory | FuzzyHit]) -> None:
        self._hits = hits
        self._places: dict[Hashable, int] | None = None

    def hit(self, index: int) -> FoundMemory | FuzzyHit | None:
        return self._hits[index] if 0 <= index < len(self._hits) else None

    def count(self, width: int) -> int:
        return len(self._hits)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self._hits[index].entry.path if index < len(self._hits) else None

    def index(self, key: Hashable) -> int | None:
        if self._places is None:
            self._places = {hit.entry.path: place for place, hit in enumerate(self._hits)}
        return self._places.get(key)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        hit = self._hits[index]
        scope = SCOPE_WORDS.get(hit.entry.scope.value, hit.entry.scope.value)
        name_width = max(12, min(28, (width - 10) // 3))
        rest = width - name_width - 10
        pieces: list[Piece] = [*marked(hit.entry.name, hit.name_spans, name_width, "strong")]
        pieces.append((" " + fit(scope, 8), scope))
        pieces.append((" ", ""))
        if hit.snippet and not hit.description_spans:
            pieces += marked(hit.snippet, hit.snippet_spans, rest, "dim")
        else:
            pieces += marked(hit.entry.description, hit.description_spans, rest, "")
        return pieces


def marked(text: str, marks: Sequence[Span], width: int, style: str) -> list[Piece]:
    """`text` in `width` cells, with the matches in another style."""
    pieces: list[Piece] = []
    left, at = width, 0
    for start, end, name in [
        *((start, end, "match") for start, end in marks), (len(text), len(text), style)
    ]:  # fmt: skip
        for part, part_style in ((text[at:start], style), (text[start:end], name)):
            shown = visible(part)
            if shown and left > 0:
                cut = fit(shown, min(left, _cells(shown)))
                pieces.append((cut, part_style))
                left -= _cells(cut)
        at = max(at, end)
    if left > 0:
        pieces.append((" " * left, style))
    return pieces


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


class MemoryBrowser(Pane):
    """Search, list, the selected fact, and the form in their place while one is edited."""

    AREA = "memories"
    TITLE = "Durable memory"
    NUMBER = 3

    def compose(self) -> ComposeResult:
        with Vertical(id="memory-list"):
            yield Input(id="memory-search", placeholder="/ to search", compact=True)
            yield LineView(id="memory-results")
            yield EmptyState(id="memory-empty")
            yield Static(id="memory-detail")
        yield MemoryForm()

    def on_mount(self) -> None:
        self._query = ""
        self._shown_path: str | None = None
        self._edit_request: str | None = None
        self.listen(MemoriesLoaded, self._loaded)
        self.listen(MemoriesFound, self._found)
        self.listen(MemoryOpened, self._opened)
        self.listen(MemorySaved, self._saved)
        self.say("loading …")

    @property
    def main(self) -> LineView | MemoryForm:
        form = self.query_one(MemoryForm)
        return form if self.has_class("-editing") else self.results

    @property
    def results(self) -> LineView:
        return self.query_one("#memory-results", LineView)

    @property
    def selected(self) -> FoundMemory | FuzzyHit | None:
        lines = self.results.lines
        return lines.hit(self.results.cursor) if isinstance(lines, FoundLines) else None

    def reason_against(self, action: Action) -> str | None:
        if action.name == "memories.edit" and self.selected is None:
            return "There is no fact to edit."
        return None

    def _loaded(self, event: MemoriesLoaded) -> None:
        self.ask(SearchMemories(query=self._query))
        self._roots = event.roots
        self._cut = len(event.entries) - event.visible

    def _found(self, event: MemoriesFound) -> None:
        self.results.show(FoundLines(event.hits))
        problem = f"{self._cut} behind the index cut" if self._cut else ""
        shown = len(event.hits)
        self.say(f"{shown} of {event.total}" if event.query else f"{event.total}", problem)
        self.set_class(not event.hits, "-empty")
        if not event.hits:
            self.query_one(EmptyState).say(self._empty_text(event))

    def _empty_text(self, event: MemoriesFound) -> str:
        if event.total:
            return f"No fact matches “{event.query}”.\n\nEsc clears the search."
        folders = "\n".join(
            f"  {SCOPE_WORDS[root.scope.value]:8} {root.path}" for root in self._roots
        )
        return (
            "No facts yet. An agent's durable facts are Markdown files in\n\n"
            f"{folders}\n\n"
            "each with a name and a description between two lines of ---."
        )

    @on(Input.Changed, "#memory-search")
    def _search(self, event: Input.Changed) -> None:
        self._query = event.value
        self.ask(SearchMemories(query=event.value))

    @on(Input.Submitted, "#memory-search")
    def _to_list(self) -> None:
        self.results.focus()

    def on_key(self, event: events.Key) -> None:
        search = self.query_one("#memory-search", Input)
        if event.key == "escape" and (search.has_focus or search.value):
            if not self.has_class("-editing"):
                event.stop()
                search.value = ""
                self.results.focus()
        elif event.key == "down" and search.has_focus:
            event.stop()
            self.results.focus()

    @on(LineView.Moved, "#memory-results")
    def _moved(self) -> None:
        hit = self.selected
        path = hit.entry.path if hit else None
        self._shown_path = path
        if path is None:
            self.query_one("#memory-detail", Static).update("")
        else:
            self.ask(OpenMemory(path=path))

    @on(LineView.Chosen, "#memory-results")
    def _chosen(self) -> None:
        self.do_memories_edit()

    def _opened(self, event: MemoryOpened) -> None:
        fact = event.fact
        if fact.path == self._edit_request:
            self._edit_request = None
            self.add_class("-editing")
            self.query_one(MemoryForm).open(fact)
        if fact.path == self._shown_path:
            tags = "  ".join(f"#{tag}" for tag in fact.tags)
            self.query_one("#memory-detail", Static).update(
                Content.assemble(
                    (visible(fact.description), "bold"), "\n",
                    (visible(f"{fact.created[:10]}  {tags}".strip()), "dim"), "\n",
                    visible_text(fact.body[:4000]),
                )
            )  # fmt: skip

    def _saved(self, event: MemorySaved) -> None:
        redacted = f" {len(event.redacted)} secrets were redacted." if event.redacted else ""
        self.app.notify(
            visible_text(f"{event.name} is saved in\n{event.path}.{redacted}"),
            title="Saved", markup=False,
        )  # fmt: skip

    @on(MemoryForm.Closed)
    def _form_closed(self) -> None:
        self.remove_class("-editing")
        self.results.focus()

    def do_memories_search(self) -> None:
        self.query_one("#memory-search", Input).focus()

    def do_memories_edit(self) -> None:
        hit = self.selected
        if hit is not None:
            self._edit_request = hit.entry.path
            self.ask(OpenMemory(path=hit.entry.path))
