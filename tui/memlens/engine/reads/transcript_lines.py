"""What the lines of a transcript say about files, as events. No text is kept (spec, part C)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from memlens.engine.reads.coverage import is_whole
from memlens.engine.reads.known import real_path
from memlens.engine.reads.shapes import (
    UNCHANGED,
    Page,
    page_of,
    path_of_page,
    refusal_in,
    result_text,
)
from memlens.engine.reads.transcript_values import items_of, list_of, on_line, timestamp
from memlens.engine.reads.values import TOOLS, WRITERS, as_count, as_dict, as_text, path_in

MAIN: Final = "main"
SIDE: Final = "sidechain"
"""The lane of subagents that older versions kept in the session's file without an id."""

Kind = Literal[
    "whole", "page", "write", "edit", "again", "refused", "dropped", "told", "compact", "load"
]
"""`again`: answered from context. `dropped`: the context lost it in a compaction. `told`: the
agent was told that the file has changed on disk."""

_SEEN_CALLS: Final = 50_000
_NOTHING: Final[Mapping[str, str]] = {}


class Event:
    """One thing that happened to a file in a lane, or to the lane as a whole."""

    __slots__ = (
        "call",
        "count",
        "cut",
        "digest",
        "file",
        "first",
        "has_text",
        "index",
        "kind",
        "lane",
        "more",
        "offset",
        "path",
        "seq",
        "time",
        "total",
    )  # fmt: skip

    def __init__(self, kind: Kind, lane: str, path: str, time: float, index: int) -> None:
        self.kind: Kind = kind
        self.lane = lane
        self.path = path
        """Real and absolute; empty for `compact`."""
        self.time = time
        """Seconds since 1970, of the line; 0 where it does not say."""
        self.index = index
        """In the chain; -1 where it has none."""
        self.offset = 0
        """Of the line that holds the text, in bytes."""
        self.call = ""
        """The id of the call; empty for an attachment."""
        self.has_text = False
        self.first = 1
        self.count: int | None = None
        self.total: int | None = None
        self.cut = False
        """Whether no more lines were asked for, so that the file may go on behind the last."""
        self.more: Mapping[str, str] = _NOTHING
        self.seq = 0
        """The order among all events of a session."""
        self.file = 0
        """Which of the session's files it is from."""
        self.digest: str | None = None
        """The hash of its text, once that was asked for."""


class _Where:
    """The line that is being looked at."""

    __slots__ = ("_time", "_values", "cwd", "index", "lane", "offset")

    def __init__(
        self, lane: str, cwd: str, values: dict[str, object], offset: int, index: int
    ) -> None:
        self.lane = lane
        self.cwd = cwd
        self.offset = offset
        self.index = index
        self._values = values
        self._time: float | None = None

    def event(self, kind: Kind, path: str = "", index: int | None = None) -> Event:
        if self._time is None:
            self._time = timestamp(self._values)
        event = Event(kind, self.lane, path, self._time, self.index if index is None else index)
        event.offset = self.offset
        return event


class Call:
    __slots__ = ("index", "limit", "name", "path", "reads_part")

    def __init__(self, name: str, path: str, asked: dict[str, object], index: int) -> None:
        self.name = name
        self.path = path
        self.limit = as_count(asked.get("limit"))
        self.reads_part = (
            asked.get("offset") is not None
            or asked.get("limit") is not None
            or asked.get("pages") is not None
        )
        self.index = index


