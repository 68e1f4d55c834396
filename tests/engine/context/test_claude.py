"""The profile `claude`, row by row (spec A): a tree of files in, entries, reasons and text out."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.agents import CLAUDE
from memlens.engine.context import ContextMemory, walk_dirs_for
from memlens.engine.plan import Plan

from .conftest import Write

Claude = Callable[..., ContextMemory]


@pytest.fixture
def claude(tmp_path: Path, write: Write) -> Claude:
    """Writes files and gives what Claude Code reads in `cwd`, with `h` as home and `m` as the
    managed folder. A value that is a tuple is a link to the path in it."""

    def make(
        tree: Mapping[str, str | tuple[str] | dict[str, Any]],
        cwd: str = "w/p",
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> ContextMemory:
        for name, content in tree.items():
            if isinstance(content, dict):
                write({name: json.dumps(content, indent=1)})
            elif isinstance(content, str):
                write({name: content})
        for name, content in tree.items():
            if isinstance(content, tuple):
                path = tmp_path / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.symlink_to(tmp_path / content[0])
        for name in (cwd, "h"):
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
        root = tmp_path / cwd
        return ContextMemory(
            root,
            walk_dirs_for(root, profile=CLAUDE),
            home=tmp_path / "h",
            profile=CLAUDE,
            environment=env or {},
            managed_folder=str(tmp_path / "m"),
            **options,
        )

    return make


def entries(memory: ContextMemory, items: object = None) -> list[tuple[str, str]]:
    """Kind and path, below the temporary folder, of each entry."""
    top = str(memory.home).removesuffix("/h")
    chosen = memory.items if items is None else items
    return [(item.kind, os.path.relpath(item.found, top)) for item in chosen]  # type: ignore[attr-defined]


def paths(memory: ContextMemory) -> list[str]:
    return [path for _, path in entries(memory)]


def states(memory: ContextMemory) -> dict[str, str]:
    """The reason for each file that is out, by its last two names."""
    return {
        "/".join(reason.path.split("/")[-2:]): reason.reason
        for reason in memory.reasons
        if reason.state == "out"
    }


def findings(memory: ContextMemory) -> list[tuple[str, str]]:
    return [(one.name, one.severity) for one in memory.findings]


EVERYTHING = {
    "m/CLAUDE.md": "managed",
    "m/.claude/rules/z.md": "managed rule",
    "h/.claude/CLAUDE.md": "user",
    "h/.claude/rules/b/x.md": "user rule b",
    "h/.claude/rules/a.md": "user rule a",
    "w/CLAUDE.md": "above",
    "w/CLAUDE.local.md": "above local",
    "w/p/CLAUDE.md": "project",
    "w/p/.claude/CLAUDE.md": "project inner",
    "w/p/.claude/rules/one.md": "rule one",
    "w/p/.claude/rules/sub/two.md": "---\ntitle: x\n---\n\nrule two",
    "w/p/.claude/rules/only.md": "---\npaths: src/**\n---\nrule only",
    "w/p/CLAUDE.local.md": "local",
}


def test_kinds_and_order(claude: Claude) -> None:
    memory = claude(EVERYTHING)
    assert entries(memory) == [
        ("Managed", "m/CLAUDE.md"),
        ("Managed", "m/.claude/rules/z.md"),
        ("User", "h/.claude/CLAUDE.md"),
        ("User", "h/.claude/rules/a.md"),
        ("User", "h/.claude/rules/b/x.md"),
        ("Project", "w/CLAUDE.md"),
        ("Local", "w/CLAUDE.local.md"),
        ("Project", "w/p/CLAUDE.md"),
        ("Project", "w/p/.claude/CLAUDE.md"),
        ("Project", "w/p/.claude/rules/one.md"),
        ("Project", "w/p/.claude/rules/sub/two.md"),
        ("Local", "w/p/CLAUDE.local.md"),
    ]
    assert [item.scope for item in memory.items] == [
        "managed", "managed", "user", "user", "user", "ancestor", "local", "project", "project",
        "project", "project", "local",
    ]  # fmt: skip
    assert states(memory) == {"rules/only.md": "conditional"}
    assert memory.items[10].text == "rule two"
    assert memory.findings == ()


def test_the_text(claude: Claude, tmp_path: Path) -> None:
    tree = {
        "m/CLAUDE.md": "\n managed\n\n",
        "h/.claude/CLAUDE.md": "user\n",
        "w/p/CLAUDE.md": "See @a.md now\n",
        "w/p/a.md": "\nimported\n",
        "w/p/CLAUDE.local.md": "local",
    }
    memory = claude(tree)
    t = tmp_path
    text = (
        "<system-reminder>\n"
        "Codebase and user instructions are shown below. Be sure to adhere to these instructions. "
        "IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them "
        "exactly as written.\n\n"
        f"Contents of {t}/m/CLAUDE.md (organization-managed policy instructions):\n\nmanaged\n\n"
        f"Contents of {t}/h/.claude/CLAUDE.md "
        "(user's private global instructions for all projects):\n\nuser\n\n"
        f"Contents of {t}/w/p/CLAUDE.md (project instructions, checked into the codebase):\n\n"
        "See @a.md now\n\n"
        f"Contents of {t}/w/p/a.md (project instructions, checked into the codebase):\n\n"
        "imported\n\n"
        f"Contents of {t}/w/p/CLAUDE.local.md "
        "(user's private project instructions, not checked in):\n\nlocal\n"
        "</system-reminder>"
    )
    assert memory.prompt_text() == text
    assert Plan(memory.items, CLAUDE).text == text
    classic = Plan(memory.items, CLAUDE, frame="classic").text
    begin, end = classic.split("Contents of", 1)[0], classic.rsplit("local\n", 1)[1]
    assert begin.startswith(
        "<system-reminder>\nAs you answer the user's questions, you can use the following "
        "context:\n# claudeMd\nCodebase and user"
    )
    lines = end.splitlines()
    assert lines[0] == "# currentDate"
    assert lines[1].startswith("Today's date is 2")
    assert "may or may not be relevant" in lines[3]
    assert lines[-1] == "</system-reminder>"


def test_nothing_at_all_is_no_text(claude: Claude) -> None:
    memory = claude({"w/p/CLAUDE.md": "<!-- only\na comment -->\n"})
    assert (memory.items, memory.prompt_text(), Plan((), CLAUDE).text) == ((), None, "")
    assert states(memory) == {"p/CLAUDE.md": "empty"}


def test_the_walk_begins_below_the_top_and_ends_at_no_checkout(
    claude: Claude, tmp_path: Path
) -> None:
    memory = claude({"CLAUDE.md": "far", "w/p/.git/HEAD": "x", "w/p/CLAUDE.md": "here"})
    assert paths(memory) == ["CLAUDE.md", "w/p/CLAUDE.md"]
    assert memory.walk[0] != "/"
    assert walk_dirs_for("/", profile=CLAUDE) == ["/"]


def test_names_are_exact_and_misplaced_files_are_told(claude: Claude) -> None:
    memory = claude({"w/p/claude.md": "x", "w/p/.claude/CLAUDE.local.md": "y"})
    assert paths(memory) == []
    assert sorted(states(memory).values()) == ["misplaced", "wrong-case"]
    assert findings(memory) == [("wrong-case", "warning"), ("misplaced-file", "warning")]


@pytest.mark.parametrize("name", [".claude/claude.md", ".Claude/CLAUDE.md", ".CLAUDE/Claude.md"])
def test_letter_case_counts_in_folders_too(claude: Claude, tmp_path: Path, name: str) -> None:
    memory = claude({f"w/p/{name}": "x"})
    assert paths(memory) == []
    [finding] = memory.findings
    assert (finding.name, finding.file) == ("wrong-case", f"{tmp_path}/w/p/{name}")
    assert finding.hint == "rename it to .claude/CLAUDE.md"


# Real paths, links, worktrees


def test_the_user_entry_wins_over_a_linked_configuration_folder(claude: Claude) -> None:
    memory = claude(
        {"h/.claude/CLAUDE.md": "u", "h/.claude/rules/r.md": "r", "w/p/.claude": ("h/.claude",)}
    )
    assert entries(memory) == [("User", "h/.claude/CLAUDE.md"), ("User", "h/.claude/rules/r.md")]
    assert findings(memory) == [("same-file", "note"), ("same-file", "note")]


def test_home_above_the_project_does_not_bring_the_user_file_twice(claude: Claude) -> None:
    memory = claude({"h/.claude/CLAUDE.md": "u", "h/.claude/rules/r.md": "r"}, cwd="h/p")
    assert entries(memory) == [("User", "h/.claude/CLAUDE.md"), ("User", "h/.claude/rules/r.md")]
    assert memory.findings == ()


def test_another_configuration_folder_leaves_the_usual_one_to_the_walk(
    claude: Claude, tmp_path: Path
) -> None:
    memory = claude(
        {"h/.claude/CLAUDE.md": "leak", "c/CLAUDE.md": "mine"},
        cwd="h/p",
        env={"CLAUDE_CONFIG_DIR": str(tmp_path / "c")},
    )
    assert entries(memory) == [("User", "c/CLAUDE.md"), ("Project", "h/.claude/CLAUDE.md")]
    assert findings(memory) == [("config-folder-leak", "warning")]


def test_a_linked_memory_file_is_named_as_found(claude: Claude, tmp_path: Path) -> None:
    memory = claude({"w/p/CLAUDE.md": ("w/p/docs/real.md",), "w/p/docs/real.md": "@x.md",
                     "w/p/docs/x.md": "X"})  # fmt: skip
    assert paths(memory) == ["w/p/CLAUDE.md", "w/p/docs/x.md"]
    assert f"Contents of {tmp_path}/w/p/CLAUDE.md (" in (memory.prompt_text() or "")
    assert memory.items[0].file == f"{tmp_path}/w/p/docs/real.md"


def worktree(main: str, place: str, own: str) -> dict[str, str]:
    """A main checkout, and a worktree of it at `place`; `own` is its git folder."""
    return {
        f"{place}/.git": f"gitdir: {{T}}/{own}/worktrees/x\n",
        f"{own}/worktrees/x/commondir": "../..\n",
        f"{own}/HEAD": "ref: refs/heads/main\n",
        f"{main}/CLAUDE.md": "main",
        f"{main}/.claude/CLAUDE.md": "main inner",
        f"{main}/.claude/rules/r.md": "main rule",
        f"{main}/CLAUDE.local.md": "main local",
        f"{place}/CLAUDE.md": "tree",
    }


@pytest.mark.parametrize("bare", [False, True])
def test_a_worktree_inside_its_main_checkout(claude: Claude, tmp_path: Path, bare: bool) -> None:
    own = "w/main" if bare else "w/main/.git"
    tree = worktree("w/main", "w/main/trees/x", own)
    tree = {name: text.replace("{T}", str(tmp_path)) for name, text in tree.items()}
    memory = claude({**tree, "w/CLAUDE.md": "above"}, cwd="w/main/trees/x")
    assert paths(memory) == ["w/CLAUDE.md", "w/main/CLAUDE.local.md", "w/main/trees/x/CLAUDE.md"]
    assert set(states(memory).values()) == {"other-checkout"}


def test_a_worktree_beside_its_main_checkout_reads_what_is_above(
    claude: Claude, tmp_path: Path
) -> None:
    tree = worktree("w/main", "w/x", "w/main/.git")
    tree = {name: text.replace("{T}", str(tmp_path)) for name, text in tree.items()}
    memory = claude({**tree, "w/CLAUDE.md": "above"}, cwd="w/x")
    assert paths(memory) == ["w/CLAUDE.md", "w/x/CLAUDE.md"]


# Settings and variables


def test_excludes_of_all_settings_together(claude: Claude, tmp_path: Path) -> None:
    memory = claude(
        {
            "h/.claude/settings.json": {"claudeMdExcludes": ["**/w/CLAUDE.md"]},
            "w/p/.claude/settings.json": {"claudeMdExcludes": [f"{tmp_path}/w/p/.claude/rules/**"]},
            "w/p/.claude/settings.local.json": {"claudeMdExcludes": ["CLAUDE.md", "**/m/**"]},
            "m/CLAUDE.md": "managed files cannot be excluded",
            "w/CLAUDE.md": "x",
            "w/p/CLAUDE.md": "stays",
            "w/p/.claude/rules/r.md": "x",
        }
    )
    assert paths(memory) == ["m/CLAUDE.md", "w/p/CLAUDE.md"]
    assert states(memory) == {"w/CLAUDE.md": "excluded", "rules/r.md": "excluded"}
    (finding,) = memory.findings
    assert (finding.name, finding.severity) == ("exclude-matches-nothing", "warning")
    assert (os.path.basename(finding.file), finding.line) == ("settings.local.json", 3)


@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_a_variable_switches_all_off(claude: Claude, value: str) -> None:
    memory = claude(EVERYTHING, env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": value})
    assert memory.items == ()
    assert memory.nested_for("src/x.py") == []
    assert list(states(memory).values()) == ["switched-off"]
    assert memory.unloaded().files == ()


def test_added_folders(claude: Claude, tmp_path: Path) -> None:
    tree = {
        "o/CLAUDE.md": "o",
        "o/.claude/CLAUDE.md": "oi",
        "o/.claude/rules/r.md": "or",
        "o/CLAUDE.local.md": "ol",
        "o/AGENTS.md": "no",
        "q/CLAUDE.md": "q",
        "w/p/.claude/settings.json": {"permissions": {"additionalDirectories": ["../../q"]}},
    }
    on = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"}
    memory = claude(tree, env=on, additional=[tmp_path / "o"])
    assert entries(memory) == [
        ("Project", "o/CLAUDE.md"),
        ("Project", "o/.claude/CLAUDE.md"),
        ("Project", "o/.claude/rules/r.md"),
        ("Local", "o/CLAUDE.local.md"),
    ]
    q = "/".join(str(tmp_path / "q").split("/")[-2:])
    assert states(memory) == {q: "added-folder"}
    memory = claude({}, additional=[tmp_path / "o"])
    assert memory.items == ()
    assert list(states(memory).values()) == ["added-folder", "added-folder"]


# AGENTS.md

AGENTS = {
    "w/AGENTS.md": "a",
    "w/p/AGENTS.md": "b",
    "w/p/.claude/AGENTS.md": "c",
    "w/p/s/AGENTS.md": "n",
    "w/p/t/AGENTS.md": "t",
    "w/p/t/CLAUDE.md": "tc",
}


def chosen(value: str) -> dict[str, Any]:
    return {"pluginConfigs": {"agents-md@builtin": {"options": {"instructionFiles": value}}}}


def test_agents_files_stand_in_where_there_is_no_claude_file(claude: Claude) -> None:
    memory = claude({**AGENTS, "h/.claude/CLAUDE.md": "u", "w/p/.claude/rules/r.md": "r"})
    assert entries(memory) == [
        ("User", "h/.claude/CLAUDE.md"),
        ("Project", "w/AGENTS.md"),
        ("Project", "w/p/AGENTS.md"),
        ("Project", "w/p/.claude/AGENTS.md"),
        ("Project", "w/p/.claude/rules/r.md"),
    ]
    assert entries(memory, memory.nested_for("s/x")) == [("Project", "w/p/s/AGENTS.md")]
    assert entries(memory, memory.nested_for("t/x")) == [("Project", "w/p/t/CLAUDE.md")]


@pytest.mark.parametrize("name", ["w/CLAUDE.md", "w/p/.claude/CLAUDE.md", "w/CLAUDE.local.md"])
def test_one_claude_file_anywhere_switches_the_stand_in_off(claude: Claude, name: str) -> None:
    memory = claude({**AGENTS, name: "x"})
    assert paths(memory) == [name]
    assert memory.nested_for("s/x") == []
    assert {one.name for one in memory.findings} == {"shadowed-agents-file"}
    shadowed = [reason for reason in memory.reasons if reason.reason == "shadowed"]
    top = str(memory.home).removesuffix("/h")
    assert [reason.other for reason in shadowed] == [f"{top}/{name}"] * 3
    loud = name.endswith(".local.md")
    assert {one.severity for one in memory.findings} == {"warning" if loud else "note"}


def test_the_home_folder_above_does_not_switch_it_off(claude: Claude) -> None:
    memory = claude({"h/.claude/CLAUDE.md": "u", "h/p/AGENTS.md": "a"}, cwd="h/p")
    assert paths(memory) == ["h/.claude/CLAUDE.md", "h/p/AGENTS.md"]


@pytest.mark.parametrize(
    ("value", "expected", "nested"),
    [
        ("claude-md-or-agents-md", ["w/p/CLAUDE.md"], []),
        (
            "claude-md-and-agents-md",
            ["w/AGENTS.md", "w/p/CLAUDE.md", "w/p/AGENTS.md", "w/p/.claude/AGENTS.md"],
            ["w/p/s/AGENTS.md"],
        ),
        ("claude-md", ["w/p/CLAUDE.md"], []),
        ("unheard-of", ["w/p/CLAUDE.md"], []),
    ],
)
def test_the_modes(claude: Claude, value: str, expected: list[str], nested: list[str]) -> None:
    memory = claude({**AGENTS, "w/p/CLAUDE.md": "x", "h/.claude/settings.json": chosen(value)})
    assert paths(memory) == expected
    assert [path for _, path in entries(memory, memory.nested_for("s/x"))] == nested


def test_only_managed_files(claude: Claude) -> None:
    memory = claude({**EVERYTHING, "h/.claude/settings.json": chosen("managed-only")})
    assert {kind for kind, _ in entries(memory)} == {"Managed"}


# Rules

RULES = {
    "h/.claude/rules/u.md": "---\npaths: '*.py'\n---\nuser py",
    "w/.claude/rules/above.md": "---\npaths:\n  - p/src/**/*.ts\n---\nabove ts",
    "w/p/.claude/rules/list.md": '---\npaths:\n - "**/*.{ts,tsx}"\n - docs/**\n---\nlist',
    "w/p/.claude/rules/text.md": '---\npaths: "src/{a,b}/*.js, *.md"\n---\ntext',
    "w/p/src/.claude/rules/in.md": "---\npaths: 'x.ts'\n---\ninner",
    "w/p/src/.claude/rules/all.md": "inner always",
    "w/p/src/CLAUDE.md": "src",
    "w/p/src/CLAUDE.local.md": "src local",
}


@pytest.mark.parametrize(
    ("touched", "expected"),
    [
        ("a.py", ["h/.claude/rules/u.md"]),
        ("docs/x", ["w/p/.claude/rules/list.md"]),
        ("x.md", ["w/p/.claude/rules/text.md"]),
        ("y/x.md", []),
        ("y/z.tsx", ["w/p/.claude/rules/list.md"]),
        ("../q.ts", []),
        (
            "src/x.ts",
            [
                "w/p/src/CLAUDE.md",
                "w/p/src/.claude/rules/all.md",
                "w/p/src/CLAUDE.local.md",
                "w/p/src/.claude/rules/in.md",
                "w/.claude/rules/above.md",
                "w/p/.claude/rules/list.md",
            ],
        ),
        (
            "src/a/x.js",
            [
                "w/p/src/CLAUDE.md",
                "w/p/src/.claude/rules/all.md",
                "w/p/src/CLAUDE.local.md",
                "w/p/.claude/rules/text.md",
            ],
        ),
    ],
)
def test_rules_are_read_when_a_path_matches(
    claude: Claude, touched: str, expected: list[str]
) -> None:
    memory = claude(RULES)
    assert paths(memory) == []
    added = memory.nested_for(touched)
    assert [path for _, path in entries(memory, added)] == expected
    assert {item.scope for item in added} <= {"nested"}
    assert memory.nested_for(touched) == []


def test_what_a_touch_adds_is_wrapped_one_by_one_and_not_trimmed(
    claude: Claude, tmp_path: Path
) -> None:
    memory = claude({"w/p/s/CLAUDE.md": "one\n", "w/p/s/CLAUDE.local.md": "\ntwo"})
    t = f"{tmp_path}/w/p/s"
    assert memory.touch_text(*memory.nested_for("s/x")) == (
        f"<system-reminder>\nContents of {t}/CLAUDE.md:\n\none\n\n</system-reminder>\n\n"
        f"<system-reminder>\nContents of {t}/CLAUDE.local.md:\n\n\ntwo\n</system-reminder>"
    )


def test_what_waits_is_known_with_what_loads_it(claude: Claude, tmp_path: Path) -> None:
    memory = claude(RULES)
    waiting = {
        os.path.relpath(one.found, tmp_path): os.path.relpath(one.touch, tmp_path)
        for one in memory.unloaded().files
    }
    assert waiting == {
        "h/.claude/rules/u.md": "w/p/*.py",
        "w/.claude/rules/above.md": "w/p/src/**/*.ts",
        "w/p/.claude/rules/list.md": "w/p/**/*.{ts,tsx}",
        "w/p/.claude/rules/text.md": "w/p/src/{a,b}/*.js",
        "w/p/src/CLAUDE.md": "w/p/src",
        "w/p/src/.claude/rules/in.md": "w/p/src/x.ts",
        "w/p/src/.claude/rules/all.md": "w/p/src",
        "w/p/src/CLAUDE.local.md": "w/p/src",
    }


def test_a_rule_of_the_person_counts_once_though_the_walk_leads_through_home(
    claude: Claude,
) -> None:
    memory = claude({"h/.claude/rules/u.md": "---\npaths: p/*.py\n---\nuser"}, cwd="h/p")
    assert [reason.reason for reason in memory.reasons if reason.state == "out"] == ["conditional"]
    assert len(memory.unloaded().files) == 1
    assert memory.nested_for("x.py") == []  # user rules are relative to the working folder
    assert entries(memory, memory.nested_for("p/x.py")) == [("User", "h/.claude/rules/u.md")]


@pytest.mark.parametrize("header", ["paths: **/*.ts", "paths: *.ts", "a: [", "paths: 7", "- x"])
def test_broken_frontmatter_makes_a_rule_unconditional(claude: Claude, header: str) -> None:
    memory = claude({"w/p/.claude/rules/r.md": f"---\n{header}\n---\n\ntext\n"})
    assert [item.text for item in memory.items] == ["text\n"]
    assert findings(memory) == [("rule-unconditional", "warning")]


@pytest.mark.parametrize("header", ["title: x", "", "paths:", "paths: []", "paths: '**'"])
def test_no_paths_is_unconditional_and_fine(claude: Claude, header: str) -> None:
    memory = claude({"w/p/.claude/rules/r.md": f"---\n{header}\n---\ntext\n"})
    assert [item.text for item in memory.items] == ["text\n"]
    assert memory.findings == ()


def test_braces_are_bounded(claude: Claude) -> None:
    many = "{" + ",".join(f"n{number}" for number in range(40)) + "}"
    glob = f"{many}{many}{many}{many}/x"
    memory = claude({"w/p/.claude/rules/r.md": f"---\npaths: '{glob}'\n---\ntext"})
    assert memory.items == ()
    assert [item.text for item in memory.nested_for("n0n0n0n0/x")] == ["text"]
    memory = claude({})
    assert memory.nested_for("n39n39n39n39/x") == []


def test_frontmatter_stays_in_memory_files(claude: Claude) -> None:
    memory = claude({"w/p/CLAUDE.md": "---\na: b\n---\ntext"})
    assert memory.items[0].text == "---\na: b\n---\ntext"


def test_links_in_rules_that_lead_outside(claude: Claude, tmp_path: Path) -> None:
    tree: dict[str, Any] = {
        "o/shared.md": "shared",
        "o/cond.md": "---\npaths: x\n---\ncond",
        "o/folder/f.md": "in a folder",
        "w/p/inside.md": "inside",
        "w/p/.claude/rules/shared.md": ("o/shared.md",),
        "w/p/.claude/rules/cond.md": ("o/cond.md",),
        "w/p/.claude/rules/folder": ("o/folder",),
        "w/p/.claude/rules/ok.md": ("w/p/inside.md",),
        "h/.claude/rules/u.md": ("o/folder/f.md",),
    }
    memory = claude(tree)
    assert paths(memory) == ["h/.claude/rules/u.md", "w/p/.claude/rules/ok.md"]
    assert states(memory)["rules/shared.md"] == "blocked"
    assert states(memory)["folder/f.md"] == "same-file"
    blocked = [one for one in memory.findings if one.name == "import-blocked"]
    assert all("never asked" in one.message for one in blocked)
    assert len(blocked) == 2
    memory = claude(approval(tmp_path, approved=True, shown=True))
    assert paths(memory)[1:] == ["w/p/.claude/rules/ok.md", "w/p/.claude/rules/shared.md"]
    assert memory.nested_for("x") == []


def test_linked_rule_folders_are_shown_once_and_told(claude: Claude) -> None:
    memory = claude(
        {
            "w/p/.claude/rules/a/x.md": "x",
            "w/p/.claude/rules/b": ("w/p/.claude/rules/a",),
            "w/p/.claude/rules/a/loop": ("w/p/.claude/rules",),
        }
    )
    assert paths(memory) == ["w/p/.claude/rules/a/x.md"]
    assert findings(memory) == [("same-file", "note")]
    assert states(memory) == {"b/x.md": "same-file"}


def test_what_is_no_file_among_the_rules(claude: Claude, tmp_path: Path) -> None:
    (tmp_path / "w/p/.claude/rules/folder.md").mkdir(parents=True)
    os.mkfifo(tmp_path / "w/p/.claude/rules/pipe.md")
    (tmp_path / "w/p/.claude/rules/gone.md").symlink_to("nowhere")
    memory = claude({"w/p/.claude/rules/folder.md/in.md": "in", "w/p/.claude/rules/x.txt": "no"})
    assert paths(memory) == ["w/p/.claude/rules/folder.md/in.md"]
    assert findings(memory) == [("file-unreadable", "warning")] * 2


# Imports


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("@a.md", ["a.md"]),
        ("see\n @a.md\t@b.md", ["a.md", "b.md"]),
        ("x@a.md (@a.md) **@a.md**", []),
        ("@with\\ space.md", ["with space.md"]),
        ("@a.md#part", ["a.md"]),
        ('@"a.md" @*a.md', []),
        ("@./a.md @../p/b.md", ["a.md", "b.md"]),
        ("@_x.md @-y.md @.z.md @0.md", ["_x.md", "-y.md", ".z.md", "0.md"]),
        ("@~/n.md", ["n.md"]),
        ("`@a.md` ``x @a.md``", []),
        ("```\n@a.md\n```\n", []),
        ("<!-- @a.md -->\n", []),
        ("text <!-- @a.md --> text", ["a.md"]),
        ("@a.md.", []),
        ("@a.md @a.md", ["a.md"]),
        ("@dir", []),
        ("@pic.png", []),
    ],
)
def test_what_is_imported(claude: Claude, text: str, imported: list[str]) -> None:
    names = ["a.md", "b.md", "with space.md", "_x.md", "-y.md", ".z.md", "0.md", "pic.png",
             "dir/x.md"]  # fmt: skip
    tree: dict[str, Any] = {f"w/p/{name}": name for name in names}
    tree |= approval(Path("/"), approved=True, shown=True) | {"h/n.md": "n.md"}
    memory = claude(
        {**tree, "w/p/CLAUDE.md": text},
    )
    found = [item.text for item in memory.items if item.parent]
    if "@~/" in text:  # outside of the working folder, and nobody was asked
        assert [record.outcome for record in memory.records] == ["not-approved"]
    else:
        assert found == imported


def approval(top: Path, *, approved: bool, shown: bool, key: str = "w/p") -> dict[str, Any]:
    return {
        "h/.claude.json": {
            "projects": {
                f"{top}/{key}": {
                    "hasClaudeMdExternalIncludesApproved": approved,
                    "hasClaudeMdExternalIncludesWarningShown": shown,
                }
            }
        }
    }


def test_imports_stand_behind_their_parent(claude: Claude, tmp_path: Path) -> None:
    memory = claude(
        {
            "w/p/CLAUDE.md": "@a.md\n@b.md",
            "w/p/a.md": "A @c.md",
            "w/p/b.md": "B @c.md",
            "w/p/c.md": "C",
            "w/p/CLAUDE.local.md": "@d.md",
            "w/p/d.md": "D @CLAUDE.md",
        }
    )
    t = f"{tmp_path}/w/p"
    assert [(item.kind, item.text, item.parent) for item in memory.items] == [
        ("Project", "@a.md\n@b.md", None),
        ("Project", "A @c.md", f"{t}/CLAUDE.md"),
        ("Project", "C", f"{t}/a.md"),
        ("Project", "B @c.md", f"{t}/CLAUDE.md"),
        ("Local", "@d.md", None),
        ("Local", "D @CLAUDE.md", f"{t}/CLAUDE.local.md"),
    ]
    assert memory.items[0].imports == (f"{t}/a.md", f"{t}/c.md", f"{t}/b.md")
    outcomes = [record.outcome for record in memory.records]
    assert outcomes == ["imported", "imported", "imported", "already-shown", "imported",
                        "already-shown"]  # fmt: skip
    plan = Plan(memory.items, CLAUDE)
    line = plan.text.split("\n").index("C") + 1
    assert [site.file for site in plan.source(line).chain] == [f"{t}/CLAUDE.md", f"{t}/a.md"]
    assert plan.import_line(0, 0) == plan.text.split("\n").index("A @c.md") + 1


def test_a_memory_file_that_is_imported_first_is_no_entry_of_its_own(claude: Claude) -> None:
    memory = claude({"w/p/CLAUDE.md": "@CLAUDE.local.md", "w/p/CLAUDE.local.md": "l"})
    assert entries(memory) == [("Project", "w/p/CLAUDE.md"), ("Project", "w/p/CLAUDE.local.md")]


def test_four_hops(claude: Claude) -> None:
    tree = {f"w/p/{n}.md": f"level {n} @{n + 1}.md" for n in range(1, 7)}
    memory = claude({"w/p/CLAUDE.md": "@1.md", **tree})
    assert [item.text[:7] for item in memory.items[1:]] == [
        "level 1", "level 2", "level 3", "level 4",
    ]  # fmt: skip
    assert findings(memory) == [("import-too-deep", "warning")]


def test_cycles_end(claude: Claude) -> None:
    memory = claude({"w/p/CLAUDE.md": "@a.md", "w/p/a.md": "@CLAUDE.md @a.md"})
    assert paths(memory) == ["w/p/CLAUDE.md", "w/p/a.md"]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("@a.md,", ("import-punctuation", "error")),
        ("@gone.md", ("broken-import", "error")),
        ("@pic.png", ("import-binary", "warning")),
        ("@scope/pkg", ("broken-import", "note")),
        ("@docs/style", ("broken-import", "error")),
        ("@docs/STYLE.md", ("broken-import", "error")),
        ("@docs/style.mdx", ("import-punctuation", "error")),
    ],
)
def test_what_is_told_about_imports(claude: Claude, text: str, finding: tuple[str, str]) -> None:
    memory = claude(
        {"w/p/CLAUDE.md": text, "w/p/a.md": "a", "w/p/pic.png": "p", "w/p/docs/style.md": "s"}
    )
    assert findings(memory) == [finding]


@pytest.mark.parametrize(
    ("approved", "shown", "words"),
    [(False, False, "never asked"), (False, True, "declined"), (True, True, "")],
)
def test_imports_from_outside(
    claude: Claude, tmp_path: Path, approved: bool, shown: bool, words: str
) -> None:
    memory = claude(
        {
            **approval(tmp_path, approved=approved, shown=shown),
            "w/p/CLAUDE.md": "@../out.md @in.md",
            "w/p/in.md": "in",
            "w/CLAUDE.md": "@sibling.md",
            "w/sibling.md": "s",
            "w/out.md": "out",
            "h/.claude/CLAUDE.md": "@~/mine.md",
            "h/mine.md": "mine",
        }
    )
    texts = [item.text for item in memory.items if item.parent]
    assert texts == (["mine", "s", "out", "in"] if approved else ["mine", "in"])
    blocked = [one.message for one in memory.findings if one.name == "import-blocked"]
    assert len(blocked) == (0 if approved else 2)
    assert all(words in message for message in blocked)


@pytest.mark.parametrize("place", ["c/.claude.json", "h/.claude.json"])
@pytest.mark.parametrize("key", ["w/p", "w"])
def test_where_the_approval_is_looked_for(
    claude: Claude, tmp_path: Path, place: str, key: str
) -> None:
    (entry,) = approval(tmp_path, approved=True, shown=True, key=key).values()
    memory = claude(
        {place: entry, "w/.git/HEAD": "x", "w/p/CLAUDE.md": "@../out.md", "w/out.md": "out"},
        env={"CLAUDE_CONFIG_DIR": str(tmp_path / "c")},
    )
    assert [item.text for item in memory.items] == ["@../out.md", "out"]


# Comments, size


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n\n<!-- x -->\n\nb", "a\n\nb"),
        ("<!--\nmany\n\nlines\n-->\nb", "b"),
        ("a\n<!-- x -->\nb", "a\nb"),
        ("a <!-- x --> b", "a <!-- x --> b"),
        ("<!-- x --> kept", " kept"),
        ("```\n<!-- x -->\n```", "```\n<!-- x -->\n```"),
        ("    <!-- x -->", "    <!-- x -->"),
        ("`<!-- x -->`", "`<!-- x -->`"),
        ("<!-- open\n\nb", "<!-- open\n\nb"),
        ("- a\n  <!-- x -->\n- b", "- a\n- b"),
        ("a\r\n\r\n<!-- x -->\r\nb", "a\r\n\r\nb"),
        ("<!-- ` -->\n`@a.md`", "`@a.md`"),
    ],
)
def test_comments(claude: Claude, text: str, left: str) -> None:
    memory = claude({"w/p/CLAUDE.md": text, "w/p/a.md": "A"})
    (item,) = memory.items
    assert item.text == left
    source = memory.text_of(item.file)
    assert source is not None
    assert all(span.text == source[span.start : span.end] for span in item.spans)


def test_many_comments_take_no_longer_than_their_size(claude: Claude) -> None:
    begin = time.process_time()
    memory = claude({"w/p/CLAUDE.md": "<!-- a --> ` @b\n\n" * 20_000})
    assert len(memory.items[0].spans) == 20_000
    assert memory.items[0].spans[-1].line == 39_999
    assert time.process_time() - begin < 8


def test_large_files(claude: Claude) -> None:
    memory = claude(
        {
            "w/CLAUDE.md": "x" * (4 * 1024 * 1024 + 1),
            "w/p/CLAUDE.md": "y" * 40_000,
            "w/p/CLAUDE.local.md": "z" * 40_001,
        }
    )
    assert paths(memory) == ["w/p/CLAUDE.md", "w/p/CLAUDE.local.md"]
    assert findings(memory) == [("file-too-large", "error"), ("file-too-large", "warning")]


# Auto memory


def slug(path: Path) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "-" for c in str(path))


@pytest.mark.parametrize("cwd", ["w/p", "w/p/sub"])
def test_auto_memory_comes_last_by_the_main_checkout(
    claude: Claude, tmp_path: Path, cwd: str
) -> None:
    place = f"h/.claude/projects/{slug(tmp_path / 'w/p')}/memory/MEMORY.md"
    memory = claude(
        {place: "---\na: b\n---\n<!-- c -->\n- [T](t.md) — @../../x.md\n", "w/p/.git/HEAD": "x",
         "w/p/CLAUDE.local.md": "l"},
        cwd=cwd,
    )  # fmt: skip
    assert entries(memory)[-1] == ("AutoMem", place)
    assert memory.items[-1].text == "- [T](t.md) — @../../x.md\n"
    assert memory.items[-1].scope == "auto"
    assert "(user's auto-memory, persists across conversations):\n\n- [T]" in (
        memory.prompt_text() or ""
    )


@pytest.mark.parametrize(
    ("text", "kept", "line"),
    [
        ("".join(f"l{n}\n" for n in range(300)), "".join(f"l{n}\n" for n in range(200)), 201),
        ("\n\n" + "l\n" * 200, "l\n" * 200, 0),
        ("---\nx: y\n---\n" + "l\n" * 201, "l\n" * 200, 204),
        (("é" * 49 + "\n") * 300, ("é" * 49 + "\n") * 200, 201),
        (("e" * 249 + "\n") * 120, ("e" * 249 + "\n") * 100, 101),
        (("e" * 249 + "\n") * 99 + "e" * 250, ("e" * 249 + "\n") * 99 + "e" * 250, 0),
        ("e" * 30_000, "e" * 25_000, 1),
    ],
)
def test_auto_memory_is_cut_at_a_whole_line(
    claude: Claude, tmp_path: Path, text: str, kept: str, line: int
) -> None:
    place = f"h/.claude/projects/{slug(tmp_path / 'w/p')}/memory/MEMORY.md"
    memory = claude({place: text})
    assert memory.items[-1].text.lstrip("\n") == kept
    assert [one.line for one in memory.findings if one.name == "index-cut"] == [line] * bool(line)


@pytest.mark.parametrize(
    ("settings", "env", "found"),
    [
        ({"autoMemoryDirectory": "~/notes"}, {}, "h/notes/MEMORY.md"),
        ({"autoMemoryEnabled": False}, {}, None),
        ({}, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}, None),
        ({"autoMemoryDirectory": "relative"}, {}, "usual"),
    ],
)
def test_settings_of_auto_memory(
    claude: Claude, tmp_path: Path, settings: dict[str, Any], env: dict[str, str], found: str
) -> None:
    usual = f"h/.claude/projects/{slug(tmp_path / 'w/p')}/memory/MEMORY.md"
    memory = claude(
        {"h/.claude/settings.json": settings, "h/notes/MEMORY.md": "n", usual: "u"}, env=env
    )
    expected = [usual] if found == "usual" else [found] if found else []
    assert paths(memory) == expected


def test_a_long_path_is_found_by_its_beginning(claude: Claude, tmp_path: Path) -> None:
    cwd = "w/" + "/".join(["long-name-of-a-folder"] * 12)
    name = slug(tmp_path / cwd)[:200] + "-k3j4h5"
    place = f"h/.claude/projects/{name}/memory/MEMORY.md"
    assert paths(claude({place: "x"}, cwd=cwd)) == [place]


def test_nested_files_that_are_left_out_have_their_reasons(claude: Claude) -> None:
    memory = claude(
        {
            "w/p/CLAUDE.local.md": "switches the fallback off",
            "w/p/.claude/settings.json": {"claudeMdExcludes": ["**/x/CLAUDE.md"]},
            "w/p/x/CLAUDE.md": "x",
            "w/p/y/AGENTS.md": "y",
            "w/p/z/CLAUDE.md": "z",
        }
    )
    survey = memory.unloaded()
    assert [one.label for one in survey.files] == ["z/CLAUDE.md"]
    excluded, shadowed = survey.out
    assert excluded.about.startswith("not read: the settings exclude it with **/x/CLAUDE.md (")
    assert shadowed.about == f"not read: {memory.root}/CLAUDE.local.md is there"
    assert memory.nested_for("x/a.py") == []
    assert memory.unloaded() == survey
