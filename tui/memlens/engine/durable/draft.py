"""What saving a form would do, while someone types in it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from .errors import DurableError
from .index import HEADER, index_line, without_escapes
from .model import FACT_LIMIT, MemoryConfig, MemoryEntry, MemoryScope, MemorySnapshot
from .parse import decode, parse
from .planning import Wanted, changed_text, free_path, named_after, new_text, wanted
from .results import Draft, DraftCheck, Fact, Redaction
from .scopes import PLACES, dir_for, label_of, memory_roots, why_missing
from .slugs import file_slug
from .snapshot import DEFAULT_CONFIG
from .store import as_bytes, check_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


def check_draft(
    cwd: str | os.PathLike[str],
    draft: Draft,
    snapshot: MemorySnapshot | None,
    editing: Fact | None = None,
    config: MemoryConfig = DEFAULT_CONFIG,
) -> DraftCheck:
    """What saving `draft` would do, as a new fact or as a change of `editing`.

    Nothing is read but whether files exist, so it may run on every keystroke.
    """
    problems: list[str] = []
    redactions: tuple[Redaction, ...] = ()
    want = Wanted()
    try:
        want = wanted(
            name=draft.name or " ", description=draft.description, tags=draft.tags,
            body=draft.body,
        )  # fmt: skip
        redactions = want.redactions
    except DurableError as error:
        problems.append(str(error))
    name = want.name or ""
    folder = dir_for(draft.scope, cwd)
    if folder is None:
        problems.append(why_missing(draft.scope))
    elif name:
        try:
            check_folder(folder, draft.scope)
        except DurableError as error:
            problems.append(str(error))
    same = _same_name(name, draft, snapshot, editing)
    stays = editing is not None and draft.scope is editing.scope
    if editing is not None and same is not None and name:
        renamed = name != editing.name or not stays
        if renamed:
            problems.append(f"a fact named “{name}” is there already: {same.path}")
    path, collision = _place(name, folder, snapshot, editing if stays else None, same)
    text = _text(want, draft, editing, problems)
    size, description = _size(text, want, problems)
    apart = bool(PLACES[draft.scope].index_file)
    line = _line(name, description, path, draft.scope) if path else ""
    old_line = (
        _line(editing.name, editing.description, editing.path, editing.scope) if editing else ""
    )
    before = (
        tuple([e for e in snapshot.entries if not PLACES[e.scope].index_file]) if snapshot else ()
    )
    replaced = editing.path if editing else same.path if same else None
    new = MemoryEntry(name, description, draft.scope, path, draft.tags, "", 0, 0, 0)
    listed = new if path and not apart else None
    after = _with(before, listed, replaced, cwd)
    total = _total(snapshot, before, listed, replaced)
    shown = _shown(after, total, config.index_cap_bytes)
    notes = len(snapshot.entries) - len(before) if snapshot else 0
    seen = before[: snapshot.visible - notes] if snapshot else ()
    return DraftCheck(
        slug=file_slug(name) if name else "",
        path=path,
        file_name=os.path.basename(path),
        replaces=same if editing is None else None,
        collision=collision,
        redactions=redactions,
        index_line=line,
        old_line=old_line,
        index_bytes=total,
        index_growth=total - (snapshot.index_bytes if snapshot else 0),
        fits=bool(path) and (apart or shown is None or path in shown),
        falls_out=_fallen(seen, shown, replaced),
        description_too_long=len(description) > config.description_limit,
        size=size,
        lost_bytes=_undecoded(editing.text) - _undecoded(text) if editing and text else 0,
        problems=tuple(problems),
        committed=PLACES[draft.scope].shared,
    )


def _same_name(
    name: str, draft: Draft, snapshot: MemorySnapshot | None, editing: Fact | None
) -> MemoryEntry | None:
    """Another fact of that name in the scope; of several, the one whose file is named after it."""
    own = editing.path if editing else None
    named = [
        entry
        for entry in (snapshot.entries if snapshot and name else ())
        if entry.name == name and entry.scope is draft.scope and entry.path != own
    ]
    slug = file_slug(name)
    return min(named, key=lambda entry: (entry.stem != slug, entry.path), default=None)


def _place(
    name: str,
    folder: str | None,
    snapshot: MemorySnapshot | None,
    editing: Fact | None,
    same: MemoryEntry | None,
) -> tuple[str, MemoryEntry | None]:
    """Where the fact would be saved, and which other fact has the plain slug already."""
    if folder is None or not name:
        return "", None
    if editing is not None and (name == editing.name or named_after(editing.stem, name)):
        return editing.path, None
    if editing is None and same is not None:
        return same.path, None
    slug = file_slug(name)
    path = free_path(folder, slug)
    plain = os.path.join(folder, slug + ".md")
    if path == plain or snapshot is None:
        return path, None
    return path, snapshot.folders.get(folder, {}).get(slug + ".md")


def _text(want: Wanted, draft: Draft, editing: Fact | None, problems: list[str]) -> str:
    """The whole file after saving; empty where it cannot be saved."""
    try:
        if editing is not None:
            return changed_text(editing, replace(want, scope=draft.scope))
        return new_text(want, draft.scope)
    except DurableError as error:
        problems.append(str(error))
        return ""


def _size(text: str, want: Wanted, problems: list[str]) -> tuple[int, str]:
    """Bytes of the file after saving, and the description the index would show."""
    description = want.description or ""
    if not text:
        return 0, description
    data = as_bytes(text)
    size = len(data)
    if size > FACT_LIMIT:
        problems.append(f"a fact has at most {FACT_LIMIT:,} bytes, this one would have {size:,}")
    return size, description or parse(decode(data), "").description


def _line(name: str, description: str, path: str, scope: MemoryScope) -> str:
    """A fact's line in the index that its scope has."""
    if not PLACES[scope].index_file:
        return index_line(name, description, path)
    from .notes_index import index_line_of

    return index_line_of(name, os.path.basename(path), description)


