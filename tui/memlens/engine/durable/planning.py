"""From what a person wants of a fact to the files that change, and then all at once."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memlens.engine.safety.secrets import redact

from .errors import FactChanged, FactMissing, InvalidFact, NotWritable
from .journal import Change, perform
from .model import FACT_LIMIT, MemoryEntry, MemoryScope
from .render import CannotEdit, change, clean, clean_body, clean_tags, is_broken, render
from .results import Fact, Field, OperationKind, Redaction, WriteResult
from .scopes import PLACES
from .slugs import file_slug, numbered
from .store import Changed, State, as_bytes, as_text, fact_from, make_folder, state_of, sweep

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Wanted:
    """The fields of a fact as they would be saved; `None`: not touched."""

    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    body: str | None = None
    scope: MemoryScope | None = None
    redactions: tuple[Redaction, ...] = ()
    repair: bool = False
    """Whether a header that is no YAML becomes it, by writing name and description anew."""


def wanted(
    *,
    name: str | None = None,
    description: str | None = None,
    tags: Sequence[str] | None = None,
    body: str | None = None,
) -> Wanted:
    """Fields without secrets and in the form in which they are saved.

    Raises `InvalidFact` for a name without any character that shows.
    """
    found: list[Redaction] = []

    def safe(text: str, field: Field) -> str:
        redacted = redact(text)
        found.extend(Redaction(one.kind, field, one.line) for one in redacted.secrets)
        return redacted.text

    want = Wanted(
        None if name is None else clean(safe(name, "name")),
        None if description is None else clean(safe(description, "description")),
        None if tags is None else clean_tags([safe(tag, "tags") for tag in tags]),
        None if body is None else clean_body(safe(body, "body")),
        redactions=tuple(found),
    )
    if want.name == "":
        raise InvalidFact("a fact needs a name")
    return want


def now() -> str:
    """RFC 3339 in UTC (spec 1)."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


def new_mode(scope: MemoryScope) -> int:
    """The permissions of a new file: only a shared one is for others, as far as the umask says."""
    if not PLACES[scope].shared:
        return 0o600
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o666 & ~umask


def new_text(want: Wanted, scope: MemoryScope) -> str:
    """The whole text of a new fact. Raises `InvalidFact` for tags that a note cannot have."""
    name, description, tags = want.name or "", want.description or "", want.tags or ()
    if PLACES[scope].index_file:
        from .notes import render_note

        return render_note(name=name, description=description, tags=tags, body=want.body or "")
    return render(
        name=name, description=description, scope=str(scope), created=now(), tags=tags,
        body=want.body or "",
    )  # fmt: skip


def free_path(folder: str, slug: str) -> str:
    """The first of `<slug>.md`, `<slug>-2.md` … where nothing is, not even a link."""
    number = 1
    while os.path.lexists(path := os.path.join(folder, numbered(slug, number) + ".md")):
        number += 1
    return path


def named_after(stem: str, name: str) -> bool:
    """Whether a file is named after that name already, perhaps with a number."""
    slug = file_slug(name)
    return stem == slug or re.fullmatch(re.escape(slug) + r"-\d+", stem) is not None


def _sized(data: bytes) -> bytes:
    if len(data) > FACT_LIMIT:
        raise InvalidFact(
            f"a fact has at most {FACT_LIMIT:,} bytes, this one would have {len(data):,}"
        )
    return data


def changed_text(fact: Fact, want: Wanted) -> str:
    """The fact's whole text with what differs from `want` replaced and all else as it was.

    Raises `NotWritable` for a file that is too long or whose header no line edit can change.
    """
    if len(as_bytes(fact.text)) > FACT_LIMIT:
        raise NotWritable(fact.path, f"it has more than {FACT_LIMIT:,} bytes; edit it by hand")
    fields: dict[str, str | Sequence[str]] = {}
    if want.repair and is_broken(fact.text):
        fields = {"name": want.name or fact.name, "description": want.description or ""}
    if want.name is not None and want.name != fact.name:
        fields["name"] = want.name
    if want.description is not None and want.description != clean(fact.description):
        fields["description"] = want.description
    text = fact.text
    if want.tags is not None and want.tags != fact.tags:
        if PLACES[want.scope or fact.scope].index_file:
            from .notes import with_kind

            text = with_kind(text, want.tags)
        else:
            fields["tags"] = want.tags
    moved = want.scope is not None and want.scope is not fact.scope
    if moved and re.search(r"(?m)^scope[ \t]*:", fact.text):
        fields["scope"] = str(want.scope)
    body = want.body if want.body is not None and want.body.strip() != fact.body else None
    try:
        return change(text, fields, body)
    except CannotEdit as error:
        raise NotWritable(fact.path, str(error)) from None


