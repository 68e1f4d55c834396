"""Columns stay straight whatever a terminal takes for the width of an emoji."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.app.straight import straight

UNCERTAIN = ("👍🏽", "❤️", "1️⃣", "👨‍👩‍👧‍👦", "🧑🏽‍🚀")
CERTAIN = (
    "",
    "plain",
    "│ 漢字 │",
    "🙂",
    "e\u0301",
    "🇩🇪",
    "\x1b[1;31mred\x1b[0m",
    "\x1b[1m🏽",
    "\x1b[1m[\ufe0f",
)


@pytest.mark.parametrize("emoji", UNCERTAIN)
def test_the_cursor_is_placed_behind_an_emoji(emoji: str) -> None:
    sent = straight(f"\x1b[1mleft {emoji} right\x1b[0m")
    assert sent == f"\x1b[1mleft \x1b7  \x1b8\x1b7{emoji}\x1b8\x1b[2C right\x1b[0m"


@pytest.mark.parametrize("text", CERTAIN)
def test_what_all_take_for_equally_wide_is_sent_as_it_is(text: str) -> None:
    assert straight(text) == text


PARTS = (
    "a",
    "[",
    "m",
    "│",
    "\ufe0f",
    "\u200d",
    "🏽",
    "👍",
    "\u20e3",
    "\x1b[0m",
    "\x1b[38;5;1m",
    "\x1b[2;3H",
)
PLACING = re.compile("\x1b7 +\x1b8\x1b7(.*?)\x1b8\x1b\\[[12]C")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_nothing_else_is_changed(sent: str) -> None:
    assert PLACING.sub(r"\1", straight(sent)) == sent
