"""However memlens ends: the terminal is restored, and unsaved text is offered at the next start."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from memlens.engine.keeping import Draft, Keeper
from memlens.engine.workspace import open_workspace
from tests.app.terminal import PATIENCE, Terminal
from tests.engine.review.conftest import make_repo


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "CLAUDE.md").write_text("Two spaces.\n")
    facts = home / ".local" / "share" / "mermaid" / "memory"
    facts.mkdir(parents=True)
    (facts / "rg.md").write_text("---\nname: rg\ndescription: use it\n---\n\nbody text\n")
    return root


def open_on(project: Path) -> Terminal:
    terminal = Terminal(str(project))
    try:
        terminal.until("use it")
        terminal.until("no session")
    except BaseException:
        terminal.__exit__(None, None, None)
        raise
    return terminal


def test_q_restores_the_terminal(project: Path) -> None:
    with open_on(project) as terminal:
        terminal.send("q")
        assert terminal.ended() == 0
        assert terminal.restored


@pytest.mark.parametrize("used", ["true", "false"])
def test_the_mouse_is_left_to_the_terminal_where_a_person_wants_that(
    project: Path, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLENS_MOUSE", used)
    with open_on(project) as terminal:
        terminal.send("q")
        assert terminal.ended() == 0
        assert (b"\x1b[?1000h" in terminal.all) == (used == "true")


def test_a_review_has_the_colours_and_tells_of_settings_as_the_main_screen_does(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo(project)
    repo.add({"CLAUDE.md": "Three spaces.\n"})
    monkeypatch.setenv("MEMLENS_KEYS", "app.qit=x")
    workspace = open_workspace(project)
    Keeper(workspace.state_dir, workspace.root).keep_view({"theme": "dracula"})
    with Terminal("review", cwd=project) as terminal:
        terminal.until("no action named app.qit")
        assert b"48;2;40;42;54" in terminal.all
        terminal.send("x")
        assert terminal.ended() == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_restores_the_terminal(project: Path, number: signal.Signals) -> None:
    with open_on(project) as terminal:
        os.kill(terminal.process.pid, number)
        assert terminal.ended() == 128 + number
        assert terminal.restored


SHELL = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
folder, *starter = sys.argv[1:]
job = subprocess.Popen([*starter, sys.executable, "-m", "memlens", folder], process_group=0)
while True:
    os.tcsetpgrp(0, job.pid)
    os.killpg(job.pid, signal.SIGCONT)
    status = os.waitpid(job.pid, os.WUNTRACED)[1]
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    print("the shell again", flush=True)
    sys.stdin.readline()
"""
"""What a shell does with a job, which is one of our own or of a program that starts us."""


@pytest.mark.parametrize("starter", [(), ("sh", "-c", '"$0" "$@"; exit $?')])
def test_stopping_and_going_on(project: Path, starter: tuple[str, ...]) -> None:
    shell = (sys.executable, "-c", SHELL, str(project), *starter)
    with Terminal(program=shell) as terminal:
        terminal.until("no session")
        for _ in range(2):
            terminal.forget()
            terminal.send("\x1a")
            terminal.until("the shell again")
            assert terminal.restored
            terminal.forget()
            terminal.send("go on\n")
            terminal.until("Memory tree")
        terminal.send("q")
        assert terminal.ended() == 0
        assert terminal.restored


def away_and_back(terminal: Terminal, *parts: str) -> None:
    """Stops, goes on, and waits until everything is painted again: `parts` of it."""
    terminal.forget()
    terminal.send("\x1a")
    terminal.until("the shell again")
    assert terminal.restored
    terminal.forget()
    terminal.send("go on\n")
    for part in parts:
        terminal.until(part)


def close_dialog(terminal: Terminal, part: str) -> None:
    """Leaves a dialog, and waits until what it has hidden is seen again: `part` of it."""
    terminal.forget()
    terminal.send("\x1b")
    terminal.until(part)
    terminal.forget()


