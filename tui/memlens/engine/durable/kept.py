"""What the journal of changes kept: deleted facts and the way back, and what a step did."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from memlens.engine.work import steps

from .errors import FactMissing
from .journal import (
    Change,
    discard,
    identities,
    kept_bytes,
    note,
    perform,
    read,
    records,
)
from .parse import decode, parse
from .results import StepFile, TrashItem, WriteResult
from .scopes import PLACES
from .store import State, as_text, digest_of, locked, state_of

if TYPE_CHECKING:
    from typing import Literal

    from .model import MemoryScope
    from .results import Fact


def peek(undo_id: str) -> tuple[StepFile, ...]:
    """What a step did to each of its files, as far as it is still there.

    Raises `FactMissing` where the journal has no such step.
    """
    record = read(undo_id) if undo_id in identities() else None
    if record is None:
        raise FactMissing(f"there is no operation {undo_id}")
    files = []
    for file in record.files:
        if not file.changed:
            files.append(StepFile(file.path, "untouched", None, None))
            continue
        now = state_of(file.path)
        digest = digest_of(now.data) if now else None
        text = as_text(now.data) if now else None
        try:
            before = as_text(kept_bytes(file)) if file.kept else None
        except FactMissing:
            files.append(StepFile(file.path, "lost", None, text))
            continue
        state: Literal["done", "before", "changed"] = "changed"
        if digest == file.after_digest:
            state = "done"
        elif digest == file.before_digest:
            state = "before"
        files.append(StepFile(file.path, state, before, text))
    return tuple(files)


def trash(cwd: str | os.PathLike[str] | None = None) -> tuple[TrashItem, ...]:
    """The deleted facts that can be brought back, the last deleted first."""
    items: list[TrashItem] = []
    restored: set[str] = set()
    touched: set[str] = set()
    for record in records(cwd):  # a restoring comes before what it restored
        if record.undone:
            continue
        # One that was cut short has restored nothing: no file is there, and nobody took it away.
        if any(file.path in touched or os.path.lexists(file.path) for file in record.files):
            restored.add(record.source)
        touched.update(file.path for file in record.files)
        for file in steps(record.files, "reading the trash"):
            if file.after_digest is None and file.kept and record.kind in ("delete", "merge"):
                if file.kept in restored:
                    continue
                try:
                    data = kept_bytes(file)
                except FactMissing:
                    continue
                stem = file.path.rpartition("/")[2].removesuffix(".md")
                name = parse(decode(data), stem).name
                items.append(
                    TrashItem(record.id, file.path, name, record.time, file.kept, len(data))
                )
    return tuple(items)


def restore(item: TrashItem, scope: MemoryScope) -> WriteResult:
    """Brings one deleted fact back, whatever happened since: beside another file if need be.

    The restoring can itself be undone.
    """
    from .planning import free_path

    with locked():
        record = read(item.undo_id)
        files = record.files if record else ()
        file = next((one for one in files if one.kept == item.kept), None)
        if file is None:
            raise FactMissing(f"the trash has no {item.kept}")
        data = kept_bytes(file)
        folder, _, name = file.path.rpartition("/")
        path = file.path
        if os.path.lexists(path):
            path = free_path(folder, name.removesuffix(".md"))
        change = Change(path, None, State(data, file.before_mode), file.shared)
        identity = perform("restore", f"restored {item.name}", [change], source=file.kept)
    return WriteResult(path, scope, item.name, undo_id=identity)


def note_edit(fact: Fact) -> str:
    """Records what another program made of an opened fact, so that `undo` can take it back.

    Returns the id; empty where the file still is what was opened.
    """
    with locked():
        state = state_of(fact.path)
        before = fact.text.encode("utf-8", "surrogateescape")
        if state is not None and state.data == before:
            return ""
        old = State(before, state.mode if state else 0o600)
        change = Change(fact.path, old, state, PLACES[fact.scope].shared)
        if state is None:
            return note("delete", f"deleted {fact.name} elsewhere", [change])
        return note("edit", f"edited {fact.name} elsewhere", [change])


def empty_trash(older_than_days: float) -> int:
    """Forgets operations older than that, for good; returns how many. They cannot be undone."""
    gone = 0
    with locked():
        for identity in steps(identities(), "emptying the trash"):
            record = read(identity)
            if record is None:
                continue
            if time.time() - record.time <= older_than_days * 86_400:
                break  # what was done later stays too, also where the clock was set back since
            discard(identity)
            gone += 1
    return gone
