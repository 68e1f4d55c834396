"""Transcripts of every shape, old and new, and what the log says of them."""

from __future__ import annotations

import gc
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.reads import (
    MODIFIED,
    NEVER_READ,
    LineRange,
    LogFollower,
    PathReads,
    ReadLog,
    Session,
    content_of,
    read_log,
    sessions,
)
from memlens.engine.reads.transcript import Transcript
from memlens.engine.reads.transcript_values import parsed, timestamp
from tests.engine.reads.making import Maker, project, put, text_answer

ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427"


class Place:
    def __init__(self, root: Path) -> None:
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.home = root / "claude"
        self.maker = self.session(ID)
        self.file = put(self.cwd / "a.py", "one\ntwo\nthree\n")

    def session(self, name: str, **options: Any) -> Maker:
        return Maker(project(self.home, self.cwd) / f"{name}.jsonl", self.cwd, **options)

    def sessions(self) -> tuple[Session, ...]:
        return sessions(str(self.cwd), claude_home=str(self.home), journals=str(self.cwd / "none"))

    def log(self) -> ReadLog:
        return read_log(self.sessions()[0])

    def entry(self, path: Path | None = None, lane: str = "main") -> PathReads:
        entry = self.log().of(str(path or self.file), lane)
        assert entry is not None
        return entry

    def content(self, path: Path | None = None, lane: str = "main") -> str | None:
        return content_of(self.sessions()[0], str(path or self.file), lane)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def said(entry: PathReads) -> tuple[str | None, str, str | None]:
    return entry.coverage, entry.state, entry.problem


@pytest.mark.parametrize("spaced", [False, True])
def test_a_whole_read_and_its_lives(place: Place, spaced: bool) -> None:
    place.maker.spaced = spaced
    place.maker.prompt()
    place.maker.read(place.file)
    assert said(place.entry()) == ("whole", "unchanged", None)
    assert place.content() == "one\ntwo\nthree\n"
    os.utime(place.file, (place.maker.now + 50,) * 2)
    assert said(place.entry()) == ("whole", "touched", None)
    put(place.file, "ONE\ntwo\nthree\n")
    entry = place.entry()
    assert said(entry) == ("whole", "changed", MODIFIED)
    assert entry.evidence.hash_then != entry.evidence.hash_now
    assert entry.evidence.hash_of == "text"
    place.file.unlink()
    assert said(place.entry()) == ("whole", "gone", None)
    place.file.mkdir()
    assert said(place.entry()) == ("whole", "changed", MODIFIED)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfone\r\ntwo\r\n", b"", b"\n", b"no end", b"\xff\xfebad \xc3",
        "\ufeffd\u00e9j\u00e0\r\n".encode("utf-16-le"), b"lone\rcr\r\n", b"\r\n" * 700_000,
    ],
)  # fmt: skip
def test_line_ends_marks_and_odd_bytes_compare_as_text(place: Place, data: bytes) -> None:
    put(place.file, data)
    text = data.decode("utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8", "replace")
    place.maker.read(place.file, text.removeprefix("\ufeff").replace("\r\n", "\n"))
    assert said(place.entry()) == ("whole", "unchanged", None)
    put(place.file, data + b"x ")
    assert said(place.entry()) == ("whole", "changed", MODIFIED)


def test_the_last_line_end_may_be_missing_in_a_read(place: Place) -> None:
    call = place.maker.call("Read", {"file_path": str(place.file)})
    place.maker.result(call, text_answer(place.file, "one\ntwo\nthree", 3, 1, 4))
    assert said(place.entry()) == ("whole", "unchanged", None)
    put(place.file, "one\ntwo\nthree\n\n")
    assert place.entry().state == "changed"


