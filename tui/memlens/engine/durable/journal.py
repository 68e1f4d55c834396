"""The journal of changes: everything that was overwritten or deleted is kept, and can come back.

Each operation is a folder `<data_dir>/trash/<id>/` with what it changed (`operation.json`) and
the former bytes of each file. It is on the disk before the first file changes, so an operation
that was cut short can be undone too: a file that already has its former bytes is left alone.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from memlens.engine.files import DISK, FileProblem, replace_file, sync_folder
from memlens.engine.work import Stopped, step, steps, whole

from .errors import FactMissing, NothingToUndo, UndoConflict
from .folders import SHARED_FOLDER, data_dir
from .model import MemoryScope
from .results import Operation, OperationKind, UndoResult
from .scopes import memory_roots, notes_folders
from .store import (
    READ_LIMIT,
    Changed,
    State,
    check_folder,
    digest_of,
    locked,
    make_folder,
    put,
    remove,
    state_of,
    write_failed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


_RECORD: Final = "operation.json"
_UNDONE: Final = "undone"
_RECORD_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a record that are read at most; one of ten thousand files has about three million."""


class Change(NamedTuple):
    """One file of an operation; `None` stands for no file, twice for one that stays as it is."""

    path: str
    before: State | None
    after: State | None
    shared: bool = False
    """Whether a folder that must be made for it is for others too."""


class Kept(NamedTuple):
    """One file of a recorded operation."""

    path: str
    before_digest: str | None
    before_mode: int
    kept: str
    """The file that holds the former bytes; empty where there were none."""
    after_digest: str | None
    shared: bool

    @property
    def changed(self) -> bool:
        """Whether the operation changed the file itself, not only something beside it."""
        return self.before_digest != self.after_digest


class Record(NamedTuple):
    id: str
    kind: OperationKind
    title: str
    time: float
    files: tuple[Kept, ...]
    undone: bool
    source: str
    """Of a restoring: the file in the trash that was brought back."""
    beside: Mapping[str, str]
    """What whoever did it has to know to take back what they did beside it."""


def perform(
    kind: OperationKind,
    title: str,
    changes: Sequence[Change],
    *,
    source: str = "",
    beside: Mapping[str, str] | None = None,
) -> str:
    """Records and does an operation; the caller holds the lock. Returns its id. `beside` is what
    the caller must know, when the operation is undone, of what they do beside it.

    New files are written before old ones go. When something fails, or is no longer wanted, what was
    done already is taken back and the error is raised: `Changed`, `NotWritable`, `WriteFailed`,
    `Stopped`.
    """
    if notes_folders():
        from .notes_index import companions

        changes = [*changes, *companions(changes)]
    changes = sorted(changes, key=lambda change: change.after is None)
    _check_folders(changes)
    identity = note(kind, title, changes, source, beside)
    try:
        _apply_all(changes)
    except BaseException:
        with whole():
            discard(identity)
        raise
    return identity


def _apply_all(changes: Sequence[Change]) -> None:
    """Does all of it, or takes back what was done and raises."""
    done = 0
    try:
        for change in changes:
            step(done, len(changes), "writing")
            _apply(change)
            done += 1
    except BaseException:
        with whole():
            for left in steps(range(done, 0, -1), "taking back what was written"):
                change = changes[left - 1]
                _apply(change._replace(before=change.after, after=change.before))
        raise


def _check_folders(changes: Sequence[Change]) -> None:
    """Raises `ScopeUnavailable` where a folder of shared facts has become a link meanwhile."""
    for folder in {os.path.dirname(change.path) for change in changes}:
        if folder.endswith(os.sep + SHARED_FOLDER):
            check_folder(folder, MemoryScope.PROJECT_SHARED)


def _apply(change: Change) -> None:
    before = change.before.data if change.before else None
    if change.after is None:
        if before is not None:
            remove(change.path, before)
        return
    make_folder(os.path.dirname(change.path), shared=change.shared)
    put(change.path, change.after.data, change.after.mode, before)


def trash_folder() -> str:
    return os.path.join(data_dir(), "trash")


def note(
    kind: OperationKind,
    title: str,
    changes: Sequence[Change],
    source: str = "",
    beside: Mapping[str, str] | None = None,
) -> str:
    """Records an operation, before its first file changes; the caller holds the lock."""
    import json

    trash = trash_folder()
    for name in os.listdir(trash):
        if name.startswith(".") and name.endswith(".tmp"):  # a killed writer's: we hold the lock
            _remove_folder(os.path.join(trash, name))
    names = identities()
    last = int(names[-1].partition("-")[0]) if names else 0
    now = time.time()
    # Later operations sort behind earlier ones, also when the clock is set back.
    identity = f"{max(int(now * 1e9), last + 1):020d}-{os.urandom(3).hex()}"
    building = os.path.join(trash, f".{identity}.tmp")
    files = []
    try:
        os.mkdir(building, 0o700)
        for number, change in enumerate(changes):
            step(number, len(changes), "keeping what was there")
            kept = ""
            if change.before is not None:
                kept = f"{number}-{_safe_name(change.path)}"
                replace_file(os.path.join(building, kept), change.before.data)
            files.append({
                "path": change.path,
                "before": digest_of(change.before.data) if change.before else None,
                "mode": change.before.mode if change.before else 0o600,
                "kept": kept,
                "after": digest_of(change.after.data) if change.after else None,
                "shared": change.shared,
            })  # fmt: skip
        record = {
            "schema": 1, "kind": kind, "title": title, "time": now, "files": files,
            "source": source, "beside": dict(beside or {}),
        }  # fmt: skip
        replace_file(os.path.join(building, _RECORD), json.dumps(record, indent=1).encode())
        os.rename(building, os.path.join(trash, identity))
    except OSError as error:
        _remove_folder(building)
        raise write_failed(changes[0].path, error) from error
    except Stopped:
        _remove_folder(building)
        raise
    sync_folder(trash)
    return identity


