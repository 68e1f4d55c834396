"""Paragraphs of a list: nothing is lost, nothing is wider than the view, and hidden text shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memlens.app.widgets.paragraphs import height_of, marked_rows, wrapped
from memlens.engine.visible import visible

TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab  -\t\r\x1b\u200b\u202e\u200d\ufe0f👩💻日本ア\udce9"),
        st.characters(exclude_characters="\n"),
    ),
    max_size=120,
)


@given(TEXTS, st.integers(2, 50))
def test_nothing_is_lost_and_nothing_is_too_wide(text: str, width: int) -> None:
    shown = visible(text)
    rows = wrapped(shown, width)
    assert "".join(rows) == shown
    assert all(cell_len(row.rstrip()) <= width for row in rows)


@given(TEXTS, st.integers(0, 50))
def test_rows_show_the_text_and_as_many_as_announced(text: str, width: int) -> None:
    rows = marked_rows(text, width, "added")
    assert len(rows) == height_of(text, width)
    shown = "".join(piece for row in rows for piece, _ in row)
    assert shown == visible(text.expandtabs(4))
    assert not any(character in shown for character in "\x1b\t\r\u200b\u202e\udce9")


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("plain", []),
        ("a\u200bb\x1bc", ["‹U+200B›", "␛"]),
        ("\u202eall\u202c", ["‹U+202E›", "‹U+202C›"]),
        ("👩‍💻 is meant", []),
        ("written ‹U+200B› by hand, and ünicode", []),
        ("the CR of a line end is shown, not marked\r", []),
    ],
)
def test_what_is_hidden_is_marked(text: str, hidden: list[str]) -> None:
    rows = marked_rows(text, 80, "")
    assert [piece for row in rows for piece, style in row if style == "hidden"] == hidden


def test_a_mark_may_be_broken_by_the_end_of_a_row() -> None:
    rows = marked_rows("x" * 9 + "\u200b" + "y", 12, "")
    marked = "".join(piece for row in rows for piece, style in row if style == "hidden")
    assert marked == "‹U+200B›"
