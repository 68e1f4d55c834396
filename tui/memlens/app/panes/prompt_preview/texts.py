"""What the preview says beside the prompt: in its frame, and where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memlens.app.words import gone_words

if TYPE_CHECKING:
    from memlens.app.panes.prompt_preview.last_look import Marks
    from memlens.app.panes.prompt_preview.lines import PromptLines
    from memlens.engine.events.workspace import ContextLoaded

_AROUND: Final = 26
"""Cells of the frame that the title takes, and what stands around the words."""


def no_prompt(event: ContextLoaded) -> str:
    """Why there is no prompt, and how to get one."""
    return gone_words(event) or (
        "The prompt is empty: no memory files and no facts.\n\n"
        "Write a CLAUDE.md in this folder and it appears here as you save it."
    )


def place_words(
    lines: PromptLines, number: int, width: int, *, marks: Marks, found: str, wrap: bool
) -> str:
    """Where a line of the prompt comes from, as much of it as fits, and how it stands with the
    prompt. `width`: of the pane; `found`: what a search has found, in words."""
    source = lines.plan.source(number)
    place = f"{lines.text.label_of(source.file)}:{source.line}" if source.line else ""
    parts = [f"line {number}/{lines.plan.lines}"]
    if found:
        parts.insert(0, found)
    if any(marks):
        changed = len(marks.new) + len(marks.gone)
        parts.insert(0, f"┃ {changed} changed")
    if not wrap:
        parts.insert(0, "no wrap")
    state = "  ".join(parts)
    room = max(8, width - len(state) - _AROUND)
    place = f"{place}  " if len(place) <= room else f"…{place[-room:]}  "
    return f"{place.lstrip()}{state}"
