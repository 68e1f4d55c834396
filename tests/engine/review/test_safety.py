"""Each finding about the safety of paths and files: what must be found, and what is left alone."""

from __future__ import annotations

import pytest

from memlens.engine.review.safety import check_path, is_private, private_file

NAMES = frozenset({"CLAUDE.md", "AGENTS.md"})


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("CLАUDE.md", "“А” U+0410 (cyrillic capital letter a) looks like “A”"),
        ("docs/ѕtyle.md", "looks like “s”"),
        ("docs/ＣＬＡＵＤＥ.md", "only looks like CLAUDE.md"),
        ("docs/сору.md", "only looks like docs/copy.md"),
        ("doc\u200bs/a.md", "its path has a hidden character: U+200B"),
        ("x\u202ecod.md", "U+202E"),
    ],
)
def test_deceiving_paths_are_found(path: str, says: str) -> None:
    findings = check_path(path, {"docs/copy.md", path}, NAMES)
    assert [(f.name, f.file, f.line, f.column) for f in findings] == [
        ("hidden-characters", path, 0, 0)
    ]
    assert says in findings[0].message


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "docs/привет-readme.md",
        "docs/сору.md",
        "日本語/メモ.md",
        "naïve/café.md",
        "Ελλάδα/CLAUDE.md",
        "👩‍🚀.md",
        "שלום.md",
        "latin1-\udce9.md",
    ],
)
def test_ordinary_paths_are_left_alone(path: str) -> None:
    assert check_path(path, {path}, NAMES) == []


def test_private_files_are_known_by_their_name() -> None:
    assert is_private("CLAUDE.local.md")
    assert is_private("api/CLAUDE.local.md")
    assert is_private(".claude/settings.local.json")
    assert not is_private("CLAUDE.md")
    assert not is_private("MY-CLAUDE.local.md")
    assert not is_private(".claude/settings.json")
    assert private_file("CLAUDE.local.md").name == "private-file-staged"
