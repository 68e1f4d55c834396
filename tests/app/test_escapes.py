"""Escape is told from the key behind it, however fast that comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from memlens.app.escapes import AltParser, KeyParser
from tests.app.terminal import Terminal


def keys(*pieces: str, kind: type[KeyParser] = KeyParser) -> list[str]:
    """What is told of pieces that come one right behind the other."""
    parser = kind()
    told = []
    for piece in pieces:
        for event in parser.feed(piece):
            if isinstance(event, events.Key):
                told.append(event.key)
            elif isinstance(event, events.Paste):
                told.append(f"pasted {event.text}")
    return told


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (("\x1bt",), ["escape", "t"]),
        (("\x1b", "t"), ["escape", "t"]),
        (("\x1b3",), ["escape", "3"]),
        (("\x1b\r",), ["escape", "enter"]),
        (("a\x1bjj\x1b\x1bT",), ["a", "escape", "j", "j", "escape", "escape", "T"]),
        (("\x1b" + "j" * 40,), ["escape", *"j" * 40]),
        (("\x1b", "b"), ["escape", "b"]),
        (("\x1b[A\x1bOB",), ["up", "down"]),
        (("\x1b", "[", "A"), ["up"]),
        (("\x1bb\x1bf",), ["ctrl+left", "ctrl+right"]),
        (("\x1b[27u",), ["escape"]),
        (("\x1b[200~a\x1b[201~", "\x1bt"), ["pasted a", "escape", "t"]),
    ],
)
def test_keys_in_their_order(pieces: tuple[str, ...], told: list[str]) -> None:
    assert keys(*pieces) == told


def test_keys_with_alt_for_whoever_has_bound_some() -> None:
    assert keys("\x1bt", kind=AltParser) == []  # until nothing has come behind it for a while
    assert keys("\x1b", "t", kind=AltParser) == ["escape", "t"]


def test_escape_in_the_middle_of_what_is_typed(tmp_path: Path, home: Path) -> None:
    """The search is left by Escape, so that the key behind it is none of the text."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("The needle is here.\n")
    with Terminal(str(root)) as terminal:
        terminal.until("no session")
        terminal.send_as_typed("2/needle\x1b?")
        terminal.until("type to search")
