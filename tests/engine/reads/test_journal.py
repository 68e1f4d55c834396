"""The journal: several writers, torn lines, parts, and what a reader makes of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.reads import MODIFIED, NEVER_READ, ReadJournal
from memlens.engine.reads.entry import Entry, entry_of
from memlens.engine.reads.follow import LINE_LIMIT, Cursor
from memlens.engine.reads.lines import parts, safe_name

OLD = 1_700_000_000


@pytest.fixture
def journal(tmp_path: Path) -> ReadJournal:
    return ReadJournal("s1", folder=str(tmp_path / "reads"), agent="tester")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f"
    path.write_bytes(b"hello")
    os.utime(path, (OLD, OLD))
    return path


def raw(journal: ReadJournal, data: bytes) -> None:
    os.makedirs(journal.folder, exist_ok=True)
    with open(os.path.join(journal.folder, "s1.jsonl"), "ab") as out:
        out.write(data)


def test_the_documented_keys(journal: ReadJournal, file: Path) -> None:
    journal.record(file, content=b"hello", lane="sub-1")
    line = json.loads(Path(parts(journal.folder, "s1")[0]).read_bytes())
    assert line.pop("time") > OLD
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert line == {
        "session": "s1", "agent": "tester", "lane": "sub-1", "action": "read", "path": str(file),
        "size": 5, "mtime_ns": OLD * 10**9, "sha256": digest,
    }  # fmt: skip


def test_it_answers_as_the_seed_does(journal: ReadJournal, file: Path) -> None:
    def problem() -> str | None:
        return journal.write_problem(file)[0]

    assert problem() == NEVER_READ
    journal.record(file)
    assert problem() is None
    os.utime(file, (OLD + 5, OLD + 5))
    assert problem() is None
    file.write_bytes(b"HELLO")
    assert problem() == MODIFIED
    journal.record(file, "partial", ranges=[[1, 1]])
    assert problem() is None
    os.utime(file, (OLD + 9, OLD + 9))
    assert problem() == MODIFIED
    journal.record(file, "edit", content=b"HELLO")
    assert problem() is None
    journal.record(file, "write", sure=False)
    assert problem() == MODIFIED
    journal.record(file)
    journal.forget(file)
    assert problem() == NEVER_READ
    journal.record(file)
    journal.append("compact", lane="sub")
    assert problem() is None
    assert journal.write_problem(file, lane="sub")[0] == NEVER_READ
    journal.append("compact")
    assert problem() == NEVER_READ
    journal.record(file)
    journal.clear()
    assert problem() == NEVER_READ
    file.unlink()
    assert problem() is None


def test_a_partial_read_keeps_the_hash_of_the_same_file(journal: ReadJournal, file: Path) -> None:
    journal.record(file)
    journal.record(file, "partial")
    os.utime(file, (OLD + 5, OLD + 5))
    assert journal.write_problem(file)[0] is None


@pytest.mark.parametrize("name", ["plain.md", 'q"uote', "back\\slash", "ä", "\udcff", "start"])
def test_any_name_is_found_again(journal: ReadJournal, tmp_path: Path, name: str) -> None:
    path = os.path.join(tmp_path, name)
    with open(path, "wb") as out:
        out.write(b"x")
    journal.record(os.path.join(tmp_path, "other"))
    journal.record(path)
    journal.refuse(path, NEVER_READ)
    assert journal.write_problem(path)[0] is None
    entries = [entry for entry in journal.entries() if entry is not None]
    assert [entry.path for entry in entries[1:]] == [path, path]
    assert entries[2].text("refusal") == NEVER_READ


def test_a_torn_last_line_is_picked_up_later(journal: ReadJournal) -> None:
    cursor: Cursor = {}
    journal.append("start")
    raw(journal, b'{"action":"cl')
    assert [e and e.action for e in journal.entries(cursor)] == ["start"]
    assert list(journal.entries(cursor)) == []
    raw(journal, b'ear"}\n')
    assert [e and e.action for e in journal.entries(cursor)] == ["clear"]


def test_a_line_that_stays_torn_harms_no_other(journal: ReadJournal) -> None:
    raw(journal, b'{"action":"cl')
    journal.append("start")
    assert [e and e.action for e in journal.entries()] == [None, "start"]


def test_what_is_no_entry_is_counted_and_skipped(journal: ReadJournal) -> None:
    odd = [
        b"", b"[]", b"\xff\xfe", b"{}", b'{"action":"dance","path":"/x"}', b'{"action":"read"}',
        b'{"action":["read"]}', b'{"action":"read","path":7}', b"[" * 100_000,
        b'{"action":"read","path":"/x","size":' + b"9" * 5000 + b"}",
        b'{"action":"clear","pad":"' + b"x" * LINE_LIMIT + b'"}',
    ]  # fmt: skip
    raw(journal, b"\n".join(odd) + b'\n{"action":"clear","time":1e999,"lane":3}\n')
    entries = list(journal.entries())
    assert entries[:-1] == [None] * len(odd)
    assert entries[-1] is not None
    assert (entries[-1].time, entries[-1].lane) == (0.0, "main")


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_line_raises(line: bytes) -> None:
    entry_of(line)


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["action", "path", "size", "mtime_ns", "sha256", "ranges", "time"]),
        st.sampled_from(["read", "/x", "", 1, -1, 2**70, 1e300, None, True, [], [[1, 2]], {}]),
    )
)
def test_no_shape_raises_but_value_error(values: dict[str, object]) -> None:
    try:
        entry = Entry(values)
    except ValueError:
        return
    entry.ranges()
    entry.total_lines()


def test_a_relative_path_is_one_of_the_entrys_own_folder(journal: ReadJournal, file: Path) -> None:
    folder = str(file.parent)
    raw(journal, json.dumps({"action": "partial", "path": "f"}).encode() + b"\n")
    assert [entry and entry.path for entry in journal.entries()] == [None]
    entry = {"action": "partial", "path": "./x/../f", "cwd": folder, "size": 5}
    raw(journal, json.dumps({**entry, "mtime_ns": OLD * 10**9}).encode() + b"\n")
    assert journal.write_problem(file)[0] is None


def test_parts_are_read_as_one(tmp_path: Path) -> None:
    journal = ReadJournal("s", folder=str(tmp_path), limit=300)
    cursor: Cursor = {}
    seen = []
    for number in range(40):
        journal.append("load", path=f"/x{number}")
        if number % 7 == 0:
            seen += [entry and entry.path for entry in journal.entries(cursor)]
    seen += [entry and entry.path for entry in journal.entries(cursor)]
    assert seen == [f"/x{number}" for number in range(40)]
    assert len(parts(str(tmp_path), "s")) > 5
    assert len(list(journal.entries())) == 40


def test_writers_in_several_processes_lose_no_line(tmp_path: Path) -> None:
    code = (
        "import sys; from memlens.engine.reads import ReadJournal\n"
        "journal = ReadJournal('s', folder=sys.argv[1], limit=2000)\n"
        "for number in range(50): journal.append('load', path=f'/{sys.argv[2]}/{number}')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(number)])
        for number in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    paths = [entry and entry.path for entry in ReadJournal("s", folder=str(tmp_path)).entries()]
    assert sorted(map(str, paths)) == sorted(f"/{w}/{n}" for w in range(4) for n in range(50))
    assert [p for p in paths if str(p).startswith("/2/")] == [f"/2/{n}" for n in range(50)]


def test_a_journal_is_for_its_owner_only(journal: ReadJournal) -> None:
    journal.append("start")
    assert os.stat(journal.folder).st_mode & 0o077 == 0
    assert os.stat(parts(journal.folder, "s1")[0]).st_mode & 0o077 == 0


def test_a_link_in_place_of_the_journal_is_not_written_through(
    journal: ReadJournal, tmp_path: Path
) -> None:
    os.makedirs(journal.folder)
    (tmp_path / "victim").write_text("mine")
    os.symlink(tmp_path / "victim", os.path.join(journal.folder, "s1.jsonl"))
    with pytest.raises(OSError):  # noqa: PT011 - each system has its own words
        journal.append("start")
    assert (tmp_path / "victim").read_text() == "mine"


def test_no_journal_is_no_entry(journal: ReadJournal) -> None:
    assert list(journal.entries()) == []


@settings(deadline=None)
@given(st.text(max_size=150), st.text(max_size=150))
def test_session_names_become_safe_and_stay_different(one: str, other: str) -> None:
    for name in (safe_name(one), safe_name(other)):
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-~")
        assert 0 < len(name) <= 110
    assert (safe_name(one) == safe_name(other)) == (one == other)


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "con", "x" * 300, "\udcff", "a~b"])
def test_odd_session_names_get_a_hash(name: str) -> None:
    assert "~" in safe_name(name)


def test_uuids_stay_themselves() -> None:
    assert safe_name("1b4e28ba-2fa1-11d2-883f-0016d3cca427").startswith("1b4e28ba-2fa1")
