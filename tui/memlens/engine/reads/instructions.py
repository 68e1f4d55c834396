"""What a session was told by its memory files, as its transcript keeps it (spec A, oracle).

From 2.1.268 on a transcript holds attachments of the type `instructions` with `files` and
`rendered`, the very text. Nothing else of a transcript is looked at here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.reads.lines import behind_hole, open_regular
from memlens.engine.reads.transcript_values import parsed, timestamp
from memlens.engine.reads.values import as_dict, as_text
from memlens.engine.work import step

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK: Final = b'"instructions"'
_CHUNK: Final = 4 * 1024 * 1024
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line that is parsed."""


class ToldFile(NamedTuple):
    """A memory file as the session was given it."""

    path: str
    """As the agent names it."""
    kind: str
    content: str | None
    """None where the transcript does not say it."""


class Told(NamedTuple):
    """What a session was told at one moment."""

    time: float
    """Seconds since 1970; 0 where the transcript does not say it."""
    files: tuple[ToldFile, ...]
    rendered: tuple[str, ...]
    """The texts, in their order; empty where the transcript has none."""


def told_by(transcript: str) -> Told | None:
    """The last instructions of the main agent that say something; None without any.

    Raises `OSError` when the transcript cannot be read.
    """
    last = None
    for line in _lines(transcript):
        values = parsed(line)
        if values is None or values.get("isSidechain") is True:
            continue
        given = as_dict(values.get("attachment"))
        if values.get("type") != "attachment" or given.get("type") != "instructions":
            continue
        told = Told(timestamp(values), tuple(_files(given)), tuple(_texts(given.get("rendered"))))
        if told.files or told.rendered:
            last = told
    return last


def _lines(path: str) -> Iterator[bytes]:
    """The lines that may hold instructions; others are not even taken apart."""
    with open_regular(path) as file:
        rest = b""
        size = os.fstat(file.fileno()).st_size
        while chunk := file.read(_CHUNK):
            at = file.tell()
            step(at, size, "reading what a session was told")
            file.seek(max(at, behind_hole(file.fileno(), at)))
            data = rest + chunk
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if len(rest) > _LONGEST:
                rest = b""
            yield from _marked(data, end)
        yield from _marked(rest + b"\n", len(rest) + 1)


def _marked(data: bytes, end: int) -> Iterator[bytes]:
    place = data.find(_MARK, 0, end)
    while place >= 0:
        begin = data.rfind(b"\n", 0, place) + 1
        stop = data.find(b"\n", place, end)
        yield data[begin:stop]
        place = data.find(_MARK, stop, end)


def _files(given: dict[str, object]) -> Iterator[ToldFile]:
    files = given.get("files")
    for file in files if isinstance(files, list) else ():
        if isinstance(file, str):
            yield ToldFile(file, "", None)
        elif isinstance(file, dict):
            path = as_text(file.get("path", file.get("file_path", file.get("filePath"))))
            kind = file.get("type", file.get("memory_type", file.get("memoryType")))
            content = file.get("content")
            if path:
                yield ToldFile(path, as_text(kind), content if isinstance(content, str) else None)


def _texts(rendered: object) -> Iterator[str]:
    """The texts, whether they stand alone or as the content of messages."""
    if isinstance(rendered, str):
        yield rendered
    elif isinstance(rendered, list):
        for one in rendered:
            yield from _texts(one)
    elif isinstance(rendered, dict):
        for key in ("text", "content"):
            if key in rendered:
                yield from _texts(rendered[key])
                return
