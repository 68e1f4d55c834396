"""The real app in a real terminal, on a hostile workspace: nothing raw reaches the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.hostile import build, leaks

STEPS = (
    ("2", "Wrap"),
    ("jjjjjjjj", ""),
    ("w", ""),
    ("w", ""),
    ("1", "Touch"),
    ("jjjj", ""),
    ("n", ""),
    ("G", ""),
    ("3", "Filter"),
    ("j", ""),
    ("/", ""),
    ("fact", ""),
    ("\x1b", ""),
    ("e", "Description"),
    ("\x1b", "Filter"),
    ("v", ""),
    ("\x1b", ""),
    ("4", "Session"),
    ("j", ""),
    ("w", ""),
    ("\x1b", ""),
    ("s", ""),
    ("\x1b", ""),
    ("?", "Keys"),
    ("\x1b", ""),
    ("r", ""),
    ("\x1b", ""),
)
"""Keys, and the text that they must bring; none: whatever comes within a moment."""


@pytest.mark.parametrize("size", [(120, 36), (200, 60), (80, 24)])
def test_no_pane_dialog_or_toast_leaks(tmp_path: Path, size: tuple[int, int]) -> None:
    root = build(tmp_path)
    with Terminal(str(root), size=size) as terminal:
        terminal.until("Memory tree")
        terminal.until("problem")
        for keys, wait_for in STEPS:
            terminal.forget()
            for key in keys:
                terminal.send(key)
                terminal.settle()
            if wait_for:
                terminal.until(wait_for)
        assert terminal.process.poll() is None, terminal.text[-2000:]
        # The framework itself asks the terminal for what it can do; that is no leak.
        assert leaks(terminal.all.replace(b"\x1b[?2026$p", b"")) == []


VIEWS = (
    ("3", "Filter"),
    ("T", "Deleted facts"),
    ("\x1b", ""),
    ("w", "Duplicates"),
    ("\x1b", ""),
    ("o", "Out of use"),
    ("\x1b", ""),
    ("f", ""),
    ("\x1b", ""),
    ("t", "Tags for"),
    ("\x1b", ""),
    ("m", ""),
    ("\x1b", ""),
    ("R", ""),
    ("\x1b", ""),
    ("d", ""),  # a toast
    ("T", "Deleted facts"),
    ("jv\x1b", ""),
    ("\x1b", ""),
    ("@", "What memlens did"),
    ("j", ""),
    ("\x1b", ""),
    ("1", "Touch"),
    ("e", "CLAUDE.md"),
    ("X", ""),
    ("\x07", ""),  # what saving would change
    ("\x1b", ""),
    ("\x1b", ""),
    ("\x1b", ""),
    ("\r", ""),
    ("t", ""),
    ("\x1b", ""),
    ("\x1b", ""),
)


def walk(terminal: Terminal, steps: tuple[tuple[str, str], ...]) -> None:
    for keys, wait_for in steps:
        terminal.forget()
        for key in keys:
            terminal.send(key)
            terminal.settle()
        if wait_for:
            terminal.until(wait_for)


def clean(terminal: Terminal) -> None:
    assert terminal.process.poll() is None, terminal.text[-2000:]
    assert leaks(terminal.all.replace(b"\x1b[?2026$p", b"")) == []


def test_no_view_of_facts_no_editor_and_no_chooser_leaks(tmp_path: Path) -> None:
    root = build(tmp_path)
    with Terminal(str(root)) as terminal:
        terminal.until("problem")
        walk(terminal, VIEWS)
        clean(terminal)


def test_the_review_of_a_hostile_commit_leaks_nothing(tmp_path: Path) -> None:
    root = build(tmp_path)
    with Terminal("review", cwd=root, size=(120, 40)) as terminal:
        terminal.until("CLAUDE.md")
        walk(terminal, (("jjjjjjjj", ""), ("\t", ""), ("jjjjG", ""), ("\t", ""), ("jjjj", ""),
                        ("?", ""), ("\x1b", ""), ("e", ""), ("\x1b", "")))  # fmt: skip
        clean(terminal)


def test_two_agents_side_by_side_leak_nothing(tmp_path: Path) -> None:
    root = build(tmp_path)
    with Terminal(str(root)) as terminal:
        terminal.until("problem")
        walk(
            terminal,
            (
                ("p", "claude"),
                ("\x1b", ""),
                ("\x10", ""),
                ("\x1b", ""),
                ("P", ""),
                ("\r", ""),
                ("jjjjG", ""),
                ("\x1b", ""),
            ),
        )
        clean(terminal)


def test_an_error_about_a_hostile_name_leaks_nothing(tmp_path: Path) -> None:
    """The file becomes a folder while somebody edits it: the toast names the whole path."""
    root = build(tmp_path)
    with Terminal(str(root)) as terminal:
        terminal.until("problem")
        walk(terminal, (("1", "Touch"), ("e", "CLAUDE.md"), ("X", "")))
        (root / "CLAUDE.md").unlink()
        (root / "CLAUDE.md").mkdir()
        walk(terminal, (("\x13", "Theirs"), ("t", "cannot be read"), ("m", "")))
        clean(terminal)


def test_the_title_of_the_window_is_no_ones_but_ours(tmp_path: Path) -> None:
    root = build(tmp_path)
    with Terminal(str(root)) as terminal:
        terminal.until("problem")
        terminal.send("q")
        terminal.ended()
        titles = re.findall(rb"\x1b\][012];([^\x07\x1b]*)", terminal.all)
        assert not [title for title in titles if b"PWNED" in title]
        clipboard = re.findall(rb"\x1b\]52;", terminal.all)
        assert not clipboard