def test_one_line_less_that_was_asked_for_is_partial(place: Place) -> None:
    put(place.file, "one\ntwo\nthree")
    call = place.maker.call("Read", {"file_path": str(place.file), "limit": 2})
    place.maker.result(call, text_answer(place.file, "one\ntwo", 2, 1, 3))
    entry = place.entry()
    assert said(entry) == ("partial", "unchanged", None)
    assert entry.ranges == (LineRange(1, 2),)
    assert entry.total_lines == 3


def test_pages_merge_and_add_up_to_the_whole(place: Place) -> None:
    put(place.file, "".join(f"line {n}\n" for n in range(1, 101)))
    place.maker.read(place.file, offset=1, limit=40)
    place.maker.read(place.file, offset=61, limit=20)
    entry = place.entry()
    assert entry.ranges == (LineRange(1, 40), LineRange(61, 80))
    assert entry.coverage == "partial"
    assert place.content() is None
    assert not entry.has_content
    os.utime(place.file, (place.maker.now + 50,) * 2)
    assert said(place.entry()) == ("partial", "changed", MODIFIED)
    place.maker.read(place.file, offset=75, limit=200)
    place.maker.read(place.file, offset=41, limit=20)
    assert said(place.entry())[0:2] == ("whole", "touched")
    assert place.entry().ranges == ()
    assert place.content() == place.file.read_text()
    put(place.file, place.file.read_text().replace("line 50", "line fifty"))
    assert said(place.entry()) == ("whole", "changed", MODIFIED)


def test_pages_of_different_states_are_no_whole(place: Place) -> None:
    place.maker.read(place.file, "a\nb\nc\nd", offset=1, limit=3)
    place.maker.read(place.file, "A\nB\nC\nD", offset=3, limit=2)
    assert place.entry().coverage == "partial"
    place.maker.read(place.file, "a\nb\nc\nd\ne", offset=1, limit=2)
    assert place.entry().ranges == (LineRange(1, 2),)


def test_a_page_after_a_whole_read_keeps_it_while_it_fits(place: Place) -> None:
    place.maker.read(place.file)
    place.maker.read(place.file, offset=2, limit=1)
    assert said(place.entry()) == ("whole", "unchanged", None)
    put(place.file, "one\nTWO\nthree\n")
    place.maker.read(place.file, offset=2, limit=1)
    entry = place.entry()
    assert said(entry) == ("partial", "unchanged", None)
    assert entry.ranges == (LineRange(2, 2),)


def test_writes_and_edits_count_as_whole_reads_of_what_was_written(place: Place) -> None:
    place.maker.write(place.file, "one\ntwo\nthree\n")
    assert said(place.entry()) == ("written", "unchanged", None)
    put(place.file, "one\ntwo\nthree\n\n")
    assert place.entry().state == "changed"
    place.maker.edit(place.file, "one\ntwo\nthree\n\n", "two", "2")
    put(place.file, "one\r\n2\r\nthree\r\n\r\n")
    entry = place.entry()
    assert said(entry) == ("written", "unchanged", None)
    assert (entry.reads, entry.writes) == (0, 2)
    assert place.content() == "one\n2\nthree\n\n"
    place.maker.edit(place.file, "one\n2\nthree\n\n", "2", "")
    put(place.file, "one\nthree\n\n")
    assert place.entry().state == "unchanged"
    place.maker.edit(place.file, "a a\n", "a", "b", replaceAll=True)
    put(place.file, "b b\n")
    assert place.entry().state == "unchanged"


def test_an_edit_whose_original_is_not_told_is_judged_by_time(place: Place) -> None:
    place.maker.edit(place.file, None, "a", "b")
    entry = place.entry()
    assert said(entry) == ("written", "unchanged", None)
    assert not entry.has_content
    os.utime(place.file, (place.maker.now + 1,) * 2)
    assert said(place.entry()) == ("written", "changed", MODIFIED)


