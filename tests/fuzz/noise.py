"""Inputs that nobody foresaw: noise, and well-formed ones that were damaged."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

ODD = st.sampled_from(
    ["", " ", "\0", "\x1b]0;x\x07", "\u202e", "\ud800", "\udcff", "\ufeff", "\u2028", "\x85", "é",
     "😀", "---", "...", "{", "[", '"', "\\", "@a.md", "`", "~~~", "```", "<!--", "-->", "\t",
     "\r", "\r\n", "\n", "\n\n", "null", "1e999", "-0", "9" * 400, "a" * 300, "../..", "/", "~",
     ": ", "#", "&a", "*a", "!!x", "|", ">", "%YAML 9", "? "]
)  # fmt: skip
PIECES = st.lists(ODD | st.text(max_size=12), max_size=24).map("".join)
"""Text out of pieces that mean something somewhere."""
BYTES = PIECES.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=300)

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | PIECES | st.sampled_from(["", "x"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PIECES, inner, max_size=4),
    max_leaves=12,
)


def damaged(whole: bytes) -> st.SearchStrategy[bytes]:
    """A well-formed input with pieces cut out, doubled and put in."""
    cuts = st.lists(
        st.tuples(st.integers(0, len(whole)), st.integers(0, len(whole)), BYTES), max_size=4
    )

    def damage(edits: list[tuple[int, int, bytes]]) -> bytes:
        data = whole
        for one, other, new in edits:
            start, end = sorted((one, other))
            data = data[:start] + new + data[max(end, start) :]
        return data

    return cuts.map(damage)


def with_values_replaced(whole: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """A JSON object some of whose values, at any depth, are something else."""

    def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        found = [path] if path else []
        items: list[tuple[Any, Any]] = list(value.items()) if isinstance(value, dict) else []
        if isinstance(value, list):
            items = list(enumerate(value))
        for key, inner in items:
            found += places(inner, (*path, key))
        return found

    def replace(changes: list[tuple[tuple[Any, ...], Any]]) -> bytes:
        copy = json.loads(json.dumps(whole))
        for path, new in changes:
            target = copy
            try:
                for key in path[:-1]:
                    target = target[key]
                target[path[-1]] = new
            except (TypeError, KeyError, IndexError):
                continue
        return json.dumps(copy).encode("utf-8", "surrogatepass")

    change = st.tuples(st.sampled_from(places(whole)), VALUES)
    return st.lists(change, min_size=1, max_size=4).map(replace)
