"""Nested memory (seed; spec, part 5) and the search for what is not loaded yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlens.engine.agents.claude import CLAUDE
from memlens.engine.agents.model import AgentProfile
from memlens.engine.agents.raider import RAIDER

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
