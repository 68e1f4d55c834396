"""Encodings that a file names by its byte order mark, and what to do about them (spec A16)."""

from __future__ import annotations

_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32"),  # before the one that it begins with
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def marked_encoding(data: bytes) -> str:
    """The encoding that a byte order mark tells, where an agent cannot read it; else empty."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), "")


def in_words(encoding: str) -> str:
    """What is wrong with a file that is in such an encoding."""
    return f"it is {encoding} by its byte order mark, and agents read UTF-8"


def way_out(encoding: str, path: str) -> str:
    """How to make UTF-8 of it."""
    import shlex

    source, new = shlex.quote(path), shlex.quote(f"{path}.utf8")
    return (
        f"save it as UTF-8, or convert it: iconv -f {encoding} -t UTF-8 {source} > {new} && "
        f"mv {new} {source}"
    )
