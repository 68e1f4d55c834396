"""The line above: fewer words where there is little room, and nothing cut."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from memlens.app.widgets.header import Part, fitted
from memlens.app.widgets.line_view import fit_path
from memlens.engine.workspace import Workspace
from tests.app.pilot import opened, screen_text, until

PARTS: tuple[Part, ...] = (
    ("~/a/long/way/to/项目", ""), ("agent raider", "", "raider"), ("2 problems", "", "✗ 2"),
)  # fmt: skip


@pytest.mark.parametrize("room", range(30, 70))
def test_what_is_shown_fits(room: int) -> None:
    texts = [text for text, _ in fitted(PARTS, room)]
    assert sum(cell_len(text) + 3 for text in texts) <= room
    assert texts[0].endswith("项目")
    assert "raider" in texts[1]
    assert "2" in texts[2]


def test_no_word_goes_before_it_has_to() -> None:
    whole = [part[0] for part in PARTS]
    needed = sum(cell_len(text) + 3 for text in whole)
    assert [text for text, _ in fitted(PARTS, needed)] == whole
    texts = [text for text, _ in fitted(PARTS, needed - 1)]
    assert texts[0].startswith("…")  # the rest of the way is told, too, where one looks at it
    assert texts[1:] == whole[1:]
    assert [text for text, _ in fitted(PARTS, needed - 8)][1:] == ["raider", whole[2]]


def above(pilot: Pilot[Any]) -> str:
    return screen_text(pilot.app).splitlines()[0]


async def test_the_header_tells_all_on_a_small_screen(demo: Workspace) -> None:
    async with opened(demo, (60, 20), live=True) as pilot:
        await until(pilot, lambda: "●" in above(pilot))
        assert "…" not in above(pilot)
        assert "~/shop/api" in above(pilot)
        assert "✗ 3" in above(pilot)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "agent raider" in above(pilot))
        assert "● live" in above(pilot)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (30, "/work/shop/api/CLAUDE.md"), (20, "…/shop/api/CLAUDE.md"), (19, "…/api/CLAUDE.md"),
        (15, "…/api/CLAUDE.md"), (14, "…api/CLAUDE.md"), (8, "…AUDE.md"), (1, "…"), (0, ""),
    ],
)  # fmt: skip
def test_a_path_without_room_keeps_whole_names_from_its_end(width: int, shown: str) -> None:
    assert fit_path("/work/shop/api/CLAUDE.md", width).rstrip() == shown
