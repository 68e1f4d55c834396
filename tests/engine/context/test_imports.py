"""Imports in place (spec, part 3)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlens.engine.agents import RAIDER
from memlens.engine.context import ContextResolver
from memlens.engine.context.expand import EXPANSION_LIMIT, Surroundings

from .conftest import Make, Write


def outcomes(make: Make, files: dict[str, str | bytes], **options: object) -> list[str]:
    return [record.outcome for record in make(files, **options).records]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See @a.md for x", "See A for x"),  # A12
        ("@a.md. @a.md: @a.md,", "@a.md. @a.md: @a.md,"),  # A1
        ("(@a.md) **@a.md** [x](@a.md)", "(@a.md) **@a.md** [x](@a.md)"),  # A2
        ("@my\\ notes.md", "@my\\ notes.md"),  # A3
        ("@a.md @a.md", "A @a.md"),
        ("@c.md @a.md", "C A @a.md"),  # A7
        ("x@a.md", "x@a.md"),
        ("x @e.md y", "x  y"),  # A11
        ("@a.md#part", "@a.md#part"),  # A23
        ("@~ @~user/a.md @@a.md @ a.md", "@~ @~user/a.md @@a.md @ a.md"),  # A24
        ("@a.md/ @a.md/. @./a.md", "@a.md/ @a.md/. A"),
        ("@a.md\r\nx", "A\r\nx"),  # A15
        ("a\u00a0@a.md\u2003x", "a\u00a0A\u2003x"),
        ("a\u200b@a.md", "a\u200b@a.md"),
        ("a\x1c@a.md", "a\x1c@a.md"),
        ("@my%20notes.md", "percent"),
        ("@\U0001f600.md", "smile"),
        ("<!-- @a.md -->", "<!-- A -->"),  # A18
        ("    @a.md", "    A"),  # A19
        ("~~~\n@a.md\n~~~\n@a.md", "~~~\n@a.md\n~~~\nA"),  # A20
        ("@f.md\n@a.md", "```\n@a.md\nA"),  # A21
        ("`@a.md` @a.md", "`@a.md` A"),  # A22
        ("@blank.md.", "@blank.md."),
        ("x @blank.md y", "x  y"),
        ("@d/x.md", "D A"),
    ],
)  # fmt: skip
def test_text(make: Make, text: str, expected: str) -> None:
    files = {
        "w/p/CLAUDE.md": text, "w/p/a.md": "A\n\n", "w/p/c.md": "C @a.md", "w/p/e.md": "",
        "w/p/blank.md": " \n\t\n", "w/p/f.md": "```\n@a.md", "w/p/my%20notes.md": "percent",
        "w/p/my notes.md": "no", "w/p/\U0001f600.md": "smile", "w/p/d/x.md": "D @../a.md\r\n",
    }  # fmt: skip
    assert make(files).items[0].text == expected


def test_a_file_comes_once_for_the_whole_object(make: Make) -> None:
    memory = make({"w/CLAUDE.md": "@p/a.md", "w/p/CLAUDE.md": "@a.md", "w/p/a.md": "A"})
    assert [item.text for item in memory.items] == ["A", "@a.md"]  # A4
    record = memory.items[1].records[0]
    assert record.outcome == "already-shown"
    assert record.shown_at == (memory.items[0].file, 1, 1)


def test_a_memory_file_is_never_an_import(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "@CLAUDE.local.md", "w/p/CLAUDE.local.md": "private"})
    assert [item.text for item in memory.items] == ["@CLAUDE.local.md", "private"]  # A5
    assert memory.records[0].outcome == "reserved"


def test_line_ends_before_an_empty_import_at_the_end_go_too(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "[ @a.md ]", "w/p/a.md": "A\n\n@e.md\n", "w/p/e.md": ""})
    assert memory.items[0].text == "[ A ]"
    assert [record.bytes for record in memory.items[0].records] == [1, 0]


@pytest.mark.parametrize(("depth", "text"), [(0, "@1.md"), (1, "1 @2.md"), (2, "1 2 @3.md")])
def test_depth(make: Make, depth: int, text: str) -> None:
    files = {"w/p/CLAUDE.md": "@1.md"} | {f"w/p/{n}.md": f"{n} @{n + 1}.md" for n in range(1, 5)}
    memory = make(files, max_import_depth=depth)
    assert memory.items[0].text == text
    assert memory.records[-1].outcome == "too-deep"
    assert memory.records[-1].level == depth + 1


def test_a_deep_token_says_first_what_else_is_wrong(make: Make) -> None:
    files: dict[str, str | bytes] = {
        "w/p/CLAUDE.md": "@a.md",
        "w/p/a.md": "@CLAUDE.md @a.md @gone.md @d @b.md",
        "w/p/b.md": "",
        "w/p/d/x": "",
    }
    expected = ["imported", "reserved", "already-shown", "missing", "folder", "too-deep"]
    assert outcomes(make, files, max_import_depth=1) == expected


def test_bytes_and_lines_of_an_import(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "@a.md\n", "w/p/a.md": "é\n@b.md\n", "w/p/b.md": "1\n2\n"})
    first, second = memory.records
    assert (first.bytes, first.lines, first.own_bytes, first.tokens) == (6, 3, 3, 1)
    assert (second.bytes, second.lines, second.own_bytes) == (3, 2, 3)
    assert (memory.items[0].bytes, memory.items[0].lines) == (7, 3)


def test_outside_the_project_and_the_agents_folder(make: Make, tmp_path: Path) -> None:
    memory = make(
        {"w/p/CLAUDE.md": f"@~/.claude/x.md @../y.md @{tmp_path}/z.md @in.md",
         "h/.claude/x.md": "X", "w/y.md": "Y", "z.md": "Z", "w/p/in.md": "I"},
    )  # fmt: skip
    assert memory.items[0].text == "X Y Z I"
    assert [record.external for record in memory.records] == [False, True, True, False]  # A27


@given(
    st.lists(st.sampled_from(["../", "./"]), max_size=5).map("".join),
    st.sampled_from(["x", "a/b.md", ".x", "..x", "..."]),
    st.sampled_from(["/", "/w", "/w/p", "/w/p/q"]),
)
def test_dots_in_front_lead_up_from_the_file(dots: str, name: str, folder: str) -> None:
    around = Surroundings(RAIDER.imports, None, (), 5)
    assert around.path(folder, dots + name) == os.path.normpath(
        f"{folder.rstrip('/')}/{dots}{name}"
    )


@pytest.mark.parametrize("token", ["../p/a.md/", "d/../a.md/.", "l/"])
def test_an_end_that_asks_for_a_folder(
    make: Make, write: Write, tmp_path: Path, token: str
) -> None:
    write({"w/p/a.md": "A", "w/p/d/x": ""})
    (tmp_path / "w/p/l").symlink_to("a.md")
    memory = make({"w/p/CLAUDE.md": f"@{token}"})
    [record] = memory.records
    assert (record.outcome, record.external) == ("missing", False)
    assert record.target == f"{tmp_path}/w/p/a.md/"


def test_such_an_end_is_looked_at_again(make: Make, write: Write, tmp_path: Path) -> None:
    write({"w/p/CLAUDE.md": "@../p/a/", "w/p/a": "A"})
    resolver = ContextResolver(tmp_path / "w/p", [tmp_path / "w/p"], home=tmp_path / "h")
    assert resolver.resolve().records[0].outcome == "missing"
    (tmp_path / "w/p/a").unlink()
    (tmp_path / "w/p/a").mkdir()
    assert resolver.resolve([f"{tmp_path}/w/p/a"]).records[0].outcome == "folder"


def test_an_expansion_has_a_limit(make: Make) -> None:
    size = 4 * 1024 * 1024 - 10
    files: dict[str, str | bytes] = {f"w/p/{n}.md": f"{n}" * size for n in range(5)}
    memory = make(files | {"w/p/CLAUDE.md": " ".join(f"@{n}.md" for n in range(5))})
    assert [record.outcome for record in memory.records] == [
        *["imported"] * 4, "expansion-too-large",
    ]  # fmt: skip
    assert memory.items[0].bytes <= EXPANSION_LIMIT
    assert memory.items[0].text.endswith(" @4.md")
    assert [finding.name for finding in memory.findings] == ["file-too-large"]


def test_one_file_under_two_spellings_of_its_case_is_one_file(
    make: Make, write: Write, tmp_path: Path
) -> None:
    """A34: what a file system that ignores letter case looks like: one inode, two spellings."""
    write({"w/p/a.md": "A"})
    (tmp_path / "w/p/A.MD").hardlink_to(tmp_path / "w/p/a.md")
    assert outcomes(make, {"w/p/CLAUDE.md": "@a.md @A.MD"}) == ["imported", "already-shown"]


def test_hard_links_with_other_names_are_other_files(
    make: Make, write: Write, tmp_path: Path
) -> None:
    write({"w/p/a.md": "A"})
    (tmp_path / "w/p/b.md").hardlink_to(tmp_path / "w/p/a.md")
    assert outcomes(make, {"w/p/CLAUDE.md": "@a.md @b.md"}) == ["imported", "imported"]


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_characters="@\0", exclude_categories=["Cs"])))
def test_text_without_tokens_comes_out_unchanged(text: str) -> None:
    from tempfile import TemporaryDirectory

    from memlens.engine.context import ContextMemory

    with TemporaryDirectory() as folder:
        Path(folder, "CLAUDE.md").write_bytes(b"x" + text.encode())
        memory = ContextMemory(folder, [folder], home=folder)
        assert [item.text for item in memory.items] == ["x" + text]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=100))
def test_no_bytes_raise(one: bytes, other: bytes) -> None:
    from tempfile import TemporaryDirectory

    from memlens.engine.context import ContextMemory

    with TemporaryDirectory() as folder:
        Path(folder, "CLAUDE.md").write_bytes(one + b" @a.md " + other)
        Path(folder, "a.md").write_bytes(other + b"\n@CLAUDE.md")
        memory = ContextMemory(folder, [folder], home=folder)
        assert memory.prompt_text() is None or memory.items
        assert memory.findings is not None
