"""Facts through the engine: messages in, messages out, real files below."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine import (
    CheckMemories,
    CompareMemories,
    CreateMemory,
    DeleteMemories,
    DuplicatesFound,
    Engine,
    EngineError,
    Event,
    FindDuplicates,
    FindStale,
    LoadMemories,
    MemoriesChanged,
    MemoriesChecked,
    MemoriesCompared,
    MemoriesFound,
    MemoriesLoaded,
    MemoryClashed,
    MemoryFilter,
    MemoryOpened,
    MemorySaved,
    MoveMemories,
    OpenMemory,
    SaveMemory,
    SearchMemories,
    StaleFound,
    TagMemories,
    open_workspace,
)
from memlens.engine.durable import MemoryScope
from memlens.engine.durable.results import Fact
from memlens.engine.events.memory_changes import MARKERS
from memlens.engine.handlers.desk import Desk
from memlens.engine.handlers.merging import Fields, both, three_way
from memlens.engine.reads import ReadJournal
from memlens.engine.record import replace

GLOBAL, PRIVATE = MemoryScope.GLOBAL, MemoryScope.PROJECT_PRIVATE


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(open_workspace(root)) as engine:
        yield engine


def create(engine: Engine, name: str, body: str = "body", scope: MemoryScope = GLOBAL) -> str:
    command = CreateMemory(
        request=engine.next_request(), name=name, scope=scope, body=body, tags=("tag",)
    )
    return engine.ask(command, MemorySaved).path


def opened(engine: Engine, path: str) -> Fact:
    return engine.ask(OpenMemory(request=engine.next_request(), path=path), MemoryOpened).fact


def found(engine: Engine, query: str = "", only: MemoryFilter | None = None) -> list[str]:
    command = SearchMemories(request=engine.next_request(), query=query, only=only)
    return [hit.entry.name for hit in engine.ask(command, MemoriesFound).hits]


def test_a_search_does_not_wait_behind_other_work(engine: Engine) -> None:
    create(engine, "needle")
    held, go = threading.Event(), threading.Event()

    def hold(event: MemoriesLoaded) -> None:
        held.set()
        go.wait(60)

    with engine.bus.subscribe(MemoriesLoaded, hold):
        engine.bus.publish(LoadMemories(request=engine.next_request()))
        assert held.wait(60)
        assert found(engine, "nedle") == ["needle"]
        go.set()


def test_filters(engine: Engine, root: Path) -> None:
    create(engine, "a")
    create(engine, "b", scope=PRIVATE)
    bad = create(engine, "c", scope=PRIVATE)
    with open(bad, "a", encoding="utf-8") as file:
        file.write("AKIAIOSFODNN7EXAMPLE\n")
    loaded = engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded)
    assert loaded.per_scope == {GLOBAL: 1, PRIVATE: 2}
    assert loaded.per_tag == {"tag": 3}
    engine.ask(CheckMemories(request=engine.next_request()), MemoriesChecked)
    assert found(engine, only=MemoryFilter(scopes=(PRIVATE,))) == ["b", "c"]
    assert found(engine, only=MemoryFilter(problem="secret")) == ["c"]
    assert found(engine, only=MemoryFilter(tags=("tag", "none"))) == []
    assert found(engine, only=MemoryFilter(newer_than_days=1)) == ["a", "b", "c"]
    assert found(engine, only=MemoryFilter(older_than_days=1)) == []


def test_what_is_switched_off_is_not_found(root: Path) -> None:
    workspace = open_workspace(root)
    quiet = replace(workspace, settings=replace(workspace.settings, ignore=("scope-mismatch",)))
    with Engine(quiet) as engine:
        path = Path(create(engine, "a"))
        path.write_text(path.read_text().replace("scope: global", "scope: project-private"))
        checked = engine.ask(CheckMemories(request=engine.next_request()), MemoriesChecked)
        assert checked.findings == ()


def test_a_clash_brings_both_texts_and_what_becomes_of_them(engine: Engine) -> None:
    path = create(engine, "a", "one\ntwo\nthree")
    fact = opened(engine, path)
    other = SaveMemory(request=engine.next_request(), fact=fact, body="one\ntwo\n3")
    engine.ask(other, MemorySaved)
    mine = SaveMemory(request=engine.next_request(), fact=fact, body="1\ntwo\nthree")
    clash = engine.ask(mine, Event)
    assert isinstance(clash, MemoryClashed)
    assert clash.theirs is not None
    assert clash.theirs.body == "one\ntwo\n3"
    assert clash.merged is not None
    assert (clash.merged.body, clash.merged.conflicts) == ("1\ntwo\n3", 0)
    kinds = {record.kind for record in clash.difference}
    assert {"added", "removed"} <= kinds
    assert opened(engine, path).body == "one\ntwo\n3"


def test_a_fact_that_changed_since_it_was_listed_is_not_deleted(engine: Engine) -> None:
    path = Path(create(engine, "a"))
    listed = engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded).entries
    path.write_text(path.read_text() + "more\n")
    with pytest.raises(EngineError, match="changed on disk"):
        engine.ask(DeleteMemories(request=engine.next_request(), facts=listed), MemoriesChanged)
    assert path.exists()


def test_read_only_refuses_every_change(root: Path) -> None:
    with Engine(open_workspace(root)) as engine:
        path = create(engine, "a")
        entries = engine.ask(LoadMemories(request=1000), MemoriesLoaded).entries
        fact = opened(engine, path)
    before = Path(path).read_bytes()
    with Engine(open_workspace(root, read_only=True)) as engine:
        number = engine.next_request
        for command in (
            CreateMemory(request=number(), name="b", scope=GLOBAL),
            SaveMemory(request=number(), fact=fact, body="other"),
            TagMemories(request=number(), facts=entries, add=("x",)),
            MoveMemories(request=number(), facts=entries, scope=PRIVATE),
            DeleteMemories(request=number(), facts=entries),
        ):
            with pytest.raises(EngineError, match="nothing can be written"):
                engine.ask(command, Event)
    assert Path(path).read_bytes() == before


def test_duplicates_and_side_by_side(engine: Engine) -> None:
    text = "the very same words for everybody\nand a second line"
    first, second = create(engine, "a", text), create(engine, "b", text + "\nplus one")
    create(engine, "c", text)
    pairs = engine.ask(FindDuplicates(request=engine.next_request()), DuplicatesFound).pairs
    assert {pair.exact for pair in pairs} == {True, False}
    command = CompareMemories(request=engine.next_request(), first=first, second=second)
    compared = engine.ask(command, MemoriesCompared)
    assert [(row.left, row.right, row.same) for row in compared.rows][-1] == (
        None, "plus one", False,
    )  # fmt: skip
    assert compared.merged.body == text + "\nplus one"


def test_whoever_is_told_of_a_new_fact_may_ask_about_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another lane than the one that wrote it."""
    create(engine, "a", "one")
    happened: list[object] = []
    look = Desk.refresh_facts

    def looked(desk: Desk) -> bool:
        changed = look(desk)
        happened.append({entry.name for entry in desk.facts.entries} if desk.facts else set())
        return changed

    monkeypatch.setattr(Desk, "refresh_facts", looked)
    engine.bus.subscribe(MemorySaved, lambda _: happened.append("told"))
    create(engine, "b", "two")
    assert happened[happened.index("told") - 1] == {"a", "b"}


