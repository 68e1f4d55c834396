"""The commands as a script sees them: real processes on real folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memlens

Result = subprocess.CompletedProcess[bytes]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `memlens` in a folder, `tmp_path / "project"` by default."""
    project = tmp_path / "project"
    project.mkdir()

    def run(*words: str, cwd: Path = project, env: dict[str, str] | None = None) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "memlens", *words],
            cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True,
            stdin=subprocess.DEVNULL, check=False, timeout=60,
        )  # fmt: skip

    return run


@pytest.fixture
def project(tmp_path: Path, run: Run) -> Path:
    """A project with an import, and a fact."""
    root = tmp_path / "project"
    (root / "CLAUDE.md").write_text("Rules.\nSee @docs/a.md now.\n")
    (root / "docs").mkdir()
    (root / "docs" / "a.md").write_text("Imported.\n")
    folder = Path(os.environ["HOME"], ".local", "share", "mermaid", "memory")
    folder.mkdir(parents=True)
    (folder / "use-rg.md").write_text(
        "---\nname: use-rg\ndescription: Search with rg\nscope: global\n"
        "created: 2026-01-02T03:04:05+00:00\ntags: [tools]\n---\n\nIt is fast.\n"
    )
    return root


def data(result: Result) -> dict[str, object]:
    assert result.returncode == 0, result.stderr
    value = json.loads(result.stdout)
    assert value["schema"] == 1
    assert isinstance(value, dict)
    return value


def test_version_and_help(run: Run) -> None:
    assert run("--version").stdout.decode().strip() == f"memlens {memlens.__version__}"
    text = run("--help").stdout.decode()
    for word in ("context", "prompt", "memory", "reads", "--demo", "PATH"):
        assert word in text
    for command in ("context", "prompt", "memory", "reads"):
        result = run(command, "--help")
        assert result.returncode == 0
        assert b"--root" in result.stdout


def test_prompt_prints_the_exact_text_and_nothing_else(run: Run, project: Path) -> None:
    result = run("prompt")
    assert result.returncode == 0
    text = result.stdout.decode()
    assert text.startswith(
        f"Contents of {project}/CLAUDE.md (project instructions, checked into the codebase):"
        "\n\nRules.\nSee Imported. now.\n\n# Memory\n"
    )
    assert "- [use-rg] Search with rg" in text
    assert result.stderr == b""


def test_an_empty_prompt_prints_nothing(run: Run) -> None:
    result = run("prompt")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_prompt_keeps_bytes_that_would_drive_a_terminal(run: Run, project: Path) -> None:
    (project / "CLAUDE.md").write_bytes(b"a\x1b]0;title\x07b\r\nc\xe2\x80\xaed\n")
    assert b"a\x1b]0;title\x07b\r\nc\xe2\x80\xaed" in run("prompt").stdout


def test_context_in_the_documented_shape(run: Run, project: Path) -> None:
    value = data(run("context", "--json"))
    assert value["root"] == str(project)
    assert value["agent"] == "raider"
    items = value["items"]
    assert isinstance(items, list)
    assert items[0] == {
        "file": f"{project}/CLAUDE.md", "label": "CLAUDE.md", "scope": "project",
        "kind": "CLAUDE.md", "bytes": 26, "lines": 2, "tokens": 6,
        "imports": [f"{project}/docs/a.md"],
    }  # fmt: skip
    assert {"nested", "findings", "tokens"} <= value.keys()
    text = run("context").stdout.decode()
    for part in ("project", "CLAUDE.md", "docs/a.md", "≈", "bytes / 4"):
        assert part in text


