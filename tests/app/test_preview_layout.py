"""Rows of long texts: exact, quick, and nothing is lost."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memlens.app.panes.prompt_preview.layout import Layout, chop
from memlens.app.panes.prompt_preview.search import LineStarts, Search
from memlens.app.widgets.long_text import UNIT, Text, display
from memlens.app.widgets.paragraphs import is_narrow

TEXTS = st.text(st.sampled_from("ab  \t漢é\x1b\u200b👩\u0301"), max_size=80)


@given(TEXTS, st.integers(8, 30))
def test_the_rows_of_a_line_are_the_line_and_fit(text: str, width: int) -> None:
    rows = chop(text, width)
    assert "".join(rows) == display(text)
    for row in rows:
        assert cell_len(row.rstrip(" ")) <= width


def test_characters_that_are_taken_for_narrow_are() -> None:
    for code in range(0x20, 0x3000):
        if is_narrow(chr(code)):
            assert cell_len(chr(code)) == 1, hex(code)
            assert display(chr(code)) == chr(code)


def finished(text: str, width: int) -> Layout:
    layout = Layout(Text(text, text.count("\n") + 1), width, wrap=True)
    while not layout.complete:
        layout.advance()
    return layout


@given(st.lists(TEXTS, min_size=1, max_size=12), st.integers(8, 30))
def test_each_row_belongs_to_its_line(lines: list[str], width: int) -> None:
    layout = finished("\n".join(lines), width)
    known = layout.known()
    seen = [known.place(row) for row in range(known.count)]
    assert [number for number, part, _ in seen if part == 0] == list(range(1, len(lines) + 1))
    for row, (number, part, unit) in enumerate(seen):
        assert known.row_of(number) + part == row
        assert row - known.start_of(unit) < len(layout.rows(unit))


def test_what_is_not_laid_out_yet_counts_one_row_and_stays_consistent() -> None:
    text = Text("\n".join(["漢字" * 40] * 3000), 3000)
    layout = Layout(text, 20, wrap=True)
    assert not layout.complete
    early = layout.known()
    for line in (1, 1500, 3000):
        assert early.place(early.row_of(line))[0] == line
    before = [early.row_of(line) for line in (1, 1500, 3000)]
    while not layout.advance():
        pass
    assert [early.row_of(line) for line in (1, 1500, 3000)] == before
    assert layout.known().count == 3000 * 8


HARD = {
    "50,000 lines": "some words in a line of ordinary length\n" * 50_000,
    "long paragraphs": "words and more words of an ordinary paragraph " * 6 + "\n",
    "one line": "word " * 400_000,
    "one word": "x" * 2_000_000,
    "wide": ("漢字かな" * 20 + "\n") * 8000,
    "wide line": "漢字かな" * 160_000,
    "escapes": "\x1b" * 2_000_000,
    "emoji": ("👩\u200d🚀 hello " * 20 + "\n") * 8000,
}
HARD["long paragraphs"] *= 7000


@pytest.mark.parametrize("name", HARD)
def test_no_step_takes_long(name: str) -> None:
    text = HARD[name]
    prepared = Text(text, text.count("\n") + 1)
    steps = []
    layout: Layout | None = None
    for _ in range(12):
        start = perf_counter()
        if layout is None:
            layout = Layout(prepared, 70, wrap=True)
        else:
            layout.advance()
        steps.append(perf_counter() - start)
    # The machine may be busy with something else once; the median cannot lie.
    assert sorted(steps)[len(steps) // 2] < 0.03
    assert Layout(prepared, 70, wrap=False).widest <= 4 * UNIT


def test_long_lines_are_cut_only_where_one_looks() -> None:
    layout = finished("a" * (UNIT * 2 + 5) + "\nb", 64)
    known = layout.known()
    assert known.place(known.row_of(2)) == (2, 0, 3)
    assert "".join("".join(layout.rows(unit)) for unit in range(3)) == "a" * (UNIT * 2 + 5)


@given(st.text("abA\n", max_size=200), st.text("abA", min_size=1, max_size=3))
def test_search_finds_what_is_there(text: str, needle: str) -> None:
    search = Search(text, needle)
    assert search.complete
    folded = text.lower() if needle == needle.lower() else text
    expected, at = [], folded.find(needle)
    while at >= 0:
        expected.append(at)
        at = folded.find(needle, at + len(needle))
    assert search.starts == expected


def test_search_in_a_long_text_comes_bit_by_bit() -> None:
    text = "needle in hay\n" * 150_000
    search = Search(text, "E")
    assert search.starts == []
    search = Search(text, "ee")
    while not search.complete:
        search.advance()
    assert len(search.starts) == 150_000
    assert search.behind(-1) == 0
    assert search.behind(search.starts[-1]) == 0
    assert search.before(0) == 149_999


def test_lines_begin_where_they_begin() -> None:
    starts = LineStarts("a\n\nbc\n", 3)
    assert [starts.start(line) for line in (1, 2, 3)] == [0, 2, 3]
    assert [starts.line(offset) for offset in range(6)] == [1, 1, 2, 3, 3, 3]
