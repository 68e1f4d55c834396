"""What opens over pane 3: clash, trash, history, duplicates, facts out of use."""

from __future__ import annotations

import os
import shutil
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memlens.app.panes.memory_browser.history import History
from memlens.app.panes.memory_browser.stale import Stale
from memlens.app.panes.memory_browser.trash import Trash
from memlens.app.panes.memory_browser.twins import Twins
from memlens.app.recovery import Restoring
from memlens.app.screens.clash import Clash
from memlens.app.screens.workspace import WorkspaceScreen
from memlens.engine.commands.memories import LoadMemories
from memlens.engine.durable import undo
from memlens.engine.keeping import Draft
from memlens.engine.reads import ReadJournal
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, shown, until
from tests.app.test_memories import facts, global_file, in_form, pane, says, selected

TWIN = "---\nname: {}\ndescription: Search with rg\n---\n\nUse rg, it is quick.\n{}"


async def clashing(pilot: Pilot[Any], theirs: str) -> TextArea:
    """A form that is saved over a file which has become `theirs`."""
    await pilot.press("3", "e")
    form = await in_form(pilot)
    body = form.query_one("#form-body", TextArea)
    body.text = "First.\nMine.\nLast."
    global_file("answer-style").write_text(theirs)
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, Clash))
    await until(pilot, lambda: says(pilot, "+ Mine."))
    return body


def on_disk(body: str, name: str = "answer-style") -> str:
    return f"---\nname: {name}\ndescription: Theirs\ntags: [theirs]\n---\n\n{body}\n"