def test_the_older_multi_edit(place: Place) -> None:
    edits = [
        {"old_string": "one", "new_string": "1", "replace_all": False},
        {"old_string": "1", "new_string": "uno"},
    ]
    call = place.maker.call("MultiEdit", {"file_path": str(place.file), "edits": edits})
    answer = {
        "filePath": str(place.file), "edits": edits, "originalFileContents": "one\n",
        "structuredPatch": [],
    }  # fmt: skip
    place.maker.result(call, answer)
    put(place.file, "uno\n")
    assert said(place.entry()) == ("written", "unchanged", None)
    assert place.content() == "uno\n"


def test_notebooks_images_and_pdfs(place: Place) -> None:
    book = put(place.cwd / "b.ipynb", "{}")
    call = place.maker.call("NotebookEdit", {"notebook_path": str(book), "new_source": "x"})
    place.maker.result(call, {"new_source": "x", "cell_type": "code", "error": ""})
    assert said(place.entry(book)) == ("written", "unchanged", None)
    for kind in ("image", "pdf", "notebook"):
        path = put(place.cwd / f"f.{kind}", "data")
        call = place.maker.call("Read", {"file_path": str(path)})
        place.maker.result(call, {"type": kind, "file": {"base64": "AA=="}}, [{"type": "image"}])
        assert said(place.entry(path)) == ("whole", "unchanged", None)
        os.utime(path, (place.maker.now + 5,) * 2)
        assert said(place.entry(path)) == ("whole", "changed", MODIFIED)


@pytest.mark.parametrize(
    "fragment",
    [
        "File has not been read yet", "File has been modified since read",
        "File has been unexpectedly modified", "File content has changed since it was last read",
    ],
)  # fmt: skip
def test_refusals_are_kept_by_their_fragment(place: Place, fragment: str) -> None:
    call = place.maker.call("Edit", {"file_path": str(place.file), "old_string": "secret words"})
    text = f"<tool_use_error>{fragment}, and more secret words</tool_use_error>"
    place.maker.result(call, f"Error: {fragment}", text, is_error=True)
    entry = place.entry()
    assert [refusal.text for refusal in entry.refusals] == [fragment]
    assert said(entry) == (None, "unread", NEVER_READ)
    assert (entry.first_read, entry.reads) == (None, 0)


def test_other_errors_are_no_refusals(place: Place) -> None:
    place.maker.read(place.file)
    call = place.maker.call("Edit", {"file_path": str(place.file)})
    text = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    place.maker.result(call, "Error: " + text, text, is_error=True)
    entry = place.entry()
    assert entry.refusals == ()
    assert said(entry) == ("whole", "unchanged", None)


def test_answered_from_context(place: Place) -> None:
    def again(answer: Any, **more: Any) -> None:
        call = place.maker.call("Read", {"file_path": str(place.file)})
        place.maker.result(call, answer, **more)

    again({"type": "file_unchanged", "file": {"filePath": str(place.file)}})
    assert place.entry().state == "unread"
    place.maker.read(place.file)
    again({"type": "file_unchanged", "file": {"filePath": str(place.file)}})
    again({"type": "file_unchanged", "filePath": str(place.file)})
    again(None, text="<system-reminder>File unchanged since last read.", is_error=True)
    entry = place.entry()
    assert said(entry) == ("whole", "unchanged", None)
    assert entry.reads == 4
    place.maker.compact()
    again({"type": "file_unchanged", "file": {"filePath": str(place.file)}})
    assert said(place.entry()) == (None, "lost", NEVER_READ)


def test_mentions_count_as_reads(place: Place) -> None:
    content = text_answer(place.file, "one\ntwo\nthree\n", 4, 1, 4)
    place.maker.attach("file", filename=str(place.file), content=content)
    assert said(place.entry()) == ("whole", "unchanged", None)
    assert place.content() == "one\ntwo\nthree\n"
    other = put(place.cwd / "b", "1\n2\n3\n")
    for total in (4, 2):  # that of the file, or of what was kept of it
        content = text_answer(other, "1\n2", 2, 1, total)
        place.maker.attach("file", filename=str(other), content=content, truncated=True)
        assert said(place.entry(other)) == ("partial", "unchanged", None)


