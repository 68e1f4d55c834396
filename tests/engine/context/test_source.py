"""One file as text: where its text ends, what its size is, and where it is no UTF-8 (A12, A16)."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memlens.engine.agents import RAIDER
from memlens.engine.context.source import scan
from memlens.engine.files import Stamp

PIECES = st.sampled_from(
    [b"a", b" ", b"\n", b"\r", "é".encode(), "€".encode(), b"\xe2", b"\x82", b"\xff", b"@a"]
)


@given(st.lists(PIECES, max_size=12).map(b"".join))
@example(b"a\xe2\r\n\n")
@example(b"\n\n")
def test_the_text_of_any_bytes(data: bytes) -> None:
    source = scan("/a.md", data, Stamp(len(data), 0, 1, 1), RAIDER.imports)
    bare = data.rstrip(b"\r\n")
    assert source.body == bare.decode(errors="replace")
    assert source.body + source.tail == source.text == data.decode(errors="replace")
    assert source.body_size == len(source.body.encode())
    assert source.size == len(source.text.encode())
    assert source.invalid_at == source.text.find("\ufffd")
