"""Code spans inside one paragraph, by CommonMark.

Code spans, autolinks and inline HTML bind equally tightly, from left to right; and a backtick in
the destination of a link is no mark of code.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise

from memlens.engine.context.html import inline_html
from memlens.engine.context.lines import is_plain

_INTEREST = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<|!?\[|\]")


def simple_spans(text: str, begin: int, end: int) -> list[tuple[int, int]] | None:
    """The code spans of the lines from `begin`, where nothing is open, to `end`; None where these
    are more than a paragraph, perhaps with bullets, so that the blocks have to be parsed."""
    if not _simple_lines().fullmatch(text, begin, end):
        return None
    starts = [match.start() for match in _bullet().finditer(text, begin, end)]
    if not starts or starts[0] != begin:
        starts.insert(0, begin)
    found = []
    for start, stop in pairwise((*starts, end)):
        if text.find("`", start, stop) < 0:
            continue
        if mark := _bullet().match(text, start):
            start = mark.end()
        found += [
            (start + first, start + last) for first, last in paragraph_spans(text[start:stop])
        ]
    return found


@cache
def _simple_lines() -> re.Pattern[str]:
    # What a line begins with must open no other block: no quote, heading, rule, underline, number,
    # fence or tag, and no indent that could mean anything.
    begins = r"[^\s>#<=\-+*_0-9`~]|\*{1,2}[^\s*]|_{1,2}[^\s_]|`{1,2}(?!`)|[0-9]+(?![0-9.)])"
    return re.compile(rf"(?: {{0,3}}(?:[-+*] {{1,3}})?(?:{begins})[^\n]*+(?:\n|\Z))++")


@cache
def _bullet() -> re.Pattern[str]:
    return re.compile(r"^ {0,3}[-+*] ", re.MULTILINE)


@cache
def _plain_span() -> re.Pattern[str]:
    return re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def paragraph_spans(text: str) -> list[tuple[int, int]]:
    """The code spans of a whole paragraph's text, which may begin with link definitions."""
    if not text.lstrip(" \t").startswith("["):
        return code_spans(text)
    from memlens.engine.context.definitions import definitions_end

    start = definitions_end(text)
    return [(start + first, start + last) for first, last in code_spans(text[start:])]


_MOST_PLAIN = 200  # backticks; with more, looking for the end of each could take long


def code_spans(text: str) -> list[tuple[int, int]]:
    """The code spans of a paragraph's text as (begin, end), backticks included."""
    if text.count("`") <= _MOST_PLAIN and is_plain(text):
        return [match.span() for match in _plain_span().finditer(text)]
    from memlens.engine.context.links import link_end

    runs: dict[int, list[int]] = {}
    for run in _RUN.finditer(text):
        runs.setdefault(run.end() - run.start(), []).append(run.start())
    # Without these a hostile text could make each `<` search to the end in vain.
    last = {mark: text.rfind(mark) for mark in ("-->", "?>", "]]>", ">")}
    found: list[tuple[int, int]] = []
    brackets: list[bool] = []  # open brackets: whether each is an image's
    spent = 0  # so many of them cannot become links any more, since one inside them has
    position = 0
    while mark := _INTEREST.search(text, position):
        begin, position = mark.span()
        character = text[begin]
        if character == "`":
            starts = runs.get(position - begin, [])
            index = bisect_left(starts, position)
            if index < len(starts):
                position += starts[index] - begin
                found.append((begin, position))
        elif character == "<":
            if last[_end_mark(text, begin)] > begin and (tight := inline_html().match(text, begin)):
                position = tight.end()
        elif character == "]":
            if brackets:
                image = brackets.pop()
                usable = image or len(brackets) >= spent
                spent = min(spent, len(brackets))
                end = link_end(text, position) if usable else None
                if end is not None:
                    position = end
                    if not image:
                        spent = len(brackets)
        elif character in "![":
            brackets.append(character == "!")
    return found


def _end_mark(text: str, begin: int) -> str:
    """What must come after the `<` at `begin` for it to be more than a character."""
    if text.startswith("<!--", begin):
        return "-->"
    if text.startswith("<?", begin):
        return "?>"
    return "]]>" if text.startswith("<![", begin) else ">"


_RUN = re.compile(r"`+")
