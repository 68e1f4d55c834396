"""The notes that an agent keeps by itself: where they are, and what is wrong with them (spec B).

Stands above the libraries: the folder comes from the agent's settings, what is read of the index
from the context library, the notes themselves are facts of the durable memory, and transcripts
tell whose notes they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.context.code import code_regions, inside
from memlens.engine.context.conditions import frontmatter
from memlens.engine.context.entries import kept
from memlens.engine.context.source import scan
from memlens.engine.durable.notes_index import IndexLine, index_lines
from memlens.engine.files import DISK, MEMORY_FILE_LIMIT, FileProblem
from memlens.engine.findings import Finding
from memlens.engine.safety.texts import check_text

if TYPE_CHECKING:
    from memlens.engine.agents.model import AgentProfile, FileRule
    from memlens.engine.configured import AutoFolder, Configured
    from memlens.engine.context.source import Source
    from memlens.engine.durable.model import MemoryEntry

_MOST_TRANSCRIPTS: Final = 40
"""Transcripts, the newest first, that are asked for the folder they ran in."""
_WIKI_LINK: Final = re.compile(r"\[\[([^\[\]|#\r\n]+)(?:[|#][^\[\]\r\n]*)?\]\]")
_NO_PROSE: Final = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|#|<!--|---|\*\*\*|===|\Z)")


class NotesIndex(NamedTuple):
    """The index of the notes, and how much of it the agent gets."""

    path: str
    text: str
    lines: tuple[IndexLine, ...]
    cut_line: int
    """The first line that the agent does not get; 0: it gets all."""
    lost_lines: int
    lost_bytes: int

    @property
    def lost(self) -> str:
        """What the agent does not get."""
        return _behind(self.text, self.cut_line)


def read_index(profile: AgentProfile, folder: AutoFolder) -> NotesIndex | None:
    """The index; None where there is none that can be read."""
    rule = _rule(profile)
    source = _source(profile, folder.index_file) if rule is not None else None
    if source is None or source.problem:
        return None
    text = source.text
    cut = kept(source, rule)[1]
    lost = _behind(text, cut)
    return NotesIndex(
        folder.index_file, text, tuple(index_lines(text)), cut,
        lost.count("\n") + (bool(lost) and not lost.endswith("\n")), len(lost.encode()),
    )  # fmt: skip


def _behind(text: str, cut_line: int) -> str:
    """The text from a line on, as `kept` counts lines; nothing for 0."""
    return "\n".join(text.split("\n")[cut_line - 1 :]) if cut_line else ""


def shared_with(configured: Configured, folder: AutoFolder) -> tuple[str, ...]:
    """Other folders whose notes would be in the same place, as far as transcripts there tell.

    The name of the place is not injective: `/a/b-c` and `/a/b/c` share one.
    """
    from memlens.engine.reads.transcript_files import head_of

    if folder.chosen or not folder.path:
        return ()
    own = {configured.root, configured.checkout.top, configured.checkout.main}
    place = os.path.dirname(folder.path)
    found: dict[str, None] = {}
    for path in _newest(place):
        head = head_of(path)
        cwd = os.path.realpath(head.cwd) if head is not None and head.cwd else ""
        if cwd and cwd not in own and not _is_inside(cwd, own):
            found[cwd] = None
    return tuple(found)


def check_notes(
    profile: AgentProfile, configured: Configured, folder: AutoFolder, notes: Sequence[MemoryEntry]
) -> Iterator[Finding]:
    """What is wrong with the notes and their index."""
    for other in shared_with(configured, folder):
        yield Finding(
            "shared-key", "warning", folder.path, 0, 0,
            f"sessions in {other} keep their notes here, too: both names lead to one place",
            "name a folder for one of them in the setting autoMemoryDirectory",
        )  # fmt: skip
    index = read_index(profile, folder)
    if index is not None:
        yield from _index_findings(index, notes)
        yield from check_text(index.path, index.text)
    for note in notes:
        yield from _in_text(note.path)
    listed = {line.file for line in index.lines} if index else set()
    for note in notes:
        if os.path.basename(note.path) not in listed:
            yield Finding(
                "orphan", "warning", note.path, 0, 0,
                "no line of the index leads to it, so the agent hardly finds it",
                f"add a line for it to {os.path.basename(folder.index_file)}",
            )  # fmt: skip
    yield from _dead_links(notes)


def _in_text(path: str) -> Iterator[Finding]:
    try:
        data, _ = DISK.read(path, MEMORY_FILE_LIMIT)
    except FileProblem:
        return
    yield from check_text(path, data.decode("utf-8", "surrogateescape"))


def _index_findings(index: NotesIndex, notes: Sequence[MemoryEntry]) -> Iterator[Finding]:
    there = {os.path.basename(note.path): note for note in notes}
    if index.cut_line:
        yield Finding(
            "index-cut", "warning", index.path, index.cut_line, 0,
            f"from line {index.cut_line} on the agent does not get it: {index.lost_lines:,} lines, "
            f"{index.lost_bytes:,} bytes are lost",
            "shorten it; what is new is best put further up",
        )  # fmt: skip
    folder = os.path.dirname(index.path)
    for line in index.lines:
        if line.file not in there and not os.path.exists(os.path.join(folder, line.file)):
            yield Finding(
                "dead-link", "warning", index.path, line.number, 1,
                f"there is no file {line.file}", "correct the line, or take it out",
            )  # fmt: skip
        elif index.cut_line and line.number >= index.cut_line and line.file in there:
            yield Finding(
                "index-cut", "warning", there[line.file].path, 0, 0,
                f"its line of the index, {line.number}, lies behind the cut",
                "move the line up",
            )  # fmt: skip
    for number in _prose(index):
        yield Finding(
            "index-prose", "warning", index.path, number, 1,
            "a paragraph in the index: it takes room from the lines that lead to notes",
            "move it into a note",
        )  # fmt: skip


def _prose(index: NotesIndex) -> Iterator[int]:
    """The lines on which paragraphs begin."""
    header = frontmatter(index.text)
    begin = index.text.count("\n", 0, header[2]) + 1 if header is not None else 1
    in_comment = False
    before = False
    for number, line in enumerate(index.text.split("\n"), 1):
        if number < begin:
            continue
        if "<!--" in line:
            in_comment = True
        prose = not in_comment and bool(line.strip()) and not _NO_PROSE.match(line)
        if "-->" in line:
            in_comment = False
        indented = line.startswith(("  ", "\t"))  # goes on with an item of a list
        if prose and not before and not indented:
            yield number
        before = prose


def _dead_links(notes: Sequence[MemoryEntry]) -> Iterator[Finding]:
    """`[[name]]` in notes that names none of them."""
    names = {name.casefold() for note in notes for name in (note.name, note.stem)}
    for note in notes:
        try:
            data, _ = DISK.read(note.path, MEMORY_FILE_LIMIT)
        except FileProblem:
            continue
        text = data.decode("utf-8", "replace")
        if "[[" not in text:
            continue
        code = code_regions(text)
        line, counted = 1, 0
        for match in _WIKI_LINK.finditer(text):
            name = match[1].strip().removesuffix(".md")
            place = match.start()
            if name.casefold() in names or inside(code, place):
                continue
            line += text.count("\n", counted, place)
            counted = place
            column = place - text.rfind("\n", 0, place)
            yield Finding(
                "dead-link", "warning", note.path, line, column,
                f"there is no note {name}", "correct the name, or make the note",
            )  # fmt: skip


def _rule(profile: AgentProfile) -> FileRule | None:
    return next((rule for rule in profile.files if rule.place == "auto"), None)


def _source(profile: AgentProfile, path: str) -> Source | None:
    try:
        data, stamp = DISK.read(path, MEMORY_FILE_LIMIT)
    except FileProblem:
        return None
    return scan(path, data, stamp, profile.imports)


def _newest(place: str) -> Iterable[str]:
    """The transcripts in a folder, the newest first."""
    try:
        with os.scandir(place) as entries:
            found = [
                (entry.stat().st_mtime, entry.path)
                for entry in entries
                if entry.name.endswith(".jsonl") and not entry.name.startswith("agent-")
            ]
    except OSError:
        return ()
    return [path for _, path in sorted(found, reverse=True)[:_MOST_TRANSCRIPTS]]


def _is_inside(path: str, folders: Iterable[str | None]) -> bool:
    return any(folder and path.startswith(folder.rstrip("/") + "/") for folder in folders)
