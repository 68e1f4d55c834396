"""Changing facts: write, edit, rename, move, tag, merge, delete. Each is one step to undo.

What is written is free of secrets, what was there before goes to the trash, and whoever is later
is told: no file that changed since it was opened is overwritten.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from memlens.engine.work import steps

from .errors import FactMissing, NameTaken, ScopeUnavailable
from .journal import Change, perform, trash_folder
from .lookup import find
from .planning import (
    Creation,
    Plan,
    changed_text,
    commit,
    create,
    named_after,
    new_mode,
    new_text,
    opened,
    plan_edit,
    plan_removal,
    told,
    wanted,
)
from .results import DeleteResult, Fact, WriteResult
from .scopes import PLACES, dir_for, why_missing
from .slugs import file_slug
from .snapshot import scan
from .store import Changed, check_folder, fact_from, locked, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .model import MemoryEntry, MemoryScope, MemorySnapshot

Path = str | os.PathLike[str]


def write_memory(  # noqa: PLR0917
    cwd: Path,
    scope: MemoryScope,
    name: str,
    description: str | None,
    tags: Sequence[str] | None,
    body: str | None,
    *,
    again: bool = True,
    snapshot: MemorySnapshot | None = None,
) -> WriteResult:
    """Saves a fact in a scope's folder (seed); the result passes for its path.

    The same name in that scope gets new description, tags and body, as far as they are given, and
    keeps the rest; without `again` it is `NameTaken`. Another fact's file is never overwritten.
    `snapshot` spares reading facts it still describes.
    Raises `ScopeUnavailable`, `InvalidFact`, `NotWritable`, `WriteFailed`, `FactChanged`.
    """
    folder = folder_of(cwd, scope)
    return write_to_dir(
        folder, name, description, scope, tags, body, again=again, snapshot=snapshot
    )


def folder_of(cwd: Path, scope: MemoryScope) -> str:
    """The scope's folder. Raises `ScopeUnavailable` where it has none here."""
    folder = dir_for(scope, cwd)
    if folder is None:
        raise ScopeUnavailable(why_missing(scope))
    return folder


def write_to_dir(  # noqa: PLR0917
    folder: Path,
    name: str,
    description: str | None,
    scope: MemoryScope,
    tags: Sequence[str] | None,
    body: str | None,
    *,
    again: bool = True,
    snapshot: MemorySnapshot | None = None,
) -> WriteResult:
    """Saves a fact in a given folder, which is made if need be; else as `write_memory` (seed)."""
    folder = os.path.abspath(os.fspath(folder))
    want = wanted(name=name, description=description, tags=tags, body=body)
    fact_name = want.name or ""
    check_folder(folder, scope)
    with locked():
        old = _named(folder, scope, fact_name, snapshot)
        state = state_of(old.path) if old else None
        if old is not None and state is not None:
            if not again:
                raise NameTaken(fact_name, old.path)
            fact = fact_from(old.path, scope, state.data)
            plan = plan_edit(fact, state, replace(want, repair=True))
            return commit("write", [replace(plan, title=f"wrote {fact_name}")])[0]
        text = new_text(want, scope)
        result = WriteResult("", scope, fact_name, want.redactions)
        return create(
            "write", Creation(folder, text, new_mode(scope), result, f"wrote {fact_name}")
        )


def _named(
    folder: str, scope: MemoryScope, name: str, snapshot: MemorySnapshot | None
) -> MemoryEntry | None:
    """The fact of that name in the folder; of several, the one whose file is named after it."""
    known: Mapping[str, MemoryEntry] = snapshot.folders.get(folder, {}) if snapshot else {}
    named = [entry for entry in scan(folder, scope, known).values() if entry.name == name]
    slug = file_slug(name)
    return min(named, key=lambda entry: (entry.stem != slug, entry.path), default=None)