def test_what_is_wrong_below_the_root_is_checked_too(run: Run, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub/claude.md").write_text("Small.")
    text = run("context", "--check").stdout.decode()
    told = "warning: claude.md not read: its name must be CLAUDE.md, in this letter case"
    assert text.startswith(f"{project}/sub/claude.md: {told} [wrong-case]\n")
    findings = data(run("context", "--json"))["findings"]
    assert isinstance(findings, list)
    assert [one["name"] for one in findings] == ["wrong-case"]


def test_memory_list_show_and_search(run: Run, project: Path) -> None:
    fact = {
        "name": "use-rg", "description": "Search with rg", "scope": "global", "tags": ["tools"],
        "path": os.path.join(os.environ["HOME"], ".local/share/mermaid/memory/use-rg.md"),
        "created": "2026-01-02T03:04:05+00:00",
    }  # fmt: skip
    assert data(run("memory", "list", "--json"))["facts"] == [fact]
    assert data(run("memory", "show", "use-rg", "--json")) == {
        "schema": 1, **fact, "body": "It is fast.",
    }  # fmt: skip
    assert b"Search with rg" in run("memory", "list").stdout
    assert b"It is fast." in run("memory", "show", "use-rg").stdout
    hits = data(run("memory", "search", "FAST", "--json"))["hits"]
    assert isinstance(hits, list)
    assert hits[0]["name"] == "use-rg"
    assert hits[0]["snippet"] == "It is fast."
    assert run("memory", "search", "nothing like it").returncode == 1
    assert data(run("memory", "list", "--scope", "project-private", "--json"))["facts"] == []


def test_a_fact_that_is_not_there_or_not_the_only_one(run: Run, project: Path) -> None:
    missing = run("memory", "show", "none")
    assert missing.returncode == 2
    assert b"there is no fact 'none'" in missing.stderr
    shared = project / ".mermaid" / "memory"
    shared.mkdir(parents=True)
    (project / ".git").mkdir()
    (shared / "use-rg.md").write_text("---\nname: use-rg\ndescription: here\n---\n\nx\n")
    both = run("memory", "show", "use-rg")
    assert both.returncode == 2
    assert b"names 2 facts" in both.stderr
    assert b"--scope" in both.stderr
    assert run("memory", "show", "use-rg", "--scope", "project-shared").returncode == 0


def test_reads_of_a_journal(run: Run, project: Path) -> None:
    assert data(run("reads", "--json")) == {"schema": 1, "session": None, "paths": []}
    from memlens.engine.reads import ReadJournal

    journal = ReadJournal("s1", agent="test")
    journal.append("start", cwd=str(project))
    journal.record(project / "CLAUDE.md", "read")
    value = data(run("reads", "--json"))
    assert value["session"] == "s1"
    paths = value["paths"]
    assert isinstance(paths, list)
    assert paths[0]["path"] == f"{project}/CLAUDE.md"
    assert (paths[0]["coverage"], paths[0]["state"], paths[0]["problem"]) == (
        "whole", "unchanged", None,
    )  # fmt: skip
    assert b"unchanged" in run("reads").stdout
    assert data(run("reads", "--json", "--state", "changed"))["paths"] == []
    unknown = run("reads", "--session", "nope")
    assert unknown.returncode == 2
    assert b"there is no session nope" in unknown.stderr


@pytest.mark.parametrize("words", [(), ("context",), ("prompt",), ("memory", "list"), ("reads",)])
def test_folders_that_cannot_be_opened(words: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, reason in (("none", "no such folder"), ("file", "it is a file")):
        result = run(*words, "--root", str(tmp_path / path))
        assert result.returncode == 2
        assert reason in result.stderr.decode()
        assert str(tmp_path / path) in result.stderr.decode()
        assert b"Traceback" not in result.stderr


def test_a_misspelt_command_is_named(run: Run) -> None:
    result = run("contxt")
    assert result.returncode == 2
    assert result.stderr.decode().endswith("Did you mean the command, memlens context?\n")
    assert b"Did you mean" not in run("context", "--root", "contxt").stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission(run: Run, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    result = run("context", "--root", str(tmp_path / "closed"))
    assert result.returncode == 2
    assert b"cannot be read" in result.stderr


def test_without_a_home(run: Run, project: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    result = subprocess.run(
        [sys.executable, "-m", "memlens", "prompt"],
        cwd=project, env=environment, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert result.returncode == 0
    assert b"Rules." in result.stdout


def test_what_every_command_takes_may_stand_before_it(
    run: Run, project: Path, tmp_path: Path
) -> None:
    expected = run("memory", "list", "--root", str(project))
    assert expected.stdout
    for words in (("--root", str(project)), (f"--root={project}", "--agent", "raider")):
        assert run(*words, "memory", "list", cwd=tmp_path).stdout == expected.stdout
    assert run("--root", str(project), "prompt", cwd=tmp_path).stdout == run("prompt").stdout
    assert b"usage: memlens hook" in run("--agent", "x", "hook", "--help").stdout


def test_words_that_make_no_sense(run: Run) -> None:
    for words in (("--nope",), ("context", "--nope"), ("memory",), ("memory", "dance"), ("a", "b")):
        result = run(*words)
        assert result.returncode == 2
        assert result.stdout == b""
        assert b"Traceback" not in result.stderr
        assert b"memlens: " in result.stderr
    assert b"known: " in run("context", "--agent", "nobody").stderr


def test_the_screen_needs_a_terminal(run: Run, project: Path) -> None:
    result = run()
    assert result.returncode == 2
    assert b"needs a terminal" in result.stderr


def test_closed_streams(project: Path, run: Run) -> None:
    def shell(words: str) -> Result:
        return subprocess.run(
            ["sh", "-c", f"{sys.executable} -m memlens {words}"], cwd=project, check=False,
            capture_output=True, timeout=60,
        )  # fmt: skip

    expected = run("memory", "list").stdout
    settings = Path(run("config", "--path").stdout.decode().strip())
    settings.parent.mkdir(parents=True)
    settings.write_text("bogus = 1\n")
    assert b"bogus" in shell("memory list").stderr
    assert shell("memory list 2>&-").stdout == expected
    closed = shell("memory list >&-")
    assert (closed.returncode, closed.stdout) == (2, b"")
    assert closed.stderr == b"memlens: standard output is closed\n"


def test_a_reader_that_leaves_early_is_no_error(project: Path, run: Run) -> None:
    (project / "CLAUDE.md").write_text("line\n" * 200_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "memlens", "prompt"],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0
    assert errors == b""