class Interpreter:
    """Turns the lines of one file into events, in order."""

    def __init__(
        self, lane: str, emit: Callable[[Event], None], done: dict[str, None] | None = None
    ) -> None:
        """`done`: the calls that were answered, shared by the files of a session."""
        self._lane = lane
        self._emit = emit
        self._cwd = ""
        self._calls: dict[str, Call] = {}
        self._done: dict[str, None] = {} if done is None else done
        self._real: dict[str, str] = {}
        self.skipped = 0
        """Lines that are no JSON object, and results of an unknown shape."""

    def line(
        self, block: bytes, start: int, end: int, offset: int, index: int
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Takes the line at `start:end` of a piece of the file, `offset` bytes into the file.

        Returns the ids of the calls it makes and of those it answers.
        """
        values, results = on_line(block, start, end)
        if values is None:
            self.skipped += 1
            return (), ()
        kind = values.get("type")
        lane = self._lane
        if values.get("isSidechain") is True and lane == MAIN:
            lane = as_text(values.get("agentId")) or SIDE
        cwd = self._cwd = as_text(values.get("cwd")) or self._cwd
        where = _Where(lane, cwd, values, offset, index)
        if kind == "assistant":
            return self._asks(values, where), ()
        if kind == "user":
            return (), self._answers(values, results, where)
        if kind == "attachment":
            self._attachment(as_dict(values.get("attachment")), where)
        elif kind == "system" and values.get("subtype") == "compact_boundary":
            self._emit(where.event("compact"))
        return (), ()

    def _asks(self, values: dict[str, object], where: _Where) -> list[str]:
        asked = []
        for item in items_of(values, "tool_use"):
            name, call = as_text(item.get("name")), item.get("id")
            if name not in TOOLS or not isinstance(call, str):
                continue
            given = as_dict(item.get("input"))
            path = self._path(path_in(given), where.cwd)
            if call and len(call) < 200 and call not in self._done:
                self._calls[call] = Call(name, path, given, where.index)
                asked.append(call)
        while len(self._calls) > 1000:  # calls that were never answered
            del self._calls[next(iter(self._calls))]
        return asked

    def _answers(
        self, values: dict[str, object], results: list[dict[str, object]], where: _Where
    ) -> list[str]:
        answered = []
        for item in results:
            name = as_text(item.get("tool_use_id"))
            if name in self._done:  # the same line may stand in several files, or twice in one
                continue
            call = self._calls.pop(name, None)
            answer = values.get("toolUseResult") if len(results) == 1 else None
            if call is None and not _is_file_answer(answer):
                continue
            self._remember(name)
            answered.append(name)
            event = self._result(call, item, answer, where)
            if event is not None:
                event.call = name
                self._emit(event)
        return answered

    def _remember(self, name: str) -> None:
        self._done[name] = None
        if len(self._done) > _SEEN_CALLS:
            del self._done[next(iter(self._done))]

    def _result(
        self, call: Call | None, item: dict[str, object], answer: object, where: _Where
    ) -> Event | None:
        given = as_dict(answer)
        page = page_of(given) if call is None or call.name not in WRITERS else None
        path = call.path if call is not None else ""
        if not path:
            path = self._path(path_of_page(given) if page else path_in(given), where.cwd)
        if not path:
            self.skipped += 1
            return None
        # A branch is left where its call was, wherever the answer hangs.
        at = where.index if call is None or call.index < 0 else call.index
        said = "" if given else result_text(item.get("content"))
        if item.get("is_error") is True and UNCHANGED not in said:
            refusal = refusal_in(said or result_text(item.get("content")) or as_text(answer))
            if refusal is None:
                return None
            event = where.event("refused", path, at)
            event.more = {"text": refusal}
            return event
        kind: Kind
        if UNCHANGED in said:
            kind = "again"
        elif call is not None and call.name in WRITERS:
            kind = "write" if call.name == "Write" else "edit"
        elif page is not None:
            kind = _kind_of(page, call)
        elif call is not None:  # an answer without details: what was asked for has to do
            kind = "page" if call.reads_part else "whole"
        else:
            kind = "write" if "content" in given else "edit"
        event = where.event(kind, path, at)
        self._fill(event, page)
        event.cut = call is not None and call.limit is not None and call.limit == event.count
        if kind in ("write", "edit"):
            event.has_text = bool(given)
        return event

    def _fill(self, event: Event, page: Page | None) -> None:
        if page is not None and event.kind in ("whole", "page"):
            event.has_text = page.text is not None
            event.first, event.count, event.total = page.first, page.count, page.total

    def _attachment(self, given: dict[str, object], where: _Where) -> None:
        kind = given.get("type")
        if kind == "instructions":
            for file in list_of(given.get("files")):
                entry: dict[str, object] = {"path": file} if isinstance(file, str) else {}
                self._load(entry or as_dict(file), where, "session_start")
            return
        path = self._path(path_in(given), where.cwd)
        if kind == "nested_memory":
            content = as_dict(given.get("content"))
            self._load({**given, **content}, where, "nested_traversal")
        elif not path:
            return
        elif kind == "file":
            page = page_of(as_dict(given.get("content"))) or page_of(given)
            event = where.event("whole" if page is None else _kind_of(page, None), path)
            self._fill(event, page)
            if given.get("truncated") is True:
                event.kind = "page"
                if event.count is not None and event.total == event.count:
                    event.total = None  # that of what was kept, so it says nothing of the file
            self._emit(event)
        elif kind == "edited_text_file":
            self._emit(where.event("told", path))
        elif kind == "compact_file_reference":
            self._emit(where.event("dropped", path))
        elif kind == "already_read_file":
            self._emit(where.event("again", path))

    def _load(self, file: dict[str, object], where: _Where, reason: str) -> None:
        path = self._path(path_in(file), where.cwd)
        if path:
            event = where.event("load", path)
            memory_type = file.get("memory_type", file.get("memoryType", file.get("type")))
            event.more = {
                "memory_type": "" if memory_type == "nested_memory" else as_text(memory_type),
                "reason": as_text(file.get("load_reason")) or reason,
                "parent": as_text(file.get("parent_file_path", file.get("parent"))),
            }
            self._emit(event)

    def _path(self, path: str, cwd: str) -> str:
        """The real path; empty for what can be none."""
        real = self._real.get(path)
        if real is not None:
            return real
        if not path or len(path) > 32_768:
            return ""
        if not os.path.isabs(path):
            if not os.path.isabs(cwd):
                return ""
            path = os.path.join(cwd, path)
        real = self._real.get(path)
        if real is None:
            if len(self._real) > 20_000:
                self._real.clear()
            real = self._real[path] = real_path(path)
        return real


def _kind_of(page: Page, call: Call | None) -> Kind:
    if page.unchanged:
        return "again"
    if page.count is None or page.total is None:  # no text, or an older shape
        part = page.count == 0 or (call is not None and call.reads_part)
        return "page" if part or page.first > 1 else "whole"
    limit = call.limit if call is not None else None
    return "whole" if is_whole(page.first, page.count, page.total, limit) else "page"


def _is_file_answer(answer: object) -> bool:
    """Whether an answer whose call is not at hand tells of a file all the same."""
    given = as_dict(answer)
    if page_of(given) is not None:
        return True
    return "filePath" in given and not {"structuredPatch", "content", "edits"}.isdisjoint(given)
