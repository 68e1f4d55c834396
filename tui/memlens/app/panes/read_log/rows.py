"""The rows of the read log: filtered, sorted, grouped; and how one is drawn."""

from __future__ import annotations

import heapq
import math
import os
import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rich.cells import cell_len

from memlens.app.widgets.line_view import Piece, fit, fit_path
from memlens.engine.visible import visible

if TYPE_CHECKING:
    from memlens.engine.reads.model import PathReads, ReadLog

Order = Literal["time", "path", "state"]
ORDERS: Final[tuple[Order, ...]] = ("time", "path", "state")

GLYPHS: Final = {
    "unchanged": ("✓", "ok"),
    "touched": ("≈", "note"),
    "changed": ("✗", "error"),
    "gone": ("–", "dim"),
    "unread": ("?", "warning"),
    "lost": ("!", "warning"),
}
_URGENCY: Final = {name: at for at, name in enumerate(
    ("changed", "lost", "unread", "gone", "touched", "unchanged")
)}  # fmt: skip
_DAY: Final = 86_400


@dataclass(frozen=True)
class Row:
    """One line: a path, or the heading of a group."""

    key: Hashable
    entry: PathReads | None
    """None: a heading."""
    title: str
    depth: int = 0
    count: int = 0
    refused: int = 0
    """Of a heading: how many of its paths a write would be refused for."""
    folder: str = ""
    """The absolute folder of a heading; empty for a lane."""


@dataclass(frozen=True)
class Wish:
    """What a person wants to see of the log."""

    query: str = ""
    only_problems: bool = False
    order: Order = "time"
    by_folder: bool = False


def rows_of(log: ReadLog, root: str, wish: Wish) -> tuple[Row, ...]:
    """The rows for a log; with several agents there is a group for each."""
    labels = lane_titles(log)
    words = wish.query.casefold().split()
    entries = [
        entry
        for entry in log.paths
        if (entry.problem or not wish.only_problems)
        and (not words or _matches(entry, labels[entry.lane], root, words))
    ]
    if wish.order == "path":
        entries.sort(key=lambda entry: entry.path)
    elif wish.order == "state":
        entries.sort(key=lambda entry: _URGENCY[entry.state])
    if len([lane for lane in log.lanes if lane.paths]) < 2:
        return tuple(_by_folder(entries, root, 0) if wish.by_folder else _flat(entries, root, 0))
    rows: list[Row] = []
    for lane in log.lanes:
        own = [entry for entry in entries if entry.lane == lane.id]
        if own:
            rows.append(_heading(("lane", lane.id), labels[lane.id], own, 0))
            rows += _by_folder(own, root, 1) if wish.by_folder else _flat(own, root, 1)
    return tuple(rows)


def lane_titles(log: ReadLog) -> dict[str, str]:
    """What to call each lane; the kind of a subagent alone may stand for several."""
    titles = {entry.lane: entry.lane for entry in log.paths}
    for lane in log.lanes:
        titles[lane.id] = lane.label if lane.label == lane.id else f"{lane.label} {lane.id[:8]}"
    return titles


def label(path: str, root: str) -> str:
    """A path as a person would name it: relative where it lies in the project."""
    inside = root.rstrip("/") + "/"
    return path.removeprefix(inside) if path.startswith(inside) else path


def _matches(entry: PathReads, lane: str, root: str, words: Iterable[str]) -> bool:
    text = f"{label(entry.path, root)} {entry.state} {entry.coverage or ''} {lane}".casefold()
    return all(word in text for word in words)


def _flat(entries: Iterable[PathReads], root: str, depth: int) -> list[Row]:
    return [
        Row((entry.path, entry.lane), entry, label(entry.path, root), depth) for entry in entries
    ]


def _by_folder(entries: Sequence[PathReads], root: str, depth: int) -> list[Row]:
    groups: dict[str, list[PathReads]] = {}
    for entry in entries:
        groups.setdefault(os.path.dirname(entry.path), []).append(entry)
    rows: list[Row] = []
    for folder, own in groups.items():
        title = "./" if folder == root else label(folder, root).rstrip("/") + "/"
        rows.append(_heading(("folder", folder, own[0].lane), title, own, depth, folder))
        rows += [
            Row((entry.path, entry.lane), entry, os.path.basename(entry.path), depth + 1)
            for entry in own
        ]
    return rows


def _heading(
    key: Hashable, title: str, own: Sequence[PathReads], depth: int, folder: str = ""
) -> Row:
    refused = sum(entry.problem is not None for entry in own)
    return Row(key, None, title, depth, len(own), refused, folder)


class ReadLines:
    """Rows as lines: state, path, coverage, the state's word, and when it was read last."""

    def __init__(self, rows: tuple[Row, ...], now: float) -> None:
        self.rows = rows
        self._now = now
        self._places = {row.key: at for at, row in enumerate(rows)}
        self._room = _room_wanted(rows)

    def row(self, index: int) -> Row | None:
        return self.rows[index] if 0 <= index < len(self.rows) else None

    def count(self, width: int) -> int:
        return len(self.rows)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.rows[index].key if index < len(self.rows) else None

    def index(self, key: Hashable) -> int | None:
        return self._places.get(key)

    def line(self, index: int, width: int) -> Sequence[Piece]:
        row = self.rows[index]
        indent = "  " * row.depth
        entry = row.entry
        if entry is None:
            numbers = f" {row.count}" + (f"  {row.refused} refused" if row.refused else "")
            room = max(6, width - len(indent) - len(numbers))
            style = "error" if row.refused else "dim"
            return ((indent, ""), (fit_path(row.title, room), "heading"), (numbers, style))
        glyph, style = GLYPHS[entry.state]
        coverage = f" {fit(entry.coverage or '–', 8)}" if width >= 56 else ""
        moment = f" {when(entry.last_read, self._now):>6}" if width >= 40 else ""
        free = width - 2 - len(coverage) - 10 - len(moment)
        room = max(6, min(free, self._room) - len(indent))
        return (
            (f"{indent}{glyph} ", style),
            (fit_path(row.title, room), ""),
            (coverage, "dim"),
            (f" {entry.state:9}", style),
            (moment, "dim"),
        )


def _room_wanted(rows: Sequence[Row]) -> int:
    """Cells for the paths, so that on a wide screen what is said of them stands beside them.

    In large steps, so that the columns stay where they are when a path is added.
    """
    longest = heapq.nlargest(100, rows, key=lambda row: 2 * row.depth + len(row.title))
    cells = max((2 * row.depth + cell_len(visible(row.title)) for row in longest), default=0)
    return max(40, math.ceil((cells + 2) / 20) * 20)


def when(moment: float | None, now: float) -> str:
    """A time in six cells: of the clock today, else the day, else the year."""
    if not moment:
        return "–"
    then, today = time.localtime(moment), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M", then)
    if abs(now - moment) < 300 * _DAY:
        return f"{then.tm_mday} {time.strftime('%b', then)[:3]}"
    return time.strftime("%Y", then)


def age(seconds: float) -> str:
    """How long ago, in a few letters."""
    for size, word in ((_DAY, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {word} ago"
    return "just now"


def numbered(count: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def times(count: int) -> str:
    """`once`, `2 times`."""
    return "once" if count == 1 else f"{count:,} times"