def stopped_in_turn(terminal: Terminal) -> None:
    """Stops on a review, over each kind of dialog there, and in its editor's questions."""
    terminal.until("1/1")
    away_and_back(terminal, "Changed files", "Three spaces.")
    terminal.send("?")
    terminal.until("type to search")
    away_and_back(terminal, "type to search", "Changed files")
    close_dialog(terminal, "Three spaces.")
    terminal.send("\x10")
    terminal.until("Commands")
    away_and_back(terminal, "Commands", "Changed files")
    close_dialog(terminal, "Three spaces.")
    terminal.send("e")
    terminal.until("as it is staged")
    terminal.send("Precious ")
    terminal.until("not staged yet")
    terminal.forget()
    terminal.send("\x1a")  # the text's own undo
    terminal.until("as it is staged")
    assert "the shell again" not in terminal.text
    terminal.send("Precious ")
    terminal.until("not staged yet")
    terminal.send("\x1b")
    terminal.until("Drop it")
    away_and_back(terminal, "Drop it", "Precious")
    terminal.send("y")
    terminal.until("Reject")


@pytest.mark.parametrize("words", [("review",), (".",)])
def test_stopping_wherever_one_is(project: Path, words: tuple[str, ...]) -> None:
    make_repo(project).add({"CLAUDE.md": "Three spaces.\n"})
    shell = (sys.executable, "-c", SHELL, *words)
    with Terminal(program=shell, cwd=project) as terminal:
        if words == (".",):
            terminal.until("no session")
            terminal.send("?")
            terminal.until("type to search")
            away_and_back(terminal, "type to search", "Memory tree")
            close_dialog(terminal, "Three spaces.")
            terminal.send("r")
        stopped_in_turn(terminal)
        terminal.send("x" if words == ("review",) else "q")
        if words == (".",):
            terminal.until("Memory tree")
            terminal.send("q")
        assert terminal.ended() == int(words == ("review",))
        assert terminal.restored


@pytest.mark.parametrize("words", [("review",), (".",)])
def test_nothing_stops_where_no_shell_would_go_on(project: Path, words: tuple[str, ...]) -> None:
    make_repo(project).add({"CLAUDE.md": "Three spaces.\n"})
    with Terminal(*words, cwd=project) as terminal:
        terminal.until("1/1" if words == ("review",) else "no session")
        terminal.send("\x1a")
        terminal.until("no shell to go back to")
        terminal.send("\x11")
        if words == ("review",):
            terminal.until("Leave")
            terminal.send("y")
        assert terminal.ended() == int(words == ("review",))


def test_a_stop_from_outside_and_going_on(project: Path) -> None:
    with open_on(project) as terminal:
        terminal.forget()
        os.kill(terminal.process.pid, signal.SIGTSTP)
        os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
        terminal.wait_for(lambda: b"\x1b[?1049l" in terminal.raw, "leaving of the other screen")
        terminal.forget()
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.until("Memory tree")
        terminal.send("q")
        assert terminal.ended() == 0


def test_a_terminal_that_shrinks_to_nothing_and_grows_again(project: Path) -> None:
    with open_on(project) as terminal:
        terminal.resize((1, 1))
        terminal.pump(0.2)
        terminal.resize((50, 15))
        terminal.until("needs 60")
        terminal.forget()
        terminal.resize((120, 36))
        terminal.until("Durable memory")
        terminal.send("q")
        assert terminal.ended() == 0


def drafts() -> list[Path]:
    """The files of unsaved texts."""
    state = Path(os.environ["HOME"], ".local", "state", "memlens", "folders")
    return list(state.rglob("draft-*.json"))


def end(terminal: Terminal, way: str, written: str) -> None:
    """Ends memlens from outside; a kill waits until what was written is kept."""
    if way == "kill":
        terminal.wait_for(
            lambda: any(written in draft.read_text() for draft in drafts()), f"draft of {written}"
        )
        os.killpg(terminal.process.pid, signal.SIGKILL)
    elif way == "term":
        os.kill(terminal.process.pid, signal.SIGTERM)
    else:
        terminal.hang_up()
    terminal.process.wait(PATIENCE)


