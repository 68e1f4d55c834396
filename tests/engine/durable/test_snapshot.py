"""Loading and refreshing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memlens.engine.durable import (
    FACT_LIMIT,
    MemoryConfig,
    MemoryReloadOutcome,
    MemorySnapshot,
    entries,
    load,
    refresh,
    snapshot,
)
from memlens.engine.durable.index import build_index

from .conftest import Place, make_place

FACT = "---\nname: {}\ndescription: d\n---\n\nbody\n"


def test_only_regular_markdown_files_are_facts(place: Place) -> None:
    place.put("a.md", FACT.format("a"))
    place.put("b.txt", FACT.format("b"))
    place.put("c.MD", FACT.format("c"))
    place.put("e.md~", FACT.format("e"))
    place.put(".md", FACT.format("without a name before its ending"))
    (place.facts / "d.md").mkdir()
    (place.facts / "f.md").symlink_to(place.facts / "a.md")
    os.mkfifo(place.facts / "g.md")
    (place.facts / "deep").mkdir()
    (place.facts / "deep" / "h.md").write_text(FACT.format("h"))
    snapshot = load(place.cwd)
    assert snapshot is not None
    assert [entry.name for entry in snapshot.entries] == ["a"]
    again, outcome = refresh(snapshot, place.cwd)
    assert again is snapshot
    assert outcome is MemoryReloadOutcome.UNCHANGED


def test_what_is_loaded_is_counted_through_all_folders(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.shared.mkdir(parents=True)
    for number in range(3):
        place.put(f"g{number}.md", FACT.format(f"g{number}"))
        (place.shared / f"s{number}.md").write_text(FACT.format(f"s{number}"))
    told: list[int] = []
    monkeypatch.setattr(snapshot, "step", lambda done, total, what: told.append(done))
    load(place.cwd)
    assert told == [0, 1, 2, 3, 4, 5]


def test_a_long_file_is_read_for_the_index_up_to_the_limit(place: Place) -> None:
    place.put("a.md", "---\nname: long\n---\n\n" + "é" * FACT_LIMIT)
    place.put("b.md", "x" + "é" * FACT_LIMIT)
    snapshot = load(place.cwd)
    assert snapshot is not None
    assert "long" in [entry.name for entry in snapshot.entries]
    assert all("\ufffd" not in entry.description for entry in snapshot.entries)


def test_a_name_that_is_no_utf8_does_not_break_the_index(place: Place) -> None:
    place.facts.mkdir(parents=True)
    path = os.fsencode(place.facts) + b"/caf\xe9.md"
    with open(path, "wb") as file:
        file.write(b"body")
    snapshot = load(place.cwd)
    assert snapshot is not None
    assert snapshot.entries[0].name == "caf\ufffd"
    assert snapshot.entries[0].path == os.fsdecode(path)
    assert "caf\ufffd.md" in snapshot.index
    snapshot.index.encode()


def test_an_unchanged_file_is_not_read_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        place.put(f"{name}.md", FACT.format(name))
    snapshot = load(place.cwd)
    read: list[str] = []
    real = entries.read_entry

    def spy(path: str, *args: object) -> object:
        read.append(path)
        return real(path, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(entries, "read_entry", spy)
    place.put("b.md", FACT.format("new"))
    fresh, outcome = refresh(snapshot, place.cwd)
    assert outcome is MemoryReloadOutcome.RELOADED
    assert read == [str(place.facts / "b.md")]
    assert fresh == load(place.cwd)


def test_another_cap_is_a_new_index_of_the_same_facts(place: Place) -> None:
    place.put("a.md", FACT.format("a"))
    snapshot = load(place.cwd)
    cut, outcome = refresh(snapshot, place.cwd, MemoryConfig(index_cap_bytes=10))
    assert outcome is MemoryReloadOutcome.RELOADED
    assert cut is not None
    assert cut.truncated
    assert [entry.name for entry in cut.fallen_out] == ["a"]


def test_what_falls_out_is_what_has_no_whole_line(place: Place) -> None:
    for name in ("aé", "b", "c"):
        place.put(f"{name}.md", FACT.format(name))
    whole = load(place.cwd)
    assert whole is not None
    lines = whole.index.splitlines(keepends=True)
    for cap in range(len(whole.index.encode()) + 2):
        index = build_index(whole.entries, cap)
        kept = index.text.partition("\n\n[Memory index truncated")[0]
        complete = sum(
            line.rstrip("\n") in kept.split("\n") for line in lines if line.startswith("- [")
        )
        assert index.visible == complete, cap
        assert index.full_bytes == len(whole.index.encode())
        assert index.truncated == (cap < index.full_bytes)


def test_a_snapshot_does_not_change(place: Place) -> None:
    place.put("a.md", FACT.format("a"))
    snapshot = load(place.cwd)
    assert snapshot is not None
    with pytest.raises(AttributeError):
        snapshot.index = ""
    assert snapshot.tokens == len(snapshot.index.encode()) // 4
    assert hash(snapshot) == hash(load(place.cwd))
    assert "1 facts" in repr(snapshot)
    assert snapshot != 1


NAMES = st.sampled_from(["a.md", "b.md", "c.md", "d.txt"])
FOLDERS = st.sampled_from(["global", "shared"])


class Refreshing(RuleBasedStateMachine):
    """A refresh after any sequence of changes equals a fresh load."""

    def __init__(self) -> None:
        super().__init__()
        self.box = tempfile.TemporaryDirectory()
        self.place = make_place(Path(self.box.name))
        self.snapshot: MemorySnapshot | None = None
        self.clock = 10**18

    @initialize()
    def surroundings(self) -> None:
        os.environ["MERMAID_DATA_DIR"] = str(self.place.data)

    def path(self, folder: str, name: str) -> Path:
        base = self.place.facts if folder == "global" else self.place.shared
        base.mkdir(parents=True, exist_ok=True)
        return base / name

    @rule(folder=FOLDERS, name=NAMES, title=st.sampled_from("xyz"), rename=st.booleans())
    def write(self, folder: str, name: str, title: str, rename: bool) -> None:
        path = self.path(folder, name)
        target = path.with_suffix(".new") if rename else path
        target.write_text(FACT.format(title))
        self.clock += 10**9
        os.utime(target, ns=(self.clock, self.clock))
        if rename:
            target.replace(path)

    @rule(folder=FOLDERS, name=NAMES, delta=st.sampled_from([-1, 1]))
    def touch(self, folder: str, name: str, delta: int) -> None:
        path = self.path(folder, name)
        if path.exists():
            stamp = path.stat().st_mtime_ns + delta
            os.utime(path, ns=(stamp, stamp))

    @rule(folder=FOLDERS, name=NAMES)
    def delete(self, folder: str, name: str) -> None:
        self.path(folder, name).unlink(missing_ok=True)

    @rule(folder=FOLDERS, name=NAMES, other=NAMES)
    def rename(self, folder: str, name: str, other: str) -> None:
        path = self.path(folder, name)
        if path.exists():
            path.replace(self.path(folder, other))

    @invariant()
    def refreshed_is_fresh(self) -> None:
        before = self.snapshot
        self.snapshot, outcome = refresh(before, self.place.cwd)
        fresh = load(self.place.cwd)
        assert self.snapshot == fresh
        assert (outcome is MemoryReloadOutcome.UNCHANGED) == (before == fresh)

    def teardown(self) -> None:
        self.box.cleanup()


Refreshing.TestCase.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
TestRefreshing = Refreshing.TestCase
