"""Facts prepared for searching: nothing of a text is lost, and nothing is kept twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlens.engine.durable import MemoryEntry, MemoryScope
from memlens.engine.durable.capitals import capitals_of, with_capitals
from memlens.engine.durable.vocabulary import Document
from memlens.engine.durable.words import encoded, words_of
from memlens.engine.folding import fold

TEXTS = st.one_of(
    st.text(st.sampled_from("aAbB \n-_0İßςΣΩéÉ日🙂ŉ\x1f\xff"), max_size=40),
    st.text(max_size=20),
)


def entry(name: str = "n", description: str = "d", tags: tuple[str, ...] = ()) -> MemoryEntry:
    return MemoryEntry(name, description, MemoryScope.GLOBAL, "/a.md", tags, "", 0, 0, 0)


@settings(max_examples=400, deadline=None)
@example("x" * 255 + "A" + "x" * 600 + "BC")
@example("A" * 300)
@given(TEXTS)
def test_the_text_comes_back_from_its_folded_form(text: str) -> None:
    folded = fold(text)
    case = capitals_of(text, folded)
    assert case is None or with_capitals(folded, case) == text
    assert Document(entry(), text).body == text


@pytest.mark.parametrize("text", ["Use pnpm.", "Grüße aus Ägypten", "Ω und É", "日本語 ABC", ""])
def test_capital_letters_are_all_that_is_kept_beside_it(text: str) -> None:
    case = capitals_of(text, fold(text))
    assert case is not None
    assert len(case) <= len(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_words_are_those_of_the_pattern(text: str) -> None:
    folded = fold(text)
    assert words_of(encoded(folded)) == re.findall(r"\w+", folded)
