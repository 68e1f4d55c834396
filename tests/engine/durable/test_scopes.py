"""Where facts live."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.durable import (
    Draft,
    MemoryScope,
    ScopeUnavailable,
    any_folder,
    attach_notes,
    check_draft,
    data_dir,
    dir_for,
    find,
    find_git_root,
    load,
    memory_roots,
    project_key,
    search,
    slugify,
    write_memory,
)
from memlens.engine.durable.siphash import siphash13
from memlens.engine.durable.slugs import SLUG_LIMIT, file_slug, numbered

from .conftest import Place


@pytest.mark.skipif(os.name != "posix", reason="the folders of POSIX systems")
@pytest.mark.parametrize("home", ["/home/x", "/home/x/", "relative", "", None])
@pytest.mark.parametrize("xdg", ["/x/data", "/x/data/", "relative", "~/x", " /x", "", None])
def test_the_data_folder_is_that_of_platformdirs(
    monkeypatch: pytest.MonkeyPatch, home: str | None, xdg: str | None
) -> None:
    for name, value in (("HOME", home), ("XDG_DATA_HOME", xdg), ("MERMAID_DATA_DIR", None)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert data_dir() == platformdirs.user_data_dir("mermaid", appauthor=False)


def test_a_given_data_folder_is_made_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MERMAID_DATA_DIR", "here")
    assert data_dir() == os.path.abspath("here")


def test_siphash_takes_blocks_and_rests() -> None:
    known = {
        "/": 0x3FCB5A7A, "/a": 0xF59B4E45, "/home/alice/my-project": 0xD3909F6E,
        "/Users/bob/My App": 0x5093A593,
    }  # fmt: skip
    for path, low in known.items():
        assert siphash13(path.encode() + b"\xff") & 0xFFFFFFFF == low


def test_a_key_names_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Ünïcode  Kelvin \u212a-"
    folder.mkdir()
    assert project_key(folder).rpartition("-")[0] == "n-code--kelvin"
    long = tmp_path / ("x" * 31 + "--y")
    assert project_key(long).rpartition("-")[0] == "x" * 31


def test_a_key_is_made_of_what_the_agent_can_show_of_a_path() -> None:
    shown = siphash13("/caf\ufffd/x".encode() + b"\xff") & 0xFFFFFFFF
    assert project_key(os.fsdecode(b"/caf\xe9/x")) == f"x-{shown:08x}"
    shown = siphash13("/x/caf\ufffd".encode() + b"\xff") & 0xFFFFFFFF
    assert project_key(os.fsdecode(b"/x/caf\xe9")) == f"project-{shown:08x}"


def test_no_shared_scope_outside_a_checkout(tmp_path: Path) -> None:
    assert dir_for(MemoryScope.PROJECT_SHARED, tmp_path) is None
    assert [root.scope for root in memory_roots(tmp_path)] == [
        MemoryScope.GLOBAL,
        MemoryScope.PROJECT_PRIVATE,
    ]


def test_private_facts_belong_to_the_checkout(place: Place) -> None:
    below = place.cwd / "a" / "b"
    below.mkdir(parents=True)
    assert memory_roots(below) == memory_roots(place.cwd)
    assert find_git_root(below) == str(place.cwd)


def test_a_data_folder_that_cannot_be_known_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> str:
        raise RuntimeError("no home")

    monkeypatch.delenv("MERMAID_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", "relative")
    monkeypatch.setattr(platformdirs, "user_data_dir", fail)
    with pytest.raises(ScopeUnavailable, match="no home"):
        data_dir()
    # What is read goes on without (seed); what is written says why it cannot be.
    (tmp_path / ".git").mkdir()
    assert memory_roots(tmp_path) == ()
    assert load(tmp_path) is None
    assert find(tmp_path, "a") is None
    assert search(tmp_path, "a") == []
    for scope in (MemoryScope.GLOBAL, MemoryScope.PROJECT_SHARED):
        assert dir_for(scope, tmp_path) is None
        with pytest.raises(ScopeUnavailable, match="no home"):
            write_memory(tmp_path, scope, "a", "d", [], "b")
        assert "no home" in check_draft(tmp_path, Draft("a", scope=scope), None).problems[0]


@given(st.text(max_size=200))
def test_a_slug_is_safe_and_its_own_slug(name: str) -> None:
    slug = slugify(name)
    assert slug == slugify(slug)
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    file = file_slug(name)
    assert 0 < len(file) <= SLUG_LIMIT + len("-memory")
    assert len(numbered(file, 12345)) <= SLUG_LIMIT


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("日本語", "memory-77710aed"),
        ("***", "memory-5f7d8a80"),
        ("CON", "con-memory"),
        ("com1", "com1-memory"),
        ("console", "console"),
    ],
)
def test_names_that_make_no_slug_of_their_own(name: str, slug: str) -> None:
    import hashlib

    expected = slug
    if slug.startswith("memory-"):
        expected = "memory-" + hashlib.sha256(name.encode()).hexdigest()[:8]
    assert file_slug(name) == expected


@pytest.mark.parametrize("scope", list(MemoryScope))
def test_without_any_folder_there_are_no_facts(
    place: Place, tmp_path: Path, scope: MemoryScope
) -> None:
    attach_notes(place.cwd, str(tmp_path / "notes"))
    try:
        place.data.mkdir()
        for folder in (str(place.cwd), f"{place.cwd}/deeper/than/there", str(tmp_path)):
            assert not any_folder(folder)
            assert load(folder) is None
        name = dir_for(scope, place.cwd)
        assert name is not None
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("a file in its place")
        assert not any_folder(place.cwd)
        assert load(place.cwd) is None
        Path(name).unlink()
        Path(name).mkdir()
        (Path(name) / "a.md").write_text("---\nname: a\n---\nx\n")
        assert load(place.cwd) is not None
        assert any_folder(place.cwd)
    finally:
        attach_notes(place.cwd, None)