def test_told_of_a_change(place: Place) -> None:
    place.maker.attach("edited_text_file", filename=str(place.file), snippet="1 one")
    assert place.entry().state == "unread"
    place.maker.read(place.file, offset=1, limit=1)
    place.maker.attach("edited_text_file", filename=str(place.file), snippet="1 one")
    assert said(place.entry()) == ("partial", "changed", MODIFIED)
    place.maker.read(place.file)
    place.maker.attach("edited_text_file", filename=str(place.file), snippet="1 one")
    assert place.entry().state == "unchanged"  # the text decides
    put(place.file, "other")
    assert said(place.entry()) == ("whole", "changed", MODIFIED)


def test_a_compaction_loses_what_was_read_before(place: Place) -> None:
    other = put(place.cwd / "b", "b")
    place.maker.prompt()
    place.maker.read(place.file)
    place.maker.read(other)
    place.maker.compact()
    place.maker.prompt("summary")
    place.maker.attach("file", filename=str(other), content=text_answer(other, "b", 1, 1, 1))
    place.maker.attach("compact_file_reference", filename=str(place.cwd / "c"), displayPath="c")
    put(place.cwd / "c", "c")
    log = place.log()
    assert log.epochs == 2
    states = {Path(entry.path).name: said(entry) for entry in log.paths}
    assert states == {
        "a.py": (None, "lost", NEVER_READ),
        "b": ("whole", "unchanged", None),
        "c": (None, "lost", NEVER_READ),
    }
    assert "compacted" in place.entry().reason
    assert place.content() is None
    place.file.unlink()
    assert said(place.entry()) == (None, "gone", None)


def test_short_lines_do_not_hide_one_another(place: Place) -> None:
    other = put(place.cwd / "b", "b")
    place.maker.read(place.file)
    place.maker.raw(b'{"type":"system","subtype":"compact_boundary"}\n{"type":"user"}\n')
    given = b'{"type":"file","filename":"%s"}' % str(other).encode()
    place.maker.raw(b'{"type":"attachment","attachment":%s}\n{"type":"user"}\n' % given)
    assert place.entry().state == "lost"
    assert place.entry(other).coverage == "whole"


def test_a_rewound_branch_is_lost(place: Place) -> None:
    other = put(place.cwd / "b", "b")
    place.maker.prompt()
    place.maker.read(place.file)
    fork = place.maker.says()
    place.maker.prompt("read b")
    place.maker.read(other)
    place.maker.compact()
    place.maker.says()
    assert place.entry(other).state == "lost"
    place.maker.prompt("no, something else", parent=fork)
    place.maker.says()
    assert said(place.entry(other)) == (None, "lost", NEVER_READ)
    assert "rewound" in place.entry(other).reason
    assert said(place.entry()) == ("whole", "unchanged", None)


def test_rewound_to_the_very_first_prompt(place: Place) -> None:
    place.maker.prompt()
    place.maker.read(place.file)
    place.maker.prompt("again", parent=None)
    place.maker.says()
    assert place.entry().state == "lost"


def test_calls_at_the_same_time_are_no_rewinding(place: Place) -> None:
    others = [put(place.cwd / name, name) for name in "bcd"]
    place.maker.prompt()
    calls = [place.maker.call("Read", {"file_path": str(path)}) for path in others]
    asked = place.maker.parent
    for call, path in zip(calls, others, strict=True):
        answer = text_answer(path, path.name, 1, 1, 1)
        place.maker.result(call, answer, parent=asked)
    place.maker.line("progress", parent=asked, data={"uuid": "x", "message": {"type": "user"}})
    place.maker.says(parent=asked)
    place.maker.prompt()
    for path in others:
        assert said(place.entry(path)) == ("whole", "unchanged", None)


