"""`memlens review` without a screen, as scripts and CI see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.review.conftest import IDENTITY, Repo, make_repo

Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A commit, then a change that is staged and one that is not."""
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    repo = make_repo(tmp_path / "repo")
    repo.commit({"CLAUDE.md": "See @docs/a.md\n", "docs/a.md": "old\n", "a.py": "1\n"})
    repo.add({"docs/a.md": "hid\u200bden\n", "a.py": "2\n"})
    repo.write({"CLAUDE.md": "See @docs/a.md and @docs/b.md\n"})
    return repo


@pytest.fixture
def run(repo: Repo) -> Run:
    def run(*words: str, cwd: str = "", env: dict[str, str] | None = None) -> Result:
        return subprocess.run(
            [sys.executable, "-m", "memlens", "review", *words],
            cwd=cwd or repo.top, env={**os.environ, **(env or {})}, capture_output=True,
            stdin=subprocess.DEVNULL, check=False, timeout=60, text=True, start_new_session=True,
        )  # fmt: skip

    return run


def data(result: Result) -> dict[str, Any]:
    value = json.loads(result.stdout)
    assert value["schema"] == 1
    assert isinstance(value, dict)
    return value


def names(result: Result) -> list[tuple[str, int]]:
    return [(one["name"], one["line"]) for one in data(result)["findings"]]


def test_the_report_of_what_is_staged(run: Run) -> None:
    result = run("--check")
    assert result.returncode == 1
    for part in (
        "HEAD → index",
        "M docs/a.md (import)",
        "tokens",
        "docs/a.md:1:4: error:",
        "[hidden-characters]",
        "1 error.",
    ):
        assert part in result.stdout
    assert "a.py" not in result.stdout
    assert result.stderr == ""


def test_the_json_in_its_documented_shape(run: Run) -> None:
    result = run("--check", "--json")
    assert result.returncode == 1
    value = data(result)
    assert value["files"] == [{"path": "docs/a.md", "status": "modified", "role": "import"}]
    assert value["tokens"].keys() == {"before", "after"}
    (finding,) = value["findings"]
    assert finding.keys() == {"name", "severity", "file", "line", "column", "message", "hint"}
    assert (finding["file"], finding["line"], finding["column"]) == ("docs/a.md", 1, 4)


def test_the_other_formats(run: Run) -> None:
    github = run("--format", "github")
    assert github.returncode == 1
    assert github.stdout.startswith("::error title=memlens%3A hidden-characters,file=docs/a.md,")
    sarif = run("--check", "--format", "sarif")
    assert json.loads(sarif.stdout)["version"] == "2.1.0"
    assert run("--json").stdout == run("--check", "--format", "json").stdout


def test_everything_changed(run: Run, repo: Repo) -> None:
    repo.write({"pkg/CLAUDE.md": "untracked\n"})
    result = run("--all", "--json")
    assert [one["path"] for one in data(result)["files"]] == [
        "CLAUDE.md", "docs/a.md", "pkg/CLAUDE.md",
    ]  # fmt: skip
    assert ("broken-import", 1) in names(result)


def test_commits(run: Run, repo: Repo) -> None:
    repo.git("commit", "-qm", "c")
    result = run("--check", "--range", "HEAD~1..HEAD", "--json")
    assert result.returncode == 1
    assert names(result) == [("hidden-characters", 1)]
    assert run("--check").returncode == 0
    assert names(run("--base", "HEAD~1", "--json")) == [("hidden-characters", 1)]
    unknown = run("--check", "--range", "nope..HEAD")
    assert unknown.returncode == 2
    assert unknown.stdout == ""
    assert "no commit 'nope'" in unknown.stderr
    assert "Look at git log" in unknown.stderr


