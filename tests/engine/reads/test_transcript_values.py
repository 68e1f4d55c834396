"""What is left out of a long line before it is parsed: only texts that nothing rests on."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from memlens.engine.reads.transcript_values import on_line, parsed, without_texts

PAD = "x" * 2000
TEXT_KEYS = {"content", "originalFile", "base64", "data"}
BITS = st.sampled_from(
    ['"', "\\", '\\"', '"}]}', '\\"}]}', '"content":"', '"toolUseResult":{', '"tool_use_id":', "\n",
     '"timestamp":', '"is_error":true', "é", "a", '","numLines":', "]}", "\ud83d", PAD]
)  # fmt: skip
TEXTS = st.lists(BITS, max_size=12).map("".join)
KEYS = st.sampled_from([*sorted(TEXT_KEYS), "filePath", "type", "stdout"]) | TEXTS
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5)
SPELLINGS = st.fixed_dictionaries(
    {
        "separators": st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")]),
        "ensure_ascii": st.booleans(),
    }
)


def spelled(values: object, spelling: dict[str, Any]) -> bytes:
    return json.dumps(values, **spelling).encode("utf-8", "surrogatepass")


def emptied(light: object, whole: object, key: str = "") -> object:
    """`light` with the texts of `whole` back where only they were made empty."""
    if isinstance(light, dict) and isinstance(whole, dict) and list(light) == list(whole):
        return {name: emptied(light[name], whole[name], name) for name in whole}
    if isinstance(light, list) and isinstance(whole, list) and len(light) == len(whole):
        return [emptied(one, other) for one, other in zip(light, whole, strict=True)]
    return whole if light == "" and isinstance(whole, str) and key in TEXT_KEYS else light


@given(values=OBJECTS, spelling=SPELLINGS, around=st.tuples(TEXTS, TEXTS))
@example(
    values={"content": PAD + "\\", "data": '"}' + PAD},
    spelling={"separators": (",", ":"), "ensure_ascii": True},
    around=('"content":"', '"'),
)
def test_only_whole_texts_are_left_out(
    values: dict[str, Any], spelling: dict[str, Any], around: tuple[str, str]
) -> None:
    line = spelled(values, spelling)
    before, after = (text.encode("utf-8", "surrogatepass") for text in around)
    light = without_texts(before + line + after, len(before), len(before) + len(line))
    whole = parsed(line)
    assert emptied(parsed(light), whole) == whole
    assert len(light) == len(line) or len(line) > 1500


@given(
    one=OBJECTS, other=OBJECTS, spelling=SPELLINGS, cut=st.integers(0, 5000),
    begin=st.integers(0, 5000), more=TEXTS,
)  # fmt: skip
def test_a_broken_line_stays_broken(
    *, one: dict[str, Any], other: dict[str, Any], spelling: dict[str, Any], cut: int, begin: int,
    more: str,
) -> None:  # fmt: skip
    first, second = spelled(one, spelling), spelled(other, spelling)
    line = first[:cut] + more.encode("utf-8", "surrogatepass") + second[begin:]
    light = without_texts(line, 0, len(line))
    if parsed(light) is not None and parsed(line) is None:
        try:
            json.loads(line.decode("utf-8", "replace"))
        except json.JSONDecodeError as error:
            assert error.msg.startswith("Invalid")  # noqa: PT017 - a sign or escape in a text
    else:
        assert emptied(parsed(light), parsed(line)) == parsed(line)


def a_result(answer: Any, *items: dict[str, Any], spaced: bool = False) -> bytes:
    item = {"tool_use_id": "toolu_1", "type": "tool_result", "content": PAD}
    values = {
        "parentUuid": None, "isSidechain": False, "cwd": "/w", "type": "user",
        "message": {"role": "user", "content": [{**item, **one} for one in items or ({},)]},
        "uuid": "u1", "timestamp": "2026-01-01T00:00:00.000Z", "toolUseResult": answer,
    }  # fmt: skip
    return spelled(values, {"separators": (", ", ": ") if spaced else (",", ":")})


FILE = {"filePath": "/w/a", "content": PAD, "numLines": 1, "startLine": 1, "totalLines": 1}
READ = {"type": "text", "file": FILE}


def test_the_usual_line_gets_short() -> None:
    for answer in (
        READ, {"type": "create", "filePath": "/w/a", "content": PAD},
        {"filePath": "/w/a", "oldString": "x", "originalFile": PAD, "structuredPatch": []},
        {"type": "image", "file": {"base64": PAD, "type": "image/png"}},
    ):  # fmt: skip
        line = a_result(answer)
        assert len(without_texts(line, 0, len(line))) < 500
        values, _ = on_line(line, 0, len(line))
        assert values is not None
        assert values != parsed(line)


@given(st.integers(900, 4200), st.sampled_from(sorted(TEXT_KEYS)))
def test_texts_far_behind_others_are_found(apart: int, key: str) -> None:
    line = spelled({"a": ["x"] * (apart // 4), key: PAD}, {"separators": (",", ":")})
    assert len(without_texts(line, 0, len(line))) == len(line) - len(PAD)


def test_texts_that_something_rests_on_are_there() -> None:
    uncounted = {**FILE, "numLines": None}
    for line in (
        a_result(PAD), a_result(None), a_result({}), a_result(READ, {"is_error": True}),
        a_result(READ, {}, {"tool_use_id": "toolu_2"}), a_result({"file": uncounted}),
        a_result(READ, spaced=True), a_result(READ).replace(b'"user"', b'"attachment"').replace(
            b'"toolUseResult":', b'"attachment":').replace(b'"numLines":1', b'"numLines":-1'),
    ):  # fmt: skip
        assert on_line(line, 0, len(line))[0] == parsed(line) != None  # noqa: E711


@given(values=OBJECTS, spelling=SPELLINGS, kind=st.sampled_from(["user", "attachment"]))
def test_what_is_not_asked_for_may_be_anything(
    values: dict[str, Any], spelling: dict[str, Any], kind: str
) -> None:
    line = spelled({**values, "type": kind, "toolUseResult": values}, spelling)
    assert emptied(on_line(line, 0, len(line))[0], parsed(line)) == parsed(line)
