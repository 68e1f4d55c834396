"""The difference of two texts: right whatever the texts, and quick whatever their size."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.review.differences import NO_LINE_END, difference, prompt_difference
from memlens.engine.review.model import DiffLine

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "a\r\n", "long line\n"]), max_size=30)
TEXTS = st.builds(
    lambda lines, last: "".join(lines) + last, LINES, st.sampled_from(["", "a", "\r", "end"])
)


def side(records: tuple[DiffLine, ...], kinds: tuple[str, str]) -> str:
    text = ""
    for record in records:
        if record.kind in kinds:
            text += record.text + "\n"
        elif record.kind == "note" and (record.before > 0) == ("removed" in kinds):
            text = text.removesuffix("\n")
    return text


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_both_texts_come_back_from_their_difference(before: str, after: str) -> None:
    records = difference(before, after, -1)
    if before == after:
        assert records == ()
        return
    old, new = side(records, ("same", "removed")), side(records, ("same", "added"))
    shared_end = records[-1].kind == "same"
    assert (old.rstrip("\n") if shared_end else old) == (
        before.rstrip("\n") if shared_end else before
    )
    assert (new.rstrip("\n") if shared_end else new) == (
        after.rstrip("\n") if shared_end else after
    )
    assert [r.before for r in records if r.before and r.kind != "note"] == list(
        range(1, before.count("\n") + (not before.endswith("\n") and bool(before)) + 1)
    )


@given(TEXTS, TEXTS, st.integers(0, 4))
@settings(deadline=None)
def test_folding_leaves_out_equal_lines_only(before: str, after: str, context: int) -> None:
    whole = difference(before, after, -1)
    folded = difference(before, after, context)
    assert [r for r in whole if r.kind != "same"] == [
        r for r in folded if r.kind not in ("same", "gap")
    ]
    hidden = sum(int(r.text.split()[0]) for r in folded if r.kind == "gap")
    assert len(folded) - sum(r.kind == "gap" for r in folded) + hidden == len(whole)


def test_a_change_is_shown_with_its_surroundings() -> None:
    before = "".join(f"{number}\n" for number in range(1, 21))
    records = difference(before, before.replace("10\n", "ten\n"), 2)
    assert [(r.kind, r.before, r.after, r.text) for r in records] == [
        ("gap", 1, 1, "7 equal lines"),
        ("same", 8, 8, "8"),
        ("same", 9, 9, "9"),
        ("removed", 10, 0, "10"),
        ("added", 0, 10, "ten"),
        ("same", 11, 11, "11"),
        ("same", 12, 12, "12"),
        ("gap", 13, 13, "8 equal lines"),
    ]


def test_what_comes_behind_the_end_of_a_prompt_does_not_change_its_last_line() -> None:
    lines = prompt_difference("a\nb", "a\nb\nc")
    assert [(line.kind, line.text) for line in lines] == [
        ("same", "a"), ("same", "b"), ("added", "c"),
    ]  # fmt: skip
    assert [line.kind for line in prompt_difference("", "a")] == ["added"]
    assert prompt_difference("a", "a") == ()


def test_a_missing_last_line_end_is_told() -> None:
    assert difference("a\n", "a") == (
        DiffLine("removed", 1, 0, "a"),
        DiffLine("added", 0, 1, "a"),
        DiffLine("note", 0, 1, NO_LINE_END),
    )


@pytest.mark.parametrize(
    "new",
    [
        "".join(f"{number * 7919 % 60000}\n" for number in range(60000)),
        "same\n" * 60000,
        "",
    ],
    ids=["shuffled", "one line over and over", "nothing"],
)
def test_no_size_takes_long(new: str) -> None:
    old = "".join(f"{number}\n" for number in range(60000))
    start = time.perf_counter()
    assert difference(old, new)
    assert time.perf_counter() - start < 5
