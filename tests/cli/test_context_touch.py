"""`memlens context` and `memlens prompt` with touches, and what `--check` says of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import Run, data, run

__all__ = ["run"]


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("Rules.\nSee @docs/a.md now.\n")
    (root / "docs").mkdir()
    (root / "docs" / "a.md").write_text("Imported, see @b.md too.\n")
    (root / "docs" / "b.md").write_text("Deeper.\n")
    (root / "api" / "deep").mkdir(parents=True)
    (root / "api" / "CLAUDE.md").write_text("Of the api. @./gone.md\n")
    return root


def test_a_touch_adds_what_it_adds(run: Run, root: Path) -> None:
    plain = data(run("context", "--json"))
    assert plain["nested"] == [{"file": f"{root}/api/CLAUDE.md", "touch": f"{root}/api"}]
    assert "touched" not in plain
    value = data(run("context", "--json", "--touch", "api/deep/x.py", "--touch", "api"))
    assert value["nested"] == []
    touched = value["touched"]
    assert isinstance(touched, list)
    assert touched[0]["path"] == "api/deep/x.py"
    assert [item["file"] for item in touched[0]["items"]] == [f"{root}/api/CLAUDE.md"]
    assert touched[0]["reason"] is None
    assert touched[1]["items"] == []
    assert "earlier touch" in touched[1]["reason"]
    text = run("context", "--touch", "api/deep/x.py").stdout.decode()
    assert "by api/deep/x.py" in text
    assert "gone.md" in text


def test_the_overview_shows_imports_below_their_importer(run: Run, root: Path) -> None:
    lines = run("context").stdout.decode().splitlines()
    at = next(index for index, line in enumerate(lines) if "docs/b.md" in line)
    assert lines[at - 1].split()[:2] == ["docs/a.md", "import"]
    assert lines[at].index("docs/b.md") > lines[at - 1].index("docs/a.md")


def test_check_counts_what_a_touch_would_add(run: Run, root: Path) -> None:
    assert run("context", "--check").returncode == 0
    result = run("context", "--check", "--touch", "api/x.py")
    assert result.returncode == 1
    assert b"broken-import" in result.stdout
    value = json.loads(run("context", "--check", "--json", "--touch", "api").stdout)
    assert value.keys() == {"schema", "findings"}
    assert value["findings"][0].keys() == {
        "name", "severity", "file", "line", "column", "message", "hint",
    }  # fmt: skip


def test_an_empty_folder_says_so_and_is_no_error(run: Run) -> None:
    result = run("context")
    assert result.returncode == 0
    assert b"gets nothing here" in result.stdout
    assert run("context", "--check").stdout == b""


def test_prompt_puts_an_empty_line_before_each_touch(run: Run, root: Path) -> None:
    before = run("prompt").stdout
    after = run("prompt", "--touch", "api/x.py", "--touch", "api/y.py").stdout
    assert after == (
        before
        + f"\n\n<system-reminder>\nContents of {root}/api/CLAUDE.md (project instructions, "
        "checked into the codebase):\n\nOf the api. @./gone.md\n</system-reminder>".encode()
    )


def test_hostile_names_reach_no_terminal_by_the_overview(run: Run, root: Path) -> None:
    (root / "docs" / "e\x1b]0;x\x07.md").write_text("evil\n")
    (root / "CLAUDE.md").write_text("@docs/e\x1b]0;x\x07.md\n")
    assert b"\x1b" not in run("context").stdout


def test_few_of_many_files_left_out_below_are_named(run: Run, tmp_path: Path) -> None:
    for number in range(13):
        folder = tmp_path / "project" / f"d{number:02}"
        folder.mkdir()
        (folder / "CLAUDE.md").touch()
    lines = run("context").stdout.decode().splitlines()
    assert "– d09/CLAUDE.md not used: it is empty" in lines
    assert "– and 3 more below; --notes names them all" in lines
    assert "– d12/CLAUDE.md not used: it is empty" in run("context", "--notes").stdout.decode()
