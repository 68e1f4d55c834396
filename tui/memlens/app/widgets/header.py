"""The line above: where we are, whose memory it is, how large, and whether something is wrong."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from memlens.engine.visible import visible

Part = tuple[str, str]
"""Text from wherever, and its style."""


class Header(Static):
    """Shows parts with lines between them, as many as there is room for."""

    def __init__(self) -> None:
        super().__init__(id="header")

    def say(self, *parts: Part) -> None:
        pieces: list[tuple[str, str]] = [(" memlens ", "bold $primary")]
        for text, style in parts:
            pieces += [("─ ", "$border-blurred"), (f"{visible(text)} ", style)]
        self.update(Content.assemble(*pieces))


def tokens(count: int) -> str:
    """An estimated number of tokens, for people."""
    return f"≈ {count / 1000:.1f}k tokens" if count >= 1000 else f"≈ {count} tokens"
