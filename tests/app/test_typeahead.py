"""Whatever is typed, however fast, arrives where a person would expect it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from memlens.app import outside, typeahead
from memlens.app.app import MemlensApp
from memlens.app.screens.help import Help
from memlens.app.typeahead import TypeAhead
from memlens.app.widgets.line_view import LineView
from memlens.app.widgets.safe_text import SafeTextArea
from memlens.engine import LoadTrash, SearchMemories
from memlens.engine.handlers.memory_search import MemorySearchHandler
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import PATIENCE, opened, shown, until
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


def test_escape_of_an_older_terminal(terminal: Terminal) -> None:
    terminal.send("?")
    terminal.until("ype to search")  # the cursor stands on the first letter
    terminal.settle()
    terminal.send_as_typed("\x1b")
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


def test_enter_before_the_screen_is_even_there(project: Path, facts: Path) -> None:
    with Terminal(str(project)) as terminal:
        terminal.send("3\rgamma ")  # the terminal still makes a line feed of Enter
        terminal.until("Memory tree")
        terminal.send("\x13")
        wait_for_file(terminal, facts, "gamma")
        quits(terminal)


async def test_a_line_feed_is_enter_unless_a_person_wants_another_thing(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        pilot.app.post_message(events.Key("ctrl+j", "\n"))
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "prompt-lines")
    own = replace(demo.settings, keys={"app.help": "ctrl+j"})
    async with opened(replace(demo, settings=own)) as pilot:
        pilot.app.post_message(events.Key("ctrl+j", "\n"))
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


def typed_of(pilot: Pilot[Any]) -> TypeAhead:
    assert isinstance(pilot.app, MemlensApp)
    return pilot.app.bridge.typed


def burst(pilot: Pilot[Any], *keys: str) -> None:
    """Keys that come in one read, before the app has looked at the first."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


def toasts(pilot: Pilot[Any]) -> list[str]:
    return [str(one.message) for one in pilot.app._notifications]


async def test_nothing_is_held_where_nothing_is_under_way(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[bool] = []
    holds = TypeAhead.holds

    def note(self: TypeAhead, event: events.Event) -> bool:
        answer = holds(self, event)
        if isinstance(event, events.Key) and not event.is_forwarded:
            held.append(answer)
        return answer

    async with opened(demo) as pilot:
        monkeypatch.setattr(TypeAhead, "holds", note)
        typed = typed_of(pilot)
        for number, key in enumerate(("j", "j", "k")):
            while not typed._is_quiet():
                await asyncio.sleep(0.001)
            pilot.app.post_message(events.Key(key, key))
            while len(held) <= number:
                await asyncio.sleep(0.001)
        assert held == [False, False, False]


async def test_a_burst_goes_where_each_key_leads(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        burst(pilot, "3", "e")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "form-body")
        burst(pilot, "escape", "2", "question_mark", "escape", "1")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "tree-lines")
        await until(pilot, typed_of(pilot)._is_quiet)
        assert len(pilot.app.screen_stack) == 1


async def test_keys_wait_for_the_answer_that_opens_something(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await until(pilot, typed_of(pilot)._is_quiet)
        typed_of(pilot).wait_for(999)
        burst(pilot, "question_mark")
        for _ in range(5):
            await pilot.pause(0.01)
        assert not isinstance(pilot.app.screen, Help)
        typed_of(pilot).answered(999)
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


@asynccontextmanager
async def slow_start(demo: Workspace) -> AsyncIterator[tuple[Pilot[Any], threading.Event]]:
    """The app while nothing is loaded: that begins when the event is set."""
    begin = threading.Event()

    def prepare() -> None:
        begin.wait()

    app = MemlensApp(demo, live=False, prepare=prepare)
    app.animation_level = "none"
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        try:
            await until(pilot, lambda: app.screen.query("#read-lines"))
            yield pilot, begin
        finally:
            begin.set()


@pytest.mark.parametrize(
    ("keys", "focused"),
    [
        ("3 n", "form-name"),
        ("3 e", "form-body"),
        ("1 j j e", "editor-text"),
        ("2 slash", "prompt-search"),
    ],
)
async def test_keys_for_a_pane_wait_until_it_is_loaded(
    demo: Workspace, keys: str, focused: str
) -> None:
    async with slow_start(demo) as (pilot, begin):
        burst(pilot, *keys.split())
        await until(pilot, lambda: typed_of(pilot)._early is not None)
        begin.set()
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == focused)
        assert "This is still being loaded." not in toasts(pilot)


async def test_each_pane_says_that_it_is_loading(demo: Workspace) -> None:
    async with slow_start(demo) as (pilot, _):
        await until(pilot, typed_of(pilot)._is_quiet)
        told = {str(pane.border_subtitle) for pane in pilot.app.screen.query("Pane")}
        assert told == {"loading …"}


