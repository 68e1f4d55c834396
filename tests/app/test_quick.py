"""What is drawn in a quicker way looks the same as what the framework draws."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from textual._compositor import Compositor, CompositorUpdate, LayoutUpdate
from textual.app import App, ComposeResult, RenderResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from memlens.app.screens.bands import CELLS, BandCompositor
from memlens.app.screens.help import Help
from memlens.app.screens.quick import Dialog, QuickScreen
from memlens.app.screens.review import ReviewScreen
from memlens.app.widgets.hollow import Frame
from memlens.engine.workspace import Workspace
from tests.app.pilot import driven, opened, until

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
        async with driven(Below(), size) as pilot:
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
    async with driven(Below(), (60, 20)) as pilot:
        await pilot.app.push_screen(Lower())
        await pilot.app.push_screen(Ours())
        await pilot.pause()
        text = "\n".join(
            strip.text for strip in pilot.app.screen.render_lines(Region(0, 0, 60, 20))
        )
        assert "lower words" in text
        assert "line 1" in text


async def test_what_changes_below_a_dialog_is_seen() -> None:
    async with driven(Below(), (60, 20)) as pilot:
        await pilot.app.push_screen(Ours())
        await pilot.pause()
        below = pilot.app.screen_stack[0]
        below.query(Static).first().update("changed meanwhile")
        top = pilot.app.screen
        await until(
            pilot,
            lambda: "changed meanwhile" in top.render_lines(top.size.region)[0].text,
        )


async def test_the_focus_changes_the_looks_of_nothing_but_what_holds_it(demo: Workspace) -> None:
    async with opened(demo) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        for rule in pilot.app.stylesheet.rules:
            for chosen in rule.selector_set:
                above = [one.pseudo_classes for one in chosen.selectors[:-1]]
                assert not any("focus-within" in some for some in above), rule.selectors


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("keys", [(), ("z",), ("question_mark",), ("r",)])
async def test_bands_make_the_same_screen_as_one_piece(
    demo: Workspace, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    async with opened(demo, size=size) as pilot:
        await pilot.press(*keys)
        await until(pilot, lambda: pilot.app.screen.focused)
        compositor = pilot.app.screen._compositor
        assert isinstance(compositor, BandCompositor)
        for view in pilot.app.screen.walk_children():
            view.refresh()
        with patch.object(BandCompositor, "_get_renders", Compositor._get_renders):
            theirs = compositor.render_strips()
        for view in pilot.app.screen.walk_children():
            view.refresh()
        bands = list(compositor.bands())
        assert all(len(band) * size[0] <= CELLS for band in bands)
        assert cells(Strip.join(line) for band in bands for line in band) == cells(theirs)


class Sudden(Static):
    """Does something when it is drawn for the first time after it was armed."""

    deed: Callable[[], object] | None = None

    def render(self) -> RenderResult:
        deed, self.deed = self.deed, None
        if deed is not None:
            deed()
        return super().render()


HEIGHT = 240
"""Lines of a screen that takes many bands."""


class Tall(QuickScreen[None]):
    """As many lines as the terminal has, one of them sudden."""

    def compose(self) -> ComposeResult:
        for number in range(HEIGHT):
            kind = Sudden if number == HEIGHT // 3 else Static
            yield kind(f"line {number}.")


class Display(App[None]):
    """An app whose terminal is a list of what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.ended_with: Exception | None = None

    def get_default_screen(self) -> Tall:
        return Tall()

    def _display(self, screen: Any, drawn: Any) -> None:
        if isinstance(drawn, CompositorUpdate):
            self.sent.append(drawn.render_segments(self.console))
        if isinstance(drawn, LayoutUpdate):
            assert drawn.region.size == self.size

    def _handle_exception(self, error: Exception) -> None:
        self.ended_with = error


@pytest.fixture
def shows() -> Iterator[Display]:
    app = Display()
    yield app
    assert app.ended_with is None


def arm(app: App[None], deed: Callable[[], object], at: int = -1) -> None:
    """Has the screen `at` in the stack drawn, with something that happens then."""
    screen = app.screen_stack[at]
    screen.query_one(Sudden).deed = deed
    for widget in screen.walk_children():
        widget.refresh()


def numbers(sent: str) -> list[int]:
    """Of the lines in what was sent."""
    return [int(number) for number in re.findall(r"line (\d+)\.", sent)]


