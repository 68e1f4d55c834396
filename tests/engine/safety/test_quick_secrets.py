"""Secrets are looked for only where one can be; nothing is missed by that."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.folding import fold
from memlens.engine.safety import assignments, shapes

PIECES = st.lists(
    st.sampled_from(
        [
            *assignments._KEYS, *assignments._MARKS, "key", "word", "wd", "phrase", "-", "_", " ",
            "=", " = ", "s", "x", "Ke", "y", "\n", "İ", "ſ", "KEY", "Secret",
        ]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=800, deadline=None)
@given(PIECES)
def test_every_name_is_found_where_it_begins(text: str) -> None:
    folded = fold(text)
    quick = [match.span() for match in assignments._names(folded)]
    assert quick == [match.span() for match in assignments._NAME.finditer(folded)]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_token_is_one_long_word_with_its_hint(data: st.DataObject) -> None:
    kind, hints, pattern = data.draw(st.sampled_from(shapes.TOKENS))
    plain = re.sub(r"^\(\?<!.*?\]\)", "", pattern.pattern)
    token = data.draw(st.from_regex(re.compile(plain), fullmatch=True))
    assert len(token) >= shapes.SHORTEST, kind
    assert token.split() == [token]
    assert any(hint in token for hint in hints)
