"""Commands about single files. Editing goes through the read state, as an agent's would."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from memlens.engine.commands.files import CompletePath, OpenFile, ReadText, SaveFile, SaveText
from memlens.engine.encodings import marked_encoding
from memlens.engine.events.files import (
    FileClashed,
    FileOpened,
    FileRefused,
    FileSaved,
    PathCompleted,
    TextNotSaved,
    TextRead,
    TextSaved,
)
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem, entries_of
from memlens.engine.handlers.journaled import NotSavedError, OvertakenError, write_with_journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from memlens.engine.handlers.desk import Desk
    from memlens.engine.reads import ReadState

EDIT_LIMIT: Final = 64 * 1024
"""Bytes of a file that the editor of the screen takes; with more each key would take too long."""
_COMPLETIONS: Final = 200
_BOM: Final = b"\xef\xbb\xbf"


class FilesHandler:
    """Opens, saves and names files. What it opened it knows as an agent knows what it has read."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._state: ReadState | None = None
        self._boms: Final[dict[str, bool]] = {}
        self._opened: Final[dict[str, bytes]] = {}
        """What each file was when it was opened or saved last."""
        self._shown: Final[dict[str, bytes]] = {}
        """What the last clash of a file has shown of it."""

    @property
    def _reads(self) -> ReadState:
        if self._state is None:
            from memlens.engine.reads import ReadState

            self._state = ReadState()
        return self._state

    def open(self, command: OpenFile) -> None:
        path = command.path

        def refuse(reason: str) -> None:
            self._desk.publish(
                FileRefused(request=command.request, path=path, line=command.line, reason=reason)
            )

        new = False
        try:
            data = self._reads.read(path, limit=EDIT_LIMIT)
        except FileProblem as problem:
            if problem.kind == "too-large":
                refuse(f"The editor here takes {EDIT_LIMIT // 1024} kB, and this file has more.")
                return
            if problem.kind != "missing" or os.path.islink(path):
                raise NotSavedError(str(problem), path) from problem
            data, new = b"", True
            self._reads.forget(path)
        if b"\0" in data:
            self._reads.forget(path)
            encoding = marked_encoding(data)
            refuse(
                f"This file is {encoding}, and the editor here takes UTF-8."
                if encoding
                else "This file is binary."
            )
            return
        bom = data.startswith(_BOM)
        self._boms[path] = bom
        self._opened[path] = data
        self._shown.pop(path, None)
        self._desk.publish(
            FileOpened(
                request=command.request, path=path, text=_text_of(data, bom), line=command.line,
                new=new, bom=bom, read_only=self._why_not(path, new=new),
            )
        )  # fmt: skip

    def _why_not(self, path: str, *, new: bool) -> str:
        if self._desk.workspace.read_only:
            return "memlens was opened with --read-only."
        if not new and not os.access(path, os.W_OK):
            return "You have no permission to write this file."
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            return "The folder of this file does not exist."
        if not os.access(folder, os.W_OK):
            return "You have no permission to write in its folder."
        return ""

    def save(self, command: SaveFile) -> None:
        path = command.path
        self._desk.must_write()
        data = command.text.encode("utf-8", "surrogateescape")
        if self._boms.get(path):
            data = _BOM + data
        if command.keep_mine and not self._is_as_shown(path):
            self._clash(command)
            return
        undo_ids: list[str] = []

        def writer(real: str, content: bytes) -> None:
            known = self._opened.get(path, b"")
            undo_ids.append(write_with_journal(real, content, self._label(path), known))

        try:
            problem = self._reads.write(path, data, writer=writer)
        except OvertakenError:
            problem = "overtaken"
        if problem is not None:
            self._clash(command)
            return
        self._opened[path] = data
        self._shown.pop(path, None)
        self._desk.publish(
            FileSaved(
                request=command.request, path=path, text=command.text, bytes=len(data),
                undo_id="".join(undo_ids),
            )
        )  # fmt: skip

    def _is_as_shown(self, path: str) -> bool:
        """Whether a file is still what the person saw when it clashed; then it is known again."""
        shown = self._shown.get(path)
        if shown is None:
            return True
        try:
            data = self._reads.read(path)
        except FileProblem as problem:
            return problem.kind == "missing"
        self._opened[path] = data
        return data == shown

    def _clash(self, command: SaveFile) -> None:
        from memlens.engine.reads.texts import MODIFIED
        from memlens.engine.review import difference

        path = command.path
        theirs = None
        try:
            data = self._reads.read(path)
        except FileProblem:
            self._shown.pop(path, None)
        else:
            # Only seen, not agreed to: until the person chooses, saving clashes again.
            self._shown[path] = data
            theirs = _text_of(data, data.startswith(_BOM))
        problem = MODIFIED
        merged = None
        if theirs is not None:
            from memlens.engine.handlers.merging import merged_text

            known = self._opened.get(path, b"")
            base = _text_of(known, known.startswith(_BOM))
            merged, _ = merged_text(base, command.text, theirs)
        self._reads.forget(path)
        self._desk.publish(
            FileClashed(
                request=command.request, path=path, problem=problem, theirs=theirs,
                mine=command.text,
                difference=() if theirs is None else difference(theirs, command.text),
                merged=merged,
            )
        )  # fmt: skip

    def read_text(self, command: ReadText) -> None:
        from memlens.engine.files import DISK

        data, _ = DISK.read(command.path, MEMORY_FILE_LIMIT)
        text = data.removeprefix(_BOM).decode("utf-8", "replace")
        self._desk.publish(TextRead(request=command.request, path=command.path, text=text))

    def complete(self, command: CompletePath) -> None:
        from memlens.engine.files import DISK

        typed = command.typed
        folder, slash, beginning = typed.rpartition("/")
        base = os.path.join(self._desk.workspace.root, folder + slash)
        found = []
        try:
            entries = entries_of(DISK, base)
        except FileProblem:
            entries = []
        for name, kind in entries:
            if not name.startswith(beginning) or name == ".git":
                continue
            if name.startswith(".") and not beginning:
                continue
            is_folder = kind == "folder" or (kind == "link" and os.path.isdir(f"{base}/{name}"))
            found.append((not is_folder, f"{folder}{slash}{name}{'/' if is_folder else ''}"))
        paths = tuple(path for _, path in sorted(found)[:_COMPLETIONS])
        self._desk.publish(PathCompleted(request=command.request, typed=typed, paths=paths))

    def save_text(self, command: SaveText) -> None:
        path = os.path.join(self._desk.workspace.root, os.path.expanduser(command.path))
        data = command.text.encode("utf-8", "surrogateescape")
        self._desk.must_write()
        if os.path.lexists(path) and not command.replace:
            regular = os.path.isfile(path) and not os.path.islink(path)
            self._desk.publish(
                TextNotSaved(
                    request=command.request, path=path, text=command.text, replaceable=regular,
                    reason="there is a file already" if regular else "it is no regular file",
                )
            )  # fmt: skip
            return
        if not os.path.isdir(os.path.dirname(path)):
            raise NotSavedError("there is no such folder", os.path.dirname(path))
        try:
            write_with_journal(path, data, self._label(path))
        except OvertakenError:
            raise NotSavedError("it changed at this very moment", path, "Try again.") from None
        self._desk.publish(TextSaved(request=command.request, path=path, bytes=len(data)))

    def _label(self, path: str) -> str:
        prefix = self._desk.workspace.root.rstrip("/") + "/"
        return path.removeprefix(prefix)


def _text_of(data: bytes, bom: bool) -> str:
    return data[3 if bom else 0 :].decode("utf-8", "surrogateescape")


def handlers(desk: Desk) -> Mapping[type, Callable[[Any], None]]:
    """Who handles which command."""
    part = FilesHandler(desk)
    return {
        OpenFile: part.open,
        SaveFile: part.save,
        ReadText: part.read_text,
        CompletePath: part.complete,
        SaveText: part.save_text,
    }
