"""`memlens memory add|edit|forget|undo`: each names what it did and how to take it back."""

from __future__ import annotations

import os
import subprocess
import sys

from memlens.cli.common import CommandError, for_terminal, print_json, print_text, say, table
from memlens.cli.memory.facts import find_one, load
from memlens.engine.commands.memories import OpenMemory
from memlens.engine.commands.memory_changes import (
    AdoptEdit,
    CreateMemory,
    DeleteMemories,
    LoadHistory,
    SaveMemory,
    UndoMemory,
)
from memlens.engine.events.base import Event
from memlens.engine.events.memories import MemoryOpened
from memlens.engine.events.memory_changes import (
    EditAdopted,
    HistoryLoaded,
    MemoriesChanged,
    MemoryClashed,
    MemorySaved,
    MemoryUndone,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final

    from memlens.engine.core import Engine
    from memlens.engine.durable.model import MemoryEntry

_FIRST_LINE: Final = "<!-- Write the body of the fact below; this line is left out. -->"


def _add(engine: Engine, options: argparse.Namespace) -> int:
    from memlens.engine.durable.model import MemoryScope

    saved = engine.ask(
        CreateMemory(
            request=engine.next_request(), name=options.name, scope=MemoryScope(options.scope),
            description=options.description, tags=_tags(options.tags),
            body=_body_of_new(options), replace=options.replace,
        ),
        MemorySaved,
    )  # fmt: skip
    return _tell_saved(saved, options)


def _body_of_new(options: argparse.Namespace) -> str | None:
    if options.stdin:
        return _stdin()
    if options.replace and (options.description is not None or options.tags is not None):
        return None
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _written()
    if options.description:
        return None
    raise CommandError("there is nothing to save: give - for a body from standard input")


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _written() -> str:
    """What the person writes in their editor."""
    import tempfile

    handle, path = tempfile.mkstemp(suffix=".md", prefix="memlens-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_FIRST_LINE + "\n\n")
        _edit_outside(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    finally:
        os.unlink(path)
    body = "\n".join(lines[1:] if lines[0] == _FIRST_LINE else lines).strip("\n")
    if not body.strip():
        raise CommandError("nothing was written, so nothing is saved")
    return body


def _edit_outside(path: str) -> None:
    from memlens.engine.editor import NoEditorError, editor_command

    try:
        command = editor_command(path)
        code = subprocess.run(command, check=False).returncode
    except NoEditorError as error:
        raise CommandError(f"no editor: {error}") from None
    except OSError as error:
        raise CommandError(f"the editor cannot be started: {error}") from None
    if code != 0:
        raise CommandError(f"the editor ended with code {code}, so nothing is saved")


def _tags(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(tag.strip() for tag in text.split(",") if tag.strip())


def _edit(engine: Engine, options: argparse.Namespace) -> int:
    from memlens.engine.durable.model import MemoryScope

    entry = find_one(load(engine), options.id, options.within)
    fields = (options.name, options.description, options.tags, options.scope)
    if not options.stdin and all(field is None for field in fields):
        return _edit_file(engine, entry, options)
    body = _stdin() if options.stdin else None
    fact = engine.ask(OpenMemory(request=engine.next_request(), path=entry.path), MemoryOpened).fact
    answer: Event = engine.ask(
        SaveMemory(
            request=engine.next_request(), fact=fact, name=options.name,
            description=options.description, tags=_tags(options.tags), body=body,
            scope=MemoryScope(options.scope) if options.scope else None,
        ),
        Event,
    )  # fmt: skip
    if isinstance(answer, MemoryClashed):
        raise CommandError(f"{answer.problem}; nothing is saved, try again")
    assert isinstance(answer, MemorySaved)
    return _tell_saved(answer, options)


def _edit_file(engine: Engine, entry: MemoryEntry, options: argparse.Namespace) -> int:
    fact = engine.ask(OpenMemory(request=engine.next_request(), path=entry.path), MemoryOpened).fact
    _edit_outside(entry.path)
    seen = engine.ask(AdoptEdit(request=engine.next_request(), before=fact), EditAdopted)
    if options.json:
        print_json({"path": seen.path, "name": seen.name, "changed": seen.changed,
                    "undo_id": seen.undo_id})  # fmt: skip
        return 0
    print_text(seen.path if seen.changed else f"{seen.path} is as it was")
    _say_undo(seen.undo_id)
    for finding in seen.findings:
        say(f"{finding.severity}: {finding.message}")
    return 0


def _tell_saved(saved: MemorySaved, options: argparse.Namespace) -> int:
    if options.json:
        print_json(
            {
                "name": saved.name, "scope": saved.scope.value, "path": saved.path,
                "moved_from": saved.moved_from, "undo_id": saved.undo_id,
                "redacted": [
                    {"kind": one.kind, "field": one.field, "line": one.line}
                    for one in saved.redacted
                ],
            }
        )  # fmt: skip
        return 0
    print_text(saved.path)
    for one in saved.redacted:
        say(f"[REDACTED] stands for a secret ({one.kind}) in the {one.field}, line {one.line}")
    if saved.committed:
        say("it is part of the repository: commit it, and everyone gets it")
    _say_undo(saved.undo_id)
    return 0


def _say_undo(undo_id: str) -> None:
    if undo_id:
        say(f"memlens memory undo {undo_id} takes this back")


def _forget(engine: Engine, options: argparse.Namespace) -> int:
    loaded = load(engine)
    facts = tuple(dict.fromkeys(find_one(loaded, wanted, options.scope) for wanted in options.ids))
    done = engine.ask(DeleteMemories(request=engine.next_request(), facts=facts), MemoriesChanged)
    if options.json:
        print_json({"removed": list(done.paths), "undo_id": done.undo_id})
        return 0
    rows = [(fact.name, fact.scope.value, fact.path) for fact in facts]
    print_text(f"removed\n{table(rows)}\nmemlens memory undo {done.undo_id} brings it back")
    return 0


def _undo(engine: Engine, options: argparse.Namespace) -> int:
    if options.list:
        return _history(engine, options)
    done = engine.ask(UndoMemory(request=engine.next_request(), undo_id=options.id), MemoryUndone)
    if options.json:
        print_json(
            {
                "undone": done.undo_id, "title": done.title, "restored": list(done.restored),
                "removed": list(done.removed), "left": done.left,
            }
        )  # fmt: skip
        return 0
    lines = [f"undone: {done.title}"]
    lines += [f"  as before: {path}" for path in done.restored]
    lines += [f"  gone again: {path}" for path in done.removed]
    lines += [f"  {done.left}"] if done.left else []
    print_text("\n".join(lines))
    return 0


def _history(engine: Engine, options: argparse.Namespace) -> int:
    from datetime import UTC, datetime

    history = engine.ask(LoadHistory(request=engine.next_request()), HistoryLoaded)
    if options.json:
        print_json(
            {
                "changes": [
                    {
                        "undo_id": one.undo_id, "kind": one.kind, "title": one.title,
                        "time": one.time, "paths": list(one.paths), "undone": one.undone,
                    }
                    for one in history.operations
                ]
            }
        )  # fmt: skip
        return 0
    rows = [
        (
            one.undo_id, datetime.fromtimestamp(one.time, UTC).strftime("%Y-%m-%d %H:%M"),
            "undone" if one.undone else "", one.title,
        )
        for one in history.operations
    ]  # fmt: skip
    if rows:
        print_text(for_terminal(table(rows)))
    return 0


VERBS: Final = {"add": _add, "edit": _edit, "forget": _forget, "undo": _undo}
