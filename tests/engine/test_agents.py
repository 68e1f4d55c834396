"""Agents are data."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlens.engine.agents import PROFILES, RAIDER, Description, FileRule, ImportRules, profile
from memlens.engine.context import ContextMemory
from memlens.engine.plan import DurableIndex, Plan


def test_profiles_by_name() -> None:
    assert profile("raider") is RAIDER
    assert all(name == one.name for name, one in PROFILES.items())
    with pytest.raises(ValueError, match=r"known are: .*raider"):
        profile("nobody")


def test_a_new_agent_needs_no_code(tmp_path: Path) -> None:
    other = RAIDER._replace(
        name="other",
        files=(
            FileRule("level", "RULES.md", "Rules"),
            FileRule("level", "MORE.md", "Rules", unless=("RULES.md", "LESS.md")),
            FileRule("nested", ".x/RULES.md", "Rules", "nested"),
        ),
        descriptions=(Description(" - rules", kind="Rules"),),
        imports=ImportRules(
            max_depth=1, first_characters="._-/", escaped_space=True, cut_fragment=True
        ),
        has_durable_index=False,
        preamble="Read this.",
        wrapper=("<t>", "</t>"),
    )
    for name, text in {
        "RULES.md": "@a\\ b.md @c.md#x @(no @\"c.md\" @d.md", "a b.md": "AB", "c.md": "C @d.md",
        "d.md": "D", "CLAUDE.md": "no", "s/.x/RULES.md": "S", "MORE.md": "no",
    }.items():  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    memory = ContextMemory(tmp_path, [tmp_path], home=tmp_path / "h", profile=other)
    assert memory.prompt_text() == (
        f'Read this.\n\nContents of {tmp_path}/RULES.md - rules:\n\nAB C @d.md#x @(no @"c.md" D'
    )
    plan = Plan(memory.items, other, DurableIndex("# Memory\n"))
    assert plan.text == memory.prompt_text()
    assert plan.source(1).kind == "preamble"
    touched = memory.nested_for("s/y")
    assert memory.touch_text(*touched) == (
        f"<t>\nContents of {tmp_path}/s/.x/RULES.md - rules:\n\nS\n</t>"
    )
