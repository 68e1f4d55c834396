"""What can be done to the selected fact or to all marked ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from memlens.app.outside import copy, edit_outside
from memlens.app.panes.base import Pane
from memlens.app.panes.memory_browser.fields import too_long
from memlens.app.panes.memory_browser.form import MemoryForm
from memlens.app.panes.memory_browser.lines import TextLines, scope_word
from memlens.app.panes.memory_browser.merging import paths_replaced_by
from memlens.app.panes.memory_browser.news import FactNews
from memlens.app.panes.memory_browser.screen import READ_ONLY
from memlens.app.panes.memory_browser.teaching import OFF
from memlens.app.screens.ask import Ask
from memlens.app.screens.choose import Choice, Choose
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.show import Show
from memlens.app.widgets.marking import mark
from memlens.engine.commands.memories import OpenMemory
from memlens.engine.commands.memory_changes import (
    AdoptEdit,
    DeleteMemories,
    MoveMemories,
    SaveMemory,
    TagMemories,
)
from memlens.engine.editor import NoEditorError
from memlens.engine.events.base import Failed
from memlens.engine.events.memories import MemoryOpened
from memlens.engine.visible import visible_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.engine.durable.model import MemoryEntry, MemoryScope
    from memlens.engine.durable.results import Fact
    from memlens.engine.events.memories import MemoriesLoaded
    from memlens.engine.findings import Finding
    from memlens.engine.keeping import Draft

_WRITING: Final = frozenset(
    f"memories.{verb}"
    for verb in (
        "new", "delete", "undo", "rename", "tag", "move", "duplicate", "external",
    )
)  # fmt: skip
_NEEDING_A_FACT: Final = frozenset(
    f"memories.{verb}"
    for verb in (
        "edit", "delete", "mark", "mark_all", "rename", "tag", "move", "duplicate", "external",
        "read", "copy_line", "copy_path", "copy_body",
    )
)  # fmt: skip


class FactDeeds(Pane):
    """The part of the pane that acts; which facts are meant, the part that lists them says."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name
        super().__init__(id=id)
        self._opening: dict[
            int, tuple[Callable[[MemoryOpened], None], Callable[[], None] | None]
        ] = {}
        self._loaded_facts: MemoriesLoaded | None = None

    def on_mount(self) -> None:
        self.listen(MemoryOpened, self._open_arrived)
        self.listen(Failed, self._open_failed)
        self._news = FactNews(self, go_to=self.go_to_fact, forget_marks=self.forget_marks)

    @property
    def selected_entry(self) -> MemoryEntry | None:
        """The fact with the cursor."""
        raise NotImplementedError

    def meant(self) -> Sequence[MemoryEntry]:
        """The marked facts, or else the selected one."""
        raise NotImplementedError

    def go_to_fact(self, path: str) -> None:
        """Puts the cursor on a fact, as soon as it is listed."""
        raise NotImplementedError

    def problems_of(self, path: str) -> Sequence[Finding]:
        """What is wrong with a fact, the loudest first."""
        raise NotImplementedError

    def forget_marks(self) -> None:
        """Takes all marks off."""
        raise NotImplementedError

    @property
    def form(self) -> MemoryForm:
        return self.query_one(MemoryForm)

    @property
    def scopes(self) -> tuple[MemoryScope, ...]:
        """The scopes there are here."""
        loaded = self._loaded_facts
        return tuple(root.scope for root in loaded.roots) if loaded else ()

    @property
    def switched_off(self) -> bool:
        """Whether the agent has no durable memory, by the settings."""
        return not cast("MemlensApp", self.app).workspace.settings.memory_enabled

    def reason_against(self, action: Action) -> str | None:
        if self._loaded_facts is None:
            return self.reason_unloaded
        if action.name == "memories.new" and self.switched_off:
            return OFF
        if action.name in _WRITING and cast("MemlensApp", self.app).workspace.read_only:
            return READ_ONLY
        if action.name in _NEEDING_A_FACT and self.selected_entry is None:
            return "There is no fact here."
        return None

    # Opening

    def with_fact(
        self,
        path: str,
        then: Callable[[MemoryOpened], None],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Opens a fact and goes on with it, or otherwise where it cannot be opened."""
        self._opening[self.ask(OpenMemory(path=path))] = then, otherwise

    def _open_arrived(self, event: MemoryOpened) -> None:
        waiting = self._opening.pop(event.request, None)
        if waiting is not None:
            waiting[0](event)

    def _open_failed(self, event: Failed) -> None:
        waiting = self._opening.pop(event.request, None)
        if waiting is not None and waiting[1] is not None:
            waiting[1]()

    def do_memories_edit(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            self.with_fact(entry.path, lambda event: self.open_form(event.fact))

    def open_form(self, fact: Fact) -> None:
        """The form with a fact, in the place of the list."""
        if too_long(fact):
            self.app.notify(
                "This fact is too long for the form. E opens it in your editor.",
                title="Too long", severity="warning", markup=False,
            )  # fmt: skip
            return
        self._show_form()
        self.form.open(fact, self.problems_of(fact.path))

    def _show_form(self) -> None:
        self.form.offer_scopes(self.scopes)
        mark(self, "-editing", self.query_one("#memory-list"), self.form, on=True)

    def open_new(self, name: str = "", like: Fact | None = None) -> None:
        """The form for a new fact."""
        scopes = self.scopes
        private = next((one for one in scopes if scope_word(one) == "private"), scopes[0])
        chosen = like.scope if like else private
        self._show_form()
        self.form.open_new(name, like, chosen)

    def recover(self, draft: Draft, done: Callable[[], None]) -> None:
        """The form with text that was not saved, over the fact as it is now."""

        def show(found: Mapping[str, Fact]) -> None:
            self._show_form()
            self.form.recover(draft.path, draft.fields, found)
            done()

        self._with_facts([draft.path, *paths_replaced_by(draft.fields)], show)

    def _with_facts(self, paths: Sequence[str], then: Callable[[Mapping[str, Fact]], None]) -> None:
        """Opens facts, and goes on with those that are there, by path."""
        listed = {entry.path for entry in self._loaded_facts.entries} if self._loaded_facts else ()
        left = [path for path in paths if path in listed]
        found: dict[str, Fact] = {}

        def take(event: MemoryOpened) -> None:
            found[event.fact.path] = event.fact
            go_on()

        def go_on() -> None:
            if left:
                self.with_fact(left.pop(0), take, go_on)
            else:
                then(found)

        go_on()

    def do_memories_new(self) -> None:
        self.open_new()

    def do_memories_duplicate(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            self.with_fact(
                entry.path, lambda event: self.open_new(f"{event.fact.name} copy", event.fact)
            )

    def do_memories_read(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            self.with_fact(
                entry.path,
                lambda event: self._read(event.fact),
            )

    def _read(self, fact: Fact) -> None:
        self.app.push_screen(Show(fact.path, TextLines(fact.text)))

    # Changing

    def do_memories_delete(self) -> None:
        facts = tuple(self.meant())
        if len(facts) == 1:
            self._delete(facts)
            return

        def answer(yes: bool | None) -> None:
            if yes:
                self._delete(facts)

        names = ", ".join(fact.name for fact in facts[:5])
        more = f" and {len(facts) - 5:,} more" if len(facts) > 5 else ""
        question = f"Delete {len(facts):,} facts? u brings them back.\n\n{names}{more}"
        self.app.push_screen(Confirm(question, yes="Delete", no="Keep"), answer)

    def _delete(self, facts: tuple[MemoryEntry, ...]) -> None:
        self.ask(DeleteMemories(facts=facts))

    def do_memories_rename(self) -> None:
        entry = self.selected_entry
        if entry is None:
            return
        taken = {
            other.name
            for other in (self._loaded_facts.entries if self._loaded_facts else ())
            if other.scope is entry.scope and other.path != entry.path
        }

        def check(name: str) -> str:
            if not name.strip():
                return "A fact needs a name."
            return "Another fact in this scope has that name." if name.strip() in taken else ""

        def answer(name: str | None) -> None:
            if name is not None and name.strip() != entry.name:
                self._news.renaming = self.ask(SaveMemory(fact=entry, name=name.strip()))

        self.app.push_screen(
            Ask(f"Another name for “{entry.name}”", value=entry.name, check=check), answer
        )

    def do_memories_tag(self) -> None:
        facts = tuple(self.meant())
        whose = f"“{facts[0].name}”" if len(facts) == 1 else f"{len(facts)} facts"
        tags = " ".join(dict.fromkeys(tag for fact in facts for tag in fact.tags))
        has = f"\nThey have: {tags}" if tags else ""

        def answer(text: str | None) -> None:
            words = (text or "").replace(",", " ").split()
            add = tuple(word.lstrip("+#") for word in words if word[0] != "-")
            remove = tuple(word[1:].lstrip("#") for word in words if word[0] == "-")
            if any((*add, *remove)):
                self.ask(TagMemories(facts=facts, add=add, remove=remove))

        self.app.push_screen(
            Ask(
                f"Tags for {whose}: word adds one, -word takes one off{has}",
                placeholder="testing -old",
            ),
            answer,
        )

    def do_memories_move(self) -> None:
        facts = tuple(self.meant())
        whose = f"“{facts[0].name}”" if len(facts) == 1 else f"{len(facts)} facts"
        details = {
            "global": "all projects of yours",
            "private": "this project, only you",
            "shared": "in the repository: it will be committed, everyone gets it",
            "auto": "the notes that the agent keeps by itself",
        }
        choices = [
            Choice(
                scope, scope_word(scope), details[scope_word(scope)],
                "" if any(fact.scope is not scope for fact in facts) else "It is there already.",
            )
            for scope in self.scopes
        ]  # fmt: skip

        def move(scope: MemoryScope | None) -> None:
            if scope is None:
                return
            if scope_word(scope) != "shared":
                self.ask(MoveMemories(facts=facts, scope=scope))
                return

            def answer(yes: bool | None) -> None:
                if yes:
                    self.ask(MoveMemories(facts=facts, scope=scope))

            question = (
                f"Move {whose} into the repository? Shared facts are committed, and everyone who "
                "works on it gets them."
            )
            self.app.push_screen(Confirm(visible_text(question), yes="Move", no="Stay"), answer)

        self.app.push_screen(Choose(f"Move {whose} to", choices), move)

    def do_memories_external(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            self.with_fact(entry.path, self._edit_outside)

    def _edit_outside(self, event: MemoryOpened) -> None:
        try:
            edit_outside(self.app, event.fact.path)
        except NoEditorError as error:
            self.app.notify(
                visible_text(str(error)), title="No editor", severity="error", markup=False
            )
            return
        self.ask(AdoptEdit(before=event.fact))

    # Copying

    def do_memories_copy_line(self) -> None:
        self._copy(lambda event: (event.line, "The index line"))

    def do_memories_copy_body(self) -> None:
        self._copy(lambda event: (event.fact.body, "The body"))

    def _copy(self, what: Callable[[MemoryOpened], tuple[str, str]]) -> None:
        entry = self.selected_entry
        if entry is not None:
            self.with_fact(entry.path, lambda event: copy(self.app, *what(event)))

    def do_memories_copy_path(self) -> None:
        entry = self.selected_entry
        if entry is not None:
            copy(self.app, entry.path, "The path")

    # Screens

    def do_memories_trash(self) -> None:
        from memlens.app.panes.memory_browser.trash import Trash

        self.app.push_screen(Trash())

    def do_memories_stale(self) -> None:
        from memlens.app.panes.memory_browser.stale import Stale

        def edit(path: str | None) -> None:
            if path is not None:
                self.go_to_fact(path)
                self.with_fact(path, lambda event: self.open_form(event.fact))

        self.app.push_screen(Stale(), edit)

    def do_memories_twins(self) -> None:
        from memlens.app.panes.memory_browser.twins import Twins

        twins = Twins()

        def merge(_: str | None) -> None:
            both = twins.merging
            if both is not None:
                self._show_form()
                self.form.open_merge(both.first, (both.second,), both.merged)

        self.app.push_screen(twins, merge)