@pytest.mark.parametrize("way", ["kill", "term", "hang up"])
def test_unsaved_text_is_offered_at_the_next_start(project: Path, way: str) -> None:
    with open_on(project) as terminal:
        terminal.forget()
        terminal.send("3")
        terminal.until("Filter")  # its footer
        terminal.send("e")
        terminal.until("Description")
        terminal.send("Precious ")
        terminal.until("Precious")
        end(terminal, way, "Precious")
    with Terminal(str(project)) as terminal:
        terminal.until("Unsaved text")
        terminal.send("\r")
        terminal.until("Precious")
        terminal.send("\x13")
        terminal.until("Saved")
        terminal.send("\x11")
        assert terminal.ended() == 0
    fact = Path(os.environ["HOME"], ".local", "share", "mermaid", "memory", "rg.md")
    assert "Precious" in fact.read_text()
    with open_on(project) as terminal:
        terminal.send("q")
        assert terminal.ended() == 0
        assert "Unsaved text" not in terminal.text


@pytest.mark.parametrize("way", ["kill", "term", "hang up"])
@pytest.mark.parametrize("start", ["review", "."])
def test_an_unsaved_staged_text_is_offered_at_the_next_start(
    project: Path, way: str, start: str
) -> None:
    repo = make_repo(project)
    repo.add({"CLAUDE.md": "Three spaces.\n"})
    with Terminal("review", cwd=project) as terminal:
        terminal.until("1/1")
        terminal.send("e")
        terminal.until("as it is staged")
        terminal.send("Precious ")
        terminal.until("Precious ")
        end(terminal, way, "Precious ")
    with Terminal(start, cwd=project) as terminal:
        terminal.until("the staged text of CLAUDE.md")
        terminal.send("\r")
        terminal.until("Precious ")
        terminal.send("\x13")
        terminal.until("is staged.")
        while terminal.process.poll() is None:  # as soon as the review is loaded again
            terminal.send("a" if start == "review" else "q")
            terminal.pump()
        assert terminal.ended() == 0
    assert repo.git("show", ":CLAUDE.md") == "Precious Three spaces.\n"
    assert not drafts()


def test_an_unsaved_text_that_cannot_be_opened_is_not_forgotten(project: Path) -> None:
    target = project / "CLAUDE.md"
    workspace = open_workspace(project)
    keeper = Keeper(workspace.state_dir, workspace.root)
    keeper.keep_draft(Draft("file", str(target), {"text": "Precious\n"}))
    (kept,) = Path(workspace.state_dir).rglob("draft-*.json")
    kept.write_text(re.sub(r'"pid": \d+', '"pid": 0', kept.read_text()))
    target.unlink()
    target.mkdir()
    with Terminal(".", cwd=project) as terminal:
        terminal.until("Unsaved text")
        terminal.send("\r")
        terminal.until("Could not open file")
        terminal.send("q")
        assert terminal.ended() == 0
    assert "Precious" in kept.read_text()


def test_a_terminal_that_is_lost_without_a_signal_ends_it(project: Path) -> None:
    with Terminal(str(project), controls=False) as terminal:
        terminal.until("use it")
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE) == 128 + signal.SIGHUP


def test_a_fault_in_the_program_ends_in_words_and_keeps_unsaved_text(
    project: Path, tmp_path: Path
) -> None:
    breaking = tmp_path / "breaking.py"
    breaking.write_text(
        "from memlens.app.screens.workspace import WorkspaceScreen\n"
        "from memlens.cli import main\n"
        "def fall(self):\n"
        "    secret = 'PRIVATE'\n"
        "    raise RuntimeError('no such luck')\n"
        "WorkspaceScreen.do_app_reload = fall\n"
        "import sys; sys.exit(main())\n"
    )
    with Terminal(str(project), program=(sys.executable, str(breaking))) as terminal:
        terminal.until("use it")
        terminal.send("\x1b[15~")
        assert terminal.ended() == 1
        assert terminal.restored
        terminal.until("something went wrong")
        assert "Traceback" not in terminal.text
        assert "PRIVATE" not in terminal.text
    log = Path(os.environ["HOME"], ".local", "state", "memlens", "memlens.log")
    assert "RuntimeError: no such luck" in log.read_text()