def test_lines_that_stand_twice_count_once(place: Place) -> None:
    place.maker.read(place.file)
    lines = place.maker.path.read_bytes()
    place.maker.raw(lines)
    agent = place.maker.path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(lines)
    assert place.entry().reads == 1
    assert [lane.paths for lane in place.log().lanes] == [1, 0]


def test_subagents_are_lanes(place: Place) -> None:
    place.maker.read(place.file)
    inside = place.maker.path.with_suffix("") / "subagents" / "agent-a1b2.jsonl"
    agent = Maker(inside, place.cwd, isSidechain=True, agentId="a1b2", sessionId=ID)
    inside.with_suffix(".meta.json").write_text('{"agentType":"Explore"}')
    agent.read(place.file, offset=1, limit=1)
    beside = place.maker.path.parent / "agent-old.jsonl"
    older = Maker(beside, place.cwd, isSidechain=True, sessionId=ID)
    older.read(place.file)
    Maker(place.maker.path.parent / "agent-x.jsonl", place.cwd, sessionId="other").read(place.file)
    log = place.log()
    assert [(lane.id, lane.label, lane.paths) for lane in log.lanes] == [
        ("main", "main", 1), ("a1b2", "Explore", 1), ("old", "old", 1),
    ]  # fmt: skip
    assert {entry.lane: entry.coverage for entry in log.paths} == {
        "main": "whole", "a1b2": "partial", "old": "whole",
    }  # fmt: skip
    agent.compact()
    assert place.entry(lane="a1b2").state == "lost"
    assert place.entry().state == "unchanged"


def test_a_subagent_in_the_file_of_the_session(place: Place) -> None:
    place.maker.prompt()
    place.maker.read(place.file)
    last = place.maker.parent
    place.maker.common = {"isSidechain": True}
    place.maker.parent = None
    place.maker.prompt("you are a subagent")
    place.maker.read(place.file)
    assert place.entry(lane="sidechain").coverage == "whole"
    assert place.entry().coverage == "whole"
    place.maker.common = {}
    place.maker.says(parent=last)
    assert place.entry(lane="sidechain").state == "unchanged"
    assert place.entry().state == "unchanged"


def test_instructions_and_nested_memory(place: Place) -> None:
    memory = put(place.cwd / "CLAUDE.md", "x")
    place.maker.attach(
        "instructions", files=[{"path": str(memory), "memory_type": "Project"}, "/x"], rendered=[]
    )
    content = {"path": str(memory), "type": "Project", "content": "x"}
    place.maker.attach("nested_memory", path=str(memory), content=content)
    place.maker.attach("session_context", email="someone@example.org")
    log = place.log()
    assert [(one.path, one.memory_type, one.reason) for one in log.instructions] == [
        (str(memory), "Project", "session_start"), ("/x", "", "session_start"),
        (str(memory), "Project", "nested_traversal"),
    ]  # fmt: skip
    assert log.paths == ()
    assert "example.org" not in repr(log)


def test_relative_paths_are_below_the_cwd(place: Place) -> None:
    call = place.maker.call("Read", {"file_path": "a.py"})
    place.maker.result(call, text_answer("a.py", "one\ntwo\nthree\n", 4, 1, 4))
    assert said(place.entry()) == ("whole", "unchanged", None)


def test_answers_without_details_or_without_their_call(place: Place) -> None:
    other = put(place.cwd / "b", "b")
    call = place.maker.call("Read", {"file_path": str(place.file)})
    place.maker.result(call, None, "1 one")
    assert said(place.entry()) == ("whole", "unchanged", None)
    call = place.maker.call("Read", {"file_path": str(place.file), "limit": 1})
    place.maker.result(call, None, "1 one")
    assert place.entry().coverage == "partial"
    place.maker.result("toolu_elsewhere", text_answer(other, "b", 1, 1, 1))
    assert said(place.entry(other)) == ("whole", "unchanged", None)


