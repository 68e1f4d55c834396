"""What is left out of a long line before it is parsed: only the text that is said twice."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.reads.transcript_lines import parsed, without_text

PAD = "x" * 5000
BITS = st.sampled_from(
    ['"', "\\", '"}]}', '\\"}]}', '"content":"', '"toolUseResult":{', '"tool_use_id":', "\n",
     '"timestamp":', '"is_error":true', "é", "a", '","numLines":', "]}", "\ud83d"]
)  # fmt: skip
TEXTS = st.lists(BITS, max_size=12).map("".join)


def a_line(text: str, detail: str, *, spaced: bool, order: int, **more: Any) -> bytes:
    item = {"tool_use_id": "toolu_1", "type": "tool_result", "content": text, **more}
    if order & 1:
        item = dict(reversed(item.items()))
    values: dict[str, Any] = {
        "parentUuid": None, "isSidechain": False, "cwd": "/w", "type": "user",
        "message": {"role": "user", "content": [item]}, "uuid": "u1",
        "timestamp": "2026-01-01T00:00:00.000Z", "extra": [{"a": text[:8]}],
        "toolUseResult": {"type": "text", "file": {"filePath": "/w/a", "content": detail}},
    }  # fmt: skip
    if order & 2:
        values = dict(reversed(values.items()))
    if order & 4:
        values["extra"] = {"deep": [{"b": "c"}]}
    separators = (", ", ": ") if spaced else (",", ":")
    return json.dumps(values, separators=separators, ensure_ascii=bool(order & 8)).encode(
        "utf-8", "surrogatepass"
    )


@given(
    before=TEXTS, detail=TEXTS, spaced=st.booleans(), order=st.integers(0, 15),
    error=st.booleans(), pad=st.booleans(),
)  # fmt: skip
def test_only_the_text_that_is_said_twice_is_left_out(
    *, before: str, detail: str, spaced: bool, order: int, error: bool, pad: bool
) -> None:
    more = {"is_error": True} if error else {}
    text = before + (PAD if pad else "") + before
    line = a_line(text, detail, spaced=spaced, order=order, **more)
    whole, light = parsed(line), parsed(without_text(line))
    assert whole is not None
    assert light is not None
    if light != whole:
        assert not error
        emptied = copy.deepcopy(whole)
        emptied["message"]["content"][0]["content"] = ""  # type: ignore[index]
        if light != emptied:  # a key of no interest may go with it
            for key in ("uuid", "timestamp", "extra"):
                emptied.pop(key) if key not in light else None
            assert light == emptied
            assert "timestamp" in light


def test_the_usual_line_gets_short() -> None:
    line = a_line(PAD, "detail", spaced=False, order=0)
    assert len(without_text(line)) < 500
    assert parsed(without_text(line)) is not None


def test_several_results_in_one_message_stay() -> None:
    item = {"tool_use_id": "a", "type": "tool_result", "content": PAD}
    values = {
        "message": {"content": [item, {**item, "tool_use_id": "b"}]},
        "toolUseResult": {"type": "text"},
    }
    line = json.dumps(values, separators=(",", ":")).encode()
    assert without_text(line) == line