def opened(fact: Fact | MemoryEntry, want: Wanted) -> tuple[Fact, State]:
    """The fact as it is on disk, if it still is what the person opened.

    Raises `FactChanged` with both versions where it is not, `FactMissing` where it is gone.
    """
    state = state_of(fact.path)
    if isinstance(fact, Fact):
        if state is not None and state.data == as_bytes(fact.text):
            return fact, state
        theirs = as_text(state.data) if state else None
        raise FactChanged(fact.path, changed_text(fact, want), theirs, fact.text)
    if state is None:
        raise FactMissing(f"there is no file {fact.path}")
    current = fact_from(fact.path, fact.scope, state.data)
    status = os.lstat(fact.path)
    stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
    if stamp != (fact.mtime_ns, fact.size, fact.inode):
        raise FactChanged(fact.path, changed_text(current, want), current.text, None)
    return current, state


@dataclass(frozen=True, slots=True)
class Plan:
    """One fact's part of an operation."""

    result: WriteResult
    """All but the id."""
    changes: tuple[Change, ...]
    title: str
    mine: str
    """The whole file as it would be saved."""


def plan_edit(fact: Fact, state: State, want: Wanted) -> Plan:
    """New text for a fact in its place."""
    text = changed_text(fact, want)
    name = want.name or fact.name
    result = WriteResult(fact.path, fact.scope, name, want.redactions, replaced=True)
    after = as_bytes(text)
    if after == state.data:
        return Plan(result, (), "", text)
    file = Change(fact.path, state, State(_sized(after), state.mode), PLACES[fact.scope].shared)
    return Plan(result, (file,), f"edited {name}", text)


def plan_removal(fact: Fact | MemoryEntry) -> Change:
    """The end of a fact that still is what the person saw."""
    _, state = opened(fact, Wanted())
    return Change(fact.path, state, None, PLACES[fact.scope].shared)


def commit(kind: OperationKind, plans: Sequence[Plan]) -> list[WriteResult]:
    """Does all plans as one operation, or none of it; the caller holds the lock."""
    files = [file for plan in plans for file in plan.changes]
    if not files:
        return [plan.result for plan in plans]
    titles = [plan.title for plan in plans if plan.changes]
    title = titles[0] if len(titles) == 1 else f"{titles[0]} and {len(titles) - 1} more"
    for folder in {os.path.dirname(file.path) for file in files}:
        sweep(folder)
    try:
        identity = perform(kind, title, files)
    except Changed as changed:
        mine = next((plan.mine for plan in plans if plan.result.path == changed.path), "")
        raise told(changed, mine) from None
    return [
        replace(plan.result, undo_id=identity) if plan.changes else plan.result for plan in plans
    ]


@dataclass(frozen=True, slots=True)
class Creation:
    """A file that is to be made under the first free name of its folder."""

    folder: str
    text: str
    mode: int
    result: WriteResult
    """All but the path and the id."""
    title: str
    removal: Change | None = None
    """What goes when the new file is there: the same fact under its old name."""


def create(kind: OperationKind, new: Creation) -> WriteResult:
    """Makes the file; under the next name when somebody else was faster."""
    result = new.result
    shared = PLACES[result.scope].shared
    state = State(_sized(as_bytes(new.text)), new.mode)
    make_folder(new.folder, shared=shared)
    sweep(new.folder)
    while True:
        path = free_path(new.folder, file_slug(result.name))
        files = [Change(path, None, state, shared)]
        if new.removal:
            files.append(new.removal)
        try:
            identity = perform(kind, new.title, files)
        except Changed as changed:
            if changed.path == path:
                continue
            raise told(changed, new.text) from None
        moved_from = new.removal.path if new.removal else None
        return replace(result, path=path, moved_from=moved_from, undo_id=identity)


def told(changed: Changed, mine: str) -> FactChanged:
    """What the person who was later is told."""
    theirs = as_text(changed.state.data) if changed.state else None
    return FactChanged(changed.path, mine, theirs, None)