DEEP = b'{"type":"user","toolUseResult":{"filePath":' + b"[" * 50_000 + b"]" * 50_000 + b"}}\n"
ODD = [
    b"\n", b"null\n", b'"filePath":\n', b'{"filePath":1}\n', b'{"type":7,"filePath":[]}\n',
    b'{"type":"user","filePath":', b'\xff\xfe"filePath":\n', DEEP,
    b'{"type":"user","message":{"content":[{"type":"tool_result"}]},"toolUseResult":{"filePath":{}}}',
    b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":5,"name":"Read","path":5}]}}',
    b'{"type":"assistant","message":{"content":"x","filePath":1}}',
    b'{"type":"attachment","attachment":"x"}',
    b'{"type":"attachment","attachment":{"type":[]}}',
    b'{"type":"system","subtype":"compact_boundary","timestamp":"soon","n":' + b"9" * 5000 + b"}",
    b'{"type":"user","type":"user","filePath":1,"filePath":2}',
    b'{"uuid":"' + b"u" * 500 + b'"}\n{"uuid":5}\n{"uuid" : "x", "parentUuid" : "x"}',
    b'{"type":"attachment","attachment":{"type":"file","filename":"/x\\u0000y"},"timestamp":"0001"}',
    b'{"type":"attachment","attachment":{"type":"file","filename":"/' + b"x" * 1_000_000 + b'"}}',
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_nothing_on_a_line_harms_the_others(place: Place, odd: bytes) -> None:
    place.maker.read(place.file)
    place.maker.raw(odd if odd.endswith(b"\n") else odd + b"\n")
    other = put(place.cwd / "b", "b")
    place.maker.read(other)
    assert place.entry(other).state == "unchanged"
    assert place.entry().state == "unchanged"


def test_what_was_skipped_is_counted(place: Place) -> None:
    place.maker.raw(b'{"filePath":\n' + DEEP + b'{"filePath":1}\n')
    assert place.log().skipped == 2


def test_followed_live_to_the_byte(place: Place) -> None:
    follower = LogFollower(place.sessions()[0])
    assert not follower.advance()
    other = put(place.cwd / "b", "b")
    place.maker.read(place.file)
    place.maker.read(other)
    data = place.maker.path.read_bytes()
    place.maker.path.write_bytes(b"")
    seen = 0
    with place.maker.path.open("ab", buffering=0) as out:
        for start in range(0, len(data), 97):
            out.write(data[start : start + 97])
            follower.advance()
            seen = max(seen, len(follower.snapshot().paths))
    assert seen == 2
    assert not follower.advance()
    log = follower.snapshot()
    assert [said(entry) for entry in log.paths] == [("whole", "unchanged", None)] * 2
    assert log.session.reads == 2
    inside = place.maker.path.with_suffix("") / "subagents" / "agent-a.jsonl"
    Maker(inside, place.cwd).read(other)
    assert follower.advance()
    assert len(follower.snapshot().paths) == 3


def test_a_last_line_without_its_end_counts_when_it_is_whole(place: Place) -> None:
    place.maker.read(place.file)
    data = place.maker.path.read_bytes()
    place.maker.path.write_bytes(data.rstrip(b"\n"))
    follower = LogFollower(place.sessions()[0])
    follower.advance()
    assert len(follower.snapshot().paths) == 1
    place.maker.raw(b"\n")
    place.maker.read(place.file)
    assert follower.advance()
    assert follower.snapshot().paths[0].reads == 2


def test_a_replaced_transcript_begins_anew(place: Place) -> None:
    place.maker.read(place.file)
    follower = LogFollower(place.sessions()[0])
    follower.advance()
    place.maker.path.unlink()
    maker = place.session(ID)
    other = put(place.cwd / "b", "b")
    maker.read(other)
    follower.advance()
    assert [entry.path for entry in follower.snapshot().paths] == [str(other)]


def test_the_sessions_of_a_folder_newest_first(place: Place) -> None:
    place.maker.prompt()
    newer = place.session("aaaa")
    newer.prompt()
    os.utime(place.maker.path, (1000, 1000))
    Maker(newer.path.parent / "foreign.jsonl", Path("/some-where/else")).prompt()
    (newer.path.parent / "bad.jsonl").mkdir()
    found = place.sessions()
    assert [session.id for session in found] == ["aaaa", ID]
    assert found[0].folder == str(place.cwd)
    assert found[0].title == "main"
    assert (found[0].agent, found[0].source, found[0].reads) == ("claude", "transcript", -1)
    assert found[0].started > 0


def test_long_and_astral_names_of_folders(tmp_path: Path) -> None:
    for name in ("x" * 150 + "/" + "y" * 150, "a\U0001f600b"):
        cwd = tmp_path / name
        cwd.mkdir(parents=True)
        home = tmp_path / "home"
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(cwd))
        slug = slug.replace("a-b", "a--b") if len(slug) < 200 else slug[:200] + "-k3jx9"
        maker = Maker(home / "projects" / slug / "s.jsonl", cwd)
        maker.prompt()
        assert [s.id for s in sessions(str(cwd), claude_home=str(home), journals="/none")] == ["s"]


