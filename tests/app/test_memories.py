"""Pane 3 by real keys on real files: search, filters, the form, and what is done to many."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.panes.memory_browser.filters import Chip
from memlens.app.panes.memory_browser.form import MemoryForm
from memlens.app.panes.memory_browser.lines import FoundLines
from memlens.app.panes.memory_browser.pane import MemoryBrowser
from memlens.app.panes.memory_browser.scope_picker import ScopePicker
from memlens.app.screens.choose import Choose
from memlens.app.screens.confirm import Confirm
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.app.widgets.line_view import LineView
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, shown, until


def pane(pilot: Pilot[Any]) -> MemoryBrowser:
    stack = pilot.app.screen_stack
    screen = next(one for one in stack if isinstance(one, WorkspaceScreen))
    return screen.query_one(MemoryBrowser)


def facts(pilot: Pilot[Any]) -> list[str]:
    """The names that are listed."""
    lines = pane(pilot).results.lines
    return [entry.name for entry in lines.entries()] if isinstance(lines, FoundLines) else []


def selected(pilot: Pilot[Any]) -> str:
    entry = pane(pilot).selected_entry
    return entry.name if entry else ""


def says(pilot: Pilot[Any], text: str) -> bool:
    return text in screen_text(pilot.app)


def global_file(name: str) -> Path:
    return Path(os.environ["MERMAID_DATA_DIR"], "memory", f"{name}.md")


async def choose(pilot: Pilot[Any], words: str) -> None:
    """Takes the choice that `words` narrow the dialog to."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
    await pilot.press(*["space" if letter == " " else letter for letter in words], "enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, Choose))


async def in_form(pilot: Pilot[Any]) -> MemoryForm:
    """The form, when it is open and what saving would do is known."""
    form = pane(pilot).form
    await until(pilot, lambda: form.display and str(form.query_one("#form-verdict").render()))
    return form


async def test_typing_errors_are_forgiven_and_matches_marked(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "slash", *"ripgerp")
        await until(pilot, lambda: facts(pilot) == ["prefer-ripgrep"])
        view = pane(pilot).results
        marked = [text for text, style in view.lines.line(0, 100) if style == "match"]
        assert marked
        assert all(text in "prefer-ripgrep" for text in marked)
        assert "1 of 8" in str(pane(pilot).border_subtitle)


@pytest.mark.parametrize(
    ("query", "name", "where"),
    [
        ("orders", "orders-index", "orders-index"),
        ("missing index", "orders-index", "slow order list"),
        ("safety", "no-force-push", "#safety"),
        ("sequential", "orders-index", "EXPLAIN"),
    ],
)
async def test_hits_in_name_description_tags_and_body(
    demo: Workspace, query: str, name: str, where: str
) -> None:
    async with opened(demo, (200, 50)) as pilot:
        await pilot.press("3", "z", "slash")
        pane(pilot).search.value = query
        await until(pilot, lambda: facts(pilot)[:1] == [name])
        view = pane(pilot).results
        pieces = view.lines.line(0, 150)
        assert where in "".join(text for text, _ in pieces)
        assert any(style == "match" for _, style in pieces)


async def test_arrows_move_in_the_list_while_typing(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "slash", *"te")
        await until(pilot, lambda: 1 < len(facts(pilot)) < 8)
        first = selected(pilot)
        await pilot.press("down")
        assert selected(pilot) != first
        assert pane(pilot).search.has_focus
        await pilot.press("enter")
        assert pilot.app.screen.focused is pane(pilot).results


async def test_an_empty_result_makes_a_fact_of_that_name(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "slash", *"zebra")
        await until(pilot, lambda: says(pilot, "makes a fact of that name"))
        await pilot.press("enter")
        form = await in_form(pilot)
        assert form.query_one("#form-name", Input).value == "zebra"
        await pilot.press(*"striped", "ctrl+s")
        await until(pilot, lambda: selected(pilot) == "zebra")
        assert pane(pilot).search.value == ""
        assert len(facts(pilot)) == 9


async def test_filters_narrow_are_shown_as_chips_and_taken_off(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "f")
        await choose(pilot, "scope global")
        await until(pilot, lambda: len(facts(pilot)) == 3)
        await pilot.press("f")
        await choose(pilot, "#git")
        await until(pilot, lambda: facts(pilot) == ["no-force-push"])
        assert says(pilot, "global ×")
        assert says(pilot, "#git ×")
        await pilot.click(Chip)
        await until(pilot, lambda: not says(pilot, "global ×"))
        await pilot.press("escape")
        await until(pilot, lambda: len(facts(pilot)) == 8)
        assert not says(pilot, "#git ×")
        await pilot.press("f")
        await choose(pilot, "last 7 days")
        await until(pilot, lambda: facts(pilot) == [])
        assert says(pilot, "0 of 8")


async def test_problems_are_marked_and_can_be_filtered_by(demo: Workspace) -> None:
    with global_file("answer-style").open("a") as file:
        file.write("AKIAIOSFODNN7EXAMPLE\n")
    async with opened(demo) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "✗ " in shown(pane(pilot).results)[0])
        await until(pilot, lambda: says(pilot, "looks like a secret"))
        await pilot.press("f")
        await choose(pilot, "problem secret")
        await until(pilot, lambda: facts(pilot) == ["answer-style"])


