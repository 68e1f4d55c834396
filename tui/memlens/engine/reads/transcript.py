"""One Claude Code session, read from its transcripts and followed while it runs.

Nothing of what the files say is kept: an event knows where its text stands in the transcript, and
`text_of` reads it there again when somebody asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final

from memlens.engine.reads.coverage import adds_up, merged
from memlens.engine.reads.lines import open_regular
from memlens.engine.reads.shapes import page_of, written_text
from memlens.engine.reads.texts_of import normalised
from memlens.engine.reads.transcript_files import label_of, subagents
from memlens.engine.reads.transcript_lines import MAIN, Event, Interpreter
from memlens.engine.reads.transcript_scan import LINE_LIMIT, Scanner
from memlens.engine.reads.transcript_values import items_of, parsed
from memlens.engine.reads.values import as_dict, as_text

_PAGES: Final = 2000


class _File:
    """One transcript file of the session."""

    def __init__(self, path: str, lane: str) -> None:
        self.path = path
        self.lane = lane
        self.scanner = Scanner(path)
        self.interpreter: Interpreter | None = None
        self.rewound: Callable[[int], bool] = lambda _index: False


class Track:
    """What a lane knows of one path, after all its events."""

    def __init__(self) -> None:
        self.status: str = "unread"
        """`unread`, `known`, or `lost`."""
        self.base: Event | None = None
        """The whole read or the write that counts."""
        self.pages: list[Event] = []
        """Partial reads since."""
        self.told = False
        """Whether the agent was told since that the file has changed on disk."""
        self.rewound = False
        """Whether it was only read on a branch that was left."""
        self._left: float | None = None
        self.first: float | None = None
        self.last: float | None = None
        self.reads = 0
        self.writes = 0
        self.refused: list[Event] = []

    def take(self, event: Event) -> None:
        kind = event.kind
        if kind == "refused":
            self.refused.append(event)
        elif kind == "told":
            self.told = self.status == "known"
        elif kind == "dropped":
            self.lose()
            self.status = "lost"
        elif kind == "again":
            if self.status == "known":
                self.reads += 1
                self.last = event.time
        else:
            self._seen(event)

    def _seen(self, event: Event) -> None:
        if event.kind == "page":
            total = event.total
            self.pages = [page for page in self.pages if page.total == total][-_PAGES:]
            self.pages.append(event)
        else:
            self.base, self.pages = event, []
        writes = event.kind in ("write", "edit")
        self.writes += writes
        self.reads += not writes
        self.status, self.told = "known", False
        self.first = event.time if self.first is None else self.first
        self.last = event.time

    def leave(self, event: Event) -> None:
        """The event is on a branch that was rewound."""
        self._left = event.time
        self.first = event.time if self.first is None else self.first

    def end(self) -> None:
        """There are no further events."""
        if self.status == "unread" and self._left is not None:
            self.status, self.rewound, self.last = "lost", True, self._left

    def lose(self) -> None:
        """The context was compacted."""
        if self.status == "known":
            self.status, self.base, self.pages, self.told = "lost", None, [], False


class View:
    """What of a file the agent has in mind: all of it, or some lines."""

    __slots__ = ("digest", "exact", "ranges", "total", "whole", "written")

    def __init__(self) -> None:
        self.whole = False
        self.written = False
        self.digest: str | None = None
        """Hash of the whole text, where it is known."""
        self.exact = False
        """Whether the last line end is surely told; reads may leave it out."""
        self.ranges: list[tuple[int, int]] = []
        self.total: int | None = None


class Transcript:
    """The events of one session, in all its files."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._owners: dict[str, str] = {}
        self._start()

    def _start(self) -> None:
        self._files: list[_File] = []
        self._events: dict[tuple[str, str], list[Event]] = {}
        self._compactions: dict[str, list[Event]] = {}
        self.loads: list[Event] = []
        self._done: dict[str, None] = {}
        self._views: dict[tuple[int, int, int], View] = {}
        self._count = 0
        self.labels: dict[str, str] = {MAIN: MAIN}

    @property
    def skipped(self) -> int:
        """Lines that could not be understood."""
        return sum(
            file.scanner.too_long + (file.interpreter.skipped if file.interpreter else 0)
            for file in self._files
        )

    @property
    def reads(self) -> int:
        """How many reads and writes there were."""
        kinds = ("whole", "page", "write", "edit", "again")
        return sum(event.kind in kinds for track in self._events.values() for event in track)

    @property
    def epochs(self) -> int:
        """How often the main context was compacted, plus one."""
        return len(self._compactions.get(MAIN, ())) + 1

    def files(self) -> list[str]:
        """The files of the session that are known by now."""
        return [file.path for file in self._files]

    def progress(self) -> tuple[int, int]:
        """Bytes that have been read of the files known by now, and their sizes."""
        done = [file.scanner.offset for file in self._files]
        return sum(done), sum(
            max(size_of(file.path), read) for file, read in zip(self._files, done, strict=True)
        )

    def advance(self, cancelled: Callable[[], bool] | None = None) -> bool:
        """Reads what has come since the last time; whether there was anything.

        A file that was replaced makes all begin anew. Raises `OSError` when the session's own
        file cannot be read; a subagent's file that cannot is left for the next time.
        """
        if any(file.scanner.replaced() for file in self._files):
            self._start()
        known = {file.path for file in self._files}
        for path, lane in [(self.path, MAIN), *subagents(self.path, self._owners)]:
            if path not in known:
                self._files.append(_File(path, lane))
                if lane != MAIN:
                    self.labels[lane] = label_of(path) or lane
        news = False
        for number, file in enumerate(self._files):
            try:
                news |= self._read(number, file, cancelled)
            except OSError:
                if file.lane == MAIN:
                    raise
        return news

    def _read(self, number: int, file: _File, cancelled: Callable[[], bool] | None) -> bool:
        def emit(event: Event) -> None:
            self._count += 1
            event.seq, event.file = self._count, number
            self._add(event)

        if file.interpreter is None:
            file.interpreter = Interpreter(file.lane, emit, self._done)
        interpreter, scanner = file.interpreter, file.scanner

        def handle(block: bytes, start: int, end: int, offset: int, index: int) -> Sequence[bytes]:
            asked, answered = interpreter.line(block, start, end, offset, index)
            for name in answered:
                scanner.answered(_as_bytes(name))
            return [_as_bytes(name) for name in asked] if asked else ()

        news = scanner.advance(handle, cancelled)
        if news:
            file.rewound = scanner.chain.rewound()
        return news

    def _add(self, event: Event) -> None:
        self.labels.setdefault(event.lane, event.lane)
        if event.kind == "compact":
            self._compactions.setdefault(event.lane, []).append(event)
        elif event.kind == "load":
            self.loads.append(event)
        else:
            self._events.setdefault((event.lane, event.path), []).append(event)

    def tracks(self) -> dict[tuple[str, str], Track]:
        """What each lane knows of each path now, by lane and path."""
        cuts = {
            lane: [event.seq for event in events if not self._is_left(event)]
            for lane, events in self._compactions.items()
        }
        return {
            key: self._replay(events, cuts.get(key[0], [])) for key, events in self._events.items()
        }

    def track(self, lane: str, path: str) -> Track | None:
        """What a lane knows of one path; None when it never was about it."""
        events = self._events.get((lane, path))
        if events is None:
            return None
        compactions = self._compactions.get(lane, [])
        return self._replay(events, [e.seq for e in compactions if not self._is_left(e)])

    def _replay(self, events: list[Event], cuts: list[int]) -> Track:
        track = Track()
        cut = 0
        for event in events:
            while cut < len(cuts) and cuts[cut] < event.seq:
                track.lose()
                cut += 1
            if event.kind != "refused" and self._is_left(event):
                track.leave(event)
            else:
                track.take(event)
        if cut < len(cuts):
            track.lose()
        track.end()
        return track

    def _is_left(self, event: Event) -> bool:
        return event.index >= 0 and self._files[event.file].rewound(event.index)

    def view(self, track: Track) -> View:
        """What of the file the agent has in mind. Reads texts again where that is needed."""
        base, pages = track.base, track.pages
        key = (base.seq if base else 0, pages[-1].seq if pages else 0, len(pages))
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._view(base, pages)
            if len(self._views) > 50_000:
                self._views.clear()
        return view

    def _view(self, base: Event | None, pages: list[Event]) -> View:
        from memlens.engine.reads.texts_of import text_hash

        view = View()
        if base is not None and (not pages or self._fits(base, pages)):
            view.whole = True
            view.written = view.exact = base.kind in ("write", "edit")
            view.total = base.total
            if base.has_text and base.digest is None:
                text = self.text_of(base)
                base.digest = None if text is None else text_hash(text)
            view.digest = base.digest
            return view
        spans = [
            (page.first, page.first + page.count - 1)
            for page in pages
            if page.count and page.has_text
        ]
        view.ranges = merged(spans)
        view.total = pages[-1].total if pages else None
        text = self._joined(pages)
        if text is not None:
            view.whole, view.digest = True, text_hash(text)
        return view

    def content(self, track: Track) -> str | None:
        """The whole text that the agent has in mind, with normalised line ends.

        Read again from the transcript; None where only part was read or it is told no more.
        """
        if track.base is not None and (not track.pages or self._fits(track.base, track.pages)):
            return self.text_of(track.base) if track.base.has_text else None
        return self._joined(track.pages)

    def has_content(self, track: Track) -> bool:
        """Whether `content` would give a text, without reading it."""
        return track.status == "known" and self.view(track).digest is not None

    def _fits(self, base: Event, pages: list[Event]) -> bool:
        """Whether later pages show the file that was read or written whole (R2, R3)."""
        text = self.text_of(base) if base.has_text else None
        if text is None:
            return False
        lines = text.split("\n")
        for page in pages:
            shown = self._lines(page)
            first = page.first - 1
            if shown is None or lines[first : first + len(shown)] != shown:
                return False
            if page.total is not None and abs(page.total - len(lines)) > 1:
                return False
        return True

    def _joined(self, pages: list[Event]) -> str | None:
        """The text of pages that add up to the whole; None where they do not."""
        total = pages[-1].total if pages else None
        if total is None:
            return None
        spans = [(page.first, page.first + page.count - 1) for page in pages if page.count]
        last = max(spans, default=(0, 0), key=lambda span: span[1])[1]
        cut = all(page.cut for page in pages if page.count and page.first + page.count - 1 == last)
        if not spans or not adds_up(spans, total, cut=cut):
            return None
        lines: dict[int, str] = {}
        for page in pages:
            shown = self._lines(page)
            if shown is None:
                return None
            for number, line in enumerate(shown, page.first):
                if lines.setdefault(number, line) != line:  # the file changed between the pages
                    return None
        return "\n".join(lines[number] for number in sorted(lines))

    def _lines(self, page: Event) -> list[str] | None:
        text = self.text_of(page) if page.has_text else None
        if text is None:
            return None
        lines = text.split("\n")
        if page.count is not None and len(lines) == page.count + 1 and not lines[-1]:
            lines.pop()
        return lines

    def text_of(self, event: Event) -> str | None:
        """The text that an event is about, read again from the transcript.

        Line ends are normalised. None when it does not stand there (any more).
        """
        try:
            with open_regular(self._files[event.file].path) as file:
                file.seek(event.offset)
                values = parsed(file.readline(LINE_LIMIT))
        except OSError:
            return None
        if values is None:
            return None
        if not event.call:
            given = as_dict(values.get("attachment"))
            page = page_of(as_dict(given.get("content"))) or page_of(given)
            return None if page is None or page.text is None else normalised(page.text)
        results = items_of(values, "tool_result")
        if all(as_text(item.get("tool_use_id")) != event.call for item in results):
            return None
        answer = as_dict(values.get("toolUseResult"))
        if event.kind in ("write", "edit"):
            return written_text(answer, {})
        page = page_of(answer)
        return None if page is None or page.text is None else normalised(page.text)


def size_of(path: str) -> int:
    """Bytes of a file; 0 where it cannot be asked."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _as_bytes(name: str) -> bytes:
    return name.encode("utf-8", "replace")


def session_id(transcript: str) -> str:
    """The session's id, after the name of its transcript."""
    return os.path.basename(transcript).removesuffix(".jsonl")
