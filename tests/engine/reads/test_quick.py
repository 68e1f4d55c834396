"""JSON and hashes without their modules, held against the modules."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.reads import quick

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
TEXTS = st.text(alphabet='{}[]":,\\ \n0123456789.-+eEtruefalsnNI\ud800ä\x00', max_size=30)


def outcome(function: Any, data: Any) -> object:
    try:
        return repr(function(data))
    except (ValueError, RecursionError):
        return "error"


@settings(deadline=None)
@given(VALUES)
def test_dumps_and_loads_are_those_of_json(value: Any) -> None:
    text = quick.dumps(value)
    assert text == json.dumps(value, separators=(",", ":"))
    assert quick.loads(text.encode()) == value


@settings(deadline=None, max_examples=300)
@given(TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=12))
def test_loads_understands_what_json_does(data: bytes) -> None:
    try:
        text = data.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except ValueError:
        assert outcome(quick.loads, data) == "error"
    else:
        assert outcome(quick.loads, data) == outcome(json.loads, text)


@pytest.mark.parametrize("data", [b"[" * 100_000, b"9" * 5000, b"", b"[1]]", b"[1,]"])
def test_what_is_no_json_raises_what_json_raises(data: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        quick.loads(data)


@pytest.mark.parametrize("size", [0, 3, 600_000])
def test_hashes_are_those_of_hashlib(size: int) -> None:
    digest = quick.sha256(size)
    digest.update(b"x" * size)
    assert digest.hexdigest() == hashlib.sha256(b"x" * size).hexdigest()


def test_without_the_parts_in_c_the_modules_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_json", "_sha256", "_sha2"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    assert quick.loads(b' {"a": [1]} ') == {"a": [1]}
    assert quick.dumps({"a": [1]}) == '{"a":[1]}'
    assert quick.sha256(1).hexdigest() == hashlib.sha256().hexdigest()