async def test_the_form_tells_what_is_wrong_on_disk(demo: Workspace) -> None:
    with global_file("answer-style").open("a") as file:
        file.write("AKIAIOSFODNN7EXAMPLE\n")
    async with opened(demo) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "✗ " in shown(pane(pilot).results)[0])
        await pilot.press("e")
        await in_form(pilot)
        await until(pilot, lambda: says(pilot, "! on disk: "))
        assert says(pilot, "looks like a secret")
        await pilot.press("escape", "j", "e")
        await until(pilot, lambda: says(pilot, "no-force-push.md"))
        assert not says(pilot, "! on disk: ")


async def test_facts_behind_the_cut_are_shown_as_such(demo: Workspace) -> None:
    small = replace(demo, settings=replace(demo.settings, index_cap_bytes=700))
    async with opened(small) as pilot:
        await pilot.press("3", "G")
        lines = shown(pane(pilot).results)
        assert "●" in lines[0]
        assert "◌" in lines[-1]
        assert "not seen" in str(pane(pilot).border_subtitle)
        await until(pilot, lambda: says(pilot, "behind the cut"))


async def test_other_orders(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "s")
        await choose(pilot, "name")
        await until(pilot, lambda: facts(pilot) == sorted(facts(pilot)))
        assert says(pilot, "by name ×")
        await pilot.press("s")
        await choose(pilot, "newest")
        await until(pilot, lambda: facts(pilot)[0] == "orders-index")


async def test_a_refresh_keeps_selection_and_scroll(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "j", "j", "j", "j")
        before = selected(pilot)
        global_file("aaa").write_text("---\nname: aaa\ndescription: first\n---\n\nx\n")
        await pilot.press("f5")
        await until(pilot, lambda: "aaa" in facts(pilot))
        assert selected(pilot) == before


async def test_the_form_shows_what_saving_would_do(demo: Workspace) -> None:
    async with opened(demo, (160, 50)) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)

        def verdict() -> str:
            return str(form.query_one("#form-verdict").render())

        assert "- [answer-style] Short answers first" in verdict()
        assert "of 8,000 bytes" in verdict()
        form.query_one("#form-description", Input).value = "x" * 201
        await until(pilot, lambda: "more than 200 characters" in verdict())
        form.query_one("#form-description", Input).value = "password=hunter2hunter2"
        await until(pilot, lambda: "[REDACTED] will stand for 1 secret" in verdict())
        form.query_one("#form-name", Input).value = "no-force-push"
        await until(pilot, lambda: "is there already" in verdict())
        form.query_one("#form-name", Input).value = "Prefer ripgrep"
        await until(pilot, lambda: "prefer-ripgrep-2.md" in verdict())
        form.query_one("#form-name", Input).value = ""
        await until(pilot, lambda: "needs a name" in verdict())
        await pilot.press("ctrl+s")
        await until(pilot, lambda: says(pilot, "Not saved"))
        assert form.display


