"""The words of all facts: what a mistyped word of a query may have been meant to be."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from memlens.engine.work import step

from .folding import fold
from .lookup import read_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .model import MemoryEntry

_WORD: Final = re.compile(r"\w+")
_FIELDS: Final = ("name", "tags", "description", "body")
_LONGEST_WORD: Final = 40
SPARE_DOCUMENTS: Final = 1000
"""Documents of facts that are gone, besides as many as there are facts, before they are left."""


class Document:
    """One fact prepared for searching; all but `body` folded."""

    __slots__ = ("body", "description", "entry", "folded_body", "name", "tags")

    def __init__(self, entry: MemoryEntry, body: str) -> None:
        self.entry = entry
        self.name = _shared(fold(entry.name), entry.name)
        self.description = _shared(fold(entry.description), entry.description)
        self.tags = "\n".join([fold(tag) for tag in entry.tags])
        folded = fold(body)
        # UTF-8 is searched as exactly as text, and takes a quarter where an emoji stands.
        self.body = body.encode()
        self.folded_body = self.body if folded == body else folded.encode()


def _shared(folded: str, text: str) -> str:
    """`folded`, but not a second time in memory where it is the text itself."""
    return text if folded == text else folded


class Library:
    """Documents and their words. Only ever added to, so that several indexes may share it."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self._numbers: dict[MemoryEntry, int] = {}
        self._words: dict[str, array[int]] = {}
        self._prefixes: dict[int, list[str]] = {}
        self._sorted: list[str] = []
        """The words in order; empty until they are asked for."""

    def with_entries(self, entries: Sequence[MemoryEntry]) -> tuple[Library, tuple[int, ...]]:
        """A library that has these entries, and their numbers in it."""
        library = self
        if len(self.documents) > 2 * len(entries) + SPARE_DOCUMENTS:
            library = Library()
            for entry in entries:
                number = self._numbers.get(entry)
                if number is not None:
                    library._add(self.documents[number])
        numbers: list[int] = []
        for entry in entries:
            number = library._numbers.get(entry)
            if number is None:
                step(len(numbers), len(entries), "reading facts")
                number = library._add(Document(entry, read_body(entry) or ""))
            numbers.append(number)
        return library, tuple(numbers)

    def _add(self, document: Document) -> int:
        number = len(self.documents)
        self.documents.append(document)
        self._numbers[document.entry] = number
        self._prefixes.clear()
        self._sorted = []
        words = self._words
        seen: set[str] = set()
        texts = document.name, document.tags, document.description, document.folded_body.decode()
        for field, text in enumerate(texts):
            mark = number << 2 | field
            found = set(_WORD.findall(text))
            if seen:
                found -= seen
            seen |= found
            for word in found:
                if word in words:
                    words[word].append(mark)
                else:
                    words[word] = array("I", (mark,))
        return number

    def places(self, word: str) -> Iterator[tuple[int, str]]:
        """The documents with that word, each with the field that counts most."""
        for mark in self._words.get(word, ()):
            yield mark >> 2, _FIELDS[mark & 3]

    def prefixes(self, length: int) -> list[str]:
        """The beginnings of that length of all words, each once."""
        found = self._prefixes.get(length)
        if found is None:
            found = self._prefixes[length] = list(
                {word[:length] for word in self._words if len(word) >= length}
            )
        return found

    def beginning(self, prefixes: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The words that begin with one of these prefixes, and the prefix."""
        words = self._sorted = self._sorted or sorted(self._words)
        for prefix in prefixes:
            for place in range(bisect_left(words, prefix), len(words)):
                word = words[place]
                if not word.startswith(prefix):
                    break
                yield word, prefix


def typing_errors(word: str, library: Library, *, strict: bool) -> Mapping[str, str]:
    """Words that begin like `word` with a slip or two: each with the part that was meant.

    A letter too many, too few, wrong or in the wrong place; one slip from four letters on, two
    from eight unless `strict`. The word may go on behind what was typed.
    """
    length = len(word)
    if length < 4 or length > _LONGEST_WORD:
        return {}
    slips = 1 if length < 8 or strict else 2
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found: dict[str, tuple[int, str]] = {}
    for size in range(length - slips, length + slips + 1):
        near = process.extract(
            word, library.prefixes(size), scorer=OSA.distance, score_cutoff=slips, limit=None
        )
        distances = {prefix: int(distance) for prefix, distance, _ in near}
        if not distances:
            continue
        for other, prefix in library.beginning(distances):
            best = found.get(other)
            if best is None or distances[prefix] < best[0]:
                found[other] = (distances[prefix], prefix)
    return {other: prefix for other, (_, prefix) in found.items() if word not in other}
