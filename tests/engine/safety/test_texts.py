"""Each finding about the safety of a text: what must be found, where, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.finding_names import DESCRIPTIONS
from memlens.engine.safety.texts import check_text

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def places(text: str) -> list[tuple[str, int, int]]:
    return [(f.name, f.line, f.column) for f in check_text("CLAUDE.md", text)]


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("a\u200bb", 2, "U+200B (zero width space)"),
        ("a\u2060b", 2, "U+2060"),
        ("x \u202egnp.exe\u202c", 3, "U+202E (right-to-left override), U+202C"),
        ("a\u2066b\u2069", 2, "2 hidden characters"),
        ("ab\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065", 3, "“ignore”"),
        ("😀\ufe01\U000e0150\U000e0151", 2, "as data they are 3 bytes"),
        ("😀" + "".join(chr(0xE0100 + ord(c) - 16) for c in "obey me"), 2, "“obey me”"),
        ("soft\u00adhyphen", 5, "U+00AD (soft hyphen)"),
        ("join\u200der", 5, "U+200D (zero width joiner)"),
        ("in\ufeffside", 3, "U+FEFF"),
        ("left\u200emark", 5, "U+200E (left-to-right mark)"),
        ("line\u2028separator", 5, "U+2028"),
        ("see @docs/ѕtyle.md", 11, "“ѕ” U+0455 (cyrillic small letter dze) looks like “s”"),
    ],
)
def test_hidden_characters_are_found(text: str, column: int, says: str) -> None:
    for before in ("", "first\r\n", "😀 wide\n\n"):
        findings = check_text("CLAUDE.md", before + text + "\nlast\n")
        line = before.count("\n") + 1
        assert [(f.name, f.line, f.column) for f in findings] == [
            ("hidden-characters", line, column)
        ]
        assert says in findings[0].message
        assert findings[0].hint


@pytest.mark.parametrize(
    "text",
    [
        "plain, naïve – “quoted” 日本語",
        "\ufeffa byte order mark at the start",
        "👩‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️ ❤️ ❤️‍🔥 1️⃣ ©️ ✔︎ 🇩🇪",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "שלום עולם, כתוב כאן",
        "טקסט \u200f(סימן)\u200f רגיל",
        "مرحبا بالعالم",
        "می‌خواهم کتاب‌ها",
        "क्‍ष",
        "ภาษา\u200bไทย",
        "葛\U000e0100城",
        "tabs\tand\r\nline ends\r\n",
        "see @docs/стиль.md and @docs/style.md, mail а@б.рф",
        "",
    ],
)
def test_ordinary_writing_is_left_alone(text: str) -> None:
    assert check_text("CLAUDE.md", text) == []


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("a\x1b]0;title\x07b", 2, "U+001B (escape), U+0007 (bell)"),
        ("\x9b31mred", 1, "control sequence introducer"),
        ("over\rwritten", 5, "carriage return"),
        ("a\x00b", 2, "U+0000 (null)"),
        ("del\x7f", 4, "delete"),
    ],
)
def test_control_characters_are_found(text: str, column: int, says: str) -> None:
    findings = check_text("CLAUDE.md", "first\n" + text)
    assert [(f.name, f.line, f.column) for f in findings] == [("control-characters", 2, column)]
    assert says in findings[0].message


CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n" + CONFLICT, [2]),
        (CONFLICT.replace("\n", "\r\n"), [1]),
        ("a\n<<<<<<< HEAD\nx\n||||||| base\ny\n=======\nz\n>>>>>>> b\n\n" + CONFLICT, [2, 10]),
        ("a\nb\n>>>>>>> leftover\n", [3]),
        ("<<<<<<< HEAD\nours\n=======\n", [1]),
        ("||||||| base\n", [1]),
        ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n", [1, 2]),
    ],
)
def test_conflict_markers_are_found(text: str, lines: list[int]) -> None:
    assert places(text) == [("conflict-markers", line, 1) for line in lines]
    assert all(f.severity == "error" for f in check_text("CLAUDE.md", text))


@pytest.mark.parametrize(
    "text",
    [
        "Heading\n=======\n\ntext\n",
        "=======\n",
        "    <<<<<<< indented\n",
        "<<<<<<<< eight\n<<<<<< six\n",
        "<<<<<<<tight\n>>>>>>>tight\n",
        ">>> python prompt\n",
        "a ======= b\n",
    ],
)
def test_headings_and_quotes_are_no_conflicts(text: str) -> None:
    assert check_text("CLAUDE.md", text) == []


def test_an_example_of_a_conflict_in_a_code_block_is_only_a_warning() -> None:
    findings = check_text("CLAUDE.md", f"So it looks:\n\n```text\n{CONFLICT}```\n")
    assert [(f.name, f.severity, f.line) for f in findings] == [("conflict-markers", "warning", 4)]
    torn = check_text("CLAUDE.md", "```\n<<<<<<< HEAD\n```\n=======\n```\n>>>>>>> side\n```\n")
    assert [f.severity for f in torn] == ["error"]


def test_secrets_are_found_and_not_repeated() -> None:
    findings = check_text("CLAUDE.md", f"use it\n  key {TOKEN} now\n")
    assert [(f.name, f.line, f.column) for f in findings] == [("secret", 2, 7)]
    assert TOKEN not in repr(findings)
    assert check_text("CLAUDE.md", "The token: use env var\ntoken_count = 42\n") == []


def test_findings_come_in_the_order_of_the_text() -> None:
    text = f"a\u200b\x07\n{CONFLICT}b\u200b {TOKEN}\n"
    assert places(text) == [
        ("hidden-characters", 1, 2),
        ("control-characters", 1, 3),
        ("conflict-markers", 2, 1),
        ("hidden-characters", 7, 2),
        ("secret", 7, 4),
    ]


@given(st.text(st.sampled_from("ab\n\r \t<=>|`~\u200b\x1b\u202e😀\ufe0f\u200dא@s"), max_size=60))
@settings(deadline=None)
def test_places_are_always_inside_the_text(text: str) -> None:
    rows = text.split("\n")
    for finding in check_text("f", text):
        assert 1 <= finding.line <= len(rows)
        assert 1 <= finding.column <= max(1, len(rows[finding.line - 1]))


def test_every_name_is_described() -> None:
    names = {"secret", "hidden-characters", "control-characters", "conflict-markers"}
    assert set(DESCRIPTIONS) >= names
