"""What can be read of a settings file that is no TOML somewhere: all but the lines where it is not.

A settings file is written by hand. Who forgets a quotation mark means the other lines all the same.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

MOST_TEXT: Final = 32 * 1024
"""Characters of a text that is read in spite of what is wrong; people write no longer ones."""
MOST_TRIES: Final = 100
"""How often such a text is parsed at most."""


class Left(NamedTuple):
    """Lines that are left out, and why; numbers from 1."""

    first: int
    last: int
    why: str


class NoSettingsError(ValueError):
    """Nothing can be read. `line` is that of the first thing that is wrong, 0 where it has none."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line: Final = line


def read(text: str) -> tuple[dict[str, Any], list[Left]]:
    """The table of a settings file, and what of the file is not in it.

    Raises `NoSettingsError` where too much is wrong.
    """
    lines = text.split("\n")
    left: list[Left] = []
    first: NoSettingsError | None = None
    for _ in range(MOST_TRIES if len(text) <= MOST_TEXT else 1):
        try:
            return _parsed(lines), left
        except NoSettingsError as error:
            first = first or error
            start = _start(lines, error.line) if len(text) <= MOST_TEXT else None
            if start is None:
                break
            last = _end(lines, start)
            _note(left, Left(start, last, str(error)))
            lines[start - 1 : last] = [""] * (last - start + 1)
    assert first is not None
    raise first


def _parsed(lines: list[str]) -> dict[str, Any]:
    text = "\n".join(lines)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else len(lines) - (not lines[-1])
        raise NoSettingsError(line, f"this is not TOML: {error}") from None
    except ValueError:  # what Python itself says of a number of more than 4,300 digits
        at = re.search(r"\d{4000}", text)
        line = text.count("\n", 0, at.start()) + 1 if at else 0
        raise NoSettingsError(line, "this number has too many digits") from None
    except RecursionError:
        raise NoSettingsError(0, "this is nested too deep") from None


def _start(lines: list[str], line: int) -> int | None:
    """The line where what is wrong at a line begins: all before it can be read."""
    for start in range(line, max(0, line - MOST_TRIES), -1):
        if not lines[start - 1].strip():
            continue
        try:
            _parsed(lines[: start - 1])
        except NoSettingsError:
            continue
        return start
    return None


def _end(lines: list[str], start: int) -> int:
    """The last line that is of no use without that: of a table's name, the whole table."""
    if not lines[start - 1].lstrip().startswith("["):
        return start
    behind = enumerate(lines[start:], start)
    return next((at for at, line in behind if line.lstrip().startswith("[")), len(lines))


def _note(left: list[Left], new: Left) -> None:
    """Adds to what is left out; lines that go on where others end have their cause."""
    if left and left[-1].last + 1 == new.first:
        left[-1] = left[-1]._replace(last=new.last)
    else:
        left.append(new)


def utf8_lines(data: bytes) -> tuple[str, list[Left]]:
    """The text of a settings file without the lines that are not UTF-8, and these.

    Raises `NoSettingsError` where nearly nothing is.
    """
    raw = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    left: list[Left] = []
    lines = list(_decoded(raw, left))
    if sum(one.last - one.first + 1 for one in left) > max(1, len(raw) // 2):
        raise NoSettingsError(left[0].first, left[0].why)
    return "\n".join(lines), left


def _decoded(raw: list[bytes], left: list[Left]) -> Iterator[str]:
    for number, line in enumerate(raw, 1):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            _note(left, Left(number, number, "this is not UTF-8"))
            yield ""
