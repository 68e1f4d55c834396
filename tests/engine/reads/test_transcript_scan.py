"""The pass over a transcript: pieces of any size, long lines, branches, little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.reads import transcript_scan
from memlens.engine.reads.chain import Chain
from memlens.engine.reads.transcript_lines import Event, Interpreter
from memlens.engine.reads.transcript_scan import Scanner
from tests.engine.reads.making import Maker, put

Seen = list[tuple[str, str, int, int]]


def scanned(path: Path, chunk: int) -> tuple[Seen, Scanner]:
    seen: list[Event] = []
    interpreter = Interpreter("main", seen.append)
    scanner = Scanner(str(path), chunk=chunk)

    def handle(block: bytes, start: int, end: int, offset: int, index: int) -> list[bytes]:
        asked, answered = interpreter.line(block, start, end, offset, index)
        for name in answered:
            scanner.answered(name.encode())
        return [name.encode() for name in asked]

    while scanner.advance(handle):
        pass
    return [(event.kind, event.path, event.offset, event.index) for event in seen], scanner


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    maker = Maker(tmp_path / "session.jsonl", tmp_path)
    for number in range(12):
        file = put(tmp_path / f"f{number}", f"text {number}\n" * 40 * number)
        maker.prompt(f"prompt {number}")
        maker.read(file)
        call = maker.call("Read", {"file_path": str(file)})
        maker.says('not "filePath": here')
        maker.result(call, {"type": "image", "file": {"base64": "AA=="}}, [])
        call = maker.call("Edit", {"file_path": str(file)})
        maker.result(call, "Error", "File has not been read yet", is_error=True)
        maker.attach("file", filename=str(file))
        if number == 5:
            maker.compact()
    return maker


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000, 4096, 1 << 20])
def test_pieces_of_any_size_tell_the_same(maker: Maker, chunk: int) -> None:
    whole, _ = scanned(maker.path, 1 << 24)
    assert len(whole) == 12 * 4 + 1
    seen, scanner = scanned(maker.path, chunk)
    assert seen == whole
    assert scanner.offset == maker.path.stat().st_size
    assert len(scanner.chain) == maker.number


def test_a_line_that_is_too_long_is_skipped_and_counted(
    maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, _ = scanned(maker.path, 4096)
    monkeypatch.setattr(transcript_scan, "LINE_LIMIT", 10_000)
    file = put(maker.cwd / "long", "x" * 30_000)
    maker.read(file)
    maker.read(put(maker.cwd / "short", "x"))
    seen, scanner = scanned(maker.path, 4096)
    assert scanner.too_long == 1
    assert [path for _, path, _, _ in seen[len(before) :]] == [str(maker.cwd / "short")]
    assert scanner.offset == maker.path.stat().st_size


def test_lines_that_only_name_a_call_do_not_hide_its_answer(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "s.jsonl", tmp_path)
    for number in range(3):
        picture = put(tmp_path / f"{number}.png", b"\x89PNG")
        call = maker.call("Read", {"file_path": str(picture)})
        for _ in range(number):
            maker.line("progress", data={"type": "hook_progress"}, toolUseID=call)
        maker.result(call, {"type": "image", "file": {"base64": "AA=="}}, [])
    seen, _ = scanned(maker.path, 1 << 19)
    assert [path for _, path, _, _ in seen] == [f"{tmp_path}/{number}.png" for number in range(3)]


def test_memory_stays_small(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "s.jsonl", tmp_path)
    file = put(tmp_path / "f", "some text of a file\n" * 100)
    for _ in range(20):
        maker.says("much text " * 20_000)
        maker.read(file)
    assert maker.path.stat().st_size > 4_000_000
    tracemalloc.start()
    try:
        scanned(maker.path, 1 << 16)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000


Tree = list[tuple[int | None, bool]]


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_rewound_lines_are_those_beside_a_newer_prompt(data: st.DataObject) -> None:
    """Against a plain tree: each fork is either one of prompts or one of calls."""
    size = data.draw(st.integers(1, 30))
    prompts = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    parents: list[int | None] = [None]
    for number in range(1, size):
        far = data.draw(st.booleans())
        parents.append(data.draw(st.integers(0, number - 1)) if far else number - 1)
    chain = Chain()
    for number, parent in enumerate(parents):
        if parent == number - 1 and number:
            chain.follow([b"%d" % number])
        else:
            name = None if parent is None else b"%d" % parent
            chain.jump(b"%d" % number, name, is_prompt=prompts[number])
    active: list[int] = []
    at: int | None = size - 1
    while at is not None:
        active.append(at)
        at = parents[at]
    rewound = chain.rewound()
    for number in range(size):
        assert rewound(number) == _expected(number, parents, prompts, active)


def _expected(
    number: int, parents: list[int | None], prompts: list[bool], active: list[int]
) -> bool:
    """Up from a line to the conversation: was a prompt put in another's place on the way?"""
    while number not in active:
        parent = parents[number]
        assert parent is not None
        jumped = parent != number - 1
        if jumped and prompts[number]:
            return True
        if parent in active and not jumped:
            newer = active[active.index(parent) - 1]
            return prompts[newer] and parents[newer] != newer - 1
        number = parent
    return False


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 6), st.booleans())))
def test_damaged_chains_never_hang(lines: list[tuple[int, int | None, bool]]) -> None:
    chain = Chain()
    for uuid, parent, prompt in lines:
        chain.jump(b"%d" % uuid, None if parent is None else b"%d" % parent, is_prompt=prompt)
    rewound = chain.rewound()
    for number in range(len(lines)):
        rewound(number)
