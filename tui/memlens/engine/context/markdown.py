"""CommonMark's blocks, as far as they decide what is code (see the module `code`).

The block structure follows CommonMark with its containers (quotes and list items), because a
fence is indented relative to them.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from memlens.engine.context.html import HtmlEnd, html_block
from memlens.engine.context.inline import code_spans, paragraph_spans
from memlens.engine.context.lines import (
    fence_end,
    fence_length,
    is_heading,
    is_rule,
    is_underline,
    marker_end,
    may_interrupt,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.context.code import Region

_DEPTH_LIMIT = 100  # containers inside one another; deeper ones are text

_NO_LEAF, _PARAGRAPH, _CHUNK, _FENCED, HTML = range(5)


class BlockParser:
    """CommonMark's block structure, as far as it decides what is code.

    `pos` and `col` are where the current line has been read to; a tab that was read in part is
    told by `col` standing between its tab stops.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.regions: list[Region] = []
        # Content column counts of open list items; 0 stands for a quote.
        self.containers: list[int] = []
        self.leaf = _NO_LEAF
        self.chunk: list[Region] = []
        self.fence = ("", 0, 0)  # character, length, offset of the opener
        self.html_end = HtmlEnd()
        self.empty_item = False  # the innermost item has no content yet
        self.pos = self.col = 0
        # Offset and column of the first character behind white space, as far as it was looked for.
        self.first, self.first_col = -1, 0

    def run(self, begin: int, place: int) -> int:
        """Parses lines from `begin`, where nothing is open, until `place` is behind and nothing
        is open again. Returns where that is."""
        text = self.text
        size = len(text)
        position = begin
        while position < size:
            line_end = text.find("\n", position)
            if line_end < 0:
                line_end = size
            jump = self.line(position, line_end)
            position = line_end + 1 if jump is None else jump
            if position > place and (
                (self.leaf == _NO_LEAF and not self.containers)
                or (
                    self.leaf not in (_FENCED, HTML)
                    and text[line_end + 1 : line_end + 2].strip(" \t\n")
                    and not text[text.rfind("\n", 0, line_end) + 1 : line_end].strip(" \t")
                )
            ):
                break
        self.close_leaf(min(position, size))
        self.containers.clear()
        return position

    def line(self, begin: int, end: int) -> int | None:
        """Takes one line. Returns where to go on when that is not the next line."""
        text = self.text
        self.pos, self.col, self.first = begin, 0, -1
        matched = self.match_containers(end)
        all_matched = matched == len(self.containers)
        if self.leaf in (_FENCED, HTML):
            if all_matched:
                self.continue_raw(end)
                return None
            self.close_leaf(begin)
        elif self.leaf == _CHUNK and not (all_matched and self.indent() >= 4):
            self.close_leaf(begin)
        in_paragraph = self.leaf == _PARAGRAPH
        while True:
            indent, first = self.look()
            if first >= end:  # an empty line
                self.blank(matched, begin)
                return None
            if indent >= 4:
                break
            character = text[first]
            if character == ">" and len(self.containers) < _DEPTH_LIMIT:
                self.enter(matched, begin)
                self.pos, self.col = first + 1, self.col + indent + 1
                self.skip_one_column()
                self.containers.append(0)
            elif (marker := marker_end(text, first, end)) and not (
                in_paragraph and all_matched and is_underline(text, first, end)
            ):
                if is_rule(text, first, end):
                    self.enter(matched, begin)
                    return None
                if (in_paragraph and all_matched) and not may_interrupt(text, first, marker, end):
                    break
                if len(self.containers) >= _DEPTH_LIMIT:
                    break
                self.enter(matched, begin)
                self.item(indent, first, marker, end)
            else:
                break
            matched = len(self.containers)
            all_matched = True
            in_paragraph = False
        return self.start_leaf(begin, end, matched)

    def match_containers(self, end: int) -> int:
        """How many of the open containers go on in this line; moves behind their marks."""
        text = self.text
        for number, width in enumerate(self.containers):
            indent, first = self.look()
            if width == 0:
                if indent > 3 or first >= end or text[first] != ">":
                    return number
                self.pos, self.col = first + 1, self.col + indent + 1
                self.skip_one_column()
            elif first >= end:
                if self.empty_item and number == len(self.containers) - 1:
                    return number
                self.pos, self.col = first, self.col + indent
            elif indent >= width:
                self.advance(width)
            else:
                return number
        return len(self.containers)

    def look(self) -> tuple[int, int]:
        """Columns of white space from here, and the offset of the first other character."""
        if self.pos <= self.first:
            return self.first_col - self.col, self.first
        text = self.text
        pos, col = self.pos, self.col
        size = len(text)
        while pos < size:
            character = text[pos]
            if character == " ":
                col += 1
            elif character == "\t":
                col += 4 - col % 4
            else:
                break
            pos += 1
        self.first, self.first_col = pos, col
        return col - self.col, pos

    def indent(self) -> int:
        return self.look()[0]

    def advance(self, columns: int) -> None:
        text = self.text
        while columns > 0:
            width = 4 - self.col % 4 if text[self.pos] == "\t" else 1
            if width > columns:
                self.col += columns
                return
            self.pos += 1
            self.col += width
            columns -= width

    def skip_one_column(self) -> None:
        if self.text[self.pos : self.pos + 1] in (" ", "\t"):
            self.advance(1)

    def enter(self, matched: int, begin: int) -> None:
        """Closes what did not go on, before something new begins."""
        self.close_leaf(begin)
        del self.containers[matched:]
        self.empty_item = False

    def item(self, indent: int, first: int, marker: int, end: int) -> None:
        """Opens a list item whose marker stands from `first` to `marker`."""
        self.advance(indent)
        width = marker - first
        self.pos, self.col = marker, self.col + width
        spaces, first = self.look()
        if first >= end:
            padding = 1
            self.pos = first
            self.empty_item = True
        elif spaces > 4:
            padding = 1
            self.advance(1)
        else:
            padding = spaces
            self.advance(spaces)
        self.containers.append(indent + width + padding)

    def start_leaf(self, begin: int, end: int, matched: int) -> int | None:
        """What the rest of a line that is not empty is."""
        text = self.text
        indent, first = self.look()
        paragraph = self.leaf == _PARAGRAPH
        all_matched = matched == len(self.containers)
        if indent < 4:
            character = text[first]
            if character in "`~" and (length := fence_length(text, first, end)):
                self.enter(matched, begin)
                self.leaf, self.fence = _FENCED, (character, length, first)
                return None if self.containers else self.jump_fence(end)
            if character == "#" and is_heading(text, first, end):
                self.enter(matched, begin)
                self.chunk = [(first, end)]
                self.close_leaf(end, force=True)
                return None
            if character == "<":
                closes = html_block(text, first, end, in_paragraph=paragraph)
                if closes is not None:
                    self.enter(matched, begin)
                    return self.start_html(closes, first, end)
            if paragraph and all_matched and is_underline(text, first, end):
                self.close_leaf(end)
                return None
            if character in "*_-" and is_rule(text, first, end):
                self.enter(matched, begin)
                return None
        if paragraph:  # also where containers did not go on: a lazy line
            self.chunk.append((self.pos, end))
            return None
        if self.leaf != _CHUNK:
            self.enter(matched, begin)
            self.leaf = _CHUNK if indent >= 4 else _PARAGRAPH
        self.chunk.append((self.pos, end))
        return None

    def blank(self, matched: int, begin: int) -> None:
        self.close_leaf(begin)
        if matched < len(self.containers):
            del self.containers[matched:]
            self.empty_item = False

    def start_html(self, closes: HtmlEnd, first: int, end: int) -> int | None:
        self.leaf, self.html_end = HTML, closes
        if not closes.lasting:
            return None
        if closes.find(self.text, first, end) >= 0:
            self.leaf = _NO_LEAF
            return None
        if self.containers:
            return None
        self.leaf = _NO_LEAF
        close = closes.find(self.text, end, len(self.text))
        line_end = self.text.find("\n", close) if close >= 0 else -1
        return len(self.text) if line_end < 0 else line_end + 1

    def jump_fence(self, end: int) -> int:
        """Goes to the end of a fence that no container holds."""
        character, length, opener = self.fence
        self.leaf = _NO_LEAF
        stop = fence_end(self.text, character, length, end)
        self.regions.append((opener, stop))
        return stop + 1

    def continue_raw(self, end: int) -> None:
        """A line inside a fence or an HTML block."""
        text = self.text
        if self.leaf == _FENCED:
            character, length, opener = self.fence
            indent, first = self.look()
            if indent < 4 and text.startswith(character * length, first):
                rest = text[first:end].strip(" \t")
                if rest == character * len(rest):
                    self.regions.append((opener, end))
                    self.leaf = _NO_LEAF
        elif not self.html_end.lasting:
            if self.look()[1] >= end:
                self.leaf = _NO_LEAF
        elif self.html_end.find(text, self.pos, end) >= 0:
            self.leaf = _NO_LEAF

    def close_leaf(self, begin: int, *, force: bool = False) -> None:
        """Ends the open leaf before the line at `begin`."""
        if self.leaf == _FENCED:
            self.regions.append((self.fence[2], begin))
        elif self.chunk and (force or self.leaf in (_PARAGRAPH, _CHUNK)):
            self.spans()
        self.leaf = _NO_LEAF
        self.chunk = []

    def spans(self) -> None:
        chunk = self.chunk
        begin, end = chunk[0][0], chunk[-1][1]
        text = self.text
        if text.find("`", begin, end) < 0:
            return
        if self.leaf == _CHUNK:
            self.regions.extend(
                (start + first, start + last)
                for start, stop in chunk
                for first, last in code_spans(text[start:stop])
            )
            return
        find = paragraph_spans if self.leaf == _PARAGRAPH else code_spans
        if len(chunk) == 1 or not any(
            text.find(">", before[1], after[0]) >= 0 for before, after in pairwise(chunk)
        ):
            self.regions.extend(
                (begin + start, begin + stop) for start, stop in find(text[begin:end])
            )
            return
        # Marks of quotes stand between the lines: leave them out, then find the offsets again.
        joined = "\n".join(text[start:stop] for start, stop in chunk)
        starts = [0]
        for start, stop in chunk:
            starts.append(starts[-1] + stop - start + 1)

        def place(offset: int) -> int:
            index = bisect_left(starts, offset + 1) - 1
            return chunk[index][0] + offset - starts[index]

        self.regions.extend((place(start), place(stop - 1) + 1) for start, stop in find(joined))
