"""Whether a phrase reaches the prompt."""

from __future__ import annotations

from memlens.engine.events.base import Event


class WhyAnswered(Event):
    """Whether a phrase reaches the prompt, and how, or why not."""

    text: str
    reached: bool
    chain: tuple[tuple[str, int], ...]
    """File and line, from 1: the imports on the way, outermost first, then the place itself."""
    reason: str
    """One sentence for people."""
    line: int
    """The line of the prompt, from 1; 0 when it is not reached."""
