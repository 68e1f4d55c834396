"""Frontmatter, as far as it says when a file is read (spec A, rules)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.context.globs import expand_braces, matches, split_patterns

if TYPE_CHECKING:
    from memlens.engine.context.source import Source

_OPENING: Final = re.compile(r"---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_EMPTY: Final = re.compile(r"(?:[ \t]*\r?\n)*")


class Condition(NamedTuple):
    """When a file is read."""

    globs: tuple[str, ...]
    """As written; empty: at once."""
    patterns: tuple[str, ...]
    """The globs with their braces expanded, relative to the rule's base."""
    broken: str = ""
    """Why its frontmatter does not count; empty where it does, or where there is none."""

    def holds_for(self, path: str) -> bool:
        """Whether a path relative to the rule's base is meant."""
        return matches(path, self.patterns)


ALWAYS: Final = Condition((), ())


def frontmatter(text: str) -> tuple[int, int, int] | None:
    """Where the header of `text` begins and ends, and where the text behind it begins, empty lines
    left out; None without a header, also where it is never closed."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    behind = _EMPTY.match(text, closing.end())
    return opening.end(), closing.start(), behind.end() if behind else closing.end()


def condition_of(source: Source, key: str) -> Condition:
    """What `key` in a file's frontmatter says: a list, or one text with commas between."""
    if source.condition is None:
        source.condition = _read(source.text, key)
    return source.condition


def _read(text: str, key: str) -> Condition:
    if not text.startswith("---"):
        return ALWAYS
    place = frontmatter(text)
    if place is None:
        if _OPENING.match(text) is None:
            return ALWAYS
        return ALWAYS._replace(broken="its frontmatter has no end, a line of ---")
    header = text[place[0] : place[1]]
    if not header.strip():
        return ALWAYS
    import yaml

    try:
        values = yaml.load(header, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = getattr(error, "problem", None) or "it is no YAML"
        return ALWAYS._replace(broken=f"its frontmatter cannot be read: {reason}")
    if not isinstance(values, dict):
        return ALWAYS._replace(broken="its frontmatter has no keys")
    value = values.get(key)
    if value is None:
        return ALWAYS
    if isinstance(value, str):
        globs = split_patterns(value)
    elif isinstance(value, list):
        globs = [glob for one in value if isinstance(one, str) for glob in split_patterns(one)]
    else:
        return ALWAYS._replace(broken=f"its {key} is neither a list nor a text")
    patterns = expand_braces(map(_relative, globs))
    if all(pattern in ("**", "") for pattern in patterns):
        return ALWAYS
    return Condition(tuple(globs), tuple(patterns))


def _relative(glob: str) -> str:
    """A glob without what only says that it begins at the base."""
    sign = "!" if glob.startswith("!") else ""
    bare = glob[len(sign) :]
    return sign + bare.removeprefix("./").removeprefix("/")
