"""The words of all facts: what a mistyped word of a query may have been meant to be."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from memlens.engine.folding import fold
from memlens.engine.work import step

from .capitals import capitals_of, with_capitals
from .lookup import read_body
from .words import decoded, encoded, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .model import MemoryEntry

_FIELDS: Final = ("name", "tags", "description", "body")
SEPARATOR: Final = b"\xff"
"""Between the fields of a document; no text holds it in UTF-8."""
_LONGEST_WORD: Final = 40
SPARE_DOCUMENTS: Final = 1000
"""Documents of facts that are gone, besides as many as there are facts, before they are left."""


class Document:
    """One fact prepared for searching."""

    __slots__ = ("_case", "entry", "text")

    def __init__(self, entry: MemoryEntry, body: str) -> None:
        self.entry = entry
        folded = fold(body)
        tags = "\n".join(entry.tags)
        # UTF-8 is searched as exactly as text, and takes a quarter where an emoji stands.
        self.text = SEPARATOR.join([
            encoded(fold(entry.name)), encoded(fold(entry.description)), encoded(folded),
            encoded(fold(tags)),
        ])  # fmt: skip
        """Folded: name, description, body, tags. What stands further on counts less."""
        case = capitals_of(body, folded)
        self._case: bytes | str = body if case is None else case

    @property
    def body(self) -> str:
        """As it was given."""
        case = self._case
        if isinstance(case, str):
            return case
        return with_capitals(decoded(self.text.split(SEPARATOR)[2]), case)


class _Marks(dict[str, "array[int]"]):
    """Where words stand."""

    def __missing__(self, word: str) -> array[int]:
        marks = self[word] = array("I")
        return marks


class Library:
    """Documents and their words. Only ever added to, so that several indexes may share it."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self._numbers: dict[str, int] = {}
        """By the fact's path that of its newest document."""
        self._learnt = 0
        """Documents, from the first, whose words are known."""
        self._words = _Marks()
        self._prefixes: dict[int, list[str]] = {}
        self._sorted: list[str] = []
        """The words in order; empty until they are asked for."""

    def with_entries(self, entries: Sequence[MemoryEntry]) -> tuple[Library, array[int]]:
        """A library that has these entries, and their numbers in it."""
        library = self
        if len(self.documents) > 2 * len(entries) + SPARE_DOCUMENTS:
            library = Library()
            for entry in entries:
                number = self._number(entry)
                if number is not None:
                    library._add(self.documents[number])
        numbers = array("I")
        for entry in entries:
            number = library._number(entry)
            if number is None:
                step(len(numbers), len(entries), "reading facts")
                number = library._add(Document(entry, read_body(entry) or ""))
            numbers.append(number)
        return library, numbers

    def _number(self, entry: MemoryEntry) -> int | None:
        number = self._numbers.get(entry.path)
        return number if number is not None and self.documents[number].entry == entry else None

    def _add(self, document: Document) -> int:
        number = len(self.documents)
        self.documents.append(document)
        self._numbers[document.entry.path] = number
        return number

    def learn(self, count: int | None = None) -> bool:
        """Takes in the words of `count` more documents, or of all; whether there are any left."""
        documents = self.documents
        first = self._learnt
        end = len(documents) if count is None else min(len(documents), first + count)
        if first < end:
            self._prefixes.clear()
            self._sorted = []
        words = self._words
        for number in range(first, end):
            mark = number << 2
            name, description, body, tags = documents[number].text.split(SEPARATOR)
            # Of the fields that have a word the one that counts most comes last.
            marks = dict.fromkeys(words_of(body), mark | 3)
            for text, field in ((description, 2), (tags, 1), (name, 0)):
                for word in words_of(text):
                    marks[word] = mark | field
            for word, one in marks.items():
                words[word].append(one)
            self._learnt = number + 1
        return end < len(documents)

    def places(self, word: str) -> Iterator[tuple[int, str]]:
        """The documents with that word, each with the field that counts most."""
        self.learn()
        for mark in self._words.get(word, ()):
            yield mark >> 2, _FIELDS[mark & 3]

    def prefixes(self, length: int) -> list[str]:
        """The beginnings of that length of all words, each once."""
        self.learn()
        found = self._prefixes.get(length)
        if found is None:
            found = self._prefixes[length] = list(
                {word[:length] for word in self._words if len(word) >= length}
            )
        return found

    def beginning(self, prefixes: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The words that begin with one of these prefixes, and the prefix."""
        self.learn()
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
