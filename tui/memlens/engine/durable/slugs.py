"""From a fact's name to its file's name."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SLUG_LIMIT: Final = 80
"""Characters of a file's slug at most (spec 4)."""

_OTHER: Final = re.compile("[^A-Za-z0-9]+")
_RESERVED: Final = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)


def slugify(name: str) -> str:
    """ASCII letters and digits in lower case, each run of anything else one `-` (seed)."""
    return _OTHER.sub("-", name).strip("-").lower() or "memory"


def file_slug(name: str) -> str:
    """The slug that a new fact's file gets, before a number is added for a collision.

    A name without ASCII letters or digits gets one made from its SHA-256, so that two such names
    do not meet; names that Windows reserves get a suffix (spec 4).
    """
    if not re.search("[A-Za-z0-9]", name):
        from hashlib import sha256

        return "memory-" + sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    slug = slugify(name)[:SLUG_LIMIT].rstrip("-")
    return f"{slug}-memory" if slug in _RESERVED else slug


def numbered(slug: str, number: int) -> str:
    """The slug for the `number`th fact that wants `slug`, from 1."""
    if number == 1:
        return slug
    tail = f"-{number}"
    return slug[: SLUG_LIMIT - len(tail)].rstrip("-") + tail
