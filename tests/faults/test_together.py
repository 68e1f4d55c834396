"""Two apps and an agent write at once, in processes of their own: no one's text is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

from memlens.engine import (
    Engine,
    Event,
    FileClashed,
    FileOpened,
    FileSaved,
    OpenFile,
    SaveFile,
    open_workspace,
)
from memlens.engine.durable import MemoryScope, entries_with_bodies, history, write_memory
from memlens.engine.reads import ReadJournal
from memlens.engine.settings.keep import keep_setting
from tests.faults.children import fork
from tests.faults.place import body, make_place, number_of
from tests.faults.tried import LONG, Trial, note

ROUNDS = 200 if LONG else 12
FILE = Trial("two apps and an agent at once", "a memory file, saved in the editor", 12, 200)
FACTS = Trial("two apps and an agent at once", "a fact, saved", 12, 200)
JOURNAL = Trial("two apps and an agent at once", "the read journal", 12, 200)
SETTINGS = Trial("two apps and an agent at once", "the settings, another agent kept", 12, 200)
TRIALS = (FILE, FACTS, JOURNAL, SETTINGS)


def at_once(*works: object) -> None:
    """Runs functions in processes of their own, all at the same time."""
    children = []
    for work in works:
        child = fork()
        if not child:
            code = 1
            try:
                work()  # type: ignore[operator]
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    codes = [os.waitpid(child, 0)[1] for child in children]
    assert codes == [0] * len(works)


def test_a_memory_file(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    file = place.root / "CLAUDE.md"
    file.write_text(body(0))

    def app(first: int) -> None:
        saved = []
        with Engine(open_workspace(place.root)) as engine:
            for number in range(first, first + ROUNDS):
                engine.ask(OpenFile(request=engine.next_request(), path=str(file)), FileOpened, 30)
                command = SaveFile(request=engine.next_request(), path=str(file), text=body(number))
                answer = engine.ask(command, Event, 30)
                assert isinstance(answer, FileSaved | FileClashed)
                if isinstance(answer, FileSaved):
                    saved.append(number)
        (place.base / f"saved-{first}").write_text(json.dumps(saved))

    at_once(lambda: app(1000), lambda: app(2000))
    saved = [
        number
        for one in (1000, 2000)
        for number in json.loads((place.base / f"saved-{one}").read_text())
    ]
    assert saved
    kept = {
        number_of(path.read_text()) for path in (place.data / "trash").glob("[0-9]*/*CLAUDE.md")
    }
    # Each text that was saved is there, or was kept when the next one came, which knew of it.
    assert {0, *saved} == kept | {number_of(file.read_text())}
    assert len(history(None)) == len(saved)
    note(FILE, FILE.times)


def test_facts_and_an_agent(tmp_path: Path) -> None:
    place = make_place(tmp_path)

    def app(name: str) -> None:
        for number in range(ROUNDS):
            write_memory(place.root, MemoryScope.GLOBAL, f"{name} {number}", "d", [], body(number))
            write_memory(place.root, MemoryScope.GLOBAL, "common", "d", [], body(number))

    def agent() -> None:
        """Writes files of its own, as a program that knows no lock."""
        folder = place.data / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(ROUNDS):
            (folder / f"agent-{number}.md").write_text(
                f"---\nname: agent {number}\ndescription: d\n---\n\n{body(number)}\n"
            )

    at_once(lambda: app("one"), lambda: app("two"), agent)
    found = {entry.name: number_of(text) for entry, text in entries_with_bodies(place.root)}
    for name in ("one", "two", "agent"):
        assert all(found.get(f"{name} {number}") == number for number in range(ROUNDS))
    assert len(found) == 3 * ROUNDS + 1, "the common fact is there more than once"
    note(FACTS, FACTS.times)


def test_the_journal(tmp_path: Path) -> None:
    make_place(tmp_path)

    def agent(name: str) -> None:
        journal = ReadJournal("s", limit=4000)
        for number in range(ROUNDS * 5):
            journal.append("read", path=f"/{name}/{number}")

    at_once(*(lambda name=name: agent(name) for name in ("a", "b", "c")))
    entries = list(ReadJournal("s", limit=4000).entries())
    assert None not in entries
    paths = [entry.path for entry in entries if entry is not None]
    for name in ("a", "b", "c"):  # all of them, each writer's in its order
        ours = [path for path in paths if path.startswith(f"/{name}/")]
        assert ours == [f"/{name}/{number}" for number in range(ROUNDS * 5)]
    note(JOURNAL, JOURNAL.times)


def test_the_settings(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    file = place.config / "config.toml"
    file.write_text('stale_days = 90\nagent = "x"\ntheme = "x"\n')

    def app(name: str) -> None:
        for number in range(ROUNDS):
            keep_setting(name, str(number))

    at_once(lambda: app("agent"), lambda: app("theme"))
    last = ROUNDS - 1
    assert file.read_text() == f'stale_days = 90\nagent = "{last}"\ntheme = "{last}"\n'
    note(SETTINGS, SETTINGS.times)
