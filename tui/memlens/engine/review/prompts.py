"""A prompt with the source of each of its lines, and which of them a report may show."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlens.engine.context.model import Span
from memlens.engine.plan import Plan
from memlens.engine.review.model import Prompt, PromptSource


def prompt_of(plan: Plan, is_public: Callable[[str], bool]) -> Prompt:
    """The prompt of a plan. `is_public` says of an absolute path whether its text may be shown.

    A line is public only if all that stands in it is.
    """
    return Prompt(plan.text, plan.tokens, tuple(_joined(_lines(plan.spans, is_public))))


def _lines(spans: tuple[Span, ...], is_public: Callable[[str], bool]) -> Iterator[PromptSource]:
    """Runs of lines; the last line counts although no line end closes it."""
    known: dict[str, bool] = {}
    file, line, public, empty = "", 0, True, True
    for span in spans:
        if not span.text:
            continue
        if span.file and span.file not in known:
            known[span.file] = is_public(span.file)
        shown = known[span.file] if span.file else not _is_cut_fact(span)
        if empty:
            file, line, empty = span.file, span.line, False
        public = public and shown
        if span.breaks:
            yield PromptSource(1, file, line, public)
            if span.breaks > 1:
                yield PromptSource(span.breaks - 1, span.file, span.line and span.line + 1, shown)
            empty = span.text.endswith("\n")
            file, public = span.file, empty or shown
            line = span.line and span.line + span.breaks
    if not empty:
        yield PromptSource(1, file, line, public)


def _joined(runs: Iterator[PromptSource]) -> Iterator[PromptSource]:
    last: PromptSource | None = None
    for run in runs:
        if (
            last is not None
            and last.file == run.file
            and last.public == run.public
            and run.line == (last.line and last.line + last.lines)
        ):
            last = last._replace(lines=last.lines + run.lines)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last


def _is_cut_fact(span: Span) -> bool:
    """Whether a line of the index without a file may be what a cut has left of a fact's."""
    return span.kind == "index" and span.text.startswith("-")
