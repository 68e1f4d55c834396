"""Any bytes as a fact: it is read, found, checked and edited, or refused; never an error."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings

from memlens.engine.durable import (
    DurableError,
    MemoryScope,
    edit,
    entries_with_bodies,
    load,
    read_fact,
    search,
)
from memlens.engine.durable.findings import check
from memlens.engine.durable.parse import decode, parse, parse_for_index
from tests.fuzz.noise import BYTES, PIECES, damaged

FACT = (
    b"---\nname: a name\ndescription: \"some: words\"\nscope: global\n"
    b"created: 2026-01-01T00:00:00Z\ntags: [a, 'b', 1]\n---\n\nbody\n---\nmore\n"
)  # fmt: skip
HEADERS = PIECES.map(lambda text: f"---\n{text}\n---\nbody".encode("utf-8", "surrogatepass"))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(BYTES | HEADERS | damaged(FACT))
def test_any_bytes_are_a_fact(data: bytes) -> None:
    text = decode(data)
    parsed = parse(text, "stem")
    for one in (parsed.name, parsed.description, parsed.created, parsed.body, *parsed.tags):
        assert isinstance(one, str)
    name, description, tags, created = parse_for_index(text, "stem")
    assert (name, tags, created) == (parsed.name, parsed.tags, parsed.created)
    assert description == parsed.description
    assert name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=BYTES | HEADERS | damaged(FACT), word=PIECES)
def test_it_is_loaded_searched_checked_and_edited(
    data: bytes, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as box:
        monkeypatch.setenv("MERMAID_DATA_DIR", box)
        folder = Path(box, "memory")
        folder.mkdir()
        path = folder / "a.md"
        path.write_bytes(data)
        snapshot = load(box)
        assert snapshot is not None
        snapshot.index.encode("utf-8")
        search(box, word, snapshot)
        check(box, snapshot=snapshot)
        assert len(entries_with_bodies(box)) == 1
        fact = read_fact(str(path), MemoryScope.GLOBAL)
        assert fact.text.encode("utf-8", "surrogateescape") == data
        try:
            edit(box, fact, description=word, tags=[word])
        except DurableError:
            assert path.read_bytes() == data
        else:
            again = read_fact(snapshot.entries[0].path, MemoryScope.GLOBAL)
            assert again.name == fact.name
            assert again.body == fact.body


@example(name="../../x", other="y", tag="z")
@example(name="/etc/passwd", other="", tag="")
@example(name="a/../../b", other="con", tag="\0")
@example(name=".", other="..", tag="nul")
@example(name="~/x", other="%2e%2e/x", tag="..\\x")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=PIECES, other=PIECES, tag=PIECES)
def test_whatever_a_fact_is_called_it_stays_in_its_folder(
    name: str, other: str, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlens.engine.durable import write_memory

    with tempfile.TemporaryDirectory() as box:
        monkeypatch.setenv("MERMAID_DATA_DIR", f"{box}/data")
        root = Path(box, "repo")
        (root / ".git").mkdir(parents=True)
        for scope in (
            MemoryScope.GLOBAL, MemoryScope.PROJECT_PRIVATE, MemoryScope.PROJECT_SHARED
        ):  # fmt: skip
            try:
                result = write_memory(root, scope, name, "d", [tag], "body")
                edit(root, read_fact(result.path, scope), name=other)
            except (DurableError, ValueError):
                continue
        allowed = (
            f"{box}/data/memory/", f"{box}/data/projects/", f"{box}/data/trash/",
            f"{root}/.mermaid/memory/",
        )  # fmt: skip
        for path in Path(box).rglob("*"):
            if path.is_file():
                assert str(path).startswith(allowed), path
                assert not path.is_symlink()
        facts = [*Path(box, "data", "memory").glob("*"), *(root / ".mermaid/memory").glob("*")]
        for path in facts:
            assert path.suffix == ".md", path
            assert path.is_file()
            assert len(path.name.encode()) <= 255


def test_cases_stay_cases() -> None:
    """What once fell stays here as a line."""
    for data in (b"---\nname: !!x y\n---\n", b"---\n&a *a\n---\n", b"\xef\xbb\xbf---\n---\n"):
        parse(decode(data), "stem")
