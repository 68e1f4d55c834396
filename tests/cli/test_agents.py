"""The commands for other agents than the seed's, as whole processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "p"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("one @a.md\n<!-- hidden -->\n")
    (root / "a.md").write_text("imported\n")
    (root / "s").mkdir()
    (root / "s/CLAUDE.md").write_text("nested\n")
    (tmp_path / "o").mkdir()
    (tmp_path / "o/CLAUDE.md").write_text("added\n")
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(root))
    notes = home / ".claude/projects" / slug / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("- [n](n.md) — d\n")
    (notes / "n.md").write_text("---\nname: n\ndescription: d\ntype: user\n---\nBody\n")
    return root


def run(root: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memlens", *words, "--agent", "claude"],
        cwd=root, capture_output=True, text=True, check=False,
        env={**os.environ, "MEMLENS_MANAGED_FOLDER": str(root / "none"), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def value(root: Path, *words: str, **environment: str) -> Any:
    return json.loads(run(root, *words, "--json", **environment))


def test_imports_are_items_with_a_parent(root: Path) -> None:
    found = value(root, "context")
    assert found["agent"] == "claude"
    items = [(item["kind"], item["scope"], item.get("parent")) for item in found["items"]]
    assert items == [
        ("Project", "project", None),
        ("Project", "project", str(root / "CLAUDE.md")),
        ("AutoMem", "auto", None),
    ]
    assert found["nested"] == [{"file": str(root / "s/CLAUDE.md"), "touch": str(root / "s")}]


def test_the_prompt_and_a_touch(root: Path) -> None:
    text = run(root, "prompt", "--touch", "s/x")
    prompt, _, touch = text.partition("\n</system-reminder>\n\n")
    assert prompt.startswith("<system-reminder>\nCodebase and user instructions")
    assert "hidden" not in prompt
    assert touch == (
        f"<system-reminder>\nContents of {root}/s/CLAUDE.md:\n\nnested\n\n</system-reminder>"
    )
    classic = run(root, "prompt", MEMLENS_FRAMING="classic")
    assert "# claudeMd\nCodebase" in classic


def test_added_folders_need_their_variable(root: Path) -> None:
    folder = str(root.parent / "o")
    assert "\n\nadded\n\n" not in run(root, "prompt", "--add-dir", folder)
    variable = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"
    assert "\n\nadded\n\n" in run(root, "prompt", "--add-dir", folder, **{variable: "1"})


def test_notes_of_the_agent(root: Path) -> None:
    (fact,) = value(root, "memory", "list", "--scope", "auto")["facts"]
    assert (fact["name"], fact["scope"], fact["tags"]) == ("n", "auto", ["user"])


def test_why_something_is_out(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memlens", "why", "hidden", "--agent", "claude"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "what the agent takes out: a comment" in done.stdout