async def test_a_large_change_is_shown_in_one_piece(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        shows.sent.clear()
        arm(shows, lambda: None)
        await until(pilot, lambda: shows.sent)
        assert numbers(shows.sent[0]) == list(range(HEIGHT))


async def test_what_changes_while_a_screen_is_drawn_is_shown_next(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        first = shows.screen.query(Static).first()
        arm(shows, lambda: first.update("changed meanwhile"))
        await until(pilot, lambda: any("changed meanwhile" in one for one in shows.sent))


async def test_what_moves_while_a_screen_is_drawn_is_shown_whole(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        shows.sent.clear()
        first = shows.screen.query(Static).first()
        arm(shows, first.remove)
        await until(pilot, lambda: shows.sent and 0 not in numbers(shows.sent[-1]))
        for sent in shows.sent:
            begin = numbers(sent)[0]
            assert begin in (0, 1)
            assert numbers(sent) == list(range(begin, HEIGHT))


async def test_another_size_while_a_screen_is_drawn(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        tasks = []
        resize = pilot.resize_terminal
        arm(shows, lambda: tasks.append(asyncio.ensure_future(resize(100, 60))))
        await until(pilot, lambda: shows.size == (100, 60))
        await asyncio.gather(*tasks)
        await until(pilot, lambda: numbers(shows.sent[-1]) == list(range(60)))


async def test_a_dialog_that_comes_while_a_screen_is_drawn(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        arm(shows, lambda: shows.call_later(shows.push_screen, Lower()))
        await until(pilot, lambda: any("lower words" in one for one in shows.sent))
        shows.sent.clear()
        shows.pop_screen()
        await until(pilot, lambda: any(numbers(one) == list(range(HEIGHT)) for one in shows.sent))


async def test_a_screen_is_not_shown_over_a_dialog_that_came_while_it_was_drawn(
    shows: Display,
) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        below, dialog = shows.screen, Lower()
        assert isinstance(below, Tall)
        come: list[object] = []

        def open_dialog() -> None:
            come.append(shows.push_screen(dialog))
            shows.sent.clear()

        arm(shows, open_dialog)
        await until(pilot, lambda: come and any("lower words" in one for one in shows.sent))
        await until(pilot, lambda: not (below._drawing or dialog._drawing))
        assert all("lower words" in one for one in shows.sent if 0 in numbers(one))


async def test_another_size_while_what_is_below_a_dialog_is_drawn(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        tasks = []
        resize = pilot.resize_terminal
        await shows.push_screen(Lower())
        await until(pilot, lambda: any("lower words" in one for one in shows.sent))
        arm(shows, lambda: tasks.append(asyncio.ensure_future(resize(100, 60))), 0)
        await until(pilot, lambda: shows.size == (100, 60))
        await asyncio.gather(*tasks)
        await until(pilot, lambda: numbers(shows.sent[-1]) == list(range(1, 60)))


async def test_what_changes_while_it_is_drawn_below_a_dialog_is_seen(shows: Display) -> None:
    async with shows.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: shows.sent)
        await shows.push_screen(Lower())
        await until(pilot, lambda: any("lower words" in one for one in shows.sent))
        changing = shows.screen_stack[0].query(Static)[2]
        done = []

        def change() -> None:
            changing.update("changed meanwhile")
            done.append(True)

        arm(shows, change, 0)
        await until(pilot, lambda: done)
        await until(pilot, lambda: any("changed meanwhile" in one for one in shows.sent))


async def test_what_changes_below_two_dialogs_is_seen_through_both(shows: Display) -> None:
    async with shows.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: shows.sent)
        await shows.push_screen(Lower())
        await shows.push_screen(Ours())
        await until(pilot, lambda: any("lower words" in one for one in shows.sent))
        shows.screen_stack[0].query(Static)[2].update("changed meanwhile")
        await until(pilot, lambda: any("changed meanwhile" in one for one in shows.sent))


async def test_a_terminal_that_has_its_size_again_is_painted_anew(shows: Display) -> None:
    """It has lost what it had no room for meanwhile, and told of both at once."""
    async with shows.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: shows.sent)
        shows.sent.clear()
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: any(numbers(one) == list(range(40)) for one in shows.sent))
        await shows.push_screen(Lower())
        await until(pilot, lambda: any("lower words" in one for one in shows.sent))
        shows.sent.clear()
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: any(numbers(one) == list(range(1, 40)) for one in shows.sent))


async def test_what_cannot_be_drawn_ends_the_app_as_anything_else_would() -> None:
    app = Display()
    async with app.run_test(size=(120, HEIGHT)) as pilot:
        await until(pilot, lambda: app.sent)
        arm(app, lambda: 1 // 0)
        await until(pilot, lambda: app.ended_with)
    assert isinstance(app.ended_with, ZeroDivisionError)


async def test_what_changes_once_below_a_dialog_is_drawn_once(
    demo: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws: list[object] = []
    tell = QuickScreen._change_above

    def note(screen: QuickScreen[object]) -> None:
        draws.append(screen)
        tell(screen)

    async with opened(demo) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        below = pilot.app.screen_stack[0]
        monkeypatch.setattr(QuickScreen, "_change_above", note)
        below.query_one("#action-bar").refresh()
        await until(pilot, lambda: below in draws)
        for _ in range(50):
            await pilot.pause(0.01)
            below.call_later(lambda: None)
        assert draws.count(below) <= 2