async def test_saving_over_a_changed_file_offers_mine(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await clashing(pilot, on_disk("Theirs."))
        assert says(pilot, "- Theirs.")
        await pilot.press("m")
        await until(pilot, lambda: "Mine." in global_file("answer-style").read_text())
        await until(pilot, lambda: not pane(pilot).form.display)
        await pilot.press("u")
        await until(pilot, lambda: "Theirs." in global_file("answer-style").read_text())


async def test_saving_over_a_changed_file_offers_theirs(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        body = await clashing(pilot, on_disk("Theirs."))
        await pilot.press("t")
        await until(pilot, lambda: body.text == "Theirs.")
        assert not pane(pilot).form.dirty
        await pilot.press("ctrl+z")
        assert body.text == "First.\nMine.\nLast."


async def test_both_are_merged_by_hand(demo: Workspace) -> None:
    path = global_file("answer-style")
    path.write_text(on_disk("First.\nMiddle.\nLast."))
    async with opened(demo) as pilot:
        body = await clashing(pilot, on_disk("First.\nTheirs.\nLast.\nMore."))
        await pilot.press("b")
        await until(pilot, lambda: "<<<<<<< yours" in body.text)
        assert body.text.split("\n") == [
            "First.", "<<<<<<< yours", "Mine.", "=======", "Theirs.", ">>>>>>> on disk", "Last.",
            "More.",
        ]  # fmt: skip
        await pilot.press("ctrl+s")
        await until(pilot, lambda: says(pilot, "two texts of one place"))
        body.text = "First.\nMine and theirs.\nLast.\nMore."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Mine and theirs." in path.read_text())
        assert "tags: [theirs]" in path.read_text()


async def test_going_back_from_a_clash_keeps_the_text(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        body = await clashing(pilot, on_disk("Theirs."))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
        assert body.text == "First.\nMine.\nLast."
        assert pane(pilot).form.dirty


async def test_a_fact_that_is_gone_can_still_be_saved(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = await in_form(pilot)
        form.query_one("#form-body", TextArea).text = "Mine."
        global_file("answer-style").unlink()
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, Clash))
        await until(pilot, lambda: says(pilot, "Its file is gone"))
        await pilot.press("b")
        await until(pilot, lambda: says(pilot, "nothing to merge with"))
        await pilot.press("m")
        await until(pilot, lambda: global_file("answer-style").exists())
        assert "Mine." in global_file("answer-style").read_text()


async def test_two_apps_on_one_store_lose_nothing(demo: Workspace) -> None:
    async with opened(demo) as one:
        await one.press("3", "e")
        form = await in_form(one)
        form.query_one("#form-description", Input).value = "from the first"
        async with opened(replace(demo, state_dir=f"{demo.state_dir}-2")) as other:
            await other.press("3", "e")
            second = await in_form(other)
            second.query_one("#form-description", Input).value = "from the second"
            await other.press("ctrl+s")
            await until(other, lambda: "second" in global_file("answer-style").read_text())
        await one.press("ctrl+s")
        await until(one, lambda: isinstance(one.app.screen, Clash))
        assert "from the second" in global_file("answer-style").read_text()


async def test_the_trash_shows_what_was_deleted_and_brings_it_back(demo: Workspace) -> None:
    before = global_file("answer-style").read_bytes()
    async with opened(demo) as pilot:
        await pilot.press("3", "d")
        await until(pilot, lambda: len(facts(pilot)) == 7)
        await pilot.press("T")
        await until(pilot, lambda: isinstance(pilot.app.screen, Trash))
        await until(pilot, lambda: says(pilot, "1 deleted fact"))
        await until(pilot, lambda: says(pilot, "Lead with the answer"))
        await pilot.press("enter")
        await until(pilot, lambda: says(pilot, "The trash is empty"))
        assert global_file("answer-style").read_bytes() == before
        await pilot.press("escape")
        await until(pilot, lambda: len(facts(pilot)) == 8)
        await until(pilot, lambda: selected(pilot) == "answer-style")


async def test_the_history_undoes_any_step(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "d")
        await until(pilot, lambda: len(facts(pilot)) == 7)
        await pilot.press("d")
        await until(pilot, lambda: len(facts(pilot)) == 6)
        await pilot.press("at")
        await until(pilot, lambda: isinstance(pilot.app.screen, History))
        await until(pilot, lambda: says(pilot, "2 steps"))
        await pilot.press("j", "u")
        await until(pilot, lambda: "undone" in shown(pilot.app.screen.listing)[1])  # type: ignore[attr-defined]
        assert global_file("answer-style").exists()
        assert not global_file("no-force-push").exists()
        await pilot.press("u")
        await until(pilot, lambda: says(pilot, "undone already"))


async def test_the_history_shows_what_each_step_did(demo: Workspace) -> None:
    path = global_file("answer-style")
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        await in_form(pilot)
        await pilot.press("X", "ctrl+s")
        await until(pilot, lambda: "XLead" in path.read_text())
        await pilot.press("at")
        await until(pilot, lambda: says(pilot, "- Lead with the answer"))
        assert says(pilot, "+ XLead with the answer")
        await pilot.press("u")
        await until(pilot, lambda: says(pilot, "is as it was before this step"))
        path.write_text("by somebody else\n")
        await pilot.press("escape", "at")
        await until(pilot, lambda: says(pilot, "has changed since"))
        assert says(pilot, "+ by somebody else")


@pytest.mark.parametrize("size", [(60, 20), (120, 36)])
async def test_what_is_empty_tells_what_would_fill_it(
    demo: Workspace, size: tuple[int, int]
) -> None:
    async with opened(demo, size) as pilot:
        await pilot.press("3")
        for key, text in (
            ("T", "meanwhile"),
            ("at", "restart"),
            ("w", "near_duplicate_threshold"),
            ("o", "stale_days"),
        ):
            await pilot.press(key)
            await until(pilot, lambda: says(pilot, text))  # noqa: B023
            assert not pilot.app.screen.query_one("#memory-screen-list").display
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))


async def test_a_list_that_was_empty_takes_the_keys_again(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "d")
        await until(pilot, lambda: len(facts(pilot)) == 7)
        await pilot.press("T")
        await until(pilot, lambda: says(pilot, "1 deleted fact"))
        await pilot.press("r")
        await until(pilot, lambda: says(pilot, "The trash is empty"))
        undo(demo.root)  # by another hand
        pilot.app.screen.look()  # type: ignore[attr-defined]
        await until(pilot, lambda: says(pilot, "1 deleted fact"))
        await until(pilot, lambda: pilot.app.screen.listing.has_focus)  # type: ignore[attr-defined]


