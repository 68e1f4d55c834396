"""Anything can stand at the end of an import; none hangs, none raises, each has its finding."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from memlens.engine.plan import Plan

from .conftest import Make, Write


def test_every_kind_of_thing_at_the_end_of_an_import(
    make: Make, write: Write, tmp_path: Path
) -> None:
    p = tmp_path / "w/p"
    write({"w/p/d/x": "", "w/p/big.md": "x" * 5_000_000, "w/p/bin.md": b"a\0b"})
    os.mkfifo(p / "fifo.md")
    (p / "one.md").symlink_to("two.md")
    (p / "two.md").symlink_to("one.md")
    (p / "self.md").symlink_to("self.md")
    (p / "gone-link.md").symlink_to("nowhere")
    (p / "up.md").symlink_to("d")
    with TemporaryDirectory(dir="/tmp") as short, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short}/s")
        (p / "socket.md").symlink_to(f"{short}/s")
        tokens = {
            "d/": "folder", "./d": "folder", "up.md": "folder", "fifo.md": "special",
            "socket.md": "special", "/dev/zero": "special", "/dev/stdin": None, "one.md": "loop",
            "self.md": "loop", "gone-link.md": "missing", "big.md": "too-large", "bin.md": "binary",
            "x" * 300 + ".md": "name-too-long", "a/" * 3000 + "x.md": None, "fifo.md/x.md": None,
            "bin.md/../x.md": "missing", "/proc/self/mem": None,
        }  # fmt: skip
        memory = make({"w/p/CLAUDE.md": "\n".join(f"@{token}" for token in tokens)})
        text = memory.items[0].text
        assert text == "\n".join(f"@{token}" for token in tokens)
        for record, (token, outcome) in zip(memory.records, tokens.items(), strict=True):
            assert record.written == token
            assert record.outcome == outcome or (outcome is None and record.outcome != "imported")
        assert [finding.line for finding in memory.findings] == list(range(1, len(tokens) + 1))
        assert memory.watch_folders()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_and_folders_without_permission(make: Make, write: Write, tmp_path: Path) -> None:
    write({"w/p/x.md": "X", "w/p/d/y.md": "Y"})
    (tmp_path / "w/p/x.md").chmod(0)
    (tmp_path / "w/p/d").chmod(0)
    try:
        memory = make({"w/p/CLAUDE.md": "@x.md @d/y.md"})
        assert [record.outcome for record in memory.records] == ["unreadable"] * 2
        assert {finding.severity for finding in memory.findings} == {"error"}
    finally:
        (tmp_path / "w/p/d").chmod(0o700)


def test_a_file_that_the_system_refuses(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from memlens.engine.files import DISK, FileProblem, Stamp

    read = DISK.read_regular

    def refuse(path: str, limit: int) -> tuple[bytes, Stamp]:
        if path.endswith("x.md"):
            raise FileProblem("unreadable", path)
        return read(path, limit)

    monkeypatch.setattr(DISK, "read_regular", refuse)
    memory = make({"w/p/CLAUDE.md": "@x.md", "w/p/x.md": "X"})
    assert memory.items[0].text == "@x.md"
    assert [(one.name, one.severity) for one in memory.findings] == [("broken-import", "error")]


@pytest.mark.parametrize(
    "name", ["a b.md", "a%20b.md", "😀.md", "ä\u0308.md", "a'\"b.md", "$x.md", "*.md", "a\\b.md"]
)
def test_names(make: Make, name: str) -> None:
    memory = make({"w/p/CLAUDE.md": f"@{name}", f"w/p/{name}": "X"})
    reached = " " not in name
    assert memory.items[0].text == ("X" if reached else f"@{name}")


def test_names_with_a_line_end_or_no_utf8(make: Make, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "w/p")
    os.makedirs(folder)
    for name in (b"a\nb.md", b"\xff.md"):
        with open(folder + b"/" + name, "wb") as file:
            file.write(b"X")
    memory = make({"w/p/CLAUDE.md": "@a\nb.md @\ufffd.md @\ud7ff.md"})
    assert memory.items[0].imports == ()
    assert memory.findings
    assert memory.unloaded().complete


def test_a_chain_of_30(make: Make) -> None:
    files = {f"w/p/{n}.md": f"{n} @{n + 1}.md" for n in range(30)} | {"w/p/30.md": "end"}
    memory = make({"w/p/CLAUDE.md": "@0.md"} | files, max_import_depth=40)
    assert memory.items[0].text.endswith("29 end")
    assert [record.level for record in memory.records] == list(range(1, 32))


def test_a_chain_deeper_than_pythons_stack(make: Make) -> None:
    files = {f"w/p/{n}.md": f"@{n + 1}.md" for n in range(3000)} | {"w/p/3000.md": "end"}
    memory = make({"w/p/CLAUDE.md": "@0.md"} | files, max_import_depth=10_000)
    assert memory.items[0].text == "end"
    assert Plan(memory.items).source(3).line == 1


def test_300_imports_on_one_line(make: Make) -> None:
    files = {f"w/p/{n}.md": f"<{n}>\n" for n in range(300)}
    memory = make({"w/p/CLAUDE.md": " ".join(f"@{n}.md" for n in range(300))} | files)
    assert memory.items[0].text == " ".join(f"<{n}>" for n in range(300))
    assert len(memory.items[0].imports) == 300


def test_two_files_that_import_each_other_1000_times(make: Make) -> None:
    memory = make(
        {"w/p/CLAUDE.md": "@a.md", "w/p/a.md": "@b.md `x` " * 1000, "w/p/b.md": "@a.md\n" * 1000}
    )
    assert len(memory.items[0].imports) == 2
    assert {record.outcome for record in memory.records} == {"imported", "already-shown"}
    assert len(memory.findings) == 1999
    assert Plan(memory.items).text == memory.prompt_text()


def test_a_loop_of_folder_links(make: Make, tmp_path: Path) -> None:
    (tmp_path / "w/p").mkdir(parents=True)
    (tmp_path / "w/p/l").symlink_to(".")
    memory = make({"w/p/CLAUDE.md": "@" + "l/" * 30 + "a.md @l/l/a.md", "w/p/a.md": "A"})
    assert [record.outcome for record in memory.records] == ["imported", "already-shown"]
    assert memory.unloaded().complete


def test_4_mib_of_tokens(make: Make) -> None:
    memory = make({"w/p/CLAUDE.md": "@a `b` " * 100_000})
    assert len(memory.records) == 100_000
    assert memory.items[0].text == "@a `b` " * 100_000
