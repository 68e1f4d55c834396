"""What a merge leaves in a text when nobody has resolved it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memlens.engine.safety.spots import Lines, Spot

_MARK: Final = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?: [^\r\n]*)?\r?$", re.MULTILINE)
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\r\n]*)\r?$", re.MULTILINE)
_HINT: Final = "keep one side or join both, and remove the lines with the marks"


def conflict_spots(text: str) -> Iterator[Spot]:
    """`conflict-markers`: one for each conflict, at its first mark.

    A line of seven `=` alone is a heading in Markdown; it counts only between other marks. A whole
    conflict inside one fenced code block may be an example, so it is only a warning.
    """
    if not any(sign in text for sign in ("<<<<<<<", ">>>>>>>", "|||||||")):
        return
    marks = list(_MARK.finditer(text))
    if all(mark.group(1)[0] == "=" for mark in marks):
        return
    lines = Lines(text)
    blocks = _blocks(text)
    open_at = -1
    for index, mark in enumerate(marks):
        sign = mark.group(1)[0]
        line = lines.place(mark.start())[0]
        if sign == "<":
            if open_at >= 0:
                yield _lone(lines.place(marks[open_at].start())[0])
            open_at = index
        elif sign == ">":
            if open_at < 0:
                yield _lone(line)
                continue
            first = marks[open_at]
            whole = any(other.group(1)[0] == "=" for other in marks[open_at:index])
            example = whole and any(
                start < first.start() and mark.end() < end for start, end in blocks
            )
            start = lines.place(first.start())[0]
            yield Spot(
                "conflict-markers", "warning" if example else "error", start, 1,
                f"lines {start} to {line} hold both sides of a merge"
                + (" (in a code block, so perhaps an example)" if example else ""),
                _HINT,
            )  # fmt: skip
            open_at = -1
        elif sign == "|" and open_at < 0:
            yield _lone(line)
    if open_at >= 0:
        yield _lone(lines.place(marks[open_at].start())[0])


def _lone(line: int) -> Spot:
    return Spot(
        "conflict-markers", "error", line, 1, "the mark of a merge conflict is left over", _HINT
    )


def _blocks(text: str) -> list[tuple[int, int]]:
    """The insides of fenced code blocks: start and end."""
    blocks: list[tuple[int, int]] = []
    fence = ""
    start = 0
    for match in _FENCE.finditer(text):
        signs, rest = match.groups()
        if not fence:
            if signs[0] == "~" or "`" not in rest:
                fence, start = signs, match.end()
        elif signs[0] == fence[0] and len(signs) >= len(fence) and not rest.strip():
            blocks.append((start, match.start()))
            fence = ""
    if fence:
        blocks.append((start, len(text)))
    return blocks
