"""What is too large, endless or no file at all: bounded time and memory, and a word about it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memlens.engine.files import DISK, FileProblem
from memlens.engine.places import state_dir
from tests.faults.children import in_child
from tests.faults.place import Place, make_place
from tests.faults.tried import LONG, Trial, note

SECONDS = 20
"""Within which a command must end, whatever it meets; most need a hundredth of that."""
ROOM = 600 * 1024 * 1024
"""Bytes that a command may use beyond what the test has."""
ENTRIES = 1_000_000 if LONG else 20_000


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 * 1024**3)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


THINGS: tuple[Callable[[Path], None], ...] = (sparse, fifo, endless, folder, loop)
NAMES: dict[Callable[[Path], None], str] = {
    sparse: "a sparse file of 10 GB stands there",
    fifo: "a FIFO that nobody writes to stands there",
    endless: "a link to /dev/zero stands there",
    folder: "a folder stands there",
    loop: "a link to itself stands there",
}
SESSION = "6b1d7a4e-0000-4000-8000-000000000000"


def places(place: Place) -> dict[str, Path]:
    """Where a thing can stand, by what memlens takes it for."""
    slug = "".join(c if c.isalnum() else "-" for c in os.path.realpath(place.root))
    return {
        "a memory file": place.root / "CLAUDE.md",
        "an import": place.root / "docs.md",
        "the user's memory file": place.claude / "CLAUDE.md",
        "a fact": place.data / "memory" / "thing.md",
        "a shared fact": place.root / ".mermaid" / "memory" / "thing.md",
        "a transcript": place.claude / "projects" / slug / f"{SESSION}.jsonl",
        "a journal": place.state / "reads" / f"{SESSION}.jsonl",
        "memlens' settings": place.config / "config.toml",
        "an agent's settings": place.claude / "settings.json",
        "a project's settings": place.root / ".claude" / "settings.json",
        "an agent's notes": place.claude / "projects" / slug / "memory" / "MEMORY.md",
        "an operation in the trash": place.data / "trash" / f"{1:020d}-abcdef" / "operation.json",
        "unsaved text": place.state / "folders" / "x" / "draft-file-x-1.json",
        "the log": place.state / "memlens.log",
        "the folder of facts": place.data / "memory",
        "the folder of journals": place.state / "reads",
    }


def build(place: Place, role: str, thing: Callable[[Path], None]) -> Path:
    (place.root / "CLAUDE.md").write_text("Rules. @docs.md\n")
    facts = place.data / "memory"
    facts.mkdir()
    (facts / "good.md").write_text("---\nname: good\ndescription: d\n---\n\nbody\n")
    path = places(place)[role]
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        for one in path.iterdir():
            one.unlink()
        path.rmdir()
    path.unlink(missing_ok=True)
    thing(path)
    return path


COMMANDS = (
    ("context", "--json"),
    ("context", "--json", "--agent", "claude"),
    ("prompt",),
    ("memory", "list", "--json"),
    ("memory", "search", "body", "--json"),
    ("memory", "check", "--json"),
    ("memory", "undo", "--list", "--json"),
    ("reads", "--json"),
    ("reads", "--json", "--session", SESSION),
    ("config", "--json"),
)


def run(words: tuple[str, ...], root: Path) -> tuple[int, str, str]:
    """What a command prints, in this very process; it may use so much time and memory."""
    from memlens.cli import main

    out, err = io.StringIO(), io.StringIO()
    os.chdir(root)
    signal.alarm(SECONDS)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def bounded(work: Callable[[], str]) -> str:
    """`work` in a process with so much memory more than this one has."""

    def limited() -> str:
        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[0])
        room = pages * os.sysconf("SC_PAGE_SIZE") + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        return work()

    return in_child(limited)


def all_commands(root: Path) -> str:
    """What each command answers. A command that is killed by the alarm leaves nothing."""
    answers = {" ".join(words): run(words, root) for words in COMMANDS}
    return json.dumps(
        {words: [code, out[:20_000], err[:2000]] for words, (code, out, err) in answers.items()}
    )


ROLES = tuple(places(Place(Path("/"))))
TRIALS = {(thing, role): Trial(NAMES[thing], role, 1, 1) for thing in THINGS for role in ROLES}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.__name__)
def test_commands_end(role: str, thing: Callable[[Path], None], tmp_path: Path) -> None:
    place = make_place(tmp_path)
    path = build(place, role, thing)
    told = bounded(lambda: all_commands(place.root))
    assert told, "killed: too slow"
    assert "Traceback" not in told, told
    assert "MemoryError" not in told, told
    answers: dict[str, Any] = json.loads(told)
    assert all(code in (0, 1, 2) for code, _, _ in answers.values())
    if role in ("a memory file", "an import", "the user's memory file"):
        words = answers["context --json"][1] + answers["context --json"][2]
        assert path.name in json.dumps(json.loads(words)["findings"]), words
    if role in ("a fact", "a shared fact"):
        assert "good" in answers["memory list --json"][1]
        words = answers["memory check --json"][1]
        assert "thing.md" in words, words
    if role == "memlens' settings":
        words = answers["config --json"][1]
        assert json.loads(words)["findings"], words
    note(TRIALS[thing, role], 1)


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "growing.md"
    path.write_bytes(b"x" * 1000)
    stop = threading.Event()

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            while not stop.is_set() and file.tell() < 64 << 20:
                file.write(b"x" * 65536)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        for _ in range(200):
            with contextlib.suppress(FileProblem):
                data, _ = DISK.read(str(path), 1 << 20)
                assert len(data) <= 1 << 20
        with pytest.raises(FileProblem, match="bytes"):
            DISK.read(str(path), 999)
    finally:
        stop.set()
        writer.join()


@pytest.mark.parametrize("where", ["the project", "the facts", "the journals", "the transcripts"])
def test_a_folder_with_very_many_entries(where: str, tmp_path: Path) -> None:
    place = make_place(tmp_path)
    build(place, "the log", Path.touch)
    many = {
        "the project": place.root,
        "the facts": place.data / "memory",
        "the journals": place.state / "reads",
        "the transcripts": places(place)["a transcript"].parent,
    }[where]
    many.mkdir(parents=True, exist_ok=True)
    (many / "0").touch()
    for number in range(1, ENTRIES):  # names of one file: a million files would take minutes
        if number % 30_000 == 0:
            (many / f"{number}").touch()
        else:
            os.link(many / f"{number // 30_000 * 30_000}", many / f"{number}")
    told = bounded(lambda: all_commands(place.root))
    assert told, "killed: too slow"
    assert "Traceback" not in told, told
    assert "good" in json.loads(told)["memory list --json"][1]


def test_a_deep_tree_and_a_loop_of_folders(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    build(place, "the log", Path.touch)
    (place.root / "loop").symlink_to(".")
    deep = place.root
    os.chdir(deep)
    depth = 0
    while len(str(deep)) < 3800:
        os.mkdir("d" * 20)
        os.chdir("d" * 20)
        deep /= "d" * 20
        depth += 1
    os.chdir("/")
    (deep / "CLAUDE.md").write_text("deep\n")
    assert depth > 150
    for root, text in ((place.root, "Rules"), (deep, "deep")):
        told = bounded(partial(all_commands, root))
        assert told, "killed: too slow"
        assert "Traceback" not in told, told
        assert text in json.loads(told)["prompt"][1]


def test_the_log_is_where_it_should_be() -> None:
    assert os.path.isabs(state_dir())
    assert sys.maxsize > 2**32, "a sparse file of 10 GB needs such a system"
