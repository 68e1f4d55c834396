"""What each of two agents gets in one folder that the other does not.

Compared is where text comes from, not how an agent arranges it: a line of a file that both get is
in both, wherever it stands.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memlens.engine.arranged import Source
    from memlens.engine.plan import Plan

    Only = Literal["both", "here", "around"]


class ComparedLine(NamedTuple):
    """One line of a prompt."""

    text: str
    only: Only
    """`here`: something on it reaches this agent alone; `around`: the agent writes it itself."""
    file: str
    """Where it begins; empty for what comes from no file."""
    line: int


class ComparedSide(NamedTuple):
    """What one of the two gets."""

    agent: str
    title: str
    lines: tuple[ComparedLine, ...]
    tokens: int
    """An estimate, see `TOKEN_METHOD`."""
    files: tuple[tuple[str, int], ...]
    """The files that this agent gets more of, in the order of its prompt, with the number of
    lines that the other does not get."""

    places: Mapping[tuple[str, int], int]
    """Where a line of a file stands first: its index among `lines`."""

    @property
    def alone(self) -> int:
        """Lines that reach this agent alone."""
        return sum(lines for _, lines in self.files)


def compare(left: Plan, right: Plan) -> tuple[ComparedSide, ComparedSide]:
    """Both sides, each marked by what the other does not get."""
    return _side(left, _places(right)), _side(right, _places(left))


def _places(plan: Plan) -> set[tuple[str, int]]:
    """Every line of a file that has something in the prompt."""
    return {
        (span.file, line)
        for span in plan.spans
        if span.kind in ("text", "index") and span.file and span.text
        # With its line end a line is over: what comes behind may be cut out.
        for line in range(span.line, span.line + span.breaks + (not span.text.endswith("\n")))
    }


def _side(plan: Plan, others: set[tuple[str, int]]) -> ComparedSide:
    lines = []
    alone: Counter[str] = Counter()
    texts = plan.text.split("\n") if plan.text else []
    for number, text in enumerate(texts[: plan.lines], 1):
        sources = plan.sources(number)
        told = [one for one in sources if one.kind in ("text", "index")]
        missing = {(one.file, one.line) for one in told if not _shared(one, others)}
        for file, _ in missing:
            alone[file] += 1
        first = told[0] if told else None
        only: Only = "around" if first is None else "here" if missing else "both"
        lines.append(
            ComparedLine(text, only, first.file if first else "", first.line if first else 0)
        )
    places = {(line.file, line.line): at for at, line in reversed([*enumerate(lines)]) if line.file}
    return ComparedSide(
        plan.profile.name, plan.profile.title, tuple(lines), plan.tokens, tuple(alone.items()),
        places,
    )  # fmt: skip


def _shared(source: Source, others: set[tuple[str, int]]) -> bool:
    return (source.file, source.line) in others
