"""Fuzzy search."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.durable import (
    FuzzyIndex,
    MemoryConfig,
    MemoryScope,
    MemorySnapshot,
    fuzzy_search,
    load,
    search,
    write_memory,
)
from memlens.engine.folding import fold

from .conftest import Place

FACTS = [
    ("prefer-ripgrep", "Use rg for search", ["tooling"], "Always reach for ripgrep over grep."),
    ("db-migrations", "How to migrate Postgres", ["database"], "Run alembic.\nNever by hand."),
    ("editor", "Editor preference", ["tooling", "neovim"], "The user likes neovim best."),
    ("İstanbul office", "Straße, c++ and [x]", [], "one\n" + "long " * 60 + "needle here\nlast"),
]


@pytest.fixture
def index(place: Place) -> FuzzyIndex:
    for name, description, tags, body in FACTS:
        write_memory(place.cwd, MemoryScope.GLOBAL, name, description, tags, body)
    return FuzzyIndex.build(load(place.cwd))


def names(index: FuzzyIndex, query: str) -> list[str]:
    return [hit.entry.name for hit in index.search(query)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("ripgrep", "prefer-ripgrep"),
        ("ripgerp", "prefer-ripgrep"),
        ("rigprep prefr", "prefer-ripgrep"),
        ("posgres migrate", "db-migrations"),
        ("migratoin", "db-migrations"),
        ("migr postg", "db-migrations"),
        ("databse", "db-migrations"),
        ("NEOVIM", "editor"),
        ("neovin", "editor"),
        ("istanbul", "İstanbul office"),
        ("c++", "İstanbul office"),
        ("[x]", "İstanbul office"),
        ("e", "editor"),
    ],
)
def test_errors_and_order_do_not_matter(index: FuzzyIndex, query: str, first: str) -> None:
    assert names(index, query)[0] == first


def test_blank_and_strange_queries_find_nothing(index: FuzzyIndex) -> None:
    for query in ("", "  \n", "zzzzzz", "\ud800", "\x00"):
        assert names(index, query) == []
    assert len(FuzzyIndex.build(None)) == 0
    assert not FuzzyIndex.build(None).search("x")


def test_a_name_counts_more_than_a_body(place: Place, index: FuzzyIndex) -> None:
    write_memory(place.cwd, MemoryScope.GLOBAL, "aaa", "d", [], "editor in the body")
    index = FuzzyIndex.build(load(place.cwd), index)
    assert names(index, "editor") == ["editor", "aaa"]
    scores = [hit.score for hit in index.search("editor")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 100.0


@given(st.sampled_from(" ".join(f"{n} {d} {b}" for n, d, _, b in FACTS).split()), st.data())
def test_what_search_finds_comes_first(word: str, data: st.DataObject) -> None:
    index, cwd, snapshot = PREPARED[0]
    start = data.draw(st.integers(0, len(word) - 1))
    query = word[start : data.draw(st.integers(start + 1, len(word)))]
    exact = {hit.entry for hit in search(cwd, query, snapshot)}
    hits = index.search(query)
    assert {hit.entry for hit in hits[: len(exact)]} == exact
    assert all(hit.exact == (hit.entry in exact) for hit in hits)


PREPARED: list[tuple[FuzzyIndex, Path, MemorySnapshot | None]] = []


@pytest.fixture(autouse=True)
def _prepared(place: Place, index: FuzzyIndex) -> None:
    PREPARED[:] = [(index, place.cwd, load(place.cwd))]


def test_a_growing_query_finds_what_a_fresh_one_finds(place: Place, index: FuzzyIndex) -> None:
    for query in ("posgres migrate", "neovim", "grep over", "istanbul", "last"):
        for length in range(1, len(query) + 1):
            fresh = FuzzyIndex.build(load(place.cwd))
            grown = [(hit.entry, hit.score) for hit in index.search(query[:length])]
            assert grown == [(hit.entry, hit.score) for hit in fresh.search(query[:length])]


def test_the_places_are_marked(index: FuzzyIndex) -> None:
    hit = index.search("ripgrep")[0]
    assert hit.name_spans == ((7, 14),)
    assert hit.description_spans == ()
    assert hit.snippet == "Always reach for ripgrep over grep."
    assert hit.snippet_spans == ((17, 24),)
    hit = index.search("neovim tooling")[0]
    assert hit.tag_spans == (((0, 7),), ((0, 6),))
    hit = index.search("ripgerp")[0]
    assert hit.name_spans[0][0] == 7
    assert "".join(hit.entry.name[start:end] for start, end in hit.name_spans) == "ripgep"
    assert "FuzzyHit" in repr(hit)


def test_a_match_far_along_a_line_is_in_the_snippet(index: FuzzyIndex) -> None:
    hit = index.search("needle")[0]
    start, end = hit.snippet_spans[0]
    assert hit.snippet[start:end] == "needle"
    assert hit.snippet.startswith("…")


def test_an_index_is_brought_up_to_date(place: Place, index: FuzzyIndex) -> None:
    old = index
    write_memory(place.cwd, MemoryScope.GLOBAL, "editor", "Editor", [], "The user likes emacs.")
    index = FuzzyIndex.build(load(place.cwd), index)
    assert names(index, "emacs") == ["editor"]
    assert names(index, "neovim") == []
    assert names(index, "neovin") == []
    assert names(old, "neovim") == ["editor"]
    for number in range(30):
        write_memory(place.cwd, MemoryScope.GLOBAL, "editor", f"d{number}", [], f"body {number}")
        index = FuzzyIndex.build(load(place.cwd), index)
    assert names(index, "29") == ["editor"]


def test_a_library_of_gone_facts_is_left_behind(
    place: Place, index: FuzzyIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlens.engine.durable import vocabulary

    monkeypatch.setattr(vocabulary, "SPARE_DOCUMENTS", 0)
    for number in range(9):
        write_memory(place.cwd, MemoryScope.GLOBAL, "editor", "d", [], f"body {number}")
        index = FuzzyIndex.build(load(place.cwd), index)
    assert names(index, "body 8") == ["editor"]
    assert names(index, "ripgrep") == ["prefer-ripgrep"]
    assert len(index._library.documents) <= 3 * len(index)


def test_a_single_search(place: Place) -> None:
    assert [hit.entry.name for hit in fuzzy_search(place.cwd, "neovin")] == ["editor"]
    assert not fuzzy_search(place.cwd, "neovim", MemoryConfig(enabled=False))


@given(st.text(max_size=30))
def test_folding_keeps_places(text: str) -> None:
    assert len(fold(text)) == len(text)
