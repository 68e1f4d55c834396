"""What a form says before it is saved is what saving does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlens.engine.durable import (
    Draft,
    DurableError,
    MemoryConfig,
    MemoryScope,
    check_draft,
    edit,
    find_one,
    load,
    read_fact,
    write_memory,
)

from .conftest import Place, make_place

GLOBAL, PRIVATE, SHARED, _ = MemoryScope


def test_an_empty_form(place: Place) -> None:
    check = check_draft(place.cwd, Draft(""), None)
    assert check.problems == ("a fact needs a name",)
    assert not check.can_save
    assert (check.path, check.slug, check.index_line) == ("", "", "")


def test_collisions_and_replacements_are_told(place: Place) -> None:
    write_memory(place.cwd, GLOBAL, "C++", "d", [], "b")
    snapshot = load(place.cwd)
    assert snapshot is not None
    check = check_draft(place.cwd, Draft("C#", scope=GLOBAL), snapshot)
    assert (check.slug, check.file_name) == ("c", "c-2.md")
    assert check.collision == snapshot.entries[0]
    check = check_draft(place.cwd, Draft("C++", scope=GLOBAL), snapshot)
    assert check.replaces == snapshot.entries[0]
    assert check.file_name == "c.md"
    other = check_draft(place.cwd, Draft("C++", scope=PRIVATE), snapshot)
    assert other.replaces is None
    assert not other.committed
    assert check_draft(place.cwd, Draft("x", scope=SHARED), snapshot).committed


def test_secrets_and_length_are_told(place: Place) -> None:
    config = MemoryConfig(description_limit=10)
    draft = Draft("n", "a long description", ("t",), GLOBAL, "x\npassword: abc")
    check = check_draft(place.cwd, draft, None, config=config)
    assert check.description_too_long
    assert [(one.field, one.line) for one in check.redactions] == [("body", 2)]
    assert check.can_save
    too_long = check_draft(place.cwd, Draft("n", body="x" * 64_000), None)
    assert "64,000" in too_long.problems[0]


def test_bytes_that_would_be_lost_are_counted(place: Place) -> None:
    path = Path(write_memory(place.cwd, GLOBAL, "n", "d", [], "b").path)
    head = path.read_bytes().replace(b"description: d", b"description: gr\xf6\xdfe")
    path.write_bytes(head.replace(b"\nb\n", b"\n\xdcber\n"))
    fact = read_fact(str(path), GLOBAL)

    def lost(description: str, body: str) -> int:
        return check_draft(
            place.cwd, Draft("n", description, (), GLOBAL, body), load(place.cwd), fact
        ).lost_bytes

    assert lost(fact.description, fact.body) == 0
    assert lost(fact.description, f"{fact.body} and more") == 1
    assert lost("size", fact.body) == 2
    assert lost("size", "over") == 3


def test_the_line_of_the_index_before_and_after(place: Place) -> None:
    path = write_memory(place.cwd, GLOBAL, "n", "short", [], "b").path
    snapshot, fact = load(place.cwd), read_fact(path, GLOBAL)
    same = check_draft(place.cwd, Draft("n", "short", (), GLOBAL, "b"), snapshot, fact)
    assert same.old_line == same.index_line == f"- [n] short — {path}"
    assert same.index_growth == 0
    longer = check_draft(place.cwd, Draft("n", "short no more", (), GLOBAL, "b"), snapshot, fact)
    assert longer.old_line == same.index_line
    assert longer.index_growth == len(" no more")
    new = check_draft(place.cwd, Draft("o", "other", (), GLOBAL, "b"), snapshot)
    assert new.old_line == ""
    assert new.index_growth == len(new.index_line.encode()) + 1


def test_no_shared_scope_here(tmp_path: Path) -> None:
    check = check_draft(tmp_path, Draft("n", scope=SHARED), None)
    assert "git checkout" in check.problems[0]


def test_what_falls_out_is_named(place: Place) -> None:
    for name in ("b", "c"):
        write_memory(place.cwd, GLOBAL, name, "d", [], "b")
    snapshot = load(place.cwd)
    assert snapshot is not None
    config = MemoryConfig(index_cap_bytes=snapshot.index_bytes)
    check = check_draft(place.cwd, Draft("a", "d", scope=GLOBAL), snapshot, config=config)
    assert check.fits
    assert [entry.name for entry in check.falls_out] == ["c"]
    last = check_draft(place.cwd, Draft("z", "d", scope=GLOBAL), snapshot, config=config)
    assert not last.fits
    assert last.falls_out == ()


def test_a_taken_name_is_a_problem_when_editing(place: Place) -> None:
    for name in ("a", "b"):
        write_memory(place.cwd, GLOBAL, name, "d", [], "b")
    snapshot = load(place.cwd)
    fact = read_fact(find_one(place.cwd, "a"))
    check = check_draft(place.cwd, Draft("b", "d", (), GLOBAL, "b"), snapshot, fact)
    assert "there already" in check.problems[0]
    same = check_draft(place.cwd, Draft("a", "d", (), GLOBAL, "b"), snapshot, fact)
    assert same.can_save
    assert same.size == os.path.getsize(fact.path)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drafts")


@given(
    st.sampled_from(["a", "A", "b!", "new: one", "日本", " a b "]),
    st.sampled_from(["", "d", "password: x y", "long " * 50, "é"]),
    st.sampled_from([one for one in MemoryScope if one is not MemoryScope.AUTO]),
    st.sampled_from(["", "body", "first\nsecond", "token: abc"]),
    st.sampled_from([None, "a", "c"]),
    st.integers(200, 700),
)
def test_a_check_foretells_the_saving(  # noqa: PLR0917
    base: Path, name: str, description: str, scope: MemoryScope, body: str,
    editing: str | None, cap: int,
) -> None:  # fmt: skip
    place = make_place(base / os.urandom(4).hex())
    os.environ["MERMAID_DATA_DIR"] = str(place.data)
    config = MemoryConfig(index_cap_bytes=cap)
    for existing, where in (("a", GLOBAL), ("b", PRIVATE), ("c", GLOBAL), ("b?", SHARED)):
        write_memory(place.cwd, where, existing, "about", ["t"], "text")
    before = load(place.cwd, config)
    assert before is not None
    fact = read_fact(find_one(place.cwd, editing)) if editing else None
    draft = Draft(name, description, ("t",), scope, body)
    check = check_draft(place.cwd, draft, before, fact, config)
    try:
        if fact is None:
            result = write_memory(place.cwd, scope, name, description, ["t"], body)
        else:
            result = edit(
                place.cwd, fact, name=name, description=description, tags=["t"], body=body,
                scope=scope,
            )  # fmt: skip
    except DurableError:
        assert not check.can_save
        return
    assert check.can_save
    assert result.path == check.path
    assert result.redacted == check.redactions
    if fact is None:
        assert result.replaced == (check.replaces is not None)
    after = load(place.cwd, config)
    assert after is not None
    assert after.index_bytes == check.index_bytes
    whole = load(place.cwd, MemoryConfig(index_cap_bytes=10**9))
    assert whole is not None
    assert check.index_line in whole.index.split("\n")
    shown = {entry.path for entry in after.entries[: after.visible]}
    assert check.fits == (check.path in shown)
    gone = {entry.path for entry in before.entries[: before.visible]} - shown
    own = {fact.path} if fact else {check.replaces.path} if check.replaces else set()
    assert {entry.path for entry in check.falls_out} == gone - own
    assert check.size == os.path.getsize(result.path)
