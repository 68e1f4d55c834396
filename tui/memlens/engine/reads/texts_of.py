"""Texts as transcripts keep them, and how to compare one with a file.

Claude Code keeps text with normalised line ends and without a byte order mark, so both sides are
brought to that before they are hashed. Files are read in pieces.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK = 1 << 20
_FLAGS = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)  # fmt: skip


def normalised(text: str) -> str:
    """`text` with `\\n` as line end and no byte order mark."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n") if "\r" in text else text


def decoded(data: bytes) -> str:
    """A file's bytes as text, as Claude Code reads them."""
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8"
    return data.decode(encoding, "replace")


def text_hash(text: str) -> str:
    """SHA-256 in hex of a text, which must be normalised, in UTF-8."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_hashes(path: str) -> tuple[str, str]:
    """The `text_hash` of a regular file, and that without its last line end.

    Raises `OSError`, also for anything but a regular file.
    """
    import hashlib
    import stat

    digest = hashlib.sha256()
    handle = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"no regular file: {path!r}")
        held = ""
        for text in _normalised_pieces(handle):
            digest.update((held + text[:-1]).encode("utf-8", "surrogatepass"))
            held = text[-1:]
    finally:
        os.close(handle)
    shorter = digest.copy()
    digest.update(held.encode("utf-8", "surrogatepass"))
    if held != "\n":
        return digest.hexdigest(), digest.hexdigest()
    return digest.hexdigest(), shorter.hexdigest()


def _normalised_pieces(handle: int) -> Iterator[str]:
    """Normalised text that is never empty. What is no UTF-8 becomes U+FFFD, as there."""
    import codecs

    data = os.read(handle, _CHUNK)
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-8"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    held, first = "", True
    while True:
        text = held + decoder.decode(data, not data)
        held = "\r" if data and text.endswith("\r") else ""
        text = text[: len(text) - len(held)].replace("\r\n", "\n")
        if text and first:
            text, first = text.removeprefix("\ufeff"), False
        if text:
            yield text
        if not data:
            return
        data = os.read(handle, _CHUNK)


def after_edit(original: str, old: str, new: str, *, everywhere: bool) -> str | None:
    """A file's text after one replacement as Claude Code makes it; None when `old` is not in it.

    Taking a text out takes the line end behind it along, when there is one.
    """
    if not old:
        return new if not original.strip() else None
    if old not in original:
        return None
    if not new and not old.endswith("\n") and old + "\n" in original:
        old += "\n"
    return original.replace(old, new) if everywhere else original.replace(old, new, 1)
