"""The lists of the review as lines to draw: changed files, differences, findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len

from memlens.app.widgets.changed_words import emphasised, marks_of
from memlens.app.widgets.line_view import Piece, fit, fit_path
from memlens.app.widgets.paragraphs import Paragraphs, height_of, marked_rows
from memlens.engine.findings import SEVERITIES, Finding

if TYPE_CHECKING:
    from memlens.engine.review.model import ChangedFile, DiffLine, PromptSource, Review

SIGNS: Final = {"error": "✗", "warning": "!", "note": "·"}
MARKS: Final = {"added": "A", "modified": "M", "deleted": "D", "renamed": "R"}
_UNMERGED: Final = "U"
_MARK_STYLES: Final = {
    "A": "ok",
    "M": "changed",
    "D": "error",
    "R": "changed",
    "·": "dim",
    "U": "error",
}
_LINE_SIGNS: Final = {"added": "+", "removed": "-", "same": " ", "gap": "…", "note": "\\"}
_LINE_STYLES: Final = {"added": "added", "removed": "removed", "gap": "dim", "note": "dim"}
_BEFORE, _AFTER = attrgetter("before"), attrgetter("after")
_PLACE_FROM: Final = 84
"""Cells from which the source stands beside a line of the prompt."""
_TWO_NUMBERS_FROM: Final = 60
"""Cells from which both line numbers stand before a line."""


class Entry(NamedTuple):
    """A row of the list of files."""

    path: str
    file: ChangedFile | None
    """None: it does not change, but something is found in it."""
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        return {
            severity: sum(finding.severity == severity for finding in self.findings)
            for severity in SEVERITIES
        }


def entries_of(review: Review) -> tuple[Entry, ...]:
    """The changed files, then the others in which something is found."""
    found: dict[str, list[Finding]] = {}
    for finding in review.findings:
        found.setdefault(finding.file, []).append(finding)
    changed = [Entry(file.path, file, tuple(found.pop(file.path, ()))) for file in review.files]
    return (*changed, *(Entry(path, None, tuple(some)) for path, some in found.items()))


class FileLines:
    """The list of files: a row each."""

    def __init__(self, entries: Sequence[Entry], label_of: Callable[[str], str]) -> None:
        self.entries: Final = entries
        self._label_of: Final = label_of
        self._roles: Final = max((len(_role(entry)) for entry in entries), default=0)
        self._counts: Final = max(
            (sum(len(text) for text, _ in _counts(entry)) for entry in entries), default=0
        )
        self._paths: Final = {entry.path: number for number, entry in enumerate(entries)}

    def count(self, width: int) -> int:
        return len(self.entries)

    def full_width(self, width: int) -> int:
        return width

    def key(self, index: int) -> Hashable:
        return self.entries[index].path

    def index(self, key: Hashable) -> int | None:
        return self._paths.get(str(key))

    def line(self, index: int, width: int) -> Sequence[Piece]:
        entry = self.entries[index]
        file = entry.file
        mark = "·" if file is None else _UNMERGED if file.unmerged else MARKS[file.status]
        unstaged = "*" if file is not None and file.unstaged and not file.unmerged else " "
        counts = _counts(entry)
        room = width - 3 - self._counts - 1 - self._roles
        if room < 16:  # the name is worth more than the role
            room, role = width - 3 - self._counts, ""
        else:
            role = " " + fit(_role(entry), self._roles)
        return (
            (mark, _MARK_STYLES[mark]),
            (f"{unstaged} ", "warning"),
            (fit_path(self._label_of(entry.path), room), ""),
            (role, "dim"),
            *counts,
        )


def _counts(entry: Entry) -> list[Piece]:
    return [
        (f" {SIGNS[severity]}{count}", severity)
        for severity, count in entry.counts.items()
        if count
    ]


def _role(entry: Entry) -> str:
    return entry.file.role if entry.file is not None else "unchanged"


class Remark(NamedTuple):
    """A sentence among the lines of a difference."""

    text: str
    style: str = "dim"
    name: str = ""


def _last(number_of: Callable[[DiffLine], int], lines: Sequence[DiffLine]) -> int:
    """The highest number of a line, which is that of the last one that has any."""
    return next((number for number in map(number_of, reversed(lines)) if number), 0)


class DifferenceLines(Paragraphs):
    """A difference, with findings below the lines that they are about."""

    def __init__(
        self,
        what: str,
        lines: Iterable[DiffLine],
        *,
        heads: Sequence[Remark] = (),
        findings: Sequence[Finding] = (),
        place_of: Callable[[DiffLine], str] | None = None,
    ) -> None:
        """`what` tells this difference from others."""
        self.what: Final = what
        self._place_of: Final = place_of
        by_line: dict[int, list[Finding]] = {}
        for finding in findings:
            by_line.setdefault(finding.line, []).append(finding)
        self._loud: Final = {line: some[0].severity for line, some in by_line.items()}
        items: list[Remark | DiffLine | Finding] = [*heads, *by_line.pop(0, ())]
        told = tuple(lines)
        shown: list[DiffLine | Finding] = [] if by_line else [*told]
        for line in told if by_line else ():
            shown.append(line)
            if line.kind in ("added", "same"):
                shown += by_line.pop(line.after, ())
        highest = max(_last(_BEFORE, told), _last(_AFTER, told), 1)
        if by_line:
            items.append(Remark("In lines that are not shown here:", "dim"))
            items += [finding for some in by_line.values() for finding in some]
        self.items: Final = (*items, *shown)
        self._digits = len(str(highest))
        super().__init__(len(self.items))

    def height(self, number: int, width: int) -> int:
        item = self.items[number]
        if isinstance(item, Finding):
            return len(_finding_rows(item, width, "  ╰ "))
        if isinstance(item, Remark):
            return height_of(item.text, width)
        return height_of(item.text, self._room(width))

    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        item = self.items[number]
        if isinstance(item, Finding):
            return _finding_rows(item, width, "  ╰ ")
        if isinstance(item, Remark):
            return marked_rows(item.text, width, item.style)
        sign, style = _LINE_SIGNS[item.kind], _LINE_STYLES.get(item.kind, "")
        numbers = self._numbers_of(item, width)
        loud = self._loud.get(item.after) if item.kind in ("added", "same") else None
        mark = (f"{SIGNS[loud]} ", str(loud)) if loud else ("  ", "")
        place: tuple[Piece, ...] = ()
        if self._has_places(width) and item.kind in _LINE_SIGNS and self._place_of is not None:
            place = ((" " + fit_path(self._place_of(item), 24), "dim"),)
        rows: list[list[Piece]] = []
        room = self._room(width)
        marks = marks_of(self._kind, self._text, number, len(self.items))
        for row, pieces in enumerate(emphasised(marked_rows(item.text, room, style), style, marks)):
            first = row == 0
            head = numbers if first else " " * len(numbers)
            missing = max(0, room - sum(cell_len(text) for text, _ in pieces))
            body = [*pieces, (" " * missing, style)]  # the colour of a line goes to the edge
            if first:
                body += place
            rows.append([(head, "gutter"), mark if first else ("  ", ""),
                         (f"{sign if first else '┆'} ", style or "gutter"), *body])  # fmt: skip
        return rows

    def _kind(self, number: int) -> str:
        item = self.items[number]
        if isinstance(item, Finding):
            return ""
        return "remark" if isinstance(item, Remark) else item.kind

    def _text(self, number: int) -> str:
        item = self.items[number]
        return "" if isinstance(item, Finding) else item.text

    def name(self, number: int) -> Hashable:
        item = self.items[number]
        if isinstance(item, Remark):
            return (self.what, item.text)
        if isinstance(item, Finding):
            return (self.what, item)
        if item.kind == "gap":  # named by what comes behind it
            return (self.what, "gap", *self.items[number + 1 : number + 2])
        return (self.what, item.kind, item.before, item.after)

    def _number_of(self, name: Hashable) -> int | None:
        # Looked for among all without giving each its name: there may be many.
        if not isinstance(name, tuple) or name[0] != self.what:
            return None
        if len(name) == 4:
            return next((at for at, item in enumerate(self.items) if item[:3] == name[1:]), None)
        others = (at for at in range(len(self.items)) if self._kind(at) in ("", "remark", "gap"))
        return next((at for at in others if self.name(at) == name), None)

    def place_at(self, index: int) -> int:
        """The line of the text after the change that stands in a row, or the nearest before."""
        for number in range(self.number(index), -1, -1):
            item = self.items[number]
            if isinstance(item, Finding):
                if item.line:
                    return item.line
            elif not isinstance(item, Remark) and item.after:
                return item.after
        return 1

    def row_at(self, line: int) -> int | None:
        """The first row of a line of the text after the change; None where it is not shown."""
        for number, item in enumerate(self.items):
            if not isinstance(item, Remark | Finding) and item.after == line:
                return self.row_of(number)
        return None

    def line_at(self, index: int) -> DiffLine | None:
        """The line of the difference in a row; None for what is none."""
        item = self.items[self.number(index)] if self.items else None
        return None if item is None or isinstance(item, Remark | Finding) else item

    def change_from(self, index: int, step: int) -> int | None:
        """The first row of the next change from row `index`, forward (1) or back (-1)."""
        number = self.number(index)
        own = self._begin(number) if step < 0 and self._changed(number) else number
        if own < number:
            return self.row_of(own)
        number += step
        while 0 <= number < len(self.items):
            if self._changed(number) and self._begin(number) == number:
                return self.row_of(number)
            number += step
        return None

    def is_change(self, index: int) -> bool:
        """Whether what stands in a row is added or removed."""
        return bool(self.items) and self._changed(self.number(index))

    @property
    def last_row(self) -> int:
        """The last row, once rows were counted."""
        return self.row_of(len(self.items) - 1) if self.items else 0

    def _changed(self, number: int) -> bool:
        item = self.items[number]
        return not isinstance(item, Remark | Finding) and item.kind in ("added", "removed")

    def _begin(self, number: int) -> int:
        """Where the change that a line belongs to begins; findings do not part it."""
        begin = number
        at = number - 1
        while at >= 0 and (self._changed(at) or isinstance(self.items[at], Finding)):
            if self._changed(at):
                begin = at
            at -= 1
        return begin

    def _numbers_of(self, line: DiffLine, width: int) -> str:
        old, new = (str(one) if one else "" for one in (line.before, line.after))
        if line.kind in ("gap", "note"):
            old = new = ""
        if width < _TWO_NUMBERS_FROM:
            return f"{new or old:>{self._digits}} "
        return f"{old:>{self._digits}} {new:>{self._digits}} "

    def _has_places(self, width: int) -> bool:
        return self._place_of is not None and width >= _PLACE_FROM

    def _room(self, width: int) -> int:
        columns = 1 if width < _TWO_NUMBERS_FROM else 2
        gutter = columns * (self._digits + 1) + 4
        return max(8, width - gutter - (25 if self._has_places(width) else 0))


class FindingLines(Paragraphs):
    """What is wrong, where, and what to do."""

    def __init__(self, findings: Sequence[Finding], label_of: Callable[[str], str]) -> None:
        self.findings: Final = findings
        self._label_of: Final = label_of
        super().__init__(len(findings))

    def height(self, number: int, width: int) -> int:
        return len(self.rows(number, width))

    def rows(self, number: int, width: int) -> Sequence[Sequence[Piece]]:
        finding = self.findings[number]
        place = self._label_of(finding.file)
        if finding.line:
            place += f":{finding.line}" + (f":{finding.column}" if finding.column else "")
        name = f" {finding.name}"
        room = max(8, width - 2 - len(name))
        head: list[Piece] = [
            (f"{SIGNS[finding.severity]} ", finding.severity),
            (fit_path(place, room).rstrip() if len(place) > room else place, "strong"),
            (name, finding.severity),
        ]
        rows: list[Sequence[Piece]] = [head, *_indented(finding.message, width, "")]
        if finding.hint:
            rows += _indented(f"→ {finding.hint}", width, "dim")
        return [*rows, ()]

    def name(self, number: int) -> Hashable:
        return self.findings[number]


def _indented(text: str, width: int, style: str) -> list[list[Piece]]:
    return [[("  ", ""), *row] for row in marked_rows(text, max(8, width - 2), style)]


def _finding_rows(finding: Finding, width: int, lead: str) -> list[list[Piece]]:
    place = f"line {finding.line}: " if finding.line else ""
    column = f", column {finding.column}" if finding.column else ""
    place = place.replace(":", f"{column}:", 1)
    words = f"{SIGNS[finding.severity]} {finding.name}: {place}{finding.message}"
    room = max(8, width - len(lead))
    rows = [
        [(lead if number == 0 else " " * len(lead), finding.severity), *row]
        for number, row in enumerate(marked_rows(words, room, finding.severity))
    ]
    if finding.hint:
        rows += [
            [(" " * len(lead), ""), *row] for row in marked_rows(f"→ {finding.hint}", room, "dim")
        ]
    return rows


class Sources:
    """Where the lines of a prompt come from."""

    def __init__(self, runs: Sequence[PromptSource], label_of: Callable[[str], str]) -> None:
        self._runs: Final = runs
        self._label_of: Final = label_of
        self._starts: Final = list(accumulate((run.lines for run in runs), initial=1))

    def place(self, line: int) -> tuple[str, int]:
        """The file, absolute, and the line in it; empty and 0 where there is none."""
        at = bisect_right(self._starts, line) - 1
        if not 0 <= at < len(self._runs):
            return "", 0
        run = self._runs[at]
        return run.file, run.line + line - self._starts[at] if run.line else 0

    def label(self, line: int) -> str:
        """The place as a person would name it."""
        file, number = self.place(line)
        return f"{self._label_of(file)}:{number}" if file and number else ""