async def test_duplicates_side_by_side_keep_one_and_undo(demo: Workspace) -> None:
    global_file("rg-a").write_text(TWIN.format("rg-a", ""))
    global_file("rg-b").write_text(TWIN.format("rg-b", ""))
    async with opened(demo) as pilot:
        await pilot.press("3", "w")
        await until(pilot, lambda: isinstance(pilot.app.screen, Twins))
        await until(pilot, lambda: says(pilot, "1 with the same words"))
        await until(pilot, lambda: screen_text(pilot.app).count("Use rg, it is quick.") == 2)
        assert not says(pilot, "≠")
        await pilot.press("1")
        await until(pilot, lambda: not global_file("rg-b").exists())
        assert global_file("rg-a").exists()
        await until(pilot, lambda: says(pilot, "No two facts say the same"))
        await pilot.press("u")
        await until(pilot, lambda: global_file("rg-b").exists())
        await until(pilot, lambda: says(pilot, "1 with the same words"))
        await until(pilot, lambda: pilot.app.screen._facts() is not None)  # type: ignore[attr-defined]
        await pilot.press("2")
        await until(pilot, lambda: not global_file("rg-a").exists())


async def test_duplicates_are_merged_in_the_form(demo: Workspace) -> None:
    merged_twins()
    async with opened(demo) as pilot:
        await pilot.press("3", "w")
        await until(pilot, lambda: says(pilot, "1 with the same words"))
        await until(pilot, lambda: pilot.app.screen._facts() is not None)  # type: ignore[attr-defined]
        (row,) = [row for row in shown(pilot.app.screen.detail) if "≠" in row]  # type: ignore[attr-defined]
        assert row.count("Only in the first") == 2  # seen without any colour
        await pilot.press("m")
        form = await in_form(pilot)
        assert form.query_one("#form-name").disabled
        assert form.query_one("#form-body", TextArea).text.count("Only in the first") == 2
        await until(pilot, lambda: says(pilot, "deletes the other fact"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: not global_file("rg-b").exists())
        assert global_file("rg-a").read_text().count("Only in the first") == 2
        await until(pilot, lambda: selected(pilot) == "rg-a")
        await pilot.press("u")
        await until(pilot, lambda: global_file("rg-b").exists())
        assert global_file("rg-a").read_text().count("Only in the first") == 1


def merged_twins() -> None:
    global_file("rg-a").write_text(TWIN.format("rg-a", "Only in the first, with some words.\n"))
    global_file("rg-b").write_text(TWIN.format("rg-b", "Only in the first with some words!\n"))


async def merging(pilot: Pilot[Any]) -> Draft:
    """The form of two facts in one, with something typed; returns what is kept of it."""
    await pilot.press("3", "w")
    await until(pilot, lambda: says(pilot, "1 with the same words"))
    await until(pilot, lambda: pilot.app.screen._facts() is not None)  # type: ignore[attr-defined]
    await pilot.press("m")
    await in_form(pilot)
    await pilot.press(*"New ")
    await until(pilot, lambda: pane(pilot).form.dirty)
    draft = pane(pilot).unsaved()
    assert draft is not None
    return draft


async def recovering(demo: Workspace) -> Draft:
    """What a start left that was killed while two facts were made one."""
    merged_twins()
    async with opened(demo) as pilot:
        draft = await merging(pilot)
    shutil.rmtree(demo.state_dir)
    return draft


async def test_a_merge_that_was_not_saved_still_replaces_its_facts(demo: Workspace) -> None:
    draft = await recovering(demo)
    async with opened(demo) as pilot:
        assert pane(pilot).restore(Restoring(draft, lambda: None))
        form = await in_form(pilot)
        assert form.query_one("#form-name").disabled
        await until(pilot, lambda: says(pilot, "deletes the other fact: rg-b"))
        assert pane(pilot).unsaved() == draft  # for the next time
        await pilot.press("ctrl+s")
        await until(pilot, lambda: not global_file("rg-b").exists())
        assert "New Use rg" in global_file("rg-a").read_text()
        await until(pilot, lambda: selected(pilot) == "rg-a")
        await pilot.press("u")
        await until(pilot, lambda: global_file("rg-b").exists())
        assert global_file("rg-a").read_text().count("Only in the first") == 1


@pytest.mark.parametrize("what", ["rg-b has changed since", "rg-b is gone already"])
async def test_a_merge_that_was_not_saved_leaves_what_has_changed(
    demo: Workspace, what: str
) -> None:
    draft = await recovering(demo)
    changed = "changed" in what
    if changed:
        global_file("rg-b").write_text("---\nname: rg-b\ndescription: D\n---\n\nAnother.\n")
    else:
        global_file("rg-b").unlink()
    async with opened(demo) as pilot:
        assert pane(pilot).restore(Restoring(draft, lambda: None))
        await in_form(pilot)
        await until(pilot, lambda: says(pilot, what))
        assert not says(pilot, "deletes the other fact")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "New Use rg" in global_file("rg-a").read_text())
        assert global_file("rg-b").exists() == changed


