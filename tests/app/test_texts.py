"""Long texts to read: shown at once, laid out bit by bit, and nothing of them is lost."""

from __future__ import annotations

from time import thread_time

from memlens.app.widgets.texts import DiffLines, WrappedLines
from memlens.engine.review.model import DiffLine, LineKind


def finished(lines: WrappedLines, width: int) -> list[str]:
    lines.count(width)
    while not lines.advance():
        pass
    count = lines.count(width)
    return ["".join(text for text, _ in lines.line(row, width)) for row in range(count)]


def test_heads_and_text_are_wrapped_to_the_last_character() -> None:
    text = "some words\n" * 3 + "x" * 9_000
    rows = finished(WrappedLines([("a head", "strong", 2)], text), 40)
    assert rows[0] == "a head"
    assert "".join(rows[1:]) == text.replace("\n", "")


def test_three_megabytes_take_no_step_for_long() -> None:
    lines = WrappedLines([], "many words of a long text, one behind the other\n" * 64_000)
    start = thread_time()
    lines.count(30)
    times = [thread_time() - start]
    while not lines.complete:
        start = thread_time()
        lines.advance()
        times.append(thread_time() - start)
    assert len(times) > 3
    assert lines.count(30) > 64_000


def test_a_row_keeps_its_place_while_others_are_laid_out() -> None:
    lines = WrappedLines([], "word " * 20 + "\n" + "many words of a long text\n" * 90_000)
    count = lines.count(20)
    key = lines.key(count - 1)
    lines.advance()
    assert lines.key(count - 1) == key
    while not lines.advance():
        pass
    lines.count(20)
    assert lines.key(lines.index(key) or 0) == key


def test_changes_are_gone_through_by_their_beginnings() -> None:
    kinds: tuple[LineKind, ...] = ("same", "removed", "added", "same", "added", "same")
    lines = DiffLines([DiffLine(kind, at, at, "x") for at, kind in enumerate(kinds, 1)])
    assert lines.change_from(0, 1) == 1
    assert lines.change_from(1, 1) == 4
    assert lines.change_from(4, 1) is None
    assert lines.change_from(4, -1) == 1
    assert lines.change_from(1, -1) is None


LONG = "many words of one long line that no screen is wide enough for"


def told(lines: DiffLines, width: int) -> list[str]:
    rows = (lines.line(row, width) for row in range(lines.count(width)))
    return ["".join(text for text, _ in row).rstrip() for row in rows]


def test_a_difference_is_wrapped_or_scrolled_as_one_likes() -> None:
    lines = DiffLines([DiffLine("same", 1, 1, "x"), DiffLine("added", 0, 2, LONG)])
    assert told(lines, 40) == [
        "1 1   x", "  2 + many words of one long line that", "    ┆ no screen is wide enough for",
    ]  # fmt: skip
    assert lines.full_width(40) == 40
    assert lines.first_change == 1
    flat = lines.again(wrap=False)
    assert told(flat, 40) == ["1 1   x", f"  2 + {LONG}"]
    assert flat.full_width(40) == 6 + len(LONG)
    assert flat.fixed == 6
    assert flat.index(lines.key(2)) == 1


def test_changes_are_gone_through_in_rows() -> None:
    lines = DiffLines(
        [DiffLine("added", 0, 1, LONG), DiffLine("same", 1, 2, LONG), DiffLine("added", 0, 3, "x")]
    )
    assert lines.count(40) == 5
    assert lines.change_from(0, 1) == 4
    assert lines.change_from(1, -1) == 0
    assert lines.change_from(4, -1) == 0


def test_what_is_hidden_in_a_difference_is_marked() -> None:
    lines = DiffLines([DiffLine("added", 0, 1, "a\u200bb")])
    assert ("‹U+200B›", "hidden") in lines.line(0, 40)


def test_added_text_is_one_change() -> None:
    lines = WrappedLines([("head", "", 0), ("", "", 0)], "one\ntwo\n", "added")
    lines.count(40)
    assert lines.change_from(0, 1) == 2
    assert lines.change_from(2, 1) is None
    assert lines.change_from(4, -1) == 2
