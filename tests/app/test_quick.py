"""What is drawn in a quicker way looks the same as what the framework draws."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from memlens.app.screens.quick import Dialog
from memlens.app.screens.review import ReviewScreen
from memlens.app.widgets.hollow import Frame
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, until

LOOKS = (
    "",
    "border: round red;",
    "border: tall blue; padding: 2 3;",
    "border-left: thick green; padding: 1 0;",
    "border-bottom: solid white; padding: 0 1;",
    "padding: 3;",
)


class Containers(App[None]):
    """The framework's container beside ours."""

    CSS = "Screen { layout: horizontal; } .box { width: 1fr; background: #123456; }"

    def __init__(self, look: str, height: int) -> None:
        super().__init__()
        self._look = f"{look} height: {height};"

    def compose(self) -> ComposeResult:
        for kind in (Vertical, Frame):
            box = kind(Static("text"), classes="box")
            box.set_styles(self._look)
            box.border_title, box.border_subtitle = "a title", "and below"
            yield box


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("height", [1, 2, 3, 5, 12])
async def test_a_hollow_container_looks_like_any(look: str, height: int) -> None:
    async with Containers(look, height).run_test(size=(60, 20)) as pilot:
        theirs, ours = pilot.app.query_one(Vertical), pilot.app.query_one(Frame)
        width = ours.outer_size.width
        assert ours.outer_size == theirs.outer_size
        for top in range(height):
            for bottom in range(top + 1, height + 1):
                for x, columns in ((0, width), (2, width - 4)):
                    crop = Region(x, top, columns, bottom - top)
                    assert ours.render_lines(crop) == theirs.render_lines(crop)


class Below(App[None]):
    CSS = "ModalScreen { background: #102030 60%; }"

    def compose(self) -> ComposeResult:
        for number in range(30):
            yield Static(
                f"[@click=app.bell]line {number}[/] [b red]红色[/] [reverse]e\u0301é[/] 🙂"
            )


class Theirs(ModalScreen[None]):
    """A dialog as the framework draws it."""


class Ours(Dialog[None]):
    """The same, as we draw it."""


class Lower(Ours):
    """One with some words of its own."""

    def compose(self) -> ComposeResult:
        yield Static("lower words")


def cells(strips: Iterable[Strip]) -> list[list[tuple[str, object]]]:
    """Each line cell by cell, with the looks of each."""
    return [
        [(letter, segment.style) for segment in strip for letter in segment.text]
        for strip in strips
    ]


@pytest.mark.parametrize("size", [(80, 24), (33, 7)])
async def test_what_is_below_a_dialog_looks_as_the_framework_would_show_it(
    size: tuple[int, int],
) -> None:
    drawn = []
    for screen in (Theirs(), Ours()):
        async with Below().run_test(size=size) as pilot:
            await pilot.app.push_screen(screen)
            await pilot.pause()
            drawn.append(cells(screen.render_lines(screen.size.region)))
            assert all(
                not (segment.style and segment.style.meta)
                for strip in screen.render_lines(screen.size.region) for segment in strip
            )  # fmt: skip
    assert drawn[0] == drawn[1]
    assert "line 3" in "".join(letter for letter, _ in drawn[1][3])


async def test_a_dialog_over_a_dialog_shows_both() -> None:
    async with Below().run_test(size=(60, 20)) as pilot:
        await pilot.app.push_screen(Lower())
        await pilot.app.push_screen(Ours())
        await pilot.pause()
        text = "\n".join(
            strip.text for strip in pilot.app.screen.render_lines(Region(0, 0, 60, 20))
        )
        assert "lower words" in text
        assert "line 1" in text


async def test_what_changes_below_a_dialog_is_seen() -> None:
    async with Below().run_test(size=(60, 20)) as pilot:
        await pilot.app.push_screen(Ours())
        await pilot.pause()
        below = pilot.app.screen_stack[0]
        below.query(Static).first().update("changed meanwhile")
        await pilot.pause()
        await pilot.pause()
        top = pilot.app.screen
        assert "changed meanwhile" in top.render_lines(top.size.region)[0].text


async def test_the_focus_changes_the_looks_of_nothing_but_what_holds_it(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        for rule in pilot.app.stylesheet.rules:
            for chosen in rule.selector_set:
                above = [one.pseudo_classes for one in chosen.selectors[:-1]]
                assert not any("focus-within" in some for some in above), rule.selectors
