"""`memlens why`: whether a phrase reaches the prompt."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import Run, run

__all__ = ["run"]


def test_a_phrase_with_its_chain(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("Rules.\nSee @a.md now.\n")
    (root / "a.md").write_text("one\nthe whole\ntruth\n")
    result = run("why", "the  whole truth", "--json")
    assert result.returncode == 0
    value = json.loads(result.stdout)
    assert value["schema"] == 1
    assert value["reached"] is True
    assert value["chain"] == [
        {"file": f"{root}/CLAUDE.md", "line": 2}, {"file": f"{root}/a.md", "line": 2},
    ]  # fmt: skip
    assert "a.md" in value["reason"]
    text = run("why", "truth").stdout.decode()
    assert text.splitlines()[1:] == [f"  {root}/CLAUDE.md:2", f"    {root}/a.md:3"]
    assert text.startswith("In, line ")


def test_a_phrase_that_does_not_reach(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("Rules.\n")
    (root / "sub").mkdir()
    (root / "sub" / "CLAUDE.md").write_text("only here\n")
    result = run("why", "only here", "--json")
    assert result.returncode == 1
    value = json.loads(result.stdout)
    assert value["reached"] is False
    assert value["chain"] == [{"file": f"{root}/sub/CLAUDE.md", "line": 1}]
    assert run("why", "only here", "--touch", "sub/x").returncode == 0
    nowhere = run("why", "nothing like it")
    assert nowhere.returncode == 1
    assert nowhere.stdout.startswith(b"Not in: ")
    assert nowhere.stderr == b""


def test_a_phrase_that_a_touch_would_import(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "sub").mkdir()
    (root / "sub" / "CLAUDE.md").write_text("x\n@more.md\n")
    (root / "sub" / "more.md").write_text("first\nonly by import\n")
    value = json.loads(run("why", "only by import", "--json").stdout)
    assert value["reached"] is False
    assert value["chain"] == [
        {"file": f"{root}/sub/CLAUDE.md", "line": 2}, {"file": f"{root}/sub/more.md", "line": 2},
    ]  # fmt: skip
    assert f"{root}/sub is touched" in value["reason"]
    assert run("why", "only by import", "--touch", "sub/x").returncode == 0


def test_what_the_agent_writes_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "project" / "CLAUDE.md").write_text("x\n")
    for phrase in ("<system-reminder>", "Codebase and user", "project instructions"):
        value = json.loads(run("why", phrase, "--json", "--agent", "claude").stdout)
        assert (value["reached"], value["chain"]) == (True, [])
        assert value["reason"] == "the agent writes it around the memory files"


def test_the_whole_way_to_an_import_that_fails(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("x\n@a.md\n")
    (root / "a.md").write_text("@b.md\n")
    (root / "b.md").write_text("y\n@notes.md.\n")
    (root / "notes.md").write_text("never there\n")
    value = json.loads(run("why", "never there", "--json").stdout)
    assert value["chain"] == [
        {"file": f"{root}/CLAUDE.md", "line": 2}, {"file": f"{root}/a.md", "line": 1},
        {"file": f"{root}/b.md", "line": 2}, {"file": f"{root}/notes.md", "line": 1},
    ]  # fmt: skip


def test_a_nested_file_that_the_settings_exclude(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "sub").mkdir()
    (root / "sub" / "CLAUDE.md").write_text("x\nkept out\n")
    (root / ".claude").mkdir()
    settings = root / ".claude" / "settings.json"
    settings.write_text('{\n  "claudeMdExcludes": ["**/sub/**"]\n}\n')
    value = json.loads(run("why", "kept out", "--json", "--agent", "claude").stdout)
    assert value["reached"] is False
    assert value["chain"] == [{"file": f"{root}/sub/CLAUDE.md", "line": 2}]
    assert value["reason"] == (
        f"it stands in {root}/sub/CLAUDE.md:2, which is not read: the settings exclude it with "
        f"**/sub/** (claudeMdExcludes in {settings}:2)"
    )


def test_an_import_that_the_settings_exclude(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("@sub/a.md\n")
    (root / "sub").mkdir()
    (root / "sub" / "a.md").write_text("kept out\n")
    (root / ".claude").mkdir()
    settings = root / ".claude" / "settings.json"
    settings.write_text('{"claudeMdExcludes": ["**/sub/**"]}')
    value = json.loads(run("why", "kept out", "--json", "--agent", "claude").stdout)
    assert f"exclude it with **/sub/** (claudeMdExcludes in {settings}:1)" in value["reason"]


def test_a_nested_file_of_a_wrong_name(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "sub").mkdir()
    (root / "sub" / "claude.md").write_text("small letters\n")
    value = json.loads(run("why", "small letters", "--json").stdout)
    assert value["reason"] == (
        f"it stands in {root}/sub/claude.md:1, which is not read: its name must be CLAUDE.md, "
        "in this letter case"
    )


def test_a_word_of_a_path_is_not_taken_for_one_of_its_file(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("one\nthis project\n")
    value = json.loads(run("why", "project", "--json").stdout)
    assert value["chain"] == [{"file": f"{root}/CLAUDE.md", "line": 2}]
    only = json.loads(run("why", str(root), "--json").stdout)
    assert (only["reached"], only["chain"], only["line"]) == (True, [], 1)


def test_files_that_cannot_be_looked_into_are_named(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "project"
    with (root / "CLAUDE.md").open("w") as file:
        file.truncate(5 * 1024 * 1024)
    (root / "CLAUDE.local.md").write_bytes("hello".encode("utf-16"))
    reason = json.loads(run("why", "hello", "--json").stdout)["reason"]
    assert reason.endswith(
        f"; what could not be looked into: {root}/CLAUDE.md (it has more than 4 MiB), "
        f"{root}/CLAUDE.local.md (it is UTF-16 by its byte order mark, and agents read UTF-8)"
    )
