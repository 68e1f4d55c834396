"""The profile `codex`: another agent that needs data only."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlens.engine.agents import CODEX
from memlens.engine.context import ContextMemory, walk_dirs_for
from memlens.engine.plan import Plan

from .conftest import Write


@pytest.fixture
def root(tmp_path: Path, write: Write) -> Path:
    write({"w/.git/HEAD": "x", "AGENTS.md": "above the checkout", "w/p/.keep": ""})
    return tmp_path / "w/p"


def memory_of(root: Path) -> ContextMemory:
    walk = walk_dirs_for(root, profile=CODEX)
    return ContextMemory(root, walk, home=root.parent.parent / "h", profile=CODEX)


def test_overrides_come_before_files_from_the_top_of_the_checkout_down(
    root: Path, write: Write
) -> None:
    write(
        {
            "h/.codex/AGENTS.md": "mine @x.md",
            "w/AGENTS.md": "top",
            "w/CLAUDE.md": "not read",
            "w/p/AGENTS.md": "not read",
            "w/p/AGENTS.override.md": "override\n",
        }
    )
    memory = memory_of(root)
    assert [item.text for item in memory.items] == ["mine @x.md", "top", "override\n"]
    assert memory.prompt_text() == "mine @x.md\n\ntop\n\noverride\n"
    assert Plan(memory.items, CODEX).text == memory.prompt_text()
    assert memory.records == ()
    assert [one.name for one in memory.findings] == ["shadowed-agents-file"]
    assert memory.nested_for("s/x") == []


def test_an_empty_override_of_the_person_does_not_hide_the_file(root: Path, write: Write) -> None:
    write({"h/.codex/AGENTS.override.md": "", "h/.codex/AGENTS.md": "mine"})
    assert [item.text for item in memory_of(root).items] == ["mine"]


def test_all_levels_together_are_bounded(root: Path, write: Write) -> None:
    write({"w/AGENTS.md": "é" * 16_000 + "\n", "w/p/AGENTS.md": "a\n" * 1000})
    memory = memory_of(root)
    assert [item.bytes for item in memory.items] == [32_001, 767]
    (finding,) = memory.findings
    assert (finding.name, finding.file) == ("file-too-large", str(root / "AGENTS.md"))
    assert finding.line == 384
    write({"w/AGENTS.md": "é" * 20_000})
    assert [item.bytes for item in memory_of(root).items] == [32_768]
    assert [one.line for one in memory_of(root).findings] == [1, 1]
