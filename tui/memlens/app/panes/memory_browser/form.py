"""The form in which a fact is edited or made, in the place of the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, TextArea

from memlens.app.actions import BY_NAME
from memlens.app.hosting import ActionHost, bindings_of, hosts_from
from memlens.app.panes.memory_browser.fields import FactFields, Values, tags_in, values_of
from memlens.app.panes.memory_browser.merging import Replaced, replaced_by
from memlens.app.panes.memory_browser.scope_picker import ScopePicker
from memlens.app.panes.memory_browser.screen import READ_ONLY
from memlens.app.panes.memory_browser.verdict import problems_of, questions_before, verdict
from memlens.app.screens.clash import Clash
from memlens.app.screens.confirm import Confirm
from memlens.engine.commands.memories import CheckDraft, LoadMemories, LookAgain, OpenMemory
from memlens.engine.commands.memory_changes import CreateMemory, MergeMemories, SaveMemory
from memlens.engine.events.base import Failed
from memlens.engine.events.memories import DraftChecked, MemoriesLoaded, MemoryOpened
from memlens.engine.events.memory_changes import MARKERS, MemoryClashed, MemorySaved
from memlens.engine.visible import visible_text

if TYPE_CHECKING:
    from memlens.app.actions import Action
    from memlens.app.app import MemlensApp
    from memlens.app.bridge import Bridge
    from memlens.engine.bus import Subscription
    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.durable.results import Fact
    from memlens.engine.events.memory_changes import MergedDraft
    from memlens.engine.findings import Finding

_TOLD: Final = 2
"""Findings that are told in the form; the list tells the others."""


class MemoryForm(FactFields, ActionHost):
    """One fact in its fields, and what saving them would do."""

    AREA = "form"
    BINDINGS = bindings_of("form")

    class Closed(Message):
        """The form is done with; the list has its place again."""

        def __init__(self, path: str = "") -> None:
            super().__init__()
            self.path: Final = path
            """Of the fact that was saved; empty where none was."""

    def __init__(self) -> None:
        super().__init__(id="memory-form")
        self._fact: Fact | None = None
        self._replaced = Replaced()
        self._start: Values | None = None
        """What the fields held when nothing was lost yet; `None`: the form is closed."""
        self._notes: tuple[str, ...] = ()
        self._checking: Values | None = None
        self._checked: DraftChecked | None = None
        self._checked_values: Values | None = None
        self._check = 0
        self._save_when_checked = False
        self._saving = 0
        """The request of the save that is not answered yet; 0: none."""
        self._saved_values: Values | None = None
        self._looking = 0  # the request of the last look at what is on disk now
        self._unseen: list[str] = []
        """The paths of what is to be looked at after that."""
        self._meanwhile = ""
        """What has happened to the file since it was opened; empty: nothing."""
        self._subscriptions: list[Subscription] = []

    @property
    def _bridge(self) -> Bridge:
        return cast("MemlensApp", self.app).bridge

    def on_mount(self) -> None:
        bridge = self._bridge
        self._subscriptions = [
            bridge.subscribe(DraftChecked, self._draft_checked),
            bridge.subscribe(MemorySaved, self._saved),
            bridge.subscribe(MemoryClashed, self._clashed),
            bridge.subscribe(MemoryOpened, self._reopened),
            bridge.subscribe(MemoriesLoaded, self._look_at_disk),
            bridge.subscribe(Failed, self._failed),
        ]

    def on_unmount(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    def open(self, fact: Fact, findings: Sequence[Finding] = ()) -> None:
        """Shows a fact for editing; `findings`: what is wrong with it, the loudest first."""
        loud = [one for one in findings if one.severity != "note"]
        notes = tuple(f"on disk: {one.message}" for one in loud[:_TOLD])
        self._begin(fact, values_of(fact), notes=notes)
        self.query_one("#form-body").focus()

    def open_new(self, name: str, like: Fact | None, scope: MemoryScope) -> None:
        """Shows an empty form, or a copy of another fact."""
        values = Values(name, "", (), scope, "")
        if like is not None:
            values = values_of(like)._replace(name=name)
        self._begin(None, values)
        self.query_one("#form-description" if name and like is None else "#form-name").focus()

    def open_merge(self, keep: Fact, remove: Sequence[Fact], merged: MergedDraft) -> None:
        """Shows several facts in one; saving it deletes the others."""
        values = Values(keep.name, merged.description, merged.tags, keep.scope, merged.body)
        self._begin(keep, values, replaced=Replaced(remove), notes=merged.notes)
        self.query_one("#form-body").focus()

    def _begin(
        self,
        fact: Fact | None,
        values: Values,
        *,
        replaced: Replaced | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.build()
        self._fact, self._replaced = fact, replaced or Replaced()
        self._notes = (READ_ONLY, *notes) if self._read_only else notes
        self._meanwhile = ""
        self._start = None  # what the fields tell while they are filled is nothing new
        self._save_when_checked = False
        self._saving = 0
        self.protect(everything=self._read_only, identity=bool(self._replaced.facts))
        self.load(values)
        self._start = values
        self._checked = self._checked_values = None
        self.say_verdict(Content(""))
        self._look_again()

    @property
    def _read_only(self) -> bool:
        return cast("MemlensApp", self.app).workspace.read_only

    @property
    def dirty(self) -> bool:
        """Whether something would be lost by closing."""
        return self._start is not None and self.values != self._start

    def kept_fields(self) -> tuple[str, dict[str, str]]:
        """What is written, by field, and the path it belongs to; empty for a new fact."""
        values = self.values
        fields = {
            "name": values.name, "description": values.description,
            "tags": ", ".join(values.tags), "scope": str(values.scope), "body": values.body,
            "digest": self._fact.digest if self._fact else "", **self._replaced.fields(),
        }  # fmt: skip
        return self._fact_path, fields

    def recover(self, path: str, fields: Mapping[str, str], found: Mapping[str, Fact]) -> None:
        """Shows unsaved text again: over the fact of `path` as it is now, or as a new fact.
        `found`: the facts that are there, by path, of this and of those that it replaces."""
        fact = found.get(path)
        scopes = {str(scope): scope for scope in self._scopes}
        scope = scopes.get(fields.get("scope", ""), fact.scope if fact else self._scopes[0])
        if fact is not None:
            changed = fields.get("digest") not in (None, fact.digest)
            notes = ("the file has changed since; undo shows what it says now",) if changed else ()
            self._begin(fact, values_of(fact), replaced=replaced_by(fields, found), notes=notes)
            self.query_one("#form-body").focus()
        else:
            self.open_new("", None, scope)
            if path:
                self._notes = ("its file is gone: saving makes a new fact, and deletes none",)
        self.replace_all(
            Values(
                fields.get("name", ""), fields.get("description", ""),
                tags_in(fields.get("tags", "")), scope, fields.get("body", ""),
            )
        )  # fmt: skip

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(ScopePicker.Changed)
    def _look_again(self) -> None:
        if self._start is None:
            return
        self._say_place()
        values = self.values
        if values != self._checking or self._checked is None:
            self._checking = values
            self._check = self._bridge.publish(
                CheckDraft(
                    name=values.name, description=values.description, tags=values.tags,
                    scope=values.scope, body=values.body, editing=self._fact,
                )
            )  # fmt: skip

    def _say_place(self) -> None:
        place = self._fact_path or "a new fact"
        if self._replaced.facts:
            place = f"{len(self._replaced.facts) + 1} facts become {self._fact_path}"
        mark = ("", "")
        if self._read_only:
            mark = ("read only  ", "$text-warning")
        elif self.dirty:
            mark = ("● not saved  ", "$text-warning")
        self.say_place(mark, place)

    @property
    def _fact_path(self) -> str:
        return self._fact.path if self._fact else ""

    def _draft_checked(self, event: DraftChecked) -> None:
        if self._start is None:
            return
        self._checked, self._checked_values = event, self._checking
        self._say_verdict()
        if self._save_when_checked and self._checked_values == self.values:
            self._save_when_checked = False
            self._save_checked(event)

    def _say_verdict(self) -> None:
        if self._checked is not None:
            notes = (self._meanwhile, *self._replaced.notes, *self._notes)
            self.say_verdict(verdict(self._checked, self._fact_path, [*filter(None, notes)]))

    def _look_at_disk(self, event: MemoriesLoaded) -> None:
        """Somebody may have changed the file: whoever writes here is to know before they save."""
        if self._start is None or not self._fact_path or self._saving:
            return
        present = {entry.path for entry in event.entries}
        if self._fact_path not in present:
            self._meanwhile = "its file is gone meanwhile; saving asks what to do"
        self._replaced.keep(present)
        of_interest = (self._fact_path, *(fact.path for fact in self._replaced.facts))
        self._unseen = [path for path in of_interest if path in present]
        self._look_at_next()

    def _look_at_next(self) -> None:
        self._say_place()
        self._say_verdict()
        self._looking = 0
        if self._unseen:
            self._looking = self._bridge.publish(LookAgain(path=self._unseen.pop(0)))

    def _seen(self, now: Fact, opened: Fact) -> None:
        """Takes note of what is on disk now of the fact, or of one that it replaces."""
        if now.path == opened.path:
            same = now.digest == opened.digest
            self._meanwhile = "" if same else "its file has changed meanwhile; saving shows both"
        else:
            self._replaced.look_at(now)
        self._look_at_next()

    def reason_against(self, action: Action) -> str | None:
        if self._start is None:
            return "No fact is open."
        if action.name == "form.save" and self._read_only:
            return READ_ONLY
        return None

    def do_form_save(self) -> None:
        if self._saving:
            return
        if self._checked is not None and self._checked_values == self.values:
            self._save_checked(self._checked)
        else:  # what was typed last is looked at first: a secret is told before it is saved
            self._save_when_checked = True
            self._look_again()
            self._bridge.typed.wait_for(self._check)  # what is typed next is for after the save

    def _save_checked(self, event: DraftChecked) -> None:
        problems = problems_of(event, new=self._fact is None)
        body = self.values.body
        if any(line in (MARKERS[0], MARKERS[2]) for line in body.split("\n")):
            problems.append("the body holds two texts of one place: choose, and take the marks out")
        if problems:
            self.app.notify(
                visible_text("\n".join(problems)), title="Not saved", severity="error",
                markup=False,
            )  # fmt: skip
            return
        moved = self._fact is not None and self._fact.scope is not self.values.scope
        questions = questions_before(event, moved=moved)
        if not questions:
            self._save()
            return

        def answer(yes: bool | None) -> None:
            if yes:
                self._save()

        self.app.push_screen(
            Confirm(visible_text("\n\n".join(questions)), yes="Save", no="Go on editing"), answer
        )

    def _save(self) -> None:
        values = self.values
        command: CreateMemory | SaveMemory | MergeMemories
        if self._fact is None:
            command = CreateMemory(**values._asdict())
        elif self._replaced.facts:
            command = MergeMemories(
                keep=self._fact, remove=self._replaced.facts, description=values.description,
                tags=values.tags, body=values.body,
            )  # fmt: skip
        else:
            command = SaveMemory(fact=self._fact, **values._asdict())
        self._saved_values = values
        self._saving = self._bridge.publish(command)

    def _saved(self, event: MemorySaved) -> None:
        if not self._saving or event.request != self._saving:
            return
        if self.values == self._saved_values:
            self._saving = 0
            self._close(event.path)
        else:  # somebody types fast: the form goes on with what is saved now
            self._saving = self._bridge.publish(OpenMemory(path=event.path))

    def _reopened(self, event: MemoryOpened) -> None:
        if self._saving and event.request == self._saving:
            self._saving = 0
            self._fact, self._replaced, self._notes = event.fact, Replaced(), ()
            self._start = values_of(event.fact)
            self._look_again()
        elif self._looking and event.request == self._looking and self._fact is not None:
            self._seen(event.fact, self._fact)

    def _failed(self, event: Failed) -> None:
        if self._saving and event.request == self._saving:
            self._saving = 0  # the screen shows why; the text stays
            if self._replaced.facts:
                self._bridge.publish(LoadMemories())  # one of them may have changed
        elif self._check and event.request == self._check:
            self._save_when_checked = False

    def _clashed(self, event: MemoryClashed) -> None:
        if not self._saving or event.request != self._saving:
            return
        self._saving = 0

        def answer(choice: str | None) -> None:
            if choice == "mine":
                self._fact = event.theirs
                self._save()
            elif choice == "theirs" and event.theirs is None:
                self._close()
            elif choice == "theirs" and event.theirs is not None:
                self._replaced = Replaced()  # their text is made of one fact
                self._go_on_with(event.theirs, values_of(event.theirs), ())
            elif choice == "merge" and event.theirs is not None and event.merged is not None:
                merged = event.merged
                values = Values(
                    merged.name, merged.description, merged.tags, self.values.scope, merged.body
                )
                notes = merged.notes
                if merged.conflicts:
                    number = f"{merged.conflicts} place{'s' if merged.conflicts > 1 else ''}"
                    notes = (f"{number} that both changed: look for {MARKERS[0][:7]}", *notes)
                self._go_on_with(event.theirs, values, notes)

        gone = event.theirs is None
        self.app.push_screen(
            Clash(
                event.path, event.problem, event.difference,
                gone="Its file is gone. Your text:" if gone else "",
                against_merge="Its file is gone: there is nothing to merge with." if gone else "",
            ),
            answer,
        )  # fmt: skip

    def _go_on_with(self, theirs: Fact, values: Values, notes: tuple[str, ...]) -> None:
        """The form over what is on disk now; the old text is one undo away."""
        self._fact, self._notes = theirs, notes
        self._meanwhile = ""
        self._start = values_of(theirs)
        self.replace_all(values)
        self._checked = None
        self._look_again()
        lines = values.body.split("\n")
        self.go_to_line(lines.index(MARKERS[0]) if MARKERS[0] in lines else 0)

    def do_form_close(self) -> None:
        if not self.dirty:
            self._close()
            return

        def answer(leave: bool | None) -> None:
            if leave:
                self._close()

        self.app.push_screen(
            Confirm("This fact has changes that are not saved.", yes="Discard", no="Go on editing"),
            answer,
        )

    def _close(self, path: str = "") -> None:
        self._start = None
        self._fact, self._replaced = None, Replaced()
        self.post_message(self.Closed(path))

    def do_form_zoom(self) -> None:
        screen = next(host for host in hosts_from(self) if host.AREA == "app")
        screen.perform(BY_NAME["app.zoom"])