async def test_secrets_are_told_before_they_are_saved(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        form.query_one("#form-body", TextArea).text = "password=hunter2hunter2"
        await pilot.press("ctrl+s")  # before anybody could read what would happen
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert says(pilot, "[REDACTED]")
        assert "hunter2" not in global_file("answer-style").read_text()
        await pilot.press("y")
        await until(pilot, lambda: "[REDACTED]" in global_file("answer-style").read_text())
        await until(pilot, lambda: not form.display)


async def test_undo_works_inside_the_editor(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        body = form.query_one("#form-body", TextArea)
        before = body.text
        await pilot.press("x")
        assert body.text == "x" + before
        assert form.dirty
        await pilot.press("ctrl+z")
        assert body.text == before
        await pilot.press("escape")
        await until(pilot, lambda: not form.display)


async def test_a_move_into_the_repository_says_that_it_is_committed(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "j", "j", "j", "m")
        name = selected(pilot)
        await choose(pilot, "shared")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert says(pilot, "committed")
        await pilot.press("y")
        await until(pilot, lambda: says(pilot, "moved 1 fact"))
        moved = pane(pilot).selected_entry
        await until(pilot, lambda: selected(pilot) == name)
        moved = pane(pilot).selected_entry
        assert moved is not None
        assert str(moved.scope) == "project-shared"
        await pilot.press("u")
        await until(
            pilot,
            lambda: str(getattr(pane(pilot).selected_entry, "scope", "")) == "project-private",
        )


async def test_the_scope_is_chosen_in_the_form(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        form.query_one(ScopePicker).focus()
        await pilot.press("right")
        assert str(form.values.scope) == "project-private"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: not form.display)
        assert not global_file("answer-style").exists()
        await until(pilot, lambda: selected(pilot) == "answer-style")


async def test_new_duplicate_and_rename(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "D")
        form = await in_form(pilot)
        assert form.query_one("#form-name", Input).value == "answer-style copy"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: selected(pilot) == "answer-style copy")
        await pilot.press("R")
        await until(pilot, lambda: says(pilot, "Another name"))
        pilot.app.screen.query_one(Input).value = "no-force-push"
        await until(pilot, lambda: says(pilot, "has that name"))
        pilot.app.screen.query_one(Input).value = "terse"
        await pilot.press("enter")
        await until(pilot, lambda: selected(pilot) == "terse")
        assert global_file("terse").exists()
        assert not global_file("answer-style-copy").exists()
        await pilot.press("n")
        form = await in_form(pilot)
        assert form.query_one("#form-name").has_focus
        await pilot.press("escape")
        await until(pilot, lambda: not form.display)


async def test_many_are_tagged_deleted_and_brought_back_after_a_restart(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "space", "space")
        assert "2 marked" in str(pane(pilot).border_subtitle)
        await pilot.press("t")
        await until(pilot, lambda: says(pilot, "Tags for 2 facts"))
        pilot.app.screen.query_one(Input).value = "seen -style"
        await pilot.press("enter")
        await until(pilot, lambda: "tags: [seen]" in global_file("answer-style").read_text())
        assert "tags: [git, safety, seen]" in global_file("no-force-push").read_text()
        await pilot.press("k", "k", "space", "space", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: len(facts(pilot)) == 6)
    async with opened(demo) as pilot:
        await pilot.press("3", "u")
        await until(pilot, lambda: len(facts(pilot)) == 8)
        await until(pilot, lambda: says(pilot, "taken back"))
        await pilot.press("u")
        await until(pilot, lambda: "tags: [style]" in global_file("answer-style").read_text())


async def test_all_listed_are_marked_and_unmarked(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "asterisk")
        assert "8 marked" in str(pane(pilot).border_subtitle)
        await pilot.press("asterisk")
        assert "marked" not in str(pane(pilot).border_subtitle)


async def test_copies(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        path = str(global_file("answer-style"))
        await pilot.press("3", "Y")
        assert pilot.app.clipboard == path
        await pilot.press("y")
        line = f"- [answer-style] Short answers first, details when asked — {path}"
        await until(pilot, lambda: pilot.app.clipboard == line)
        await pilot.press("b")
        await until(pilot, lambda: pilot.app.clipboard.startswith("Lead with the answer"))


async def test_the_editor_outside_is_seen_and_undone(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(app: object, path: str, line: int = 1) -> bool:
        with open(path, "a", encoding="utf-8") as file:
            file.write("Changed.\nAKIAIOSFODNN7EXAMPLE\n")
        return True

    monkeypatch.setattr("memlens.app.panes.memory_browser.deeds.edit_outside", edit)
    before = global_file("answer-style").read_bytes()
    async with opened(demo) as pilot:
        await pilot.press("3", "E")
        await until(pilot, lambda: says(pilot, "was changed"))
        assert says(pilot, "secret")
        await pilot.press("u")
        await until(pilot, lambda: global_file("answer-style").read_bytes() == before)


async def test_read_only_writes_nothing_and_says_why(demo: Workspace) -> None:
    before = {path: path.read_bytes() for path in global_file("x").parent.iterdir()}
    async with opened(replace(demo, read_only=True)) as pilot:
        await pilot.press("3")
        for key in ("d", "n", "u", "R", "t", "m", "D", "E"):
            await pilot.press(key)
            await until(pilot, lambda: says(pilot, "nothing can be written"))
            pilot.app.clear_notifications()
            assert isinstance(pilot.app.screen, WorkspaceScreen)
        await pilot.press("e")
        form = await in_form(pilot)
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: says(pilot, "nothing can be written"))
        assert form.display
    assert {path: path.read_bytes() for path in global_file("x").parent.iterdir()} == before
    assert not Path(os.environ["MERMAID_DATA_DIR"], "trash").exists()


async def test_hostile_names_and_bodies_never_reach_the_terminal(demo: Workspace) -> None:
    global_file("hostile").write_bytes(
        b'---\nname: "a[red]\\e]0;title\\abc"\ndescription: "[/] \\u202ertl \xf0\x9f\x98\x80"\n'
        b'tags: ["[bold]"]\n---\n\n\x1b[31mred\x1b]0;x\x07 [b]markup[/b] \xff\n'
    )
    async with opened(demo, (200, 50)) as pilot:
        await pilot.press("3", "z", "slash", *"markup")
        await until(pilot, lambda: len(facts(pilot)) == 1)
        await until(pilot, lambda: says(pilot, "[b]markup[/b]"))
        text = screen_text(pilot.app)
        assert not any(ord(letter) < 32 and letter != "\n" for letter in text)
        assert "\u202e" not in text
        await pilot.press("enter", "e")
        form = await in_form(pilot)
        text = screen_text(pilot.app)
        assert not any(ord(letter) < 32 and letter != "\n" for letter in text)
        assert "\x1b" in form.query_one("#form-body", TextArea).text
        await pilot.press("escape")
        await until(pilot, lambda: not form.display)
        for key in ("d", "T"):
            await pilot.press(key)
            await pilot.pause()
        await until(pilot, lambda: says(pilot, "1 deleted fact"))


async def test_unsaved_text_comes_back_after_a_crash(demo: Workspace) -> None:
    from memlens.app.recovery import Restoring
    from memlens.engine.keeping import Draft

    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        await in_form(pilot)
        await pilot.press(*"new ")
        draft = pane(pilot).unsaved()
        assert draft is not None
        assert draft.path == str(global_file("answer-style"))
        assert draft.fields["body"].startswith("new Lead")
        await pilot.press("escape", "y")
        await until(pilot, lambda: pane(pilot).unsaved() is None)
    shutil.rmtree(demo.state_dir)
    async with opened(demo) as pilot:
        assert pane(pilot).restore(Restoring(draft, lambda: None))
        form = await in_form(pilot)
        assert form.dirty
        assert form.query_one("#form-body", TextArea).text.startswith("new Lead")
        await pilot.press("escape", "y")
        await until(pilot, lambda: not form.display)
        new = Draft("fact", "", {"name": "n", "body": "b", "scope": "global"})
        assert pane(pilot).restore(Restoring(new, lambda: None))
        form = await in_form(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: global_file("n").exists())


async def test_menu_of_the_mouse_and_double_click(demo: Workspace) -> None:
    async with opened(demo, (120, 60)) as pilot:
        view = pilot.app.screen.query_one("#memory-results", LineView)
        await pilot.click(view, offset=(5, 1), times=2)
        form = await in_form(pilot)
        assert form.query_one("#form-name", Input).value == "no-force-push"


async def test_a_file_that_is_no_fact_is_listed_with_what_is_wrong(demo: Workspace) -> None:
    pipe = global_file("pipe")
    os.mkfifo(pipe)

    def listed(pilot: Pilot[Any]) -> str:
        return "\n".join(shown(pane(pilot).results))

    async with opened(demo) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "pipe.md" in listed(pilot))
        assert "8 facts" in str(pane(pilot).border_subtitle)
        await pilot.press("G")
        await until(pilot, lambda: says(pilot, "put the file itself there"))
        await pilot.press("d")
        await until(pilot, lambda: says(pilot, "There is no fact here"))
        await pilot.press("slash", *"rip")
        await until(pilot, lambda: "pipe.md" not in listed(pilot))


async def test_that_the_memory_is_switched_off_is_told(demo: Workspace) -> None:
    here = replace(demo, settings=replace(demo.settings, memory_enabled=False))
    async with opened(here) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: says(pilot, "memory_enabled is false"))
        assert not says(pilot, "No facts yet")
        assert str(pane(pilot).border_subtitle) == "switched off"
        await pilot.press("n")
        await until(pilot, lambda: says(pilot, "The durable memory is switched off"))
        assert not pilot.app.screen.query("MemoryForm").first().display


