"""The other words of a changed line are marked, and nothing else is lost or marked."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.app.screens.review_rows import DifferenceLines
from memlens.app.widgets.changed_words import BLOCK, differing, emphasised
from memlens.app.widgets.line_view import Piece
from memlens.app.widgets.texts import DiffLines
from memlens.engine.findings import Finding
from memlens.engine.review.model import DiffLine, LineKind


def loud(line: str, marks: Sequence[bool]) -> str:
    """The marked words of a line."""
    rows = emphasised([[(line, "added")]], "added", tuple(marks))
    return "|".join(text for row in rows for text, style in row if style == "added-word")


@pytest.mark.parametrize(
    ("left", "right", "there", "here"),
    [
        ("use rg with care", "use rg with great care", "", "great"),
        ("use grep here", "use rg here", "grep", "rg"),
        ("four spaces and no tabs here", "two spaces and a tab here", "four|no tabs", "two|a tab"),
        ("ends in a full stop.", "ends in a full stop. Always.", "", "Always."),
        ("the same  words", "the same words", "", ""),
        ("nothing in common", "other things entirely", "", ""),
        ("", "new", "", ""),
        ("wide 红色 words stay", "wide 蓝色 words stay", "红色", "蓝色"),
        ("a a a b", "a a b", "a", ""),
        ("of one file\r", "of two files\r", "", ""),
        ("rows of one file\r", "rows of one folder\r", "file", "folder"),
    ],
)
def test_the_other_words_of_two_lines(left: str, right: str, there: str, here: str) -> None:
    marks = differing(left, right)
    assert (loud(left, marks[0]), loud(right, marks[1])) == (there, here)


words = st.lists(st.sampled_from(["a", "b", "cc", "dd", "e\u0301", "红"]), max_size=12)


@given(words, words)
def test_what_is_not_marked_is_the_same_on_both_sides(left: list[str], right: list[str]) -> None:
    lines = " ".join(left), " ".join(right)
    marks = differing(*lines)
    if marks == ((), ()):
        return
    quiet = []
    for line, some in zip(lines, marks, strict=True):
        at, kept = 0, []
        for word in line.split():
            flags = {at + step < len(some) and some[at + step] for step in range(len(word))}
            assert len(flags) == 1  # a word is marked whole
            at += len(word)
            kept += [] if flags.pop() else [word]
        quiet.append(kept)
    assert quiet[0] == quiet[1]


@given(st.lists(st.text(max_size=8), max_size=4), st.lists(st.booleans(), max_size=20))
def test_no_letter_is_lost(rows: list[str], marks: list[bool]) -> None:
    pieces: list[list[Piece]] = [[(row, "added")] for row in rows]
    again = ["".join(text for text, _ in row) for row in emphasised(pieces, "added", tuple(marks))]
    assert again == rows


def difference(*lines: tuple[LineKind, str]) -> list[DiffLine]:
    return [DiffLine(kind, at, at, text) for at, (kind, text) in enumerate(lines, 1)]


def loud_rows(lines: DiffLines | DifferenceLines) -> list[str]:
    return [
        "".join(text for text, style in lines.line(row, 80) if style.endswith("-word"))
        for row in range(lines.count(80))
    ]


def test_a_line_is_held_against_the_one_that_it_was() -> None:
    lines = difference(
        ("same", "a line"), ("removed", "one two three"), ("removed", "four five six"),
        ("added", "one 2 three"), ("added", "four five 6"), ("added", "seven"),
    )  # fmt: skip
    wanted = ["", "two", "six", "2", "6", ""]
    assert loud_rows(DiffLines(lines)) == wanted
    assert loud_rows(DifferenceLines("x", lines)) == wanted


def test_lines_that_came_between_part_nothing() -> None:
    lines = difference(
        ("removed", "description: Short answers"), ("removed", "tags: [tools]"),
        ("added", "description: Short answers first"), ("added", "scope: global"),
        ("added", "created: 2026-08-11"), ("added", "tags: [style]"),
    )  # fmt: skip
    assert loud_rows(DiffLines(lines)) == ["", "[tools]", "first", "", "", "[style]"]


@pytest.mark.parametrize(("count", "words"), [(BLOCK // 2, 40), (2, 20_000)])
def test_large_changes_take_no_longer_than_a_key_may(count: int, words: int) -> None:
    def line(kind: LineKind, number: int, turn: int) -> tuple[LineKind, str]:
        return kind, " ".join(f"word{at % turn + number}" for at in range(words))

    lines = DiffLines(difference(
        *[line("removed", number, 7) for number in range(count)],
        *[line("added", number, 9) for number in range(count)],
    ))  # fmt: skip
    start = thread_time()
    for number in range(2 * count):
        lines.marks(number)
    assert thread_time() - start < 0.25


def test_findings_between_the_lines_part_nothing() -> None:
    lines = difference(
        ("removed", "one two three"), ("removed", "four five six"),
        ("added", "one 2 three"), ("added", "four five 6"),
    )  # fmt: skip
    finding = Finding("dead-link", "error", "/x", 3, 1, "it is dead", "")
    rows = [row for row in loud_rows(DifferenceLines("x", lines, findings=[finding])) if row]
    assert rows == ["two", "six", "2", "6"]


def test_what_is_written_anew_altogether_has_no_marks() -> None:
    many = BLOCK + 2
    lines = difference(
        *[("removed", f"one two {number}") for number in range(many)],
        *[("added", f"one 2 {number}") for number in range(many)],
    )
    assert not any(loud_rows(DiffLines(lines)))
