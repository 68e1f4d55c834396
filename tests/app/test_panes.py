"""The four panes on real files, by real keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.color import Color
from textual.widgets import Input

from memlens.app.panes.memory_browser.form import MemoryForm
from memlens.app.widgets.line_view import LineView
from memlens.engine.record import replace
from memlens.engine.workspace import Workspace, open_workspace
from tests.app.pilot import driven, line_at_cursor, opened, screen_text, shown, until


def view(pilot_app: object, name: str) -> LineView:
    found = pilot_app.screen.query_one(name)  # type: ignore[attr-defined]
    assert isinstance(found, LineView)
    return found


async def test_every_pane_shows_the_demo(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        tree = "\n".join(shown(view(pilot.app, "#tree-lines")))
        for part in ("user", "ancestor", "project", "local", "docs/style.md", "glossary.md"):
            assert part in tree
        prompt = "\n".join(shown(view(pilot.app, "#prompt-lines")))
        assert "Four spaces, double quotes" in prompt
        assert "# Memory" in prompt
        facts = shown(view(pilot.app, "#memory-results"))
        assert len(facts) == 8
        assert [
            scope for scope in ("global", "private", "shared") if scope in "\n".join(facts)
        ] == [
            "global",
            "private",
            "shared",
        ]


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_the_keys_go_to_the_panes(demo: Workspace, size: tuple[int, int]) -> None:
    async with opened(demo, size) as pilot:
        for key, name in (
            ("2", "prompt-preview"),
            ("3", "memory-browser"),
            ("4", "read-log"),
            ("1", "memory-tree"),
            ("tab", "prompt-preview"),
            ("shift+tab", "memory-tree"),
        ):
            await pilot.press(key)
            focused = pilot.app.screen.focused
            assert focused is not None
            assert name in {node.id for node in focused.ancestors_with_self}
            assert pilot.app.screen.query_one(f"#{name}").display


async def test_the_search_narrows_with_each_key_and_escape_clears_it(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        results = view(pilot.app, "#memory-results")
        await pilot.press("3", "slash")
        await pilot.press(*"sandbox")
        await until(pilot, lambda: len(shown(results)) == 1)
        assert "payment-sandbox" in shown(results)[0]
        await pilot.press("escape")
        await until(pilot, lambda: len(shown(results)) == 8)
        assert pilot.app.screen.focused is results


def looks(lines: LineView) -> set[tuple[Color | None, bool | None]]:
    """What the line with the cursor is drawn with: grounds, and whether it is underlined."""
    row = lines.render_line(lines.cursor - round(lines.scroll_y))
    styles = [segment.style for segment in row if segment.style is not None]
    return {(style.bgcolor, style.underline) for style in styles}


@pytest.mark.parametrize("theme", ["memlens", "memlens-light", "memlens-16", "textual-ansi"])
async def test_the_line_that_another_pane_points_to_can_be_seen(
    demo: Workspace, theme: str
) -> None:
    here = replace(demo, settings=replace(demo.settings, theme=theme))
    async with opened(here) as pilot:
        prompt, detail = view(pilot.app, "#prompt-lines"), view(pilot.app, "#tree-detail")
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: prompt.cursor > 0)
        resting = prompt._style("resting")
        assert looks(prompt) == {(resting.bgcolor, resting.underline)}
        plain = prompt._style("")
        assert (resting.bgcolor, resting.underline) != (plain.bgcolor, plain.underline)
        assert resting.bgcolor not in {ground for ground, _ in looks(detail)} or resting.underline
        await pilot.press("2")
        await until(pilot, lambda: prompt.has_focus)
        assert looks(prompt) != {(resting.bgcolor, resting.underline)}


async def test_the_cursor_links_tree_and_preview(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        tree, prompt = view(pilot.app, "#tree-lines"), view(pilot.app, "#prompt-lines")
        await pilot.press("j", "j", "j", "j")
        assert "glossary.md" in line_at_cursor(tree)
        assert "Glossary" in line_at_cursor(prompt)
        await pilot.press("2", "G")
        await until(pilot, lambda: prompt.cursor == len(shown(prompt)) - 1)
        await pilot.press("g", "h")
        assert pilot.app.screen.focused is tree
        assert "~/.claude/CLAUDE.md" in line_at_cursor(tree)


async def test_a_change_on_disk_arrives_without_moving_the_cursor(demo: Workspace) -> None:
    async with opened(demo, live=True) as pilot:
        tree = view(pilot.app, "#tree-lines")
        await pilot.press("j", "j")
        assert "CLAUDE.md" in line_at_cursor(tree)
        before = line_at_cursor(tree)
        await until(pilot, lambda: "live" in screen_text(pilot.app))
        local = Path(demo.root, "CLAUDE.local.md")
        local.write_text(local.read_text() + "\nSee @extra.md\n")
        Path(demo.root, "extra.md").write_text("Something new.\n")
        await until(pilot, lambda: any("extra.md" in line for line in shown(tree)))
        assert line_at_cursor(tree) == before


async def test_a_fact_is_edited_in_place_and_saved(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        results = view(pilot.app, "#memory-results")
        await pilot.press("3")
        assert "answer-style" in line_at_cursor(results)
        await pilot.press("e")
        form = pilot.app.screen.query_one(MemoryForm)
        await until(pilot, lambda: form.display and form.query_one("#form-body").has_focus)
        form.query_one("#form-description", Input).value = "Long answers: never"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Long answers" in "\n".join(shown(results)))
        path = Path(os.environ["MERMAID_DATA_DIR"], "memory", "answer-style.md")
        saved = path.read_text()
        assert 'description: "Long answers: never"' in saved
        assert "created: 2026-08-11T19:40:00+00:00" in saved
        await until(pilot, lambda: "is saved in" in screen_text(pilot.app))


async def test_leaving_a_changed_form_asks(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("3", "e")
        form = pilot.app.screen.query_one(MemoryForm)
        await until(pilot, lambda: form.display and form.query_one("#form-body").has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: not form.display)
        await pilot.press("e")
        await until(pilot, lambda: form.display and form.query_one("#form-body").has_focus)
        await pilot.press("x", "escape")
        await until(pilot, lambda: "not saved" in screen_text(pilot.app))
        await pilot.press("n")
        await until(pilot, lambda: form.display and form.query_one("#form-body").has_focus)
        await pilot.press("escape", "y")
        await until(pilot, lambda: not form.display)


async def test_an_empty_folder_teaches(tmp_path: Path) -> None:
    root = tmp_path / "empty"
    root.mkdir()
    async with opened(open_workspace(root)) as pilot:
        text = screen_text(pilot.app)
        for part in ("No memory files here", "The prompt is empty", "No facts yet", "hook"):
            assert part in text


async def test_below_a_hundred_columns_the_panes_are_tabs(demo: Workspace) -> None:
    async with opened(demo, (80, 24)) as pilot:
        assert [pane.display for pane in pilot.app.screen.query("Pane")].count(True) == 1
        await pilot.click(pilot.app.screen.query("Tab")[2])
        assert pilot.app.screen.query_one("#memory-browser").display
        await pilot.resize_terminal(120, 36)
        await until(pilot, lambda: all(pane.display for pane in pilot.app.screen.query("Pane")))
        await pilot.resize_terminal(50, 15)
        await until(pilot, lambda: "needs 60 × 20" in screen_text(pilot.app))


async def test_zoom_shows_one_pane_and_then_all(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("2", "z")
        assert [pane.id for pane in pilot.app.screen.query("Pane") if pane.display] == [
            "prompt-preview"
        ]
        await pilot.press("z")
        assert all(pane.display for pane in pilot.app.screen.query("Pane"))


async def test_the_first_paint_comes_before_any_loading(demo: Workspace) -> None:
    from tests.app.pilot import make_app

    app = make_app(demo)
    painted_when_loading: list[str] = []
    publish = app.engine.bus.publish

    def watched(message: object) -> None:
        if type(message).__name__ == "LoadContext":
            painted_when_loading.append(screen_text(app))
        publish(message)

    app.engine.bus.publish = watched  # type: ignore[method-assign]
    async with driven(app) as pilot:
        await until(pilot, lambda: painted_when_loading)
        assert "1 Memory tree" in painted_when_loading[0]
        assert "loading" in painted_when_loading[0]