async def test_the_last_fact_that_goes_takes_no_key_with_it(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "asterisk", "d", "y")
        await until(pilot, lambda: says(pilot, "No facts yet"))
        assert not pane(pilot).search.has_focus
        await pilot.press("u")
        await until(pilot, lambda: len(facts(pilot)) == 8)
        assert pane(pilot).search.value == ""
        await until(pilot, lambda: pane(pilot).results.has_focus)
        await pilot.press("asterisk", "d", "y")
        await until(pilot, lambda: says(pilot, "No facts yet"))
        await pilot.press("1", "3", "n")
        form = await in_form(pilot)
        await pilot.press(*"first", "escape", "y")
        await until(pilot, lambda: not form.display)
        await until(pilot, lambda: says(pilot, "No facts yet"))
        assert not pane(pilot).search.has_focus


async def test_read_only_the_form_shows_all_and_changes_nothing(demo: Workspace) -> None:
    async with opened(replace(demo, read_only=True), (80, 24)) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        before = form.values
        assert says(pilot, "read only")
        assert says(pilot, "opened so that nothing can be written")
        await pilot.press("x", "delete", "backspace", "ctrl+k")
        for _ in range(5):
            await pilot.press("tab", "x", "end", "backspace", "ctrl+u", "ctrl+w", "right")
        assert form.values == before
        assert not form.dirty
        await pilot.press("q")  # closes what is looked at, and not all of memlens
        await until(pilot, lambda: not form.display)
        assert pilot.app.is_running


