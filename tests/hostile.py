"""A workspace that nobody should open: its names and texts would drive a terminal."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

ESC: Final = "\x1b"
TITLE: Final = f"{ESC}]0;PWNED-TITLE\x07"
CLIPBOARD: Final = f"{ESC}]52;c;UFdORUQ=\x07"
LINK: Final = f"{ESC}]8;;http://pwned.example\x07click{ESC}]8;;\x07"
COLOUR: Final = f"{ESC}[38;5;199mPWNED-COLOUR"
QUERY: Final = f"{ESC}[?1337$p"
DCS: Final = f"{ESC}P+q544e{ESC}\\"
C1_CSI: Final = "\x9b38;5;198m"
C1_OSC: Final = "\x9d0;PWNED-C1\x9c"
BIDI: Final = "user\u202egnp.exe\u2066x\u2069"
ZERO_WIDTH: Final = "ig\u200bnore\u2060all\ufeff"
TAGS: Final = "".join(chr(0xE0000 + ord(letter)) for letter in "hidden")
SELECTORS: Final = "data" + "".join(chr(0xFE00 + number) for number in (1, 5, 9))
MARKUP: Final = "[red]m[/red] [@click=app.quit]x[/] [/nope] [link=http://pwned.example]l[/link]"
LONG: Final = "e" + "\u0301" * 400
ALL: Final = " ".join(
    (TITLE, CLIPBOARD, LINK, COLOUR, QUERY, DCS, C1_CSI, C1_OSC, BIDI, ZERO_WIDTH, TAGS, SELECTORS,
     MARKUP, LONG, "\x7f", "\x08\x08", "\x0e", "bell\x07")
)  # fmt: skip

FORBIDDEN: Final[tuple[bytes, ...]] = (
    b"\x1b]0;PWNED", b"\x1b]52;c;UFdO", b"\x1b]8;;http://pwned", b"\x1b[38;5;199m",
    b"\x1b[?1337$p", b"\x1bP+q544e", "\x9b".encode(), "\x9d".encode(), "\u202e".encode(),
    "\u2066".encode(), "\u200b".encode(), "\u2060".encode(), "\ufeff".encode(),
    "\U000e0068".encode(), "\ufe01".encode(), b"\x00", b"\x08", b"\x0e", b"\x7f",
)  # fmt: skip
"""What a terminal must never be sent."""


def file_name(text: str, end: str = "") -> str:
    """A name that a file system takes."""
    return text.replace("/", "|")[:60] + end


def build(place: Path) -> Path:
    """Fills `place` (and the folders that the environment names) and returns the project."""
    root = place / file_name(f"pro{COLOUR}{BIDI}ject")
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", root], check=False)
    imported = file_name(f"im{TITLE}{ZERO_WIDTH}port", ".md").replace(" ", "")
    (root / imported).write_text(f"imported {ALL}\n", encoding="utf-8")
    (root / "CLAUDE.md").write_text(
        f"# Rules {ALL}\n\nSee @{imported} and @./{TITLE.strip()}gone.md and @x{C1_OSC}.md\n",
        encoding="utf-8",
    )
    (root / "CLAUDE.local.md").write_bytes(b"latin \xe9 \xff @nul.md\n")
    (root / "nul.md").write_bytes(b"binary \x00\n")
    nested = root / file_name(f"ne{CLIPBOARD}sted")
    nested.mkdir()
    (nested / "CLAUDE.md").write_text(f"nested {ALL}\n", encoding="utf-8")
    facts = Path(os.environ["HOME"], ".local", "share", "mermaid", "memory")
    facts.mkdir(parents=True, exist_ok=True)
    quoted = "".join(
        f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"
        for c in f"fact {TITLE}{BIDI}{TAGS}{C1_CSI}{MARKUP}"
    )
    (facts / file_name(f"fa{COLOUR}ct", ".md")).write_text(
        f'---\nname: "{quoted}"\ndescription: "d {quoted}"\ntags: ["t{quoted}"]\n---\n\n{ALL}\n',
        encoding="utf-8",
    )
    (facts / "broken.md").write_text(f"---\nname: [{ALL}\n---\n\n{ALL}\n", encoding="utf-8")
    read = root / file_name(f"re{LINK}{BIDI}ad", ".py")
    read.write_text("x = 1\n")
    from memlens.engine.reads import ReadJournal

    journal = ReadJournal(f"se{TITLE}{BIDI}ssion", agent=f"ag{COLOUR}ent")
    journal.append("start", cwd=os.fspath(root))
    journal.record(read, "read")
    journal.append("refuse", path=os.fspath(read), refusal=ALL)
    read.write_text("x = 22\n")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    (root / ".mermaid" / "memory").mkdir(parents=True)
    shared = root / ".mermaid" / "memory" / file_name(f"sh{CLIPBOARD}{BIDI}ared", ".md")
    shared.write_text(f"---\nname: shared\n---\n\n{ALL}\n", encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    return root


def leaks(raw: bytes) -> list[bytes]:
    """What of the forbidden a terminal was sent."""
    return [part for part in FORBIDDEN if part in raw]