async def test_a_merge_that_was_not_saved_is_a_new_fact_where_its_own_is_gone(
    demo: Workspace,
) -> None:
    draft = await recovering(demo)
    global_file("rg-a").unlink()
    async with opened(demo) as pilot:
        assert pane(pilot).restore(Restoring(draft, lambda: None))
        await in_form(pilot)
        await until(pilot, lambda: says(pilot, "its file is gone: saving makes a new fact"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: global_file("rg-a").exists())
        assert global_file("rg-b").exists()


@pytest.mark.parametrize("kept", ["", "{", "3", "[3]", "[[1, 2, 3]]", '[["a", "b"]]'])
async def test_a_draft_that_names_no_facts_replaces_none(demo: Workspace, kept: str) -> None:
    draft = await recovering(demo)
    broken = Draft("fact", draft.path, {**draft.fields, "replaces": kept})
    async with opened(demo) as pilot:
        assert pane(pilot).restore(Restoring(broken, lambda: None))
        await in_form(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "New Use rg" in global_file("rg-a").read_text())
        assert global_file("rg-b").exists()


async def test_a_fact_that_changes_while_it_is_merged_stays(demo: Workspace) -> None:
    merged_twins()
    async with opened(demo) as pilot:
        await merging(pilot)
        global_file("rg-b").write_text("---\nname: rg-b\ndescription: D\n---\n\nAnother.\n")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: says(pilot, "rg-b has changed since it was merged"))
        assert "New" not in global_file("rg-a").read_text()
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "New Use rg" in global_file("rg-a").read_text())
        assert "Another." in global_file("rg-b").read_text()


async def clashing_merge(pilot: Pilot[Any]) -> None:
    """A merge is saved over a fact that somebody has changed meanwhile."""
    await merging(pilot)
    global_file("rg-a").write_text(on_disk("Theirs.", "rg-a"))
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, Clash))


async def test_a_fact_that_changes_while_others_are_merged_into_it_clashes(
    demo: Workspace,
) -> None:
    merged_twins()
    async with opened(demo) as pilot:
        await clashing_merge(pilot)
        await until(pilot, lambda: says(pilot, "- Theirs."))
        await pilot.press("m")
        await until(pilot, lambda: not global_file("rg-b").exists())
        assert "New Use rg" in global_file("rg-a").read_text()


async def test_who_takes_the_others_text_merges_nothing(demo: Workspace) -> None:
    merged_twins()
    async with opened(demo) as pilot:
        await clashing_merge(pilot)
        await pilot.press("t")
        form = await in_form(pilot)
        await until(pilot, lambda: form.query_one("#form-body", TextArea).text == "Theirs.")
        await pilot.press("x", "ctrl+s")
        await until(pilot, lambda: "xTheirs." in global_file("rg-a").read_text())
        assert global_file("rg-b").exists()


async def test_both_stay_where_a_person_wants_both(demo: Workspace) -> None:
    global_file("rg-a").write_text(TWIN.format("rg-a", ""))
    global_file("rg-b").write_text(TWIN.format("rg-b", ""))
    async with opened(demo) as pilot:
        await pilot.press("3", "w")
        await until(pilot, lambda: says(pilot, "1 with the same words"))
        await pilot.press("b")
        await until(pilot, lambda: says(pilot, "No others are left"))
        assert global_file("rg-a").exists()
        assert global_file("rg-b").exists()