def test_nothing_of_the_content_stays_in_memory(place: Place) -> None:
    secret = "a very secret line of text"
    put(place.file, secret)
    place.maker.read(place.file)
    place.maker.edit(place.file, secret, "very", "VERY")
    follower = LogFollower(place.sessions()[0])
    follower.advance()
    follower.snapshot()
    seen: dict[int, object] = {}
    todo: list[object] = [vars(follower)]
    while todo:
        thing = todo.pop()
        if id(thing) not in seen and not isinstance(thing, type | ModuleType):
            seen[id(thing)] = thing
            if not isinstance(thing, FunctionType) or thing.__closure__:
                todo += gc.get_referents(thing)
    texts = [thing for thing in seen.values() if isinstance(thing, str | bytes)]
    assert any(str(place.file) == text for text in texts)
    assert not any("secret" in str(text) for text in texts)


def test_any_path_can_be_checked(place: Place) -> None:
    place.maker.read(place.file)
    follower = LogFollower(place.sessions()[0])
    follower.advance()
    assert follower.check(str(place.file)).problem is None
    assert follower.check(str(place.cwd / "new")).problem is None
    assert follower.check(str(put(place.cwd / "b", "b"))).problem == NEVER_READ
    assert follower.check(str(place.cwd)).problem == NEVER_READ


def test_a_call_whose_name_is_no_text_is_passed_over(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "t.jsonl", tmp_path)
    content = [{"type": "tool_use", "id": "toolu_1", "name": [], "input": {"file_path": "/x"}}]
    maker.line("assistant", message={"role": "assistant", "content": content})
    assert Transcript(str(maker.path)).advance()


@given(
    st.one_of(
        st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z"),
        st.from_regex(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9](:[0-9]{2}){2}.[0-9]{3}Z"),
        st.text("0123456789-T:.Z+ ", min_size=20, max_size=26),
    )
)
def test_the_usual_form_of_a_time_is_read_as_any(value: str) -> None:
    try:
        moment = datetime.fromisoformat(value)
        expected = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        expected = 0.0
    assert timestamp({"timestamp": value}) == expected


@pytest.mark.parametrize(
    "line", [b" {} ", b"{}\r", b"{}x", b"", b"[]", b"\xef\xbb\xbf{}", b"{} {}", b"\xff{}"]
)
def test_a_line_is_an_object_or_nothing(line: bytes) -> None:
    try:
        expected = json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        expected = None
    assert parsed(line) == (expected if isinstance(expected, dict) else None)
