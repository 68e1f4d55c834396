"""Block-level HTML comments, which some agents take out of a text before anything else (spec A).

A block is one by CommonMark: it begins a line, also behind a paragraph's line, and ends with the
line that holds the `-->`. What is code, or stands inside a paragraph, is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memlens.engine.context.code import look_where_needed
from memlens.engine.context.markdown import HTML, BlockParser

if TYPE_CHECKING:
    from memlens.engine.context.code import Region
    from memlens.engine.context.html import HtmlEnd

_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


def comment_cuts(text: str) -> list[Region]:
    """The stretches of `text` that go with its comment blocks, in order.

    A block with nothing but comments goes with its whole lines and the empty lines behind it;
    where something else stands in it, only the comments go. A comment without an end stays.
    """
    unified = text
    if "\r" in text:  # the same length, so offsets stay what they are
        unified = text.replace("\r\n", " \n").replace("\r", "\n")
    places = [match.start() for match in re.finditer("<!--", unified)]
    parser = _CommentParser(unified)
    if places:
        look_where_needed(unified, places, parser)
    cuts: list[Region] = []
    for begin, end in sorted(set(parser.blocks)):
        inside = [(match.start(), match.end()) for match in _COMMENT.finditer(text, begin, end)]
        if not inside:
            continue
        rest = "".join(text[start:stop] for start, stop in _between(begin, end, inside))
        if rest.strip():
            cuts += inside
            continue
        start = text.rfind("\n", 0, begin) + 1
        if text[start:begin].strip(" \t"):  # the mark of a quote or of a list item stays
            cuts.append((begin, end))
            continue
        while end < len(text) and text[end] in "\r\n":
            end += 1
        cuts.append((start, end))
    return cuts


def _between(begin: int, end: int, taken: list[Region]) -> list[Region]:
    borders = [begin, *(place for region in taken for place in region), end]
    return list(zip(borders[::2], borders[1::2], strict=True))


class _CommentParser(BlockParser):
    """Keeps where comment blocks stand."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.blocks: list[Region] = []
        self.opened = -1

    def start_html(self, closes: HtmlEnd, first: int, end: int) -> int | None:
        jump = super().start_html(closes, first, end)
        self.opened = -1
        if self.text.startswith("<!--", first):
            if self.leaf == HTML:  # in a container, which may end before the comment does
                self.opened = first
            elif (close := self.text.find("-->", first)) >= 0:
                self.blocks.append((first, self._line_end(close)))
        return jump

    def continue_raw(self, end: int) -> None:
        super().continue_raw(end)
        if self.opened >= 0 and self.leaf != HTML:
            self.blocks.append((self.opened, end))
            self.opened = -1

    def _line_end(self, place: int) -> int:
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end