def test_stale_facts_say_which_session_read_them(engine: Engine, root: Path) -> None:
    paths = [Path(create(engine, name)) for name in ("read", "unread")]
    for path in paths:
        path.write_text(path.read_text().replace("created: 2", "created: 1"))
        os.utime(path, (1_000_000_000, 1_000_000_000))
    journal = ReadJournal("s1", agent="demo")
    journal.append("start", time=1_700_000_000.0, cwd=os.fspath(root))
    journal.record(paths[0], "read", time=1_700_000_100.0)
    engine.ask(LoadMemories(request=engine.next_request()), MemoriesLoaded)
    stale = engine.ask(FindStale(request=engine.next_request()), StaleFound)
    told = {one.fact.entry.name: (one.last_read, one.read_by, one.reads) for one in stale.facts}
    assert told == {"read": (1_700_000_100.0, "s1", 1), "unread": (None, "", 0)}
    assert stale.sessions == 1


def fields(body: str, name: str = "n", tags: tuple[str, ...] = ()) -> Fields:
    return Fields(name, "d", tags, body)


def test_where_both_changed_one_place_both_texts_stand() -> None:
    merged = three_way(fields("a\nb\nc"), fields("a\nmine\nc"), fields("a\ntheirs\nc"))
    assert merged.conflicts == 1
    before, between, behind = MARKERS
    assert merged.body.split("\n") == [
        "a", before, "mine", between, "theirs", behind, "c",
    ]  # fmt: skip


def test_fields_that_both_changed_are_told() -> None:
    merged = three_way(
        fields("", "old", ("a", "b")),
        fields("", "mine", ("a", "c")),
        fields("", "other", ("a", "b", "d")),
    )
    assert merged.name == "mine"
    assert merged.notes == ("both changed the name; on disk it is “other”",)
    assert merged.tags == ("a", "c", "d")


BODIES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=6).map("\n".join)


@given(BODIES, BODIES)
def test_what_only_one_changed_is_taken(base: str, changed: str) -> None:
    for mine, theirs in ((base, changed), (changed, base), (changed, changed)):
        merged = three_way(fields(base), fields(mine), fields(theirs))
        assert (merged.body, merged.conflicts) == (changed, 0)


@given(BODIES, BODIES, BODIES)
def test_no_line_that_anybody_wrote_is_lost(base: str, mine: str, theirs: str) -> None:
    merged = three_way(fields(base), fields(mine), fields(theirs))
    lines = set(merged.body.split("\n"))
    for version in (mine, theirs):
        assert set(version.split("\n")) - set(base.split("\n")) <= lines


@given(BODIES, BODIES)
def test_two_in_one_hold_every_line_of_both(first: str, second: str) -> None:
    lines = both(fields(first), fields(second)).body.split("\n")
    for version in (first, second):
        rest = iter(lines)
        assert all(line in rest for line in version.split("\n"))
