"""Link reference definitions at the beginning of a paragraph, which are no text (CommonMark).

A backtick in one of them opens no code span in the lines behind it.
"""

from __future__ import annotations

import re
from functools import cache

from memlens.engine.context.links import destination_end

_LONGEST_LABEL = 999


def definitions_end(text: str) -> int:
    """Where a paragraph's text begins behind its definitions; 0 where it begins with none."""
    position = 0
    while (label := _label().match(text, position)) is not None:
        if not 0 < len(label[1]) <= _LONGEST_LABEL or label[1].isspace():
            break
        end = _definition_end(text, label.end())
        if end is None:
            break
        position = end
    return position


def _definition_end(text: str, position: int) -> int | None:
    """Behind the line end of the definition whose destination begins at `position`."""
    end = destination_end(text, position)
    if end is None or end == position:
        return None
    title = _title().match(text, end)
    rest = title or _nothing().match(text, end)
    return rest.end() if rest else None


@cache
def _label() -> re.Pattern[str]:
    return re.compile(r"[ \t]*\[((?:\\.|[^\[\]\\])*+)\]:[ \t]*\n?[ \t]*", re.DOTALL)


@cache
def _title() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]*\n?[ \t]*(?<=[ \t\n])"
        r"(?:\"(?:\\.|[^\"\\])*+\"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))[ \t]*(?:\n|\Z)",
        re.DOTALL,
    )


@cache
def _nothing() -> re.Pattern[str]:
    return re.compile(r"[ \t]*(?:\n|\Z)")