async def test_where_the_fact_lies_is_told_whole_from_the_first_sight(demo: Workspace) -> None:
    async with opened(demo, (80, 24)) as pilot:
        await pilot.press("3", "e")
        await in_form(pilot)
        await until(pilot, lambda: says(pilot, str(global_file("answer-style"))))
        await pilot.press("escape", "j", "e")
        await until(pilot, lambda: says(pilot, str(global_file("no-force-push"))))


async def test_bytes_that_no_text_can_keep_are_told_before_they_are_lost(demo: Workspace) -> None:
    path = global_file("answer-style")
    before = path.read_bytes().replace(b"Lead", b"L\xe4d")
    path.write_bytes(before)
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        await pilot.press("x")
        await until(pilot, lambda: says(pilot, "1 byte is no UTF-8"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert says(pilot, "own editor (E) keeps it")
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(pilot.app.screen, Confirm))
        assert path.read_bytes() == before
        await pilot.press("ctrl+z")
        form.query_one("#form-tags", Input).value = "style, new"
        await pilot.press("ctrl+s")  # the body stays as it is, to the byte
        await until(pilot, lambda: not form.display)
        assert b"L\xe4d" in path.read_bytes()


async def test_the_form_shows_what_changes_in_the_index(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        form.query_one("#form-description", Input).value = "Short"
        await until(pilot, lambda: says(pilot, "+ [answer-style] Short —"))
        assert says(pilot, "− [answer-style] Short answers first")
        assert says(pilot, "(-")


async def test_a_line_end_in_a_name_adds_no_line_to_what_is_told(demo: Workspace) -> None:
    path = global_file("answer-style")
    os.rename(path, path.with_name("two\nlines.md"))
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        await in_form(pilot)
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: says(pilot, "is saved in"))
        assert says(pilot, "two␊lines.md.")


async def test_a_long_description_hides_not_what_is_wrong(demo: Workspace) -> None:
    path = global_file("wordy")
    path.write_text(
        f"---\nname: wordy\ndescription: {'many words ' * 60}\n"
        "scope: project-private\n---\n\nBody.\n"
    )
    async with opened(demo, (60, 20)) as pilot:
        await pilot.press("3", "slash", *"wordy", "enter")
        await until(pilot, lambda: selected(pilot) == "wordy")
        await until(pilot, lambda: screen_text(pilot.app).count("! ") == 2, "what is wrong")
        detail = str(pane(pilot).query_one("#memory-detail").render())
        assert "…" in detail.splitlines()[0]


async def test_a_key_waits_for_what_a_search_finds_and_the_text_does_not(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "slash")
        screen = pilot.app.screen
        assert isinstance(screen, WorkspaceScreen)
        assert not screen.too_soon(events.Key("enter", "\r"))
        pane(pilot).search.value = "ripgerp"
        pane(pilot)._ask()
        assert screen.too_soon(events.Key("enter", "\r"))
        assert screen.too_soon(events.Key("down", None))
        assert not screen.too_soon(events.Key("d", "d"))
        assert not screen.too_soon(events.Key("backspace", None))
        screen.set_focus(pane(pilot)._list)
        assert screen.too_soon(events.Key("d", "d"))
        await until(pilot, lambda: facts(pilot) == ["prefer-ripgrep"])
        assert not screen.too_soon(events.Key("d", "d"))
