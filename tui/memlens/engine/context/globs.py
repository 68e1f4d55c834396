"""Globs as rules and settings write them, against paths with slashes (spec A, rules).

`wcmatch` does the matching, with `**` and with names that begin with a dot; it is imported when
there is something to match. Braces are expanded here, because their number must be bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MOST_PATTERNS: Final = 1000
"""Patterns that one rule's braces may expand to; further ones do not count."""
_MOST_CHARACTERS: Final = 4096
_MOST_DEPTH: Final = 40


def split_patterns(text: str) -> list[str]:
    """The patterns of one text with commas between them; commas inside braces do not part."""
    patterns = []
    depth = begin = 0
    for at, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth = max(0, depth - 1)
        elif character == "," and not depth:
            patterns.append(text[begin:at])
            begin = at + 1
    patterns.append(text[begin:])
    return [pattern for part in patterns if (pattern := part.strip())]


def expand_braces(patterns: Iterable[str], most: int = MOST_PATTERNS) -> list[str]:
    """`a.{b,c}` as `a.b` and `a.c`, at most `most` patterns in all, in their order."""
    found: list[str] = []
    for pattern in patterns:
        waiting = [(pattern, 0)]
        while waiting and len(found) < most:
            text, steps = waiting.pop()
            parts = _first_braces(text) if steps < _MOST_DEPTH else None
            if parts is None:
                found.append(text)
                continue
            before, choices, behind = parts
            # Those that would come after the last one that counts are not even made.
            waiting += [
                (before + choice + behind, steps + 1)
                for choice in reversed(choices[: most - len(found)])
            ]
    return found


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether the last pattern that speaks of `path`, which is relative or absolute as they are,
    takes it in; one that begins with `!` takes it out again.

    A pattern whose last part has no wildcard also stands for everything below that folder.
    """
    taken = False
    for pattern in patterns:
        out = pattern.startswith("!")
        if taken == out and _matches(path, pattern[1:] if out else pattern):
            taken = not out
    return taken


def _matches(path: str, pattern: str) -> bool:
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.DOTGLOB | glob.FORCEUNIX
    if not pattern or len(pattern) > _MOST_CHARACTERS:
        return False
    wanted = [pattern]
    last = pattern.rstrip("/").rpartition("/")[2]
    if last and not any(sign in last for sign in "*?["):
        wanted.append(pattern.rstrip("/") + "/**")
    return bool(glob.globmatch(path, wanted, flags=flags, limit=0))


def _first_braces(text: str) -> tuple[str, list[str], str] | None:
    """What stands before, in and behind the first braces with a comma; None without any."""
    begin = text.find("{")
    while begin >= 0:
        depth, at, start = 0, begin, begin + 1
        choices: list[str] = []
        while at < len(text):
            character = text[at]
            if character == "\\":
                at += 1
            elif character == "{":
                depth += 1
            elif character == "}":
                depth -= 1
                if not depth:
                    break
            elif character == "," and depth == 1:
                choices.append(text[start:at])
                start = at + 1
            at += 1
        if at < len(text) and choices:
            return text[:begin], [*choices, text[start:at]], text[at + 1 :]
        begin = text.find("{", begin + 1)
    return None
