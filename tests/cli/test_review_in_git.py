"""git itself opens the review in a real terminal: what is said there is what the commit becomes."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memlens.engine.review import install_hook, open_repository, own_program
from tests.app.terminal import PATIENCE, Terminal
from tests.engine.review.conftest import IDENTITY, Repo, make_repo

CTRL_C = "\x03"
CTRL_S = "\x13"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with a commit and the hook."""
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("EDITOR", "false")
    found = make_repo(tmp_path / "repo")
    found.commit({"CLAUDE.md": "one\n", "src/a.py": "1\n"})
    install(found)
    return found


def install(repo: Repo) -> None:
    install_hook(open_repository(repo.top), own_program())


def commit(repo: Repo, *words: str, opens: bool = True, **environment: str) -> Terminal:
    """`git commit` in a terminal, as far as the screen has come."""
    terminal = git("commit", "-q", *words, top=repo.top, **environment)
    if opens:
        opened(terminal)
    return terminal


def git(*words: str, top: str, **environment: str) -> Terminal:
    """git in a terminal."""
    size = {"COLUMNS": "120", "LINES": "36"}  # whoever runs the tests may have set others
    return Terminal(*words, program=("git",), cwd=top, env={**size, **environment})


def opened(terminal: Terminal) -> None:
    """Waits for the screen with its files."""
    terminal.until("Accept")
    terminal.until("1/1")


