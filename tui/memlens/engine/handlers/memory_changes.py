"""Commands that change durable memory. Every change is one step that can be undone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.memory_changes import (
    AdoptEdit,
    CreateMemory,
    DeleteMemories,
    LoadHistory,
    LoadTrash,
    MergeMemories,
    MoveMemories,
    PeekStep,
    PeekTrash,
    RestoreMemory,
    SaveMemory,
    TagMemories,
    UndoMemory,
)
from memlens.engine.commands.workspace import DiskChanged
from memlens.engine.events.memory_changes import (
    EditAdopted,
    HistoryLoaded,
    MemoriesChanged,
    MemoryClashed,
    MemorySaved,
    MemoryUndone,
    StepDifference,
    StepPeeked,
    TrashLoaded,
    TrashPeeked,
)
from memlens.engine.handlers.memories import publish_facts, scope_of
from memlens.engine.record import replace
from memlens.engine.work import Stopped, step, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from memlens.engine.durable import FactChanged
    from memlens.engine.durable.model import MemoryScope
    from memlens.engine.durable.results import Fact, WriteResult
    from memlens.engine.events.base import Event
    from memlens.engine.handlers.desk import Desk
    from memlens.engine.handlers.merging import Fields


_PEEKED: Final = 50
"""Files of a step that are compared; nobody reads more."""


class MemoryChangesHandler:
    """Writes, moves, tags, merges, deletes, and takes back."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    @property
    def _root(self) -> str:
        return self._desk.workspace.root

    def create(self, command: CreateMemory) -> None:
        from memlens.engine.durable import write_memory

        self._desk.must_write()
        self._desk.refresh_facts()
        result = write_memory(
            self._root, command.scope, command.name, command.description, command.tags,
            command.body, again=command.replace, snapshot=self._desk.facts,
        )  # fmt: skip
        self._saved(command.request, result)

    def save(self, command: SaveMemory) -> None:
        from memlens.engine.durable import Fact, FactChanged, edit

        self._desk.must_write()
        try:
            result = edit(
                self._root, command.fact, name=command.name, description=command.description,
                tags=command.tags, body=command.body, scope=command.scope,
                snapshot=self._desk.loaded_facts(),
            )  # fmt: skip
        except FactChanged as clash:
            if not isinstance(command.fact, Fact):
                self._tell_facts()
                raise
            self._clashed(command, command.fact, clash)
            return
        self._saved(command.request, result)

    def merge(self, command: MergeMemories) -> None:
        from memlens.engine.durable import FactChanged, merge

        self._desk.must_write()
        try:
            result = merge(
                command.keep, command.remove, description=command.description, tags=command.tags,
                body=command.body,
            )  # fmt: skip
        except FactChanged as clash:
            if clash.path != command.keep.path:
                raise
            saving = SaveMemory(
                request=command.request, fact=command.keep, description=command.description,
                tags=command.tags, body=command.body,
            )  # fmt: skip
            self._clashed(saving, command.keep, clash)
            return
        self._saved(command.request, result)

    def _saved(self, request: int, result: WriteResult) -> None:
        self._tell(
            MemorySaved(
                request=request, path=result.path, name=result.name, scope=result.scope,
                redacted=result.redacted, moved_from=result.moved_from, undo_id=result.undo_id,
                committed=_is_shared(result.scope),
            )
        )  # fmt: skip

    def _clashed(self, command: SaveMemory, opened: Fact, clash: FactChanged) -> None:
        from memlens.engine.durable import FactMissing, read_fact
        from memlens.engine.handlers.merging import fields_of, three_way
        from memlens.engine.review.differences import difference

        try:
            theirs = read_fact(opened.path, opened.scope)
        except FactMissing:
            theirs = None
        merged = None
        if theirs is not None:
            mine = _mine(command, opened)
            merged = three_way(fields_of(opened), mine, fields_of(theirs))
        self._desk.publish(
            MemoryClashed(
                request=command.request, path=opened.path, problem=str(clash), base=opened.text,
                mine=clash.mine, theirs=theirs, merged=merged,
                difference=difference(theirs.text if theirs else "", clash.mine),
            )
        )  # fmt: skip

    def tag(self, command: TagMemories) -> None:
        from memlens.engine.durable import edit_many

        self._desk.must_write()
        try:
            results = edit_many(command.facts, add_tags=command.add, remove_tags=command.remove)
        except Stopped:
            raise self._taken_back(command) from None
        changed = [result for result in results if result.undo_id]
        tags = " ".join([f"+{tag}" for tag in command.add] + [f"−{tag}" for tag in command.remove])
        self._changed(
            command.request, f"tagged {_count(len(changed))} {tags}",
            [result.path for result in changed], changed[0].undo_id if changed else "",
        )  # fmt: skip

    def move(self, command: MoveMemories) -> None:
        from memlens.engine.durable import DurableError, edit

        self._desk.must_write()
        facts = [fact for fact in command.facts if fact.scope is not command.scope]
        known = self._desk.loaded_facts()  # so that not each move reads the whole folder
        paths: list[str] = []
        undo_id = failed = ""
        stopped: Stopped | None = None
        for fact in facts:
            try:
                step(len(paths), len(facts), MoveMemories.doing)
                with whole():  # each is a step of its own, and short
                    result = edit(self._root, fact, scope=command.scope, snapshot=known)
            except Stopped as wish:
                stopped = wish
                break
            except DurableError as error:
                if not paths:
                    self._tell_facts()
                    raise
                failed = str(error)
                break
            paths.append(result.path)
            undo_id = result.undo_id
        title = f"moved {_count(len(paths))} to {command.scope}"
        if paths or stopped is None:
            self._changed(
                command.request, title, paths, undo_id,
                committed=_is_shared(command.scope), failed=failed,
            )  # fmt: skip
        if stopped is not None and paths:
            left = replace(command, facts=tuple(facts[len(paths) :]))
            raise Stopped(f"{title}, {_count(len(left.facts))} not", left)
        if stopped is not None:
            raise stopped

    def delete(self, command: DeleteMemories) -> None:
        from memlens.engine.durable import FactChanged, delete_entries

        self._desk.must_write()
        try:
            result = delete_entries(command.facts)
        except FactChanged:
            self._tell_facts()
            raise
        except Stopped:
            raise self._taken_back(command) from None
        names = [fact.name for fact in command.facts]
        title = f"deleted {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        self._changed(command.request, title, result.paths, result.undo_id)

    def undo(self, command: UndoMemory) -> None:
        from memlens.engine.durable import undo
        from memlens.engine.handlers.staged_back import index_back

        self._desk.must_write()
        result = undo(self._root, command.undo_id or None, self._is_seen)
        with whole():  # the file is back
            left = index_back(result.beside)
        self._tell(
            MemoryUndone(
                request=command.request, undo_id=result.undo_id, title=result.title,
                restored=result.restored, removed=result.removed,
                left=f"git's index stays as it is: {left}" if left else "",
            )
        )  # fmt: skip
        self._desk.ask(DiskChanged())  # what was undone may be a memory file

    def _is_seen(self, path: str) -> bool:
        """Whether a file is one of those that the agent reads here, so that undo covers it."""
        from memlens.engine.context import walk_dirs_for
        from memlens.engine.context.layout import default_config_folder

        workspace = self._desk.workspace
        if path.startswith(workspace.root.rstrip("/") + "/"):
            return True
        folders = [*walk_dirs_for(workspace.root), default_config_folder(workspace.home)]
        return os.path.dirname(path) in {os.path.realpath(one) for one in folders if one}

    def history(self, command: LoadHistory) -> None:
        from memlens.engine.durable import history

        operations = history(self._root, command.limit, self._is_seen)
        self._desk.publish(
            HistoryLoaded(request=command.request, operations=operations, now=self._desk.now())
        )

    def peek_step(self, command: PeekStep) -> None:
        from memlens.engine.durable import FactMissing, peek
        from memlens.engine.review.differences import difference

        try:
            found = peek(command.undo_id)
        except FactMissing:  # it is forgotten, and the list will say so
            return
        files = tuple(
            [
                StepDifference(
                    path=one.path, state=one.state,
                    existed=one.before is not None, exists=one.now is not None,
                    difference=difference(one.before or "", one.now or "")
                    if one.state in ("done", "changed") else (),
                )
                for one in found[:_PEEKED]
            ]
        )  # fmt: skip
        self._desk.publish(
            StepPeeked(request=command.request, undo_id=command.undo_id, files=files)
        )

    def trash(self, command: LoadTrash) -> None:
        from memlens.engine.durable import trash

        items = trash(self._root)
        self._desk.publish(TrashLoaded(request=command.request, items=items, now=self._desk.now()))

    def peek(self, command: PeekTrash) -> None:
        from memlens.engine.durable import read_fact

        item = command.item
        fact = read_fact(item.kept, scope_of(self._desk, item.path))
        self._desk.publish(TrashPeeked(request=command.request, item=item, fact=fact))

    def restore(self, command: RestoreMemory) -> None:
        from memlens.engine.durable import restore

        self._desk.must_write()
        result = restore(command.item, scope_of(self._desk, command.item.path))
        self._changed(
            command.request, f"restored {command.item.name}", [result.path], result.undo_id
        )

    def adopt(self, command: AdoptEdit) -> None:
        from memlens.engine.durable import FactMissing, check_file, note_edit, read_fact

        before = command.before
        undo_id = note_edit(before)
        try:
            after = read_fact(before.path, before.scope)
        except FactMissing:
            after = None
        ignored = self._desk.workspace.settings.ignore
        found = check_file(before.path, before.scope) if after else []
        self._tell(
            EditAdopted(
                request=command.request, path=before.path, name=(after or before).name,
                changed=after is None or after.digest != before.digest, gone=after is None,
                findings=tuple([one for one in found if one.name not in ignored]),
                undo_id=undo_id,
            )
        )  # fmt: skip

    def _changed(
        self,
        request: int,
        title: str,
        paths: Sequence[str],
        undo_id: str,
        *,
        committed: bool = False,
        failed: str = "",
    ) -> None:
        self._tell(
            MemoriesChanged(
                request=request, title=title, paths=tuple(paths), undo_id=undo_id,
                committed=committed, failed=failed,
            )
        )  # fmt: skip

    def _taken_back(self, command: TagMemories | DeleteMemories) -> Stopped:
        """What was written and taken back has other stamps now: the facts, as they are listed
        again, are what the command is about."""
        from memlens.engine.durable.model import MemoryEntry

        self._tell_facts()
        facts = self._desk.facts
        listed = {entry.path: entry for entry in facts.entries} if facts else {}
        again = tuple(
            [
                listed.get(fact.path, fact) if isinstance(fact, MemoryEntry) else fact
                for fact in command.facts
            ]
        )
        return Stopped(rest=replace(command, facts=again))

    def _tell(self, event: Event) -> None:
        """Tells all facts as they are now, and then what was done: what a person asks for next is
        about these, and not about those that were there before.
        """
        with whole():
            try:
                self._tell_facts()
            finally:
                self._desk.publish(event)

    def _tell_facts(self) -> None:
        with whole():  # what was written is written, and must be told
            if self._desk.refresh_facts():
                publish_facts(self._desk, 0)


def _mine(command: SaveMemory, opened: Fact) -> Fields:
    from memlens.engine.handlers.merging import Fields

    return Fields(
        opened.name if command.name is None else command.name,
        opened.description if command.description is None else command.description,
        opened.tags if command.tags is None else command.tags,
        opened.body if command.body is None else command.body,
    )


def _is_shared(scope: MemoryScope) -> bool:
    from memlens.engine.durable import MemoryScope

    return scope is MemoryScope.PROJECT_SHARED


def _count(number: int) -> str:
    return f"{number} fact{'s' if number != 1 else ''}"


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    desk.attach_notes()
    part = MemoryChangesHandler(desk)
    return {
        CreateMemory: part.create,
        SaveMemory: part.save,
        MergeMemories: part.merge,
        TagMemories: part.tag,
        MoveMemories: part.move,
        DeleteMemories: part.delete,
        UndoMemory: part.undo,
        LoadHistory: part.history,
        LoadTrash: part.trash,
        PeekStep: part.peek_step,
        PeekTrash: part.peek,
        RestoreMemory: part.restore,
        AdoptEdit: part.adopt,
    }
