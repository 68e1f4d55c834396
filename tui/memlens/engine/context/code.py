"""Where a Markdown text is code: fenced blocks and code spans, by CommonMark, as offsets.

Two things differ from CommonMark on purpose (spec A19): indented code is no code here, and
backticks in it make code spans, each within its line.

Parsing Python line by line is slow beside reading a file, so only what decides about the places
that are asked for is looked at, and only as closely as it takes: most places have no backtick in
front of them since the last empty line, most fences stand in the first column, where no container
can hold them, and most code spans begin and end on one line. The blocks of the rest are parsed,
afresh from a line that begins, behind an empty one, in the first column: whatever stood open
before has ended there. The parser is loaded when it is first needed.
"""

from __future__ import annotations

from memlens.engine.context.lines import fence_end, fence_length, line_spans

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.engine.context.markdown import BlockParser

    Region = tuple[int, int]
    """Begin and end (exclusive) of a stretch of code, as offsets."""

_LASTING_TAGS = ("!", "?", "script", "pre", "style", "textarea")


def code_regions(text: str, places: Sequence[int] | None = None) -> list[Region]:
    """The stretches of `text` that are code, in order.

    With `places` (offsets, ascending) only what decides about those places is looked at, and
    regions that hold none of them may be missing. A carriage return alone ends a line, as in
    CommonMark.
    """
    if places is not None and not places:
        return []
    if "`" not in text and "~" not in text:
        return []
    if "\r" in text:  # the same length, so offsets stay what they are
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    if places is not None:
        regions = look_where_needed(text, places)
    else:
        from memlens.engine.context.markdown import BlockParser

        parser = BlockParser(text)
        position = 0
        while position < len(text):
            position = parser.run(position, len(text))
        regions = parser.regions
    regions.sort()
    return regions


def inside(regions: Sequence[Region], place: int) -> bool:
    """Whether the offset `place` lies in one of the regions, which must be in order."""
    from bisect import bisect_left

    index = bisect_left(regions, (place + 1,)) - 1
    return index >= 0 and place < regions[index][1]


def look_where_needed(
    text: str, places: Sequence[int], parser: BlockParser | None = None
) -> list[Region]:
    """The regions that decide about `places`, which must be ascending; lines end with a line feed.

    A `parser` that is given sees every comment, declaration and raw tag in front of the last place
    that may begin a block.
    """
    regions: list[Region] = [] if parser is None else parser.regions
    gap = "\n\n" if "\n\n" in text else "\n \n"  # as it is where lines ended with two characters
    limit = places[-1]
    size = len(text)
    # Where the next fence, or HTML block that outlives empty lines, may begin, kind by kind. To
    # look for one character takes much less than to look for three.
    ticks = -1 if "`" in text else size
    tildes = -1 if "~" in text else size
    tags = -1 if "<" in text else size
    opener = size
    begin = 0  # nothing is open here but what stands here
    clear = 0  # no backtick in front of it makes anything behind it code
    fresh = searched = 0  # the last place where all containers have ended, up to there
    stretch = 0  # where the lines end that hold the last place
    tried = 0  # up to there, more than one line decides
    for place in places:
        while begin <= place:
            if ticks < begin:
                ticks = text.find("```", begin, limit)
                ticks = size if ticks < 0 else ticks
            if tildes < begin:
                tildes = text.find("~~~", begin, limit)
                tildes = size if tildes < 0 else tildes
            if tags < begin:
                tags = _next_tag(text, begin, limit)
            opener = ticks if ticks < tildes else tildes
            opener = tags if tags < opener else opener
            if opener > place:
                break
            fence = _lone_fence(text, begin, opener, gap)
            if fence > 0:
                regions.append((opener, fence))
                begin = fence + 1
            else:
                if parser is None:
                    parser = _parser(text, regions)
                fresh = max(begin, fresh, _fresh_start(text, max(begin, searched), opener, gap))
                searched = opener - 2
                begin = parser.run(fresh, opener)
        if place < begin:
            continue
        clear = max(clear, begin)
        tick = text.rfind("`", clear, place)
        if tick < 0 or text.find(gap, tick, place) >= 0:
            clear = max(clear, place)
            continue
        if stretch <= place:
            stretch = text.find(gap, place)
            if stretch < 0:
                stretch = size
        if text.find("`", place, stretch) < 0:
            clear = stretch
            continue
        end = min(opener, stretch)
        fence = text.find("```", place, end)  # behind the last place no opener was looked for
        end = fence if fence >= 0 else end
        if end < stretch:
            end = text.rfind("\n", place, end) + 1
        if end > place >= tried:
            start = text.rfind(gap, begin, place)
            spans = line_spans(text, begin if start < 0 else start + len(gap), end)
            if spans is not None:
                regions += spans
                clear = end
                continue
            tried = end
        fresh = max(begin, fresh, _fresh_start(text, max(begin, searched), place, gap))
        searched = place - 2
        while text.startswith("\n", fresh):
            fresh += 1
        from memlens.engine.context.inline import simple_spans

        spans = simple_spans(text, fresh, stretch)
        if spans is not None:
            regions += spans
            clear = stretch
            continue
        if parser is None:
            parser = _parser(text, regions)
        begin = parser.run(fresh, place)
    return regions


def _parser(text: str, regions: list[Region]) -> BlockParser:
    from memlens.engine.context.markdown import BlockParser

    parser = BlockParser(text)
    parser.regions = regions
    return parser


def _next_tag(text: str, begin: int, limit: int) -> int:
    """The first place in `begin`..`limit` where an HTML block that outlives empty lines may begin;
    the end of the text where there is none."""
    place = text.find("<", begin, limit + 1)
    while place >= 0:
        if text[place + 1 : place + 10].lower().startswith(_LASTING_TAGS):
            return place
        place = text.find("<", place + 1, limit + 1)
    return len(text)


def _lone_fence(text: str, begin: int, opener: int, gap: str) -> int:
    """Where a fence ends that opens at `opener` and that nothing can stand around; 0 where it takes
    more to tell. Nothing else that could hold it begins between `begin` and there."""
    character = text[opener]
    if character == "<" or (opener > begin and text[opener - 1] != "\n"):
        return 0
    end = text.find("\n", opener)
    if end < 0:
        end = len(text)
    length = fence_length(text, opener, end)
    if not length:
        return 0
    if text.find("<", begin, opener) >= 0:  # an HTML block that an empty line would end
        start = max(begin, text.rfind(gap, begin, opener))
        if text.find("<", start, opener) >= 0:
            return 0
    return fence_end(text, character, length, end)


def _fresh_start(text: str, begin: int, place: int, gap: str) -> int:
    """The last place in `begin`..`place` where whatever containers stood open have ended; -1."""
    end = place + 1
    size = len(gap)
    while (empty := text.rfind(gap, begin, end)) >= 0:
        if empty + size < end and text[empty + size] not in " \t\n":
            return empty + size
        end = empty + size - 1
    return -1
