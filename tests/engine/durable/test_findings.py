"""Findings on facts, with line and column."""

from __future__ import annotations

import os

import pytest

from memlens.engine.durable import (
    FACT_LIMIT,
    MemoryConfig,
    MemoryScope,
    check,
    check_fact,
    check_file,
    write_memory,
)

from .conftest import Place

GLOBAL = MemoryScope.GLOBAL


def found(text: str | bytes) -> list[tuple[str, int, int]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(one.name, one.line, one.column) for one in check_fact("/x/a.md", GLOBAL, data)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nname: a\ndescription: b\n---\n\nfine\n", []),
        ("no header\n", []),
        ("---\nname: Use: pnpm\n---\n", [("frontmatter-invalid", 2, 10)]),
        ("---\nname: a\ndescription: issue #12\n---\n", [("frontmatter-ambiguous", 3, 1)]),
        ("---\nname: a\ndescription: >\n  b\n---\n", [("frontmatter-ambiguous", 3, 1)]),
        ("---\nname: 012\n---\n", [("frontmatter-ambiguous", 2, 1)]),
        ('---\nname: say "a"\n---\n', [("frontmatter-ambiguous", 2, 1)]),
        (
            '---\nname: say it "all"\ndescription: more than that\n---\n',
            [("frontmatter-ambiguous", 2, 1)],
        ),
        (
            '---\nname: all of it\ndescription: "more: than" that "x"\n---\n',
            [("frontmatter-invalid", 3, 27)],
        ),
        ('---\nname: "all of it"\ndescription: "more: than"\nscope: global\n---\n', []),
        ('---\nname: "a"\ndescription: a "b" c\n---\n', []),
        ('---\nname: "a\\"b"\n---\n', [("frontmatter-ambiguous", 2, 1)]),
        ("---\ndescription: b\n---\n", [("name-missing", 1, 1)]),
        ("---\ndescription: b\nname:\n---\n", [("name-missing", 3, 1)]),
        ("---\nname: a\nscope: project-shared\n---\n", [("scope-mismatch", 3, 1)]),
        ("---\nname: a\n---\n\nx password: hunter2\n", [("secret", 5, 13)]),
        (
            "a\n\nhid\u200bden \x1b[1m\n",
            [("hidden-characters", 3, 4), ("control-characters", 3, 9)],
        ),
        ("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", [("conflict-markers", 1, 1)]),
        (b"a\nb\xc3\xa9 \xff\n", [("encoding", 2, 4)]),
        ("x" * (FACT_LIMIT + 1), [("file-too-large", 0, 0)]),
    ],
)
def test_what_is_found(text: str | bytes, expected: list[tuple[str, int, int]]) -> None:
    assert found(text) == expected


def test_both_readings_are_named() -> None:
    (one,) = check_fact("/x/a.md", GLOBAL, b"---\nname: a\ndescription: issue #12\n---\n")
    assert "“issue”" in one.message
    assert "“issue #12”" in one.message


def test_a_fact_in_another_encoding_says_so_and_how_to_convert_it() -> None:
    data = "\ufeff事実".encode("utf-16-le")
    one = next(one for one in check_fact("/x/a.md", GLOBAL, data) if one.name == "encoding")
    told = "it is UTF-16 by its byte order mark, and agents read UTF-8; the byte 0xFF is no UTF-8"
    assert one.message.startswith(told)
    assert "iconv -f UTF-16 -t UTF-8 /x/a.md > " in one.hint


def test_facts_written_here_are_in_order(place: Place) -> None:
    for name in ("plain", "Use: pnpm", "issue #12", "yes", "123", "'quoted'", "two\nlines"):
        write_memory(place.cwd, GLOBAL, name, name + " described", [name], name + " is so")
    assert check(place.cwd) == ()


def test_the_folder_and_the_index(place: Place) -> None:
    write_memory(place.cwd, GLOBAL, "a", "d", [], "b")
    write_memory(place.cwd, GLOBAL, "b", "d", [], "c")
    (place.facts / "link.md").symlink_to(place.facts / "a.md")
    (place.facts / "folder.md").mkdir()
    os.mkfifo(place.facts / "pipe.md")
    place.put(".md", "no name")
    findings = check(place.cwd, MemoryConfig(index_cap_bytes=200))
    assert [(one.name, os.path.basename(one.file)) for one in findings] == [
        ("index-overflow", "memory"),
        ("misplaced-file", ".md"),
        ("index-cut", "a.md"),
        ("index-cut", "b.md"),
        ("misplaced-file", "folder.md"),
        ("misplaced-file", "link.md"),
        ("misplaced-file", "pipe.md"),
    ]


def test_duplicates_and_equal_names(place: Place) -> None:
    body = "\n\nThe same words in both of these facts are enough.\n"
    place.put("a.md", f"---\nname: a\ndescription: x\n---{body}")
    place.put("b.md", f"---\nname: b\ndescription: x\n---{body}")
    place.put("c.md", "---\nname: b\ndescription: y\n---\n\nother\n")
    names = [(one.name, os.path.basename(one.file)) for one in check(place.cwd)]
    assert names == [("duplicate-fact", "b.md"), ("duplicate-fact", "c.md")]
    assert len(check(place.cwd, near_duplicates=False)) == 2


def test_a_shared_folder_behind_a_link(place: Place) -> None:
    outside = place.data / "outside"
    outside.mkdir(parents=True)
    (outside / "a.md").write_text("---\nname: a\n---\n\nx\n")
    (place.cwd / ".mermaid").mkdir()
    (place.cwd / ".mermaid" / "memory").symlink_to(outside)
    assert [one.name for one in check(place.cwd)] == ["link-as-text"]


def test_a_file_that_went(place: Place) -> None:
    assert check_file(str(place.facts / "gone.md"), GLOBAL) == []
    place.facts.mkdir(parents=True)
    os.mkfifo(place.facts / "pipe.md")
    assert [one.name for one in check_file(str(place.facts / "pipe.md"), GLOBAL)] == [
        "file-unreadable"
    ]


def test_a_fact_that_cannot_be_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from memlens.engine.durable import load, snapshot

    place.put("a.md", "x")
    place.put("b.md", "y")
    real = os.open

    def refuse(path: str, *args: int) -> int:
        if str(path).endswith("a.md"):
            raise PermissionError(13, "no")
        return real(path, *args)

    monkeypatch.setattr(snapshot.os, "open", refuse)  # type: ignore[attr-defined]
    loaded = load(place.cwd)
    assert loaded is not None
    assert [entry.name for entry in loaded.entries] == ["b"]
    findings = check(place.cwd, snapshot=loaded)
    assert [(one.name, os.path.basename(one.file)) for one in findings] == [
        ("file-unreadable", "a.md")
    ]
