"""All shortcuts of the pass over a transcript at once, against parsing every line whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlens.engine.reads import transcript_lines
from memlens.engine.reads.transcript_lines import Event, Interpreter
from memlens.engine.reads.transcript_scan import Scanner
from memlens.engine.reads.transcript_values import items_of, parsed

PAD = "words and more words\n" * 100
TEXTS = st.lists(
    st.sampled_from(
        ['"', "\\", "\\\\", '","numLines":', '"filePath":"/x"', '"tool_use_id":"call-0"',
         '"uuid":"u"', "File has not been read yet", "File unchanged since last read", "call-1",
         '{"type":"user"}', '"}]},"toolUseResult":{', "compact_boundary", '"attachment"', "é\ud83d",
         "\n", PAD]
    ),
    max_size=6,
).map("".join)  # fmt: skip
PATHS = st.sampled_from(["/w/a", "/w/b c", "a\\b", '/w/"q"', "/w/é"])
CALLS = st.integers(0, 3).map("call-{}".format)
CALL = re.compile(r'"id": ?"(call-\d)", ?"name": ?"(?:Read|Write|Edit)"')
COUNTS = st.sampled_from([1, 2, 40, None])


@st.composite
def answers(draw: st.DrawFn) -> object:
    """What beside the message tells of a tool's result, in shapes old, new and odd."""
    path, text = draw(PATHS), draw(TEXTS)
    file = {
        "filePath": path, "content": text, "numLines": draw(COUNTS), "startLine": draw(COUNTS),
        "totalLines": draw(COUNTS),
    }  # fmt: skip
    if draw(st.booleans()):
        file = {key: file[key] for key in draw(st.permutations(list(file)))}
    if draw(st.booleans()):
        del file[draw(st.sampled_from(["content", "numLines", "startLine", "totalLines"]))]
    return draw(
        st.sampled_from(
            [
                {"type": "text", "file": file},
                {"type": "text", "file": file, "more": {"file": {"content": text, "numLines": 7}}},
                {"type": "image", "file": {"base64": "A" * 3000, "type": "image/png"}},
                {"type": "file_unchanged", "file": {"filePath": path}},
                {"type": "create", "filePath": path, "content": text, "structuredPatch": []},
                {"filePath": path, "oldString": "", "newString": text, "originalFile": text,
                 "structuredPatch": [{"lines": [text]}]},
                {"stdout": text, "stderr": "", "interrupted": False},
                {"stdout": text, "data": text, "filePath": path, "content": text},
                text, None, {}, [text],
            ]
        )
    )  # fmt: skip


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    """The kind of a line and what it says."""
    kind = draw(st.sampled_from(["call", "call", "result", "result", "result", "talk", "other"]))
    if kind == "call":
        tool = draw(st.sampled_from(["Read", "Write", "Edit", "Bash"]))
        asked = {"file_path": draw(PATHS), "content": draw(TEXTS), "limit": draw(COUNTS)}
        item = {"type": "tool_use", "id": draw(CALLS), "name": tool, "input": asked}
        return {"type": "assistant", "message": {"role": "assistant", "content": [item]}}
    if kind == "result":
        items: list[dict[str, Any]] = [
            {"tool_use_id": draw(CALLS), "type": "tool_result", "content": draw(TEXTS)}
            for _ in range(draw(st.sampled_from([1, 1, 1, 2])))
        ]
        error = draw(st.sampled_from([None, None, False, True]))
        if error is not None:
            items[0]["is_error"] = error
        if draw(st.booleans()):
            items = [dict(reversed(item.items())) for item in items]
        message = {"role": "user", "content": items}
        return {"type": "user", "message": message, "toolUseResult": draw(answers())}
    if kind == "talk":
        role = draw(st.sampled_from(["user", "assistant"]))
        content = draw(TEXTS | TEXTS.map(lambda text: [{"type": "text", "text": text}]))
        return {"type": role, "message": {"role": role, "content": content}}
    answer = draw(answers())
    return draw(
        st.sampled_from(
            [
                {"type": "progress", "data": {"type": "hook"}, "toolUseID": draw(CALLS)},
                {"type": "system", "subtype": "compact_boundary", "content": draw(TEXTS)},
                {"type": "system", "subtype": "info", "content": draw(TEXTS)},
                {"type": "attachment", "attachment": {
                    "type": "file", "filename": draw(PATHS), "content": answer}},
                {"type": "attachment", "attachment": {
                    "type": "edited_text_file", "filename": draw(PATHS), "snippet": draw(TEXTS)}},
                {"type": "attachment", "attachment": {
                    "type": "nested_memory", "path": draw(PATHS), "content": {
                        "path": draw(PATHS), "type": "Project", "content": draw(TEXTS)}}},
            ]
        )
    )  # fmt: skip


