"""The gate for text: what must be seen is seen, what is only writing stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.visible import hidden_places, is_hidden, visible, visible_text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]0;pwned\x07", "␛]0;pwned␇"),
        ("\x9b31m", "‹U+009B›31m"),
        ("a\x00b\x7f", "a␀b␡"),
        ("user\u202ecod.exe", "user‹U+202E›cod.exe"),
        ("in\u200bvisible", "in‹U+200B›visible"),
        ("\U000e0041\U000e0042", "‹U+E0041›‹U+E0042›"),
        ("x\ufe01\ufe02", "x‹U+FE01›‹U+FE02›"),
        ("a\u200db", "a‹U+200D›b"),
        ("name\udcff", "name‹0xFF›"),
        ("\ufeffBOM", "‹U+FEFF›BOM"),
    ],
)
def test_hidden_characters_are_shown(raw: str, shown: str) -> None:
    assert visible(raw) == shown
    assert is_hidden(
        raw, next(i for i, c in enumerate(raw) if visible(raw[: i + 1]) != raw[: i + 1])
    )


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "naïve – “quoted” 日本語",
        "👩‍👩‍👧 ❤️ 1️⃣ ©️",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "שלום עולם",
        "می‌خواهم",
    ],
)
def test_ordinary_writing_is_left_alone(text: str) -> None:
    assert visible(text) == text
    assert not any(is_hidden(text, index) for index in range(len(text)))


@given(st.text(st.sampled_from("ab\n\t\r\u200b\u200d\ufe0f😀1\x1b\x85"), max_size=12))
def test_places_are_those_of_what_is_replaced(text: str) -> None:
    assert list(hidden_places(text)) == [
        index for index in range(len(text)) if is_hidden(text, index) and text[index] not in "\t\n"
    ]


def test_lines_and_tabs_survive_in_text() -> None:
    assert visible_text("a\tb\r\nc\x1b\rd") == "a\tb\nc␛␍d"


@given(st.text(alphabet=st.characters(codec=None)))
def test_no_control_ever_passes(text: str) -> None:
    shown = visible(text)
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert visible(shown) == shown or "\u200d" in shown or "\ufe0f" in shown
