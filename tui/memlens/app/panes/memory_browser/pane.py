"""Pane 3: the durable facts, with a search that narrows on every keystroke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input, Static, TextArea

from memlens.app.links import FactPointed
from memlens.app.panes.memory_browser.deeds import FactDeeds
from memlens.app.panes.memory_browser.detail import about_unread, detail
from memlens.app.panes.memory_browser.filters import Chips
from memlens.app.panes.memory_browser.form import MemoryForm
from memlens.app.panes.memory_browser.lines import FoundLines, TextLines
from memlens.app.panes.memory_browser.narrowing import Narrowing
from memlens.app.panes.memory_browser.teaching import no_facts, nothing_found, switched_off
from memlens.app.widgets.action_bar import ActionBar
from memlens.app.widgets.empty import EmptyState
from memlens.app.widgets.hollow import Frame
from memlens.app.widgets.line_view import LineView, NoLines
from memlens.app.widgets.search_field import Narrowed, SearchField
from memlens.engine.commands.memories import (
    LoadMemories,
    MemoryFilter,
    PeekMemory,
    SearchMemories,
)
from memlens.engine.commands.memory_curation import CheckMemories
from memlens.engine.events.memories import MemoriesFound, MemoriesLoaded, MemoryOpened
from memlens.engine.events.memory_curation import MemoriesChecked, Problems

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.app.recovery import Restoring
    from memlens.engine.durable.model import MemoryEntry
    from memlens.engine.findings import Finding
    from memlens.engine.keeping import Draft

_Asked = tuple[str, MemoryFilter, str]
"""What a list answers: query, filter and order."""


class MemoryBrowser(FactDeeds, Narrowed):
    """Search, list, the selected fact, and the form in their place while one is edited."""

    AREA = "memories"
    PARTS = frozenset(["memories", "memory_search", "memory_curation", "memory_changes"])
    TITLE = "Durable memory"
    NUMBER = 3

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._narrowing = Narrowing(self, self._ask)
        self._marked: set[str] = set()
        self._problems = Problems()
        self._cut: frozenset[str] = frozenset()
        self._found: MemoriesFound | None = None
        self._search = 0
        """The request of the newest search."""
        self._listed: MemoriesLoaded | None = None
        """The facts that the list shows some of."""
        self._shown: _Asked | None = None
        self._wanted_path: str | None = None
        self._peek = 0
        self._restoring: Restoring | None = None
        self._said = ("", "")
        self._made_from_search = False
        """Whether the form was opened for want of a fact of the name searched for."""

    def compose(self) -> ComposeResult:
        with Frame(id="memory-list"):
            yield SearchField(id="memory-search", placeholder="/ to search", compact=True)
            yield Chips(id="memory-chips")
            yield LineView(id="memory-results")
            yield EmptyState(id="memory-empty")
            yield Static(id="memory-detail")
        yield MemoryForm()

    def on_mount(self) -> None:
        # The framework calls the one of the class above, too.
        self.listen(MemoriesLoaded, self._loaded)
        self.listen(MemoriesFound, self._found_some)
        self.listen(MemoriesChecked, self._checked)
        self.listen(MemoryOpened, self._peeked)
        self.listen(FactPointed, lambda event: self.go_to_fact(event.file))
        self.say("loading …")

    @property
    def main(self) -> LineView | TextArea | EmptyState:
        if self.has_class("-editing"):
            return self.form.query_one("#form-body", TextArea)
        return self._list

    @property
    def _list(self) -> LineView | EmptyState:
        """The list, or what stands in its place where there is no fact at all."""
        return self.query_one(EmptyState) if self.has_class("-empty") else self.results

    @property
    def awaits(self) -> bool:
        if self._loaded_facts is None:
            return self._found is None and self.bridge.awaits(LoadMemories)
        narrowing = self._narrowing
        asked = self.search.value, narrowing.only, narrowing.sort
        stale = self._listed is not self._loaded_facts or asked != self._shown
        return stale and self.bridge.awaits(SearchMemories)

    @property
    def results(self) -> LineView:
        return self.query_one("#memory-results", LineView)

    listed = results

    @property
    def search(self) -> Input:
        return self.query_one("#memory-search", Input)

    @property
    def selected_entry(self) -> MemoryEntry | None:
        lines = self.results.lines
        hit = lines.hit(self.results.cursor) if isinstance(lines, FoundLines) else None
        return hit.entry if hit else None

    def meant(self) -> Sequence[MemoryEntry]:
        if not self._marked:
            return [self.selected_entry] if self.selected_entry else []
        loaded = self._loaded_facts
        return [e for e in (loaded.entries if loaded else ()) if e.path in self._marked]

    def problems_of(self, path: str) -> Sequence[Finding]:
        return self._problems.of(path)

    @property
    def rests(self) -> bool:
        return self.has_class("-editing")

    def reason_against(self, action: Action) -> str | None:
        if self.has_class("-editing"):
            return "A fact is open in the form; Escape leaves it."
        return super().reason_against(action)

    # What outlives a crash, and a quit

    def unsaved(self) -> Draft | None:
        """What stands in the form and is not saved."""
        if not self.form.dirty:
            return None
        from memlens.engine.keeping import Draft

        path, fields = self.form.kept_fields()
        return Draft("fact", path, fields)

    def restore(self, restoring: Restoring) -> bool:
        """Goes on with a fact that an earlier start left unsaved."""
        if restoring.draft.kind != "fact" or self.has_class("-editing"):
            return False
        if self._loaded_facts is None:
            self._restoring = restoring
        else:
            self.recover(*restoring)
        return True

    def remembered(self) -> dict[str, Any]:
        return {**self._narrowing.remembered(), "place": self.results.place}

    def recall(self, values: Mapping[str, Any]) -> None:
        self.results.want(values.get("place"))
        self._narrowing.recall(values)

    # What comes from the engine

    def _loaded(self, event: MemoriesLoaded) -> None:
        first = self._loaded_facts is None
        self._loaded_facts = event
        self._cut = frozenset(entry.path for entry in event.entries[event.visible :])
        self._marked &= {entry.path for entry in event.entries}
        self._ask()
        if self._restoring is not None:
            self.recover(*self._restoring)
            self._restoring = None
        if first or event.changed:
            self.ask(CheckMemories())

    def _ask(self) -> None:
        narrowing = self._narrowing
        only = narrowing.only if narrowing.filters else None
        self._search = self.ask(
            SearchMemories(query=self.search.value, only=only, sort=narrowing.sort)
        )

    def _checked(self, event: MemoriesChecked) -> None:
        self._problems = event.problems
        if self._narrowing.only.problem:
            self._ask()
        else:
            self._show()

    def _found_some(self, event: MemoriesFound) -> None:
        asked = event.query, event.only or MemoryFilter(), event.sort
        if self._shown is not None and asked != self._shown:
            self.results.show(NoLines())  # another question: the best answer is selected
        self._shown = asked
        self._found = event
        if event.request == self._search:
            self._listed = self._loaded_facts
        self._show()
        current = event.query == self.search.value  # else the next answer is the one to go by
        if self._wanted_path is not None and current and isinstance(self.results.lines, FoundLines):
            place = self.results.lines.index(self._wanted_path)
            if place is not None:
                self._wanted_path = None
                self.results.go_to(place)

    def _show(self) -> None:
        event = self._found
        if event is None:
            return
        narrowed = event.query.strip() or event.only is not None
        lines = FoundLines(
            event.hits, event.now, problems=self._problems, cut=self._cut,
            marked=frozenset(self._marked), unread=() if narrowed else self._unread(),
        )  # fmt: skip
        # In the list's own place, so that nothing has to be laid out anew for it.
        nothing = event.total and not event.hits
        self.results.show(TextLines(nothing_found(event)) if nothing else lines)
        self._say_state()
        before = self._list
        self.set_class(not event.total, "-empty")
        if not event.total:
            roots = self._loaded_facts.roots if self._loaded_facts else ()
            home = cast("MemlensApp", self.app).workspace.home
            words = switched_off() if self.switched_off else no_facts(roots, home)
            self.query_one(EmptyState).say(words)
        if before.has_focus and before is not self._list:
            self._list.focus()  # else the framework gives it to the search, which takes all keys

    def _unread(self) -> Sequence[Finding]:
        """What is wrong with files that would be facts and are none."""
        loaded = self._loaded_facts
        return self._problems.beside({entry.path for entry in loaded.entries} if loaded else ())

    def _say_state(self) -> None:
        event = self._found
        if event is None:
            return
        narrowed = event.query.strip() or event.only is not None
        total = f"{event.total:,} fact{'s' if event.total != 1 else ''}"
        state = f"{len(event.hits):,} of {total}" if narrowed else total
        if self._marked:
            state = f"{len(self._marked):,} marked  {state}"
        problems = []
        if self._problems.loud:
            problems.append(f"✗ {self._problems.loud:,}")
        if self._cut:
            problems.append(f"◌ {len(self._cut):,} not seen")
        said = ("switched off", "") if self.switched_off else (state, "  ".join(problems))
        if said != self._said:
            self._said = said
            self.say(*said)

    def _peeked(self, event: MemoryOpened) -> None:
        if event.request == self._peek:
            path = event.fact.path
            # Its height is fixed, so that moving on does not lay the whole screen out again.
            self.query_one("#memory-detail", Static).update(
                detail(event.fact, self._problems.of(path), cut=path in self._cut), layout=False
            )

    # Search and selection

    @on(Input.Changed, "#memory-search")
    def _search_changed(self) -> None:
        if self._loaded_facts is not None:
            self._ask()

    @on(Input.Submitted, "#memory-search")
    def _submitted(self) -> None:
        found = self._found
        name = self.search.value.strip()
        if not name or found is None or found.query.strip() != name or found.hits:
            self._list.focus()
            return
        if self.reason_against(_new_action()) is not None:
            self.perform(_new_action())
            return
        self.open_new(name)
        self._made_from_search = True

    @on(LineView.Moved, "#memory-results")
    def _moved(self) -> None:
        entry = self.selected_entry
        if entry is None:
            self._peek = 0
            lines = self.results.lines
            unread = lines.unread(self.results.cursor) if isinstance(lines, FoundLines) else None
            text = about_unread(unread) if unread is not None else ""
            self.query_one("#memory-detail", Static).update(text, layout=False)
        else:
            self._peek = self.ask(PeekMemory(path=entry.path))
        self.screen.query_one(ActionBar).refresh()

    @on(LineView.Chosen, "#memory-results")
    def _chosen(self) -> None:
        self.do_memories_edit()

    def go_to_fact(self, path: str) -> None:
        self._wanted_path = path
        lines = self.results.lines
        place = lines.index(path) if isinstance(lines, FoundLines) else None
        if place is not None:
            self._wanted_path = None
            self.results.go_to(place)

    @on(MemoryForm.Closed)
    def _form_closed(self, event: MemoryForm.Closed) -> None:
        self.remove_class("-editing")
        self._list.focus()
        if event.path and self._made_from_search:
            self.search.value = ""
            self._wanted_path = event.path
        elif event.path:
            self.go_to_fact(event.path)
        self._made_from_search = False

    def do_memories_search(self) -> None:
        self.search.focus()

    def do_memories_clear(self) -> None:
        if self.search.has_focus or self.search.value:
            self.search.value = ""
            self._list.focus()
        elif self._narrowing.filters:
            self._narrowing.filter_by(MemoryFilter())
        elif self._marked:
            self.forget_marks()

    # Marks

    def forget_marks(self) -> None:
        self._marked.clear()
        self._show()

    def do_memories_mark(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            self._marked ^= {entry.path}
            self._show()
            self.results.go_to(self.results.cursor + 1)

    def do_memories_mark_all(self) -> None:
        lines = self.results.lines
        if isinstance(lines, FoundLines):
            listed = {entry.path for entry in lines.entries()}
            self._marked = (
                self._marked - listed if listed <= self._marked else self._marked | listed
            )
            self._show()

    # Filters and order

    def do_memories_filter(self) -> None:
        self._narrowing.ask_filter(self._loaded_facts, self.scopes, self._problems)

    def do_memories_sort(self) -> None:
        self._narrowing.ask_sort()

    @on(Chips.Changed)
    def _chip_clicked(self, event: Chips.Changed) -> None:
        self._narrowing.filter_by(event.only)

    @on(Chips.Unsorted)
    def _unsorted(self) -> None:
        self._narrowing.sort_by("relevance")


def _new_action() -> Action:
    from memlens.app.actions import BY_NAME

    return BY_NAME["memories.new"]