async def test_facts_out_of_use_with_their_evidence(demo: Workspace) -> None:
    for name in ("old-read", "old-unread"):
        path = global_file(name)
        path.write_text(
            f"---\nname: {name}\ndescription: An old fact\ncreated: 2020-01-02T00:00:00Z\n---\n\n"
            "Body of it.\n"
        )
        os.utime(path, (1_600_000_000, 1_600_000_000))
    journal = ReadJournal("demo", agent="demo")
    journal.record(global_file("old-read"), "read", time=1_795_946_000.0)
    async with opened(demo, (160, 40)) as pilot:
        await pilot.press("3", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, Stale))
        await until(pilot, lambda: says(pilot, "2 not changed for 180 days"))
        lines = shown(pilot.app.screen.listing)  # type: ignore[attr-defined]
        read = next(line for line in lines if "old-read" in line)
        unread = next(line for line in lines if "old-unread" in line)
        assert "never" in unread
        assert "never" not in read
        await until(pilot, lambda: says(pilot, "made on 2020-01-02"))
        await pilot.press("e")
        form = await in_form(pilot)
        assert form.query_one("#form-name", Input).value.startswith("old-")
        await pilot.press("escape", "o")
        await until(pilot, lambda: says(pilot, "2 not changed for 180 days"))
        await pilot.press("space", "space", "d")
        await until(pilot, lambda: not global_file("old-read").exists())
        assert not global_file("old-unread").exists()
        await pilot.press("u")
        await until(pilot, lambda: global_file("old-read").exists())


async def test_what_happens_to_the_file_is_told_while_one_writes(demo: Workspace) -> None:
    path = global_file("answer-style")
    before = path.read_bytes()
    async with opened(demo) as pilot:
        await pilot.press("3", "e", "X")
        form = await in_form(pilot)
        for happens, told in (
            (lambda: path.write_text(TWIN.format("answer-style", "")), "has changed meanwhile"),
            (path.unlink, "is gone meanwhile"),
        ):
            happens()
            pilot.app.bridge.publish(LoadMemories())  # type: ignore[attr-defined]
            await until(pilot, lambda: says(pilot, told))  # noqa: B023
        path.write_bytes(before)
        pilot.app.bridge.publish(LoadMemories())  # type: ignore[attr-defined]
        await until(pilot, lambda: not says(pilot, "meanwhile"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: not form.display)


async def test_where_there_is_little_room_the_last_read_is_told_all_the_same(
    demo: Workspace,
) -> None:
    path = global_file("old-unread")
    path.write_text(
        "---\nname: old-unread\ndescription: x\ncreated: 2020-01-02T00:00:00Z\n---\n\nBody.\n"
    )
    os.utime(path, (1_600_000_000, 1_600_000_000))
    async with opened(demo, (60, 20)) as pilot:
        await pilot.press("3", "o")
        await until(pilot, lambda: says(pilot, "1 not changed for 180 days"))
        (line,) = shown(pilot.app.screen.listing)  # type: ignore[attr-defined]
        assert line.endswith("read never")
        assert "old-unread" in line


async def test_the_screens_fit_a_small_terminal(demo: Workspace) -> None:
    global_file("rg-a").write_text(TWIN.format("rg-a", ""))
    global_file("rg-b").write_text(TWIN.format("rg-b", ""))
    async with opened(demo, (60, 20)) as pilot:
        await pilot.press("3", "d")
        await until(pilot, lambda: len(facts(pilot)) == 9)
        for key, text in (
            ("T", "deleted fact"),
            ("at", "1 step"),
            ("w", "the same words"),
            ("o", "changed within 180"),
        ):
            await pilot.press(key)
            await until(pilot, lambda: says(pilot, text))  # noqa: B023
            await until(pilot, lambda: says(pilot, "Esc Close"))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, WorkspaceScreen))
        await pilot.press("e")
        form = await in_form(pilot)
        assert form.query_one("#form-body").size.height >= 2