def edit(
    cwd: Path,
    fact: Fact | MemoryEntry,
    *,
    name: str | None = None,
    description: str | None = None,
    tags: Sequence[str] | None = None,
    body: str | None = None,
    scope: MemoryScope | None = None,
    snapshot: MemorySnapshot | None = None,
) -> WriteResult:
    """Changes fields of a fact in one step; what is not given, or is equal, stays byte for byte.

    A new name moves the file, a new scope moves it to that folder, the new file first. Give the
    `Fact` that the person opened: when its file has other bytes by now, `FactChanged` says so
    with both versions, and nothing is written. Raises `NameTaken` and as `write_memory` does.
    """
    target = scope if scope is not None else fact.scope
    moves = target is not fact.scope
    want = replace(wanted(name=name, description=description, tags=tags, body=body), scope=target)
    old_folder = os.path.dirname(fact.path)
    folder = folder_of(cwd, target) if moves else old_folder
    check_folder(old_folder, fact.scope)
    check_folder(folder, target)
    with locked():
        current, state = opened(fact, want)
        new_name = want.name or current.name
        renamed = new_name != current.name
        if renamed or moves:
            taken = _named(folder, target, new_name, snapshot)
            if taken is not None and taken.path != fact.path:
                raise NameTaken(new_name, taken.path)
        if not moves and not (renamed and not named_after(fact.stem, new_name)):
            return commit("edit", [plan_edit(current, state, want)])[0]
        text = changed_text(current, want)
        removal = Change(fact.path, state, None, PLACES[fact.scope].shared)
        result = WriteResult(fact.path, target, new_name, want.redactions, replaced=True)
        if moves:
            title, mode = f"moved {new_name} to {target}", new_mode(target)
        else:
            title, mode = f"renamed {current.name} to {new_name}", state.mode
        new = Creation(folder, text, mode, result, title, removal)
        return create("move" if moves else "edit", new)


def edit_many(
    facts: Iterable[Fact | MemoryEntry],
    *,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
) -> tuple[WriteResult, ...]:
    """Adds and removes tags on many facts, all or none, as one step to undo."""
    plans: list[Plan] = []
    gone = set(remove_tags)
    with locked():
        for fact in steps(facts, "reading facts"):
            check_folder(os.path.dirname(fact.path), fact.scope)
            tags = [tag for tag in fact.tags if tag not in gone]
            tags += [tag for tag in dict.fromkeys(add_tags) if tag not in tags]
            want = wanted(tags=tags)
            current, state = opened(fact, want)
            plans.append(plan_edit(current, state, want))
        return tuple(commit("edit", plans))


def merge(
    keep: Fact | MemoryEntry,
    remove: Sequence[Fact | MemoryEntry],
    *,
    description: str | None = None,
    tags: Sequence[str] | None = None,
    body: str | None = None,
) -> WriteResult:
    """Gives `keep` the merged fields and deletes the others, as one step to undo."""
    want = wanted(description=description, tags=tags, body=body)
    with locked():
        for fact in (keep, *remove):
            check_folder(os.path.dirname(fact.path), fact.scope)
        plan = plan_edit(*opened(keep, want), want)
        removals = [plan_removal(fact) for fact in remove if fact.path != keep.path]
        title = f"merged {len(removals) + 1} facts into {plan.result.name}"
        plan = replace(plan, changes=(*plan.changes, *removals), title=title)
        return commit("merge", [plan])[0]


def delete_memory(cwd: Path, id_: str, scope: MemoryScope | None = None) -> DeleteResult | None:
    """Deletes the first fact with that name or file stem; `None` if there is none (seed).

    The file goes to the trash; `undo` brings it back. The result passes for the deleted path.
    """
    entry = find(cwd, id_, scope)
    return None if entry is None else delete_entries([entry])


def delete_entries(facts: Sequence[Fact | MemoryEntry]) -> DeleteResult:
    """Deletes facts, all or none, as one step to undo.

    Raises `FactChanged` when one is not what the list showed any more.
    """
    if not facts:
        raise FactMissing("no facts to delete")
    with locked():
        for fact in facts:
            check_folder(os.path.dirname(fact.path), fact.scope)
        removals = [plan_removal(fact) for fact in steps(facts, "reading facts")]
        title = f"deleted {facts[0].name}"
        if len(facts) > 1:
            title += f" and {len(facts) - 1} more"
        try:
            identity = perform("delete", title, removals)
        except Changed as changed:
            raise told(changed, "") from None
    paths = tuple([file.path for file in removals])
    kept = os.path.join(trash_folder(), identity, "0-" + os.path.basename(paths[0]))
    return DeleteResult(paths[0], identity, paths, kept)