def head(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD")


def reviewer(terminal: Terminal) -> int:
    """The process of the screen that git has started."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != terminal.process.pid:
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                group = os.getpgid(int(entry.name))
            except (OSError, ValueError):
                continue
            if group == terminal.process.pid and b"--hook" in words:
                return int(entry.name)
    raise AssertionError("git has started no review")


def wait_for_end(pid: int, terminal: Terminal | None = None) -> None:
    """Waits until a process is gone."""
    deadline = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "the review goes on"
        if terminal is not None:
            terminal.pump(0.01)
        else:
            os.sched_yield()


def test_accepting_lets_the_commit_through(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "changed\n"})
    before = head(repo)
    with commit(repo, "-m", "c") as terminal:
        terminal.send("a")
        assert terminal.ended() == 0
        assert terminal.restored
    assert repo.git("rev-parse", "HEAD^") == before
    assert repo.git("show", "HEAD:CLAUDE.md") == "changed\n"


def test_errors_are_accepted_only_when_said_twice(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "hid\u200bden\n"})
    before = head(repo)
    with commit(repo, "-m", "c") as terminal:
        terminal.until("‹U+200B›")
        terminal.send("a")
        terminal.until("1 error was found")
        terminal.send("n")
        terminal.send("x")
        assert terminal.ended() == 1
    assert head(repo) == before
    with commit(repo, "-m", "c") as terminal:
        terminal.send("a")
        terminal.until("1 error was found")
        terminal.send("y")
        assert terminal.ended() == 0
    assert head(repo) != before


def leave(terminal: Terminal) -> None:
    terminal.send("q")
    terminal.until("Leaving rejects")
    terminal.send("y")


def quit_by_the_framework(terminal: Terminal) -> None:
    terminal.send("\x11")
    terminal.until("Leaving rejects")
    terminal.send("y")


ENDS: dict[str, Callable[[Terminal], None]] = {
    "reject": lambda terminal: terminal.send("x"),
    "leave": leave,
    "ctrl+q": quit_by_the_framework,
    "ctrl+c": lambda terminal: terminal.send(CTRL_C),
    "interrupt": lambda terminal: os.killpg(terminal.process.pid, signal.SIGINT),
    "term": lambda terminal: os.kill(reviewer(terminal), signal.SIGTERM),
    "kill": lambda terminal: os.kill(reviewer(terminal), signal.SIGKILL),
}


@pytest.mark.parametrize("way", ENDS)
def test_whatever_ends_it_else_stops_the_commit(repo: Repo, way: str) -> None:
    repo.add({"CLAUDE.md": "changed\n"})
    repo.write({"src/a.py": "not staged\n", "x/y": "untracked\n"})
    before, commit_before = repo.state()[:2], head(repo)
    with commit(repo, "-m", "c") as terminal:
        pid = reviewer(terminal)
        ENDS[way](terminal)
        assert terminal.ended() != 0
        wait_for_end(pid, terminal)
        assert way == "kill" or terminal.restored
    assert repo.state()[:2] == before
    assert head(repo) == commit_before


def test_a_closed_terminal_stops_the_commit(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "changed\n"})
    before, commit_before = repo.state()[:2], head(repo)
    with commit(repo, "-m", "c") as terminal:
        pid = reviewer(terminal)
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE) != 0
        wait_for_end(pid)
    assert repo.state()[:2] == before
    assert head(repo) == commit_before


def test_a_crash_stops_the_commit(repo: Repo, tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.mkdir()
    (faults / "sitecustomize.py").write_text(
        "import sys\n"
        "if '--hook' in sys.argv or '--hook' in sys.orig_argv:\n"
        "    import memlens.app.screens.review as review\n"
        "    review.ReviewScreen.do_review_next = lambda self: 1 / 0\n"
    )
    repo.add({"CLAUDE.md": "changed\n"})
    before, commit_before = repo.state()[:2], head(repo)
    with commit(repo, "-m", "c", PYTHONPATH=str(faults)) as terminal:
        terminal.send("n")
        assert terminal.ended() == 1
        assert terminal.restored
        terminal.until("something went wrong")
    assert repo.state()[:2] == before
    assert head(repo) == commit_before


def test_all_changes_are_reviewed_as_they_will_be_committed(repo: Repo) -> None:
    repo.write({"CLAUDE.md": "from the working tree\n", "new/CLAUDE.md": "untracked\n"})
    with commit(repo, "-am", "c") as terminal:
        terminal.until("from the working tree")
        terminal.settle()
        assert "new/CLAUDE.md" not in terminal.text
        terminal.send("a")
        assert terminal.ended() == 0
    assert repo.git("show", "HEAD:CLAUDE.md") == "from the working tree\n"


def test_chosen_patches_are_reviewed_as_they_will_be_committed(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "/dev/null")
    text = "".join(f"{n}\n" for n in range(30))
    repo.commit({"CLAUDE.md": text})
    repo.git("config", "--unset", "core.hooksPath")
    repo.write({"CLAUDE.md": text.replace("2\n", "two\n", 1).replace("28\n", "twenty-eight\n")})
    with commit(repo, "-p", "-m", "c", opens=False) as terminal:
        terminal.until("[y,n,")
        terminal.forget()
        terminal.send("y\n")
        terminal.until("[y,n,")
        terminal.forget()
        terminal.send("n\n")
        terminal.until("Accept")
        terminal.until("two")
        terminal.settle()
        assert "twenty-eight" not in terminal.text
        terminal.send("a")
        assert terminal.ended() == 0
    assert "two\n" in repo.git("show", "HEAD:CLAUDE.md")
    assert "twenty-eight" not in repo.git("show", "HEAD:CLAUDE.md")


def test_an_amended_commit(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "amended\n"})
    with commit(repo, "--amend", "--no-edit") as terminal:
        terminal.send("a")
        assert terminal.ended() == 0
    assert repo.git("show", "HEAD:CLAUDE.md") == "amended\n"
    assert repo.git("rev-list", "--count", "HEAD") == "1\n"


def test_the_first_commit(tmp_path: Path, repo: Repo) -> None:
    fresh = make_repo(tmp_path / "fresh")
    install(fresh)
    fresh.add({"CLAUDE.md": "first\n"})
    with commit(fresh, "-m", "c") as terminal:
        terminal.until("nothing yet")
        terminal.send("a")
        assert terminal.ended() == 0
    assert fresh.git("rev-list", "--count", "HEAD") == "1\n"


def test_a_linked_worktree(tmp_path: Path, repo: Repo) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree")
    tree.add({"CLAUDE.md": "in the tree\n"})
    with commit(tree, "-m", "c") as terminal:
        terminal.until("in the tree")
        terminal.send("x")
        assert terminal.ended() == 1
    with commit(tree, "-m", "c") as terminal:
        terminal.send("a")
        assert terminal.ended() == 0


def test_hooks_in_another_folder(tmp_path: Path, repo: Repo) -> None:
    repo.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    install(repo)
    repo.add({"CLAUDE.md": "changed\n"})
    with commit(repo, "-m", "c") as terminal:
        terminal.send("x")
        assert terminal.ended() == 1


def test_a_merge_with_a_conflict(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "/dev/null")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"CLAUDE.md": "side\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"CLAUDE.md": "main\n"})
    repo.git("merge", "-q", "side", fine=(1,))
    repo.git("config", "--unset", "core.hooksPath")
    repo.add({"CLAUDE.md": "both\n"})
    with commit(repo, "--no-edit") as terminal:
        terminal.until("in a merge")
        terminal.send("a")
        assert terminal.ended() == 0
    assert len(repo.git("rev-list", "--parents", "-1", "HEAD").split()) == 3


@pytest.mark.parametrize("key", ["a", "x"])
def test_a_merge_without_a_conflict(repo: Repo, key: str) -> None:
    repo.git("config", "core.hooksPath", "/dev/null")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"CLAUDE.md": "from others\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"src/b.py": "1\n"})
    repo.git("config", "--unset", "core.hooksPath")
    with git("merge", "-q", "--no-edit", "side", top=repo.top) as terminal:
        opened(terminal)
        terminal.until("from others")
        terminal.send(key)
        assert (terminal.ended() == 0) == (key == "a")
    parents = repo.git("rev-list", "--parents", "-1", "HEAD").split()[1:]
    assert len(parents) == (2 if key == "a" else 1)


@pytest.mark.parametrize("words", [("-m", "c"), ("-am", "c")], ids=["staged", "all"])
def test_what_is_edited_and_staged_again_is_committed(repo: Repo, words: tuple[str, ...]) -> None:
    repo.write({"CLAUDE.md": "hid\u200bden\n"})
    if words[0] == "-m":
        repo.git("add", "CLAUDE.md")
    with commit(repo, *words) as terminal:
        terminal.send("e")
        terminal.until("as it is staged")
        terminal.send("\x0b")  # to the end of the line
        terminal.send("open")
        terminal.until("changed, not staged yet")
        terminal.forget()
        terminal.send(CTRL_S)
        terminal.until("nothing found")
        terminal.send("a")
        assert terminal.ended() == 0
    assert repo.git("show", "HEAD:CLAUDE.md") == "open\n"
    assert Path(repo.top, "CLAUDE.md").read_text() == "open\n"
    assert repo.git("status", "--porcelain") == ""


def test_the_persons_editor_at_the_line(repo: Repo, tmp_path: Path) -> None:
    editor = tmp_path / "vim"
    editor.write_text('#!/bin/sh\necho "$*" >"$SEEN"\necho outside >"$2"\n')
    editor.chmod(0o755)
    repo.add({"CLAUDE.md": "one\ntwo\nthree\n"})
    seen = tmp_path / "seen"
    with commit(repo, "-m", "c", VISUAL=str(editor), SEEN=str(seen)) as terminal:
        terminal.send("2")
        terminal.send("o")
        terminal.until("is not staged yet")
        terminal.forget()
        terminal.send("y")
        terminal.until("outside")  # the review is loaded again
        terminal.send("a")
        assert terminal.ended() == 0
    assert seen.read_text() == f"+2 {repo.top}/CLAUDE.md\n"
    assert repo.git("show", "HEAD:CLAUDE.md") == "outside\n"


def test_a_commit_that_changes_nothing_for_agents_passes_without_a_word(repo: Repo) -> None:
    repo.add({"src/a.py": "2\n"})
    with commit(repo, "-m", "c", opens=False) as terminal:
        assert terminal.ended() == 0
        assert terminal.text == ""


def test_a_terminal_that_can_show_no_screen_gets_the_check(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "hid\u200bden\n"})
    with commit(repo, "-m", "c", opens=False, TERM="dumb") as terminal:
        assert terminal.ended() == 1
        terminal.until("[hidden-characters]")


def test_without_a_terminal_it_is_the_check(repo: Repo) -> None:
    repo.add({"CLAUDE.md": "hid\u200bden\n"})
    before = repo.state()[:2]
    done = subprocess.run(
        ["git", "commit", "-q", "-m", "c"],
        cwd=repo.top, capture_output=True, check=False, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert b"[hidden-characters]" in done.stderr
    assert b"\x1b" not in done.stderr
    assert repo.state()[:2] == before
    repo.add({"CLAUDE.md": "fine\n"})
    repo.git("commit", "-q", "-m", "c")
