"""`memlens memory` as a script sees it: real processes on real folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `memlens memory` in a checkout of its own."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)

    def run(*words: str, body: str = "", **env: str) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "memlens", "memory", *words], cwd=project, input=body,
            env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    return run


def ok(result: Result) -> str:
    assert result.returncode == 0, result.stderr
    return result.stdout


def data(result: Result) -> dict[str, Any]:
    value = json.loads(ok(result))
    assert value["schema"] == 1
    assert isinstance(value, dict)
    return value


def test_a_fact_is_added_shown_edited_and_listed(run: Run) -> None:
    saved = data(
        run("add", "Use: pnpm", "--description", "issue #12", "--tags", "a, b", "--json", "-",
            body="not npm\n")
    )  # fmt: skip
    assert saved["scope"] == "project-private"
    assert Path(saved["path"]).name == "use-pnpm.md"
    shown = data(run("show", "use-pnpm", "--json"))
    assert (shown["name"], shown["body"], shown["tags"]) == ("Use: pnpm", "not npm", ["a", "b"])
    assert shown["description"] == "issue #12"
    ok(run("edit", "Use: pnpm", "--description", "another", "--tags", ""))
    ok(run("edit", "Use: pnpm", "-", body="new body"))
    moved = data(run("edit", "Use: pnpm", "--name", "pnpm", "--scope", "shared", "--json"))
    assert moved["moved_from"] == saved["path"]
    fact = data(run("list", "--json", "--scope", "shared"))["facts"][0]
    assert (fact["name"], fact["description"], fact["tags"]) == ("pnpm", "another", [])
    assert data(run("list", "--json", "--scope", "private"))["facts"] == []
    assert "new body" in ok(run("show", "pnpm"))


def test_a_taken_name_is_refused_unless_it_is_to_be_replaced(run: Run) -> None:
    ok(run("add", "a", "-", body="one"))
    again = run("add", "a", "-", body="two")
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert "one" in ok(run("show", "a"))
    ok(run("add", "a", "--replace", "-", body="two"))
    assert "two" in ok(run("show", "a"))
    # A name is taken in the form in which it is saved: one line, without secrets.
    for name in ("b  c", " d\n e", "key password=hunter2"):
        ok(run("add", name, "-", body="one"))
        assert run("add", name, "-", body="two").returncode == 2


def test_replacing_keeps_what_is_not_given(run: Run) -> None:
    def fact() -> tuple[str, list[str], str]:
        shown = data(run("show", "a", "--json"))
        return shown["description"], shown["tags"], shown["body"]

    ok(run("add", "a", "--description", "d", "--tags", "t", "-", body="one"))
    ok(run("add", "a", "--replace", "-", body="two"))
    assert fact() == ("d", ["t"], "two")
    ok(run("add", "a", "--replace", "--description", "e"))
    assert fact() == ("e", ["t"], "two")
    ok(run("add", "a", "--replace", "--tags", ""))
    assert fact() == ("e", [], "two")


def test_secrets_are_told_and_not_saved(run: Run) -> None:
    result = run("add", "login", "-", body="password=hunter2hunter2\n")
    ok(result)
    assert "[REDACTED]" in result.stderr
    assert "hunter2" not in ok(run("show", "login"))
    saved = data(run("add", "other", "--json", "-", body="password=hunter2hunter2\n"))
    assert saved["redacted"] == [{"kind": "password", "field": "body", "line": 1}]


def test_forget_names_what_it_removed_and_undo_brings_it_back(run: Run) -> None:
    path = ok(run("add", "a", "-", body="one")).strip()
    before = Path(path).read_bytes()
    told = ok(run("forget", "a"))
    assert path in told
    words = next(line for line in told.splitlines() if "undo" in line).split()
    assert words[:3] == ["memlens", "memory", "undo"]
    assert not Path(path).exists()
    ok(run("undo", words[3]))
    assert Path(path).read_bytes() == before
    assert [change["undone"] for change in data(run("undo", "--list", "--json"))["changes"]] == [
        True, False,
    ]  # fmt: skip
    ok(run("undo"))
    assert not Path(path).exists()
    nothing = run("undo")
    assert nothing.returncode == 2
    assert "nothing to undo" in nothing.stderr


def test_an_ambiguous_id_names_the_candidates_and_changes_nothing(run: Run) -> None:
    ok(run("add", "a", "--scope", "global", "-", body="one"))
    ok(run("add", "a", "-", body="two"))
    for words in (("show", "a"), ("forget", "a"), ("edit", "a", "--name", "b")):
        result = run(*words)
        assert result.returncode == 2
        assert result.stderr.count("/a.md") == 2
    ok(run("edit", "a", "--in", "global", "--name", "b"))
    ok(run("forget", "a"))
    missing = run("forget", "a")
    assert missing.returncode == 2
    assert "there is no fact" in missing.stderr


def test_the_index_is_printed_exactly(run: Run) -> None:
    assert run("index").stdout == ""
    path = ok(run("add", "a", "--description", "one", "--scope", "global")).strip()
    text = ok(run("index"))
    assert text.startswith("# Memory\n\n")
    assert text.endswith(f"\n## Global (all projects)\n- [a] one — {path}\n")


def test_search_and_duplicates(run: Run) -> None:
    ok(run("add", "a", "-", body="the same words stand here for everybody to see"))
    ok(run("add", "b", "-", body="The same words stand here, for everybody to see."))
    hits = data(run("search", "evrybody", "--json"))["hits"]
    assert {hit["name"] for hit in hits} == {"a", "b"}
    assert set(hits[0]) >= {"name", "scope", "path", "snippet", "score"}
    assert run("search", "zebra").returncode == 1
    pair = data(run("duplicates", "--json"))["pairs"][0]
    assert pair["exact"]
    assert {pair["first"]["name"], pair["second"]["name"]} == {"a", "b"}
    assert "same" in ok(run("duplicates"))


def test_check_fails_on_errors_only(run: Run) -> None:
    assert run("check").returncode == 0
    path = Path(ok(run("add", "a", "-", body="one")).strip())
    path.write_text(path.read_text().replace("scope: project-private", "scope: global"))
    warned = run("check")
    assert warned.returncode == 0
    assert "scope-mismatch" in warned.stdout
    with path.open("a") as file:
        file.write("AKIAIOSFODNN7EXAMPLE\n")
    failed = run("check", "--json")
    assert failed.returncode == 1
    names = {one["name"] for one in json.loads(failed.stdout)["findings"]}
    assert names == {"scope-mismatch", "secret"}


def test_the_editor_is_let_at_the_file_and_undo_takes_it_back(run: Run) -> None:
    path = Path(ok(run("add", "a", "-", body="one")).strip())
    before = path.read_bytes()
    ok(run("edit", "a", EDITOR="sed -i s/one/two/"))
    assert path.read_bytes() == before.replace(b"one", b"two")
    ok(run("undo"))
    assert path.read_bytes() == before
    assert run("edit", "a", EDITOR="false").returncode == 2
    none = run("edit", "a", EDITOR="", VISUAL="")
    assert none.returncode == 2
    assert "VISUAL or EDITOR" in none.stderr


def test_a_full_disk_leaves_the_old_file_and_says_so(run: Run, tmp_path: Path) -> None:
    path = Path(ok(run("add", "a", "-", body="one")).strip())
    before = path.read_bytes()
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from memlens.cli.run import run; sys.exit(run(['memory', 'edit', 'a', '-']))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path / "project", input="long " * 2000,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert result.returncode == 2
    assert "what was there before still is" in result.stderr
    assert path.read_bytes() == before


def test_an_error_names_its_file_once(run: Run) -> None:
    path = Path(data(run("add", "a", "--json", "-", body="one"))["path"])
    path.write_text(path.read_text() + "x" * 64_000)
    told = run("edit", "a", "--description", "d")
    assert told.returncode == 2
    assert told.stderr.count(str(path)) == 1
