"""Nested memory (seed; spec, part 5) and the search for what is not loaded yet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from memlens.engine.agents.claude import CLAUDE
from memlens.engine.agents.model import AgentProfile
from memlens.engine.agents.raider import RAIDER
from memlens.engine.context import ContextMemory, ContextResolver
from memlens.engine.context.model import NestedSurvey
from memlens.engine.files import DISK, FileProblem, ProblemKind, Stamp
from memlens.engine.findings import Finding

from .conftest import Make, Write


def labels(memory_items: object) -> list[str]:
    return [item.label for item in memory_items]  # type: ignore[attr-defined]


def test_top_down_and_once(make: Make, tmp_path: Path) -> None:
    memory = make({"w/p/CLAUDE.md": "R", "w/p/a/CLAUDE.md": "A", "w/p/a/b/CLAUDE.md": "B"})
    found = memory.nested_for("a/b/x.py")
    assert [(item.label, item.scope, item.kind) for item in found] == [
        ("a/CLAUDE.md", "nested", "CLAUDE.md"), ("a/b/CLAUDE.md", "nested", "CLAUDE.md"),
    ]  # fmt: skip
    assert memory.nested_for(tmp_path / "w/p/a/b") == []
    assert memory.handed_out == tuple(found)
    text = memory.nested_text(*found)
    assert text is not None
    assert text.startswith(f"Contents of {tmp_path}/w/p/a/CLAUDE.md (project instructions, checked")
    assert memory.touch_text(*found) == f"<system-reminder>\n{text}\n</system-reminder>"
    assert memory.touch_text() is None


def test_paths(make: Make, write: Write, tmp_path: Path) -> None:
    write({"w/pp/CLAUDE.md": "no", "w/p/a/CLAUDE.md": "A", "w/p/c/CLAUDE.md": "C"})
    (tmp_path / "w/p/l").symlink_to("a")
    memory = make({})
    for nothing in (".", "", "x.py", "..", "../pp/x", tmp_path / "w/pp/x", "/", "a/../x"):
        assert memory.nested_for(nothing) == []  # A32
    assert labels(memory.nested_for("l/not/there")) == ["a/CLAUDE.md"]
    assert labels(memory.nested_for("a/../c")) == ["c/CLAUDE.md"]


def test_what_was_shown_is_not_handed_out(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "@a/CLAUDE.md", "w/p/a/CLAUDE.md": "A"})
    assert memory.nested_for("a/x") == []  # A29, A33


def test_an_upper_one_that_imports_a_lower_one(make: Make) -> None:
    memory = make({"w/p/a/CLAUDE.md": "@b/CLAUDE.md", "w/p/a/b/CLAUDE.md": "B"})
    assert [item.text for item in memory.nested_for("a/b/x")] == ["B"]


def test_an_empty_one_is_found_once_it_is_filled(make: Make, write: Write) -> None:
    memory = make({"w/p/a/CLAUDE.md": "\n"})
    assert memory.nested_for("a/x") == []  # A31
    write({"w/p/a/CLAUDE.md": "A @n.md", "w/p/a/n.md": "N"})
    assert [item.text for item in memory.nested_for("a/x")] == ["A N"]


def test_the_search_names_the_folder_to_touch(make: Make, write: Write, tmp_path: Path) -> None:
    write({"w/p/node_modules/m/CLAUDE.md": "no", "w/p/.git/CLAUDE.md": "no"})
    memory = make(
        {"w/p/CLAUDE.md": "@i/CLAUDE.md", "w/p/i/CLAUDE.md": "I", "w/p/b/c/CLAUDE.md": "C",
         "w/p/a/CLAUDE.md": "A", "w/p/e/CLAUDE.md": ""}
    )  # fmt: skip
    (tmp_path / "w/p/loop").symlink_to(".")
    survey = memory.unloaded()
    assert survey.complete
    assert [(one.label, one.touch, one.bytes) for one in survey.files] == [
        ("a/CLAUDE.md", f"{tmp_path}/w/p/a", 1), ("b/c/CLAUDE.md", f"{tmp_path}/w/p/b/c", 1),
    ]  # fmt: skip
    for one in survey.files:
        assert labels(memory.nested_for(one.touch)) == [one.label]
    assert memory.unloaded().files == ()


def test_the_search_is_bounded_and_says_so(make: Make) -> None:
    memory = make({f"w/p/d{n}/CLAUDE.md": "x" for n in range(30)})
    bounded = memory.unloaded(max_entries=35)
    assert not bounded.complete
    assert len(bounded.files) < 30
    assert not memory.unloaded(max_seconds=-1).complete


def test_files_that_no_touch_adds_have_their_reasons(make: Make) -> None:
    survey = make(
        {"w/p/a/claude.md": "small", "w/p/b/CLAUDE.md": "", "w/p/c/CLAUDE.md/x": "a folder",
         "w/p/d/CLAUDE.md": "D", "w/p/d/claude.md": "another"}
    ).unloaded()  # fmt: skip
    assert labels(survey.files) == ["d/CLAUDE.md"]
    assert {one.path.partition("/w/p/")[2]: one.reason for one in survey.out} == {
        "a/claude.md": "wrong-case", "b/CLAUDE.md": "empty", "c/CLAUDE.md": "folder",
        "d/claude.md": "wrong-case",
    }  # fmt: skip


@pytest.mark.parametrize("profile", [RAIDER, CLAUDE])
def test_what_is_out_for_what_it_is_is_found_as_at_the_root(
    make: Make, profile: AgentProfile
) -> None:
    memory = make(
        {"w/p/a/claude.md": "small", "w/p/a/README.md": "r", "w/p/b/CLAUDE.md": "",
         "w/p/c/CLAUDE.md/x": "a folder", "w/p/d/CLAUDE.md": "D", "w/p/d/claude.md": "another",
         "w/p/docs/claude.md": "a page", "w/p/docs/gemini.md": "another page",
         "w/p/e/Claude.md/x": "a folder"},
        profile=profile,
    )  # fmt: skip
    assert memory.findings == ()
    found = memory.findings_below(memory.unloaded())
    prefix = f"{memory.root}/"
    assert sorted((one.file.removeprefix(prefix), one.name, one.severity) for one in found) == [
        ("a/claude.md", "wrong-case", "warning"),
        ("c/CLAUDE.md", "file-unreadable", "warning"),
        ("d/claude.md", "wrong-case", "warning"),
        ("docs/claude.md", "wrong-case", "note"),
    ]
    hints = {one.file.removeprefix(prefix): one.hint for one in found}
    assert hints["a/claude.md"] == "rename it to CLAUDE.md"
    assert hints["d/claude.md"] == "move what it says to CLAUDE.md"


def test_what_the_settings_keep_out_is_not_told_for_each_folder(make: Make) -> None:
    memory = make(
        {"w/p/CLAUDE.local.md": "switches the fallback off"}
        | {f"w/p/{n}/AGENTS.md": "x" for n in range(3)},
        profile=CLAUDE,
    )
    survey = memory.unloaded()
    assert {one.reason for one in survey.out} == {"shadowed"}
    assert memory.findings_below(survey) == ()


BROKEN: dict[str, bytes] = {
    "UTF-16": "\ufeffrules".encode("utf-16-le"),
    "UTF-16, big end first": "\ufeffrules".encode("utf-16-be"),
    "UTF-32": "\ufeffrules".encode("utf-32-le"),
    "UTF-32, big end first": "\ufeffrules".encode("utf-32-be"),
    "UTF-16 without a zero byte": "\ufeff規則".encode("utf-16-le"),
    "binary": b"rules\0",
    "binary far behind": b"rules\n" * 100_000 + b"\0",
    "Latin-1": "first\nrègles".encode("latin-1"),
}


def told_of(findings: Sequence[Finding], path: str) -> list[tuple[object, ...]]:
    return [
        (one.name, one.severity, one.line, one.column, *(
            words.replace(path, "{path}") for words in (one.file, one.message, one.hint)
        ))
        for one in findings
    ]  # fmt: skip


@pytest.mark.parametrize("profile", [RAIDER, CLAUDE])
@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_read_is_named_below_as_at_the_root(
    make: Make, profile: AgentProfile, kind: str
) -> None:
    memory = make({"w/p/CLAUDE.md": BROKEN[kind], "w/p/a/CLAUDE.md": BROKEN[kind]}, profile=profile)
    at_root = told_of(memory.findings, f"{memory.root}/CLAUDE.md")
    survey = memory.unloaded()
    assert len(at_root) == 1
    assert told_of(memory.findings_below(survey), f"{memory.root}/a/CLAUDE.md") == at_root
    assert labels(memory.nested_for("a")) == labels(survey.files)
    assert memory.unloaded() == NestedSurvey(
        (), complete=True, visited=survey.visited, out=survey.out
    )


def place_something(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    elif kind == "a link to nothing":
        path.symlink_to("nothing.md")
    elif kind == "a loop of links":
        path.symlink_to(path.name)
    else:
        path.touch()
        os.truncate(path, 100_000_000)


@pytest.mark.parametrize("profile", [RAIDER, CLAUDE])
@pytest.mark.parametrize(
    "kind", ["a FIFO", "a device", "a link to nothing", "a loop of links", "100 MB"]
)
def test_what_is_no_file_to_read_is_named_below_as_at_the_root(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profile: AgentProfile, kind: str
) -> None:
    for folder in ("w/p", "w/p/a"):
        place_something(tmp_path / folder / "CLAUDE.md", kind)
    sizes = []
    read = os.read

    def counted(handle: int, size: int) -> bytes:
        sizes.append(size)
        return read(handle, size)

    monkeypatch.setattr(os, "read", counted)
    memory = make({}, profile=profile)
    at_root = told_of(memory.findings, f"{memory.root}/CLAUDE.md")
    survey = memory.unloaded()
    assert survey.files == ()
    assert len(at_root) == 1
    assert told_of(memory.findings_below(survey), f"{memory.root}/a/CLAUDE.md") == at_root
    assert sizes == []


@pytest.mark.parametrize("profile", [RAIDER, CLAUDE])
@pytest.mark.parametrize("kind", ["unreadable", "missing"])
def test_what_goes_or_is_closed_before_it_is_read(
    make: Make, monkeypatch: pytest.MonkeyPatch, profile: AgentProfile, kind: ProblemKind
) -> None:
    read = DISK.read_regular

    def refuse(path: str, limit: int) -> tuple[bytes, Stamp]:
        if path.endswith("/a/CLAUDE.md"):
            if kind == "missing":
                os.unlink(path)
            raise FileProblem(kind, path)
        return read(path, limit)

    monkeypatch.setattr(DISK, "read_regular", refuse)
    memory = make({"w/p/a/CLAUDE.md": "A", "w/p/b/CLAUDE.md": "B"}, profile=profile)
    survey = memory.unloaded()
    assert labels(survey.files) == ["b/CLAUDE.md"]
    found = [(one.name, one.severity) for one in memory.findings_below(survey)]
    assert found == ([("file-unreadable", "error")] if kind == "unreadable" else [])


def test_only_white_space_below_is_empty_as_a_touch_finds_it(make: Make) -> None:
    memory = make({"w/p/a/CLAUDE.md": " \n", "w/p/b/CLAUDE.md": "\ufeff\n", "w/p/c/CLAUDE.md": ""})
    survey = memory.unloaded()
    assert survey.files == ()
    assert [one.reason for one in survey.out] == ["empty"] * 3


def test_a_comment_switches_off_what_is_found_below(make: Make) -> None:
    comment = "<!-- memlens: ignore encoding -->"
    memory = make({"w/p/a/CLAUDE.md": f"règles {comment}".encode("latin-1")})
    assert memory.findings_below(memory.unloaded()) == ()


@pytest.mark.parametrize("profile", [RAIDER, CLAUDE])
def test_what_is_below_is_read_again_only_where_it_changed(
    tmp_path: Path, write: Write, profile: AgentProfile
) -> None:
    write({"w/p/CLAUDE.md": "R", "w/p/a/CLAUDE.md": "A", "w/p/b/CLAUDE.md": b"B\0"})
    for folder in ("", "a/", "b/"):  # what was written just now could change unnoticed
        os.utime(tmp_path / f"w/p/{folder}CLAUDE.md", (1, 1))
    changed = str(tmp_path / "w/p/a/CLAUDE.md")
    resolver = ContextResolver(tmp_path / "w/p", [tmp_path / "w/p"], home=tmp_path, profile=profile)

    def names_below(memory: ContextMemory) -> list[str]:
        return [one.file[len(memory.root) :] for one in memory.findings_below(memory.unloaded())]

    assert names_below(resolver.resolve()) == ["/b/CLAUDE.md"]
    reads = resolver.reads
    assert names_below(resolver.resolve({f"{tmp_path}/w/p/CLAUDE.md"})) == ["/b/CLAUDE.md"]
    assert resolver.reads == reads + 1
    write({"w/p/a/CLAUDE.md": b"A\0"})
    os.utime(changed, (2, 2))
    assert sorted(names_below(resolver.resolve({changed}))) == ["/a/CLAUDE.md", "/b/CLAUDE.md"]
    assert resolver.reads == reads + 2