async def test_keys_for_the_whole_screen_do_not_wait_for_a_pane(demo: Workspace) -> None:
    async with slow_start(demo) as (pilot, _):
        burst(pilot, "2", "4", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        burst(pilot, "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        burst(pilot, "q")
        await until(pilot, lambda: not pilot.app.is_running or pilot.app._exit)


async def test_who_does_not_want_to_wait_for_a_pane_gives_up(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeahead, "_LONG_S", 0.0)
    async with slow_start(demo) as (pilot, _):
        burst(pilot, "3", "e", "x")
        await until(pilot, lambda: any("Esc drops it" in one for one in toasts(pilot)))
        burst(pilot, "escape")
        await until(pilot, lambda: "2 keys typed meanwhile went nowhere." in toasts(pilot))
        burst(pilot, "4")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "read-lines")


async def test_what_could_not_be_loaded_holds_no_keys(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("memlens.engine.handlers.memories.MemoriesHandler.load", fail)
    async with slow_start(demo) as (pilot, begin):
        begin.set()
        burst(pilot, "3", "n")
        await until(pilot, lambda: any("F5 tries again" in one for one in toasts(pilot)))


async def test_who_does_not_want_to_wait_gives_up(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeahead, "_LONG_S", 0.0)
    async with opened(demo) as pilot:
        await until(pilot, typed_of(pilot)._is_quiet)
        typed_of(pilot).wait_for(999)
        burst(pilot, "question_mark", "x", "f8")
        await until(pilot, lambda: "Nothing takes long just now." in toasts(pilot))
        burst(pilot, "escape")
        await until(pilot, lambda: "2 keys typed meanwhile went nowhere." in toasts(pilot))
        burst(pilot, "2")
        await until(pilot, lambda: isinstance(pilot.app.focused, LineView))
        assert len(pilot.app.screen_stack) == 1


@pytest.mark.parametrize("own", [{}, {"work.suspend": "f7"}])
async def test_who_does_not_want_to_wait_goes_to_the_shell(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch, own: dict[str, str]
) -> None:
    monkeypatch.setattr(typeahead, "_LONG_S", 0.0)
    monkeypatch.setattr(outside, "has_shell", lambda: False)
    here = replace(demo, settings=replace(demo.settings, keys=own))
    async with opened(here) as pilot:
        await until(pilot, typed_of(pilot)._is_quiet)
        typed_of(pilot).wait_for(999)
        burst(pilot, "question_mark", own.get("work.suspend", "ctrl+z"))
        await until(pilot, lambda: any("There is no shell" in one for one in toasts(pilot)))
        assert not isinstance(pilot.app.screen, Help)


async def test_a_text_that_is_written_keeps_its_own_undo_while_something_is_waited_for(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeahead, "_LONG_S", 0.0)
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "form-body")
        area = pilot.app.focused
        assert isinstance(area, SafeTextArea)
        text = area.text
        await until(pilot, typed_of(pilot)._is_quiet)
        typed_of(pilot).wait_for(999)
        burst(pilot, "z", "ctrl+z")
        await until(pilot, lambda: len(typed_of(pilot)._held) == 2)
        typed_of(pilot).answered(999)
        await until(pilot, lambda: typed_of(pilot)._is_quiet() and not typed_of(pilot)._held)
        assert area.text == text
        burst(pilot, "ctrl+y")
        await until(pilot, lambda: area.text == f"z{text}")


async def test_a_widget_that_never_rests_holds_keys_for_a_moment_only(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(demo) as pilot:
        await until(pilot, typed_of(pilot)._is_quiet)
        monkeypatch.setattr(typeahead, "_SCREEN_S", 0.05)
        monkeypatch.setattr(typeahead, "_rests", lambda _: False)
        burst(pilot, "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


async def test_an_answer_that_never_comes_holds_keys_for_a_time_only(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeahead, "_ENGINE_S", 0.05)
    async with opened(demo) as pilot:
        typed_of(pilot).wait_for(999)
        burst(pilot, "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))


async def test_a_question_that_a_newer_one_overtook_is_not_waited_for(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        bridge = pilot.app.bridge  # type: ignore[attr-defined]
        first, second = bridge.publish(LoadTrash()), bridge.publish(LoadTrash())
        assert first not in bridge.typed._awaited
        await until(pilot, lambda: second not in bridge.typed._awaited)
        assert not bridge.typed._awaited


def test_a_key_behind_a_search_is_for_what_it_finds(terminal: Terminal, facts: Path) -> None:
    terminal.send("3/beta\rd")
    terminal.until("deleted beta")
    quits(terminal)
    assert (facts / "alpha.md").exists()
    assert not (facts / "beta.md").exists()


def test_enter_behind_a_search_makes_what_it_does_not_find(terminal: Terminal, facts: Path) -> None:
    terminal.send("3/gamma ray\r\tabout rays\x13")
    made = wait_for_file(terminal, facts, "gamma ray")
    assert "about rays" in made.read_text()
    quits(terminal)


async def test_keys_behind_a_change_wait_until_the_list_is_renewed(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, search, waits = threading.Event(), MemorySearchHandler.search, threading.Event()

    def search_later(self: MemorySearchHandler, command: SearchMemories) -> None:
        if not go_on.is_set():
            waits.set()
        go_on.wait(PATIENCE)
        search(self, command)

    monkeypatch.setattr(MemorySearchHandler, "search", search_later)
    go_on.set()
    async with opened(demo, waits_for_engine=False) as pilot:
        go_on.clear()
        results = pilot.app.screen.query_one("#memory-results", LineView)
        first, second, third = (line.split()[1] for line in shown(results)[:3])
        burst(pilot, "3", "d", "d", "question_mark")
        while not waits.is_set() or typed_of(pilot)._early is None:  # the pilot waits for keys held
            await asyncio.sleep(0.001)
        assert not isinstance(pilot.app.screen, Help)
        go_on.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await until(pilot, lambda: shown(results)[0].split()[1] == third)
        left = "\n".join(shown(results))
        assert first not in left
        assert second not in left


def test_a_key_behind_a_delete_is_for_the_next_fact(terminal: Terminal, facts: Path) -> None:
    terminal.send("3dydy")
    terminal.until("deleted beta")
    quits(terminal)
    assert not (facts / "alpha.md").exists()
    assert not (facts / "beta.md").exists()
