"""What saving the form would do, in a few lines below it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.content import Content

from memlens.engine.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.engine.durable.results import Redaction
    from memlens.engine.events.memories import DraftChecked

Line = tuple[str, str]
"""A line's text and its style."""
_NAMED = 3
"""Facts that are named; of more only the number is told."""


def verdict(event: DraftChecked, path: str, notes: Sequence[str] = ()) -> Content:
    """The lines, the loudest first; `path` is the fact's file now, empty for a new fact."""
    lines = [
        *((f"✗ {problem}", "$text-error") for problem in problems_of(event, new=not path)),
        *((f"! {note}", "$text-warning") for note in notes),
        *_warnings(event),
        *_index(event),
        *_place(event, path),
    ]
    parts: list[str | tuple[str, str]] = []
    for text, style in lines:
        parts += ["\n" if parts else "", (visible(text), style)]
    return Content.assemble(*parts)


def problems_of(event: DraftChecked, *, new: bool) -> list[str]:
    """Why it cannot be saved; empty where it can."""
    problems = list(event.check.problems)
    if new and event.check.replaces is not None:
        problems.append(f"a fact “{event.check.replaces.name}” is there already; edit that one")
    return problems


def questions_before(event: DraftChecked, *, moved: bool) -> list[str]:
    """What a person should say yes to before it is saved; `moved`: into another scope."""
    check = event.check
    questions = []
    if check.redactions:
        questions.append(f"[REDACTED] will stand for {redacted_words(check.redactions)}.")
    if check.lost_bytes:
        questions.append(
            f"{_lost_words(check.lost_bytes)} in the file: � will stand for what was there. Your "
            "own editor (E) keeps it."
        )
    if check.committed and moved:
        questions.append(
            "A shared fact lies in the repository: it will be committed, and everyone who works on "
            "it will get it."
        )
    return questions


def _lost_words(number: int) -> str:
    return f"{number:,} byte{'s are' if number != 1 else ' is'} no UTF-8"


def redacted_words(redactions: Sequence[Redaction]) -> str:
    """`2 secrets: aws-access-key in the body, line 3, …`"""
    places = [f"{one.kind} in the {one.field}, line {one.line}" for one in redactions]
    number = f"{len(places)} secret{'s' if len(places) != 1 else ''}"
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f"{number}: {'; '.join(places[:_NAMED])}{more}"


def _warnings(event: DraftChecked) -> list[Line]:
    check = event.check
    lines: list[Line] = []
    if check.redactions:
        text = redacted_words(check.redactions)
        lines.append((f"! [REDACTED] will stand for {text}", "$text-warning"))
    if check.lost_bytes:
        text = f"! {_lost_words(check.lost_bytes)}: � will stand there instead"
        lines.append((text, "$text-warning"))
    if check.description_too_long:
        limit = event.description_limit
        lines.append((f"! the description has more than {limit} characters", "$text-warning"))
    if check.path and not check.fits:
        lines.append(("! behind the cut of the index: the agent will not see it", "$text-warning"))
    if check.falls_out:
        names = ", ".join(entry.name for entry in check.falls_out[:_NAMED])
        more = len(check.falls_out) - _NAMED
        names += f" and {more} more" if more > 0 else ""
        lines.append((f"! falls out of the index: {names}", "$text-warning"))
    return lines


def _index(event: DraftChecked) -> list[Line]:
    check = event.check
    if not check.index_line:
        return []
    sizes = f"index {check.index_bytes:,} of {event.cap_bytes:,} bytes"
    if check.index_growth:
        sizes += f" ({check.index_growth:+,})"
    if check.old_line and check.old_line != check.index_line:
        return [
            (f"− {check.old_line.removeprefix('- ')}", "$text-error"),
            (f"+ {check.index_line.removeprefix('- ')}", "$text-success"),
            (sizes, "dim"),
        ]
    return [(check.index_line, ""), (sizes, "dim")]


def _place(event: DraftChecked, old: str) -> list[Line]:
    check = event.check
    if not check.path:
        return []
    lines: list[Line] = []
    if check.path != old:
        text = f"file {check.file_name} in {os.path.dirname(check.path)}"
        if check.collision is not None:
            text = f"{text}; “{check.collision.name}” has {check.slug}.md"
        lines.append((text, "dim"))
    if check.committed:
        lines.append(("committed: everyone who works on this repository gets it", "$text-accent"))
    return lines