def _undecoded(text: str) -> int:
    """How many bytes of a file are no UTF-8."""
    return 0 if text.isascii() else sum("\udc80" <= sign <= "\udcff" for sign in text)


def _with(
    entries: tuple[MemoryEntry, ...],
    new: MemoryEntry | None,
    replaced: str | None,
    cwd: str | os.PathLike[str],
) -> Iterator[MemoryEntry]:
    """The entries in the order of the index after saving."""
    order = {root.scope: place for place, root in enumerate(memory_roots(cwd))}
    for entry in entries:
        if entry.path == replaced:
            continue
        if new is not None:
            mine = order.get(new.scope, 0), new.name, new.path
            if mine < (order.get(entry.scope, 0), entry.name, entry.path):
                yield new
                new = None
        yield entry
    if new is not None:
        yield new


def _line_bytes(entry: MemoryEntry) -> int:
    line = index_line(entry.name, entry.description, entry.path)
    return (len(line) if line.isascii() else len(without_escapes(line).encode())) + 1


def _heading_bytes(scope: MemoryScope) -> int:
    return len(f"\n## {label_of(scope)}\n".encode())


def _total(
    snapshot: MemorySnapshot | None,
    before: tuple[MemoryEntry, ...],
    new: MemoryEntry | None,
    replaced: str | None,
) -> int:
    """Bytes of the whole index after saving."""
    total = snapshot.index_bytes if snapshot else len(HEADER.encode())
    old = next((entry for entry in before if entry.path == replaced), None) if replaced else None
    for entry, sign in ((old, -1), (new, 1)):
        if entry is not None:
            total += sign * _line_bytes(entry)
            alone = not any(e.scope is entry.scope and e.path != replaced for e in before)
            total += sign * _heading_bytes(entry.scope) * alone
    return total


def _shown(entries: Iterator[MemoryEntry], total: int, cap: int) -> set[str] | None:
    """The paths whose whole line stands before the cut; `None`: all of them."""
    if total <= cap:
        return None
    shown = set()
    used = len(HEADER.encode())
    scope = None
    for entry in entries:
        if entry.scope is not scope:
            scope = entry.scope
            used += _heading_bytes(scope)
        used += _line_bytes(entry)
        if used - 1 > cap:
            break
        shown.add(entry.path)
    return shown


def _fallen(
    seen: tuple[MemoryEntry, ...], shown: set[str] | None, replaced: str | None
) -> tuple[MemoryEntry, ...]:
    if shown is None:
        return ()
    return tuple([e for e in seen if e.path not in shown and e.path != replaced])