def test_warnings_count_only_when_strict(run: Run, repo: Repo) -> None:
    fact = "---\nname: {0}\ndescription: about {0}\nscope: project-shared\n---\n\nThe same.\n"
    facts = {f".mermaid/memory/{name}.md": fact.format(name) for name in ("one", "two")}
    repo.add({"docs/a.md": "new\n", **facts})
    result = run("--check", "--json")
    assert {one["severity"] for one in data(result)["findings"]} == {"warning"}
    assert result.returncode == 0
    assert run("--check", "--strict").returncode == 1
    assert run("--strict", "--json").returncode == 1


def test_nothing_to_review(run: Run, repo: Repo) -> None:
    repo.git("reset", "-q", "--hard")
    result = run("--check")
    assert result.returncode == 0
    assert "Nothing that agents read has changed." in result.stdout
    assert data(run("--json"))["files"] == []


def test_a_finding_is_switched_off_by_name_or_on_its_line(run: Run, repo: Repo) -> None:
    off = run("--check", "--json", env={"MEMLENS_IGNORE": "hidden-characters, secret"})
    assert off.returncode == 0
    assert names(off) == []
    text = "hid\u200bden <!-- memlens: ignore hidden-characters -->\nhid\u200bden\n"
    repo.add({"docs/a.md": text})
    result = run("--check", "--json")
    assert names(result) == [("hidden-characters", 2)]
    assert data(result)["silenced"] == 1


def test_from_a_folder_below_and_from_outside(run: Run, repo: Repo, tmp_path: Path) -> None:
    assert data(run("--json", cwd=f"{repo.top}/docs"))["root"] == "docs"
    outside = run("--check", cwd=str(tmp_path))
    assert outside.returncode == 2
    assert "no git repository" in outside.stderr
    assert "--root" in outside.stderr
    assert run("--check", "--root", repo.top, cwd=str(tmp_path)).returncode == 1


def test_another_agent(run: Run, repo: Repo) -> None:
    repo.add({".claude/rules/r.md": "---\npaths: src/**\n---\nrule\n"})
    value = data(run("--json", "--agent", "claude"))
    assert ".claude/rules/r.md" in [one["path"] for one in value["files"]]


def test_without_a_terminal_there_is_no_screen(run: Run) -> None:
    result = run()
    assert result.returncode == 2
    assert "--check" in result.stderr


def test_as_a_hook_without_a_terminal_it_is_the_check(run: Run, repo: Repo) -> None:
    result = run("--hook")
    assert result.returncode == 1
    assert "[hidden-characters]" in result.stdout
    repo.git("reset", "-q", "--hard")
    repo.add({"a.py": "3\n"})
    silent = run("--hook")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")


def test_the_hook_comes_and_goes(run: Run, repo: Repo) -> None:
    path = Path(repo.git_dir, "hooks", "pre-commit")
    assert run("--uninstall-hook").stdout == f"{path}: there is no hook\n"
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    installed = run("--install-hook")
    assert installed.returncode == 0
    assert "the old one is now pre-commit.before-memlens and runs first" in installed.stdout
    assert "installed already" in run("--install-hook").stdout
    removed = run("--uninstall-hook")
    assert "the one before it is back" in removed.stdout
    assert path.read_text() == "#!/bin/sh\nexit 0\n"
    foreign = run("--uninstall-hook")
    assert foreign.returncode == 2
    assert "not ours" in foreign.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--all", "--range", "A..B"),
        ("--json", "--format", "sarif"),
        ("--hook", "--check"),
        ("--install-hook", "--all"),
        ("--format", "xml"),
        ("--range",),
    ],
    ids=" ".join,
)
def test_words_that_contradict_one_another(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("memlens: ")


def test_help_tells_the_exit_codes(run: Run) -> None:
    text = " ".join(run("--help").stdout.split())
    for part in ("--range A..B", "--install-hook", "Exit codes: 0 accepted, 1 rejected"):
        assert part in text


def test_nothing_is_written_by_a_check(run: Run, repo: Repo) -> None:
    before = repo.state()
    for words in (("--check",), ("--all", "--json"), ("--hook",)):
        run(*words)
    assert repo.state() == before
