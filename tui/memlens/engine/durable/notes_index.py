"""The index file of an agent's own notes: one line a note, kept in step with the notes (spec B)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, unquote

from .parse import decode, parse
from .scopes import notes_folders
from .store import State, as_bytes, as_text, state_of

if TYPE_CHECKING:
    from .journal import Change

_LINE: Final = re.compile(
    r"(?P<mark>[ \t]*[-*+][ \t]+)\[(?P<title>(?:\\.|[^\]\\\r\n])*)\]"
    r"\((?P<file>(?:<[^<>\r\n]+>|[^()\s]+))\)"
    r"(?:(?P<dash>[ \t]*(?:—|–|-|:)[ \t]+)(?P<hook>[^\r\n]*?))?[ \t]*"
)


class IndexLine(NamedTuple):
    """A line of the index that leads to a note."""

    number: int
    """From 1."""
    title: str
    file: str
    """As it names the note: relative to the folder, escapes resolved."""
    hook: str
    """What the line says of it."""


def index_lines(text: str) -> list[IndexLine]:
    """The lines of an index that lead to Markdown files of its folder."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        entry = _entry(line.rstrip("\r"), number)
        if entry is not None:
            found.append(entry)
    return found


def index_line_of(title: str, file: str, hook: str) -> str:
    """A note's line, without a line end."""
    shown = title.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return f"- [{shown}]({quote(file)})" + (f" — {hook}" if hook else "")


def companions(changes: Sequence[Change]) -> list[Change]:
    """What has to change in indexes so that they stay in step with changed notes."""
    found = []
    for folder, index in notes_folders():
        path = os.path.join(folder, index)
        own = [change for change in changes if os.path.dirname(change.path) == folder]
        if not own or any(change.path == path for change in own):
            continue
        state = state_of(path)
        before = as_text(state.data) if state else ""
        after = _updated(before, own)
        if after != before:
            mode = state.mode if state else 0o600
            found.append(own[0]._replace(
                path=path, before=state, after=State(as_bytes(after), mode)
            ))  # fmt: skip
    return found


def _entry(line: str, number: int) -> IndexLine | None:
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    file = os.path.normpath(unquote(match["file"].strip("<>")))
    if not file.endswith(".md") or file.startswith(("/", "..")) or "://" in match["file"]:
        return None
    title = re.sub(r"\\([\[\]\\])", r"\1", match["title"])
    return IndexLine(number, title, file, match["hook"] or "")


class _Note(NamedTuple):
    """What the index says of a note."""

    file: str
    name: str
    description: str


def _note(path: str, state: State) -> _Note:
    file = os.path.basename(path)
    parsed = parse(decode(state.data), file.removesuffix(".md"))
    return _Note(file, parsed.name, parsed.description.strip())


def _updated(text: str, changes: Iterable[Change]) -> str:
    gone, made = [], []
    for change in changes:
        if change.before is not None and change.after is not None:
            text = _renamed(
                text, _note(change.path, change.before), _note(change.path, change.after)
            )
        elif change.before is not None:
            gone.append(_note(change.path, change.before))
        elif change.after is not None:
            made.append(_note(change.path, change.after))
    if len(gone) == len(made) == 1:  # one note under a new name
        return _renamed(text, gone[0], made[0])
    for note in gone:
        text = _without(text, note.file)
    for note in made:
        text = _with(text, note)
    return text


def _renamed(text: str, old: _Note, new: _Note) -> str:
    """The index with the line of a note changed where it said what is no more so. What a title or
    a hook said in words of its own stays."""
    if old == new:
        return text
    lines = text.split("\n")
    found = False
    for at, line in enumerate(lines):
        bare = line.rstrip("\r")
        entry = _entry(bare, at + 1)
        if entry is None or entry.file != old.file:
            continue
        found = True
        title = new.name if entry.title == old.name else entry.title
        hook = new.description if entry.hook == old.description else entry.hook
        match = _LINE.fullmatch(bare)
        mark = match["mark"] if match else "- "
        lines[at] = mark + index_line_of(title, new.file, hook)[2:] + line[len(bare) :]
    return "\n".join(lines) if found else _with(text, new) if old.file != new.file else text


def _without(text: str, file: str) -> str:
    kept = []
    for number, line in enumerate(text.split("\n"), 1):
        entry = _entry(line.rstrip("\r"), number)
        if entry is None or entry.file != file:
            kept.append(line)
    return "\n".join(kept)


def _with(text: str, note: _Note) -> str:
    """The index with a line for a new note behind the last line that leads to one."""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = index_line_of(note.name, note.file, note.description)
    known = index_lines(text)
    if any(entry.file == note.file for entry in known):
        return text
    lines = text.split("\n")
    if known:
        at = known[-1].number
        ending = "\r" if newline == "\r\n" else ""
        if at == len(lines):  # the last line has no end
            return f"{text}{newline}{line}{newline}"
        lines.insert(at, line + ending)
        return "\n".join(lines)
    gap = "" if not text or text.endswith("\n") else newline
    return f"{text}{gap}{line}{newline}"
