"""What memlens keeps for a person between two starts: unsaved text, and how a folder was looked at.

Both are small JSON files below the state folder, replaced atomically, readable by the person alone.
Broken ones are left out, never an error. Nothing here is needed for anything else to work.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from memlens.engine.files import DISK, FileProblem, make_folders, replace_file

SCHEMA: Final = 1
FILE_LIMIT: Final = 8 * 1024 * 1024
"""Bytes of a kept file that are read at most."""

DraftKind = Literal["fact", "file", "staged"]


@dataclass(frozen=True, slots=True)
class Draft:
    """Text that somebody was writing and has not saved."""

    kind: DraftKind
    path: str
    """The file it belongs to, absolute, and of a staged text relative to the repository's top;
    empty for a fact that is not there yet."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Of a form by name; an editor's text is the field `text`."""
    time: float = 0.0
    """Seconds since 1970."""
    pid: int = 0
    """The process that keeps it."""

    @property
    def title(self) -> str:
        """What it is, for people. From a disk: show it through `visible`."""
        name = self.fields.get("name") or os.path.basename(self.path)
        titles = {"fact": f"the fact {name}", "staged": f"the staged text of {self.path}"}
        return titles.get(self.kind, self.path)


class Keeper:
    """Keeps drafts and views of one folder. `state_dir` empty: nothing is kept."""

    def __init__(self, state_dir: str, root: str) -> None:
        key = hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:24]
        self._folder: Final = os.path.join(state_dir, "folders", key) if state_dir else ""
        self._root: Final = root

    def keep_draft(self, draft: Draft) -> None:
        """Keeps unsaved text, instead of what was kept for the same file by this process.

        Raises `OSError` when the disk refuses.
        """
        if self._folder:
            kept = asdict(draft) | {"time": draft.time or time.time(), "pid": os.getpid()}
            self._write(self._draft_name(draft.kind, draft.path, os.getpid()), kept)

    def drop_draft(self, kind: DraftKind, path: str, pid: int | None = None) -> None:
        """Forgets the unsaved text of a file: it was saved, or is not wanted."""
        if self._folder:
            name = self._draft_name(kind, path, os.getpid() if pid is None else pid)
            try:
                os.unlink(os.path.join(self._folder, name))
            except OSError:
                pass

    def drafts(self) -> tuple[Draft, ...]:
        """Unsaved text of processes that are no more, the newest first."""
        found = []
        for name in self._names():
            if name.startswith("draft-"):
                values = self._read(name)
                draft = _draft(values) if values is not None else None
                if draft is not None and not _alive(draft.pid):
                    found.append(draft)
        return tuple(sorted(found, key=lambda draft: -draft.time))

    def keep_view(self, values: Mapping[str, Any]) -> None:
        """Keeps how the folder is looked at. Raises `OSError` when the disk refuses."""
        if self._folder:
            self._write("view.json", {"root": self._root, "view": dict(values)})

    def view(self) -> dict[str, Any]:
        """How the folder was looked at; empty where nothing is known."""
        values = self._read("view.json") if self._folder else None
        view = values.get("view") if values is not None else None
        return view if isinstance(view, dict) else {}

    @staticmethod
    def _draft_name(kind: DraftKind, path: str, pid: int) -> str:
        key = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return f"draft-{kind}-{key}-{pid}.json"

    def _names(self) -> list[str]:
        try:
            return DISK.names(self._folder) if self._folder else []
        except FileProblem:
            return []

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            data, _ = DISK.read(os.path.join(self._folder, name), FILE_LIMIT)
            values = json.loads(data)
        except (FileProblem, ValueError, RecursionError):
            return None
        return values if isinstance(values, dict) and values.get("schema") == SCHEMA else None

    def _write(self, name: str, values: Mapping[str, Any]) -> None:
        make_folders(self._folder)
        text = json.dumps({"schema": SCHEMA, **values})
        replace_file(os.path.join(self._folder, name), text.encode("ascii"))


def _draft(values: Mapping[str, Any]) -> Draft | None:
    kind, path, texts = values.get("kind"), values.get("path"), values.get("fields")
    moment, pid = values.get("time"), values.get("pid")
    if (
        kind not in ("fact", "file", "staged")
        or not isinstance(path, str)
        or not isinstance(texts, dict)
        or not all(isinstance(one, str) for one in texts.values())
        or not isinstance(moment, int | float)
        or not isinstance(pid, int)
    ):
        return None
    return Draft(kind, path, texts, float(moment), pid)


def _alive(pid: int) -> bool:
    if pid <= 0 or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