def _safe_name(path: str) -> str:
    name = path.rpartition("/")[2]
    return name if len(os.fsencode(name)) < 200 else name[-60:]


def discard(identity: str) -> None:
    _remove_folder(os.path.join(trash_folder(), identity))


def _remove_folder(folder: str) -> None:
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return


def identities() -> list[str]:
    try:
        names = os.listdir(trash_folder())
    except OSError:
        return []
    return sorted(name for name in names if name[:20].isdigit() and name[20:21] == "-")


def read(identity: str) -> Record | None:
    import json

    folder = os.path.join(trash_folder(), identity)
    try:
        data, _ = DISK.read(os.path.join(folder, _RECORD), _RECORD_LIMIT)
        record: dict[str, Any] = json.loads(data)
        files = tuple([
            Kept(
                str(one["path"]), one["before"], int(one["mode"]),
                os.path.join(folder, str(one["kept"])) if one["kept"] else "", one["after"],
                bool(one.get("shared")),
            )
            for one in record["files"]
        ])  # fmt: skip
        return Record(
            identity, cast("OperationKind", str(record["kind"])), str(record["title"]),
            float(record["time"]), files, os.path.exists(os.path.join(folder, _UNDONE)),
            str(record.get("source", "")),
            {str(name): str(value) for name, value in record.get("beside", {}).items()},
        )  # fmt: skip
    except (FileProblem, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def records(
    cwd: str | os.PathLike[str] | None, also: Callable[[str], bool] | None = None
) -> Iterator[Record]:
    """The operations from the newest; with `cwd` those on facts that are seen from there, and
    those on files that `also` takes for seen."""
    folders = None
    if cwd is not None:
        folders = {os.path.realpath(root.path) for root in memory_roots(cwd)}
    for identity in steps(identities()[::-1], "reading what was done"):
        record = read(identity)
        if record is None:
            continue
        if folders is None or any(
            os.path.realpath(os.path.dirname(file.path)) in folders
            or (also is not None and also(file.path))
            for file in record.files
        ):
            yield record


def history(
    cwd: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    also: Callable[[str], bool] | None = None,
) -> tuple[Operation, ...]:
    """What has been done, the newest first; with `cwd`, to facts that are seen from there and to
    files whose path `also` takes."""
    operations: list[Operation] = []
    for record in records(cwd, also):
        if limit is not None and len(operations) >= limit:
            break
        paths = tuple([file.path for file in record.files])
        operations.append(
            Operation(record.id, record.kind, record.title, record.time, paths, record.undone)
        )
    return tuple(operations)


def undo(
    cwd: str | os.PathLike[str] | None = None,
    undo_id: str | None = None,
    also: Callable[[str], bool] | None = None,
) -> UndoResult:
    """Takes back the last operation, or the given one: every byte is as it was before.

    With `cwd` the last one on facts that are seen from there, or on files that `also` takes.
    Raises `NothingToUndo`, and `UndoConflict` when a file has changed since: nothing is lost for
    an undo.
    """
    with locked():
        if undo_id is not None:
            record = read(undo_id) if undo_id in identities() else None
            if record is None or record.undone:
                raise NothingToUndo(f"there is no operation {undo_id} to undo")
            return _undo(record)
        for record in records(cwd, also):
            if not record.undone:
                result = _undo(record)
                if result.restored or result.removed or result.beside:
                    return result
        raise NothingToUndo("there is nothing to undo")


def _undo(record: Record) -> UndoResult:
    changes = []
    conflicts = []
    for file in steps(record.files, "reading what is there"):
        if not file.changed:
            continue
        now = state_of(file.path)
        digest = digest_of(now.data) if now else None
        if digest == file.before_digest:
            continue
        if digest != file.after_digest:
            conflicts.append(file.path)
            continue
        before = State(kept_bytes(file), file.before_mode) if file.kept else None
        changes.append(Change(file.path, now, before, file.shared))
    if conflicts:
        raise UndoConflict(record.id, tuple(conflicts))
    changes.sort(key=lambda change: change.after is None)
    _check_folders(changes)
    try:
        _apply_all(changes)
    except Changed as changed:
        raise UndoConflict(record.id, (changed.path,)) from None
    try:
        replace_file(os.path.join(trash_folder(), record.id, _UNDONE), b"")
    except OSError as error:
        raise write_failed(record.id, error) from error
    return UndoResult(
        record.id, record.kind, record.title,
        tuple([change.path for change in changes if change.after]),
        tuple([change.path for change in changes if not change.after]), record.beside,
    )  # fmt: skip


def kept_bytes(file: Kept) -> bytes:
    try:
        data, _ = DISK.read(file.kept, READ_LIMIT)
    except FileProblem as problem:
        raise FactMissing(f"the trash has lost {file.kept}: {problem}") from problem
    if digest_of(data) != file.before_digest:
        raise FactMissing(f"the trash has other bytes than were deleted: {file.kept}")
    return data
