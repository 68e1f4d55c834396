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


def test_added_text_is_one_change() -> None:
    lines = WrappedLines([("head", "", 0), ("", "", 0)], "one\ntwo\n", "added")
    lines.count(40)
    assert lines.change_from(0, 1) == 2
    assert lines.change_from(2, 1) is None
    assert lines.change_from(4, -1) == 2
