"""Fields for text from disks: nothing in it reaches the terminal, and nothing of it is lost."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.suggester import SuggestFromList
from textual.widgets import Input, TextArea

from memlens.app.widgets.safe_text import SafeDocument, SafeInput, SafeTextArea, stand_ins
from tests.app.pilot import driven, until
from tests.app.terminal import Terminal

EVIL = "a\x1b]0;stolen\x07b\x9b31mc\u202ed\u200be\U000e0041f\udc80g\x7fh\x00i\u2028j\x85k\x0cl\rm"
SEEN = "a␛]0;stolen␇b¿31mc¿d¿e¿f\ufffdg␡h␀i¿j¿k␌l␍m"


class Fields(App[None]):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.animation_level = "none"
        self.given = text

    def compose(self) -> ComposeResult:
        yield SafeInput(
            self.given.replace("\n", ""), suggester=SuggestFromList(["xy\x1b]0;z\x07"]), id="line",
            select_on_focus=False,
        )  # fmt: skip
        yield SafeTextArea(self.given, id="area")


def drawn(widget: Input | TextArea) -> str:
    rows = [widget.render_line(y).text.rstrip() for y in range(widget.content_size.height)]
    return "\n".join(rows).rstrip()


def test_each_hidden_character_has_one_visible_cell() -> None:
    assert stand_ins(EVIL) == SEEN
    assert len(SEEN) == len(EVIL)
    assert stand_ins("plain") == "plain"
    assert stand_ins("a\tb") == "a\tb"
    assert stand_ins("👩\u200d🚀 é") == "👩\u200d🚀 é"


async def test_fields_draw_stand_ins_and_keep_the_value() -> None:
    app = Fields(EVIL)
    async with driven(app, (80, 12)) as pilot:
        line, area = app.query_one(SafeInput), app.query_one(SafeTextArea)
        assert drawn(line) == SEEN
        assert drawn(area) == SEEN
        assert (line.value, area.text) == (EVIL, EVIL)
        area.focus()
        await pilot.press("end", "backspace", "ctrl+z", "end", "Z")
        assert area.text == EVIL + "Z"
        line.focus()
        await pilot.press("home", "right", "delete")
        assert line.value == EVIL.replace("\x1b", "")


async def test_the_cursor_stands_where_the_eye_sees_it() -> None:
    app = Fields("\u200b\u200bab\x1bc")
    async with driven(app, (40, 8)) as pilot:
        line, area = app.query_one(SafeInput), app.query_one(SafeTextArea)
        await pilot.click(area, offset=(area.gutter.left + 4, area.gutter.top))
        assert area.cursor_location == (0, 4)
        await pilot.click(line, offset=(line.gutter.left + 3, line.gutter.top))
        assert line.cursor_position == 3
        line.cursor_position = 0
        await pilot.press("right", "right", "x")
        assert line.value == "\u200b\u200bxab\x1bc"


async def test_a_suggestion_is_drawn_safely() -> None:
    app = Fields("")
    async with driven(app, (40, 8)) as pilot:
        line = app.query_one(SafeInput)
        await pilot.press("x")
        await until(pilot, lambda: line._suggestion)
        assert drawn(line) == "xy␛]0;z"  # the framework drops the bell by itself
        await pilot.press("right")
        assert line.value == "xy\x1b]0;z\x07"


async def test_what_is_pasted_keeps_its_lines() -> None:
    from textual import events

    app = Fields("a\r\nb")
    async with driven(app, (40, 8)) as pilot:
        area = app.query_one(SafeTextArea)
        area.focus()
        area.move_cursor(area.document.end)
        app.post_message(events.Paste("1\r2\r\n3\n4"))
        await pilot.pause()
        assert area.text == "a\r\nb1\r\n2\r\n3\r\n4"


@pytest.mark.parametrize(
    "text", ["", "\n", "a", "a\n", "a\r\nb\r\n", "a\r\nb\n", "a\rb", "\r\r\n", "\n\r", "x\u2028y\n"]
)
def test_a_document_is_its_text(text: str) -> None:
    assert SafeDocument(text).text == text


TEXTS = st.text(st.sampled_from("ab\r\n\t\x1b\u2028\x85\u200bé"), max_size=20)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.data())
def test_an_edit_is_taken_back_exactly(text: str, new: str, data: st.DataObject) -> None:
    document = SafeDocument(text)

    def place() -> tuple[int, int]:
        row = data.draw(st.integers(0, document.line_count - 1))
        return row, data.draw(st.integers(0, len(document.get_line(row))))

    start, end = sorted((place(), place()))
    result = document.replace_range(start, end, new)
    assert [len(line) for line in document.lines] == [len(line) for line in document._lines]
    assert document.lines == [stand_ins(line) for line in document._lines]
    document.replace_range(start, result.end_location, result.replaced_text)
    assert document.text == text


RUN = """
from tests.app.test_editor_safe_text import EVIL, Fields
Fields(EVIL).run()
"""


def test_a_terminal_receives_none_of_it() -> None:
    program = (sys.executable, "-c", RUN)
    with Terminal(program=program, cwd=Path(__file__).parents[2]) as terminal:
        terminal.until("␛]0;stolen␇")
        terminal.send("\x11")
        assert terminal.ended() == 0
        received = terminal.all
    assert "␛]0;stolen␇".encode() in received
    assert b"\x1b]0;stolen" not in received
    assert not re.search("[\x80-\x9f\u202e\u200b\U000e0041\u2028]", received.decode())
