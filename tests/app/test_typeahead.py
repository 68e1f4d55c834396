"""Whatever is typed, however fast, arrives where a person would expect it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.terminal import Terminal


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    lines = "".join(f"Line {number} of it.\n" for number in range(1, 80))
    (root / "CLAUDE.md").write_text(f"{lines}The needle is here.\n{lines}")
    return root


@pytest.fixture
def facts(home: Path) -> Path:
    facts = home / ".local" / "share" / "mermaid" / "memory"
    facts.mkdir(parents=True)
    for name in ("alpha", "beta"):
        text = f"---\nname: {name}\ndescription: about {name}\n---\n\nbody of {name}\n"
        (facts / f"{name}.md").write_text(text)
    return facts


@pytest.fixture
def terminal(project: Path, facts: Path) -> Iterator[Terminal]:
    """The real program in a real terminal, everything loaded."""
    with Terminal(str(project)) as terminal:
        terminal.until("about alpha")
        terminal.until("no session")
        terminal.settle()
        terminal.forget()
        yield terminal


def quits(terminal: Terminal) -> None:
    """Nothing unsaved is left, so that leaving asks nothing."""
    terminal.settle()
    terminal.send("\x11")
    assert terminal.ended() == 0


def text_of(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def wait_for_file(terminal: Terminal, folder: Path, part: str) -> Path:
    """Waits until a fact, in that folder or near it, holds `part`."""
    for _ in range(600):
        for path in folder.parent.rglob("*.md"):  # a new one is private, beside the others
            if part in text_of(path):
                return path
        terminal.pump()
    raise AssertionError(f"no {part!r} in {[*map(text_of, folder.parent.rglob('*.md'))]}")


def test_a_key_for_the_pane_that_another_key_goes_to(terminal: Terminal) -> None:
    terminal.send("3e")
    terminal.until("body of alpha")
    terminal.send("\x1b")
    quits(terminal)


def test_a_new_fact_in_one_breath(terminal: Terminal, facts: Path) -> None:
    terminal.send("3ngamma ray\tabout rays\x13")
    made = wait_for_file(terminal, facts, "gamma ray")
    assert "about rays" in made.read_text()
    quits(terminal)


def test_a_search_in_one_breath(terminal: Terminal) -> None:
    terminal.send("2/needle\r")
    terminal.until("The needle is here.")
    quits(terminal)


def test_a_dialog_that_opens_and_closes_in_one_breath(terminal: Terminal) -> None:
    terminal.send("?\x1b")
    terminal.settle()
    terminal.send("3e")
    terminal.until("body of alpha")
    terminal.send("\x1b")
    quits(terminal)


def test_what_is_typed_into_a_dialog_that_is_opening(terminal: Terminal) -> None:
    terminal.send("?duplicates")
    terminal.until("duplicates")
    terminal.send("\x1b")
    quits(terminal)


def test_an_edit_in_one_breath(terminal: Terminal, facts: Path) -> None:
    terminal.send("3eXYZ \x13")
    wait_for_file(terminal, facts, "XYZ body of alpha")
    quits(terminal)


def test_keys_behind_a_save_go_to_the_list(terminal: Terminal, facts: Path) -> None:
    terminal.send("3eXYZ \x13jeQQQ \x13")
    wait_for_file(terminal, facts, "QQQ body of beta")
    wait_for_file(terminal, facts, "XYZ body of alpha")
    quits(terminal)


def test_deleting_with_its_question_in_one_breath(terminal: Terminal, facts: Path) -> None:
    terminal.send("3dy")
    for _ in range(600):
        if not (facts / "alpha.md").exists():
            break
        terminal.pump()
    assert not (facts / "alpha.md").exists()
    assert (facts / "beta.md").exists()
    terminal.send("u")
    wait_for_file(terminal, facts, "body of alpha")
    quits(terminal)


def test_pasting_into_what_the_key_before_opens(terminal: Terminal, facts: Path) -> None:
    terminal.send("3n\x1b[200~pasted name\x1b[201~\x13")
    wait_for_file(terminal, facts, "pasted name")
    quits(terminal)


def test_a_burst_at_the_first_paint(project: Path, facts: Path) -> None:
    with Terminal(str(project)) as terminal:
        terminal.until("Memory tree")
        terminal.send("3ngamma ray\tabout rays\x13")
        made = wait_for_file(terminal, facts, "gamma ray")
        assert "about rays" in made.read_text()
        quits(terminal)


def test_keys_before_the_screen_is_even_there(project: Path, facts: Path) -> None:
    with Terminal(str(project)) as terminal:
        terminal.send("3ngamma ray")  # the terminal keeps them; to Ctrl+S it would stand still
        terminal.until("Memory tree")
        terminal.send("\x13")
        wait_for_file(terminal, facts, "gamma ray")
        quits(terminal)
