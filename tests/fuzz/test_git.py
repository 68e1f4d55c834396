"""Any bytes as an answer of git: it is understood, or said to be none; never another error."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.review.differences import difference
from memlens.engine.review.listings import read_changes, read_index, read_tree
from memlens.engine.review.process import GitError
from tests.fuzz.noise import BYTES, PIECES, damaged

OID, NONE = b"a" * 40, b"0" * 40
TREE = b"100644 blob " + OID + b"\ta b\0" + b"120000 blob " + OID + b"\tsub/\xff\n\0"
INDEX = b"".join(
    b"100644 " + OID + b" " + stage + b"\tx" + stage + b"\0" for stage in (b"0", b"1", b"2", b"3")
)
CHANGES = (
    b":100644 100644 " + OID + b" " + NONE + b" M\0a\0"
    + b":100644 100644 " + OID + b" " + OID + b" R100\0a\0b\0"
    + b":000000 120000 " + NONE + b" " + OID + b" A\0c\0"
)  # fmt: skip
READERS: tuple[tuple[Callable[[bytes], object], bytes], ...] = (
    (read_tree, TREE), (read_index, INDEX), (read_changes, CHANGES)
)  # fmt: skip


@pytest.mark.parametrize(("reader", "whole"), READERS, ids=["tree", "index", "changes"])
@given(data=st.data())
def test_any_answer(reader: Callable[[bytes], object], whole: bytes, data: st.DataObject) -> None:
    answer = data.draw(damaged(whole) | BYTES)
    with contextlib.suppress(GitError):
        reader(answer)


@given(PIECES, PIECES)
def test_a_difference_holds_both_texts(before: str, after: str) -> None:
    lines = difference(before, after, context=10_000)
    assert "".join(line.text for line in lines if line.kind == "added") is not None
