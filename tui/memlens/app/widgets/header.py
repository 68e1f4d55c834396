"""The line above: where we are, whose memory it is, how large, and whether something is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets import Static

from memlens.app.widgets.line_view import fit_path
from memlens.engine.visible import visible

Part = tuple[str, str] | tuple[str, str, str]
"""Text from wherever, its style, and fewer words for where there is little room."""
_NAME = " memlens "
_LEAST_PLACE = 12
"""Cells that the place keeps at least."""


class Header(Static):
    """Shows parts with lines between them, in fewer words where there is no room for all.

    The first part is where we are; of that the end stays.
    """

    def __init__(self) -> None:
        super().__init__(id="header")
        self._parts: tuple[Part, ...] = ()

    def say(self, *parts: Part) -> None:
        self._parts = parts
        self._draw(self.size.width or self.app.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._draw(event.size.width)

    def _draw(self, width: int) -> None:
        pieces: list[tuple[str, str]] = [(_NAME, "bold $primary")]
        for text, style in fitted(self._parts, width - len(_NAME)):
            pieces += [("─ ", "$border-blurred"), (f"{text} ", style)]
        self.update(Content.assemble(*pieces))


def fitted(parts: Sequence[Part], room: int) -> Sequence[tuple[str, str]]:
    """The parts' texts and styles for a number of cells. The first, a path, loses its beginning
    where it takes more than a third; then from the left each is put shortly until all fit."""
    texts = [visible(part[0]) for part in parts]

    def missing() -> int:
        return sum(cell_len(text) + 3 for text in texts) - room

    def cut_place(least: int) -> None:
        size = cell_len(texts[0])
        if missing() > 0 and size > least:
            texts[0] = fit_path(texts[0], max(least, size - missing())).rstrip()

    if parts:
        cut_place(max(_LEAST_PLACE, room // 3))
        for at, part in enumerate(parts):
            if at and len(part) > 2 and missing() > 0:
                texts[at] = visible(part[-1])
        cut_place(_LEAST_PLACE)
    return [(text, part[1]) for text, part in zip(texts, parts, strict=True)]


def tokens(count: int) -> str:
    """An estimated number of tokens, for people."""
    return f"{few_tokens(count)} tokens"


def few_tokens(count: int) -> str:
    """The same, where there is no room for the word."""
    return f"≈ {count / 1000:.1f}k" if count >= 1000 else f"≈ {count}"