def items_in(said: dict[str, Any]) -> list[dict[str, Any]]:
    content = said.get("message", {}).get("content", ())
    return [item for item in content if isinstance(item, dict)]


@st.composite
def transcripts(draw: st.DrawFn) -> bytes:
    separators = draw(st.sampled_from([(",", ":"), (",", ":"), (", ", ": ")]))
    order = draw(st.sampled_from(["bench", "late", "sorted"]))
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    data, parent = b"", None
    asked: set[str] = set()
    for number, said in enumerate(draw(st.lists(lines(), max_size=10))):
        head = {"parentUuid": parent, "isSidechain": False, "cwd": "/w"}
        for item in items_in(said):
            if "tool_use_id" in item and item["tool_use_id"] not in asked:
                item["tool_use_id"] = f"gone-{number}"  # its call is not at hand
        tail = {
            "uuid": f"{number:08x}-0000-4000-8000-000000000000",
            "timestamp": f"2026-01-01T00:00:{number:02}.000Z",
        }
        values = {**head, **said, **tail}
        if order == "late" and "toolUseResult" in values:
            values["toolUseResult"] = values.pop("toolUseResult")
        if order == "sorted":
            values = dict(sorted(values.items()))
        line = json.dumps(values, separators=separators, ensure_ascii=draw(st.booleans())).encode(
            "utf-8", "surrogatepass"
        )
        if draw(st.integers(0, 12)) == 0:  # torn, and perhaps the next one on the same line
            data += line[: draw(st.integers(0, len(line) - 2))] + draw(st.sampled_from([b"", end]))
            continue
        asked.update(CALL.findall(line.decode("utf-8", "replace")))
        parent = tail["uuid"]
        data += line + end
    return data


Told = list[tuple[object, ...]]


def told(events: list[Event], ids: list[int]) -> Told:
    """All that the events say, and to which line in the chain each belongs."""
    slots = [slot for slot in Event.__slots__ if slot not in {"digest", "more", "seq", "file"}]
    return [
        (
            *(getattr(event, slot) for slot in slots if slot != "index"),
            dict(event.more),
            ids[event.index] if event.index >= 0 else None,
        )
        for event in events
    ]


def quickly(path: Path, chunk: int) -> Told:
    events: list[Event] = []
    interpreter, scanner = Interpreter("main", events.append), Scanner(str(path), chunk=chunk)

    def handle(block: bytes, start: int, end: int, offset: int, index: int) -> list[bytes]:
        asked, answered = interpreter.line(block, start, end, offset, index)
        for name in answered:
            scanner.answered(name.encode())
        return [name.encode() for name in asked]

    scanner.advance(handle)
    return told(events, list(scanner.chain._ids))


def whole(line: bytes) -> tuple[dict[str, object] | None, list[dict[str, object]]]:
    values = parsed(line)
    is_persons = values is not None and values.get("type") == "user"
    return values, items_of(values, "tool_result") if values and is_persons else []


def plainly(data: bytes) -> Told:
    events: list[Event] = []
    interpreter = Interpreter("main", events.append)
    ids: list[int] = []
    offset = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcript_lines, "on_line", lambda block, _start, _end: whole(block))
        for line in data.split(b"\n"):
            values = parsed(line)
            if values is not None:
                ids.append(hash(json.dumps(values["uuid"]).encode()))
            interpreter.line(line, 0, len(line), offset, len(ids) - 1 if values else -1)
            offset += len(line) + 1
    return told(events, ids)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=transcripts(), chunk=st.sampled_from([1 << 16, 1 << 19]))
def test_the_quick_way_tells_what_parsing_every_line_tells(
    tmp_path: Path, data: bytes, chunk: int
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    assert quickly(path, chunk) == plainly(data)
