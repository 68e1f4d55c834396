"""Fuzzy search on every keystroke: typing errors, any order of words, all places marked.

A word of the query matches where it stands in name, tags, description or body; where it stands
nowhere, or is long, also words that differ by a slip or two. Names count most. What `search`
finds always comes first.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from memlens.engine.folding import fold

from .lookup import SNIPPET, clip
from .model import MemoryConfig, MemoryEntry, MemorySnapshot
from .remembered import Remembered
from .vocabulary import SEPARATOR, Document, Library, typing_errors
from .words import decoded, encoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .results import Span

_WORD: Final = re.compile(r"\w+")
# Weights of the places, in hundredths.
_TOP: Final = 300
_DESCRIPTION: Final = 200
_TAGS: Final = 150
_BODY: Final = 100
_WEIGHTS: Final = {"name": 260, "tags": _TAGS, "description": _DESCRIPTION, "body": _BODY}
_EXACT: Final = -1000
"""Added for what `search` finds: more than any weight."""
_PLACE_BITS: Final = 32
_CACHED_WORDS: Final = 64
_FORGIVING: Final = 6
"""Letters of a word for which slips are looked for though it stands somewhere as it is."""


class Term:
    """One word of a query and the words it may have been meant to be."""

    __slots__ = ("errors", "word")

    def __init__(self, word: str, errors: Mapping[str, str]) -> None:
        self.word = word
        self.errors = errors
        """Word of some fact to the part of it that was meant."""


class FuzzyHit:
    """A fact that answers a query; what is marked where is worked out when it is shown.

    Spans are pairs of start and end in characters of the text they belong to, in order.
    """

    __slots__ = ("_document", "_marks", "_needle", "_terms", "entry", "exact", "score")

    def __init__(
        self,
        document: Document,
        needle: str,
        terms: tuple[Term, ...],
        *,
        score: float,
        exact: bool,
    ) -> None:
        self.entry: MemoryEntry = document.entry
        self.score = score
        """From 0 to 100; above 60 for what holds the query as it is."""
        self.exact = exact
        """Whether `search` finds it too."""
        self._document = document
        self._needle = needle
        self._terms = terms
        self._marks: tuple[str, tuple[Span, ...]] | None = None

    def __repr__(self) -> str:
        return f"<FuzzyHit {self.entry.name!r} {self.score:.0f}>"

    @property
    def name_spans(self) -> tuple[Span, ...]:
        return self._spans(self.entry.name)

    @property
    def description_spans(self) -> tuple[Span, ...]:
        return self._spans(self.entry.description)

    @property
    def tag_spans(self) -> tuple[tuple[Span, ...], ...]:
        """For each tag of the entry its spans."""
        return tuple([self._spans(tag) for tag in self.entry.tags])

    @property
    def snippet(self) -> str:
        """The line of the body that answers best, around the first match; else the description."""
        return self._snippet()[0]

    @property
    def snippet_spans(self) -> tuple[Span, ...]:
        return self._snippet()[1]

    def _snippet(self) -> tuple[str, tuple[Span, ...]]:
        if self._marks is None:
            line = self._best_line()
            spans = self._spans(line)
            if len(line) > SNIPPET and spans and spans[0][1] > SNIPPET * 3 // 4:
                line = "…" + line[max(0, spans[0][0] - SNIPPET // 4) :]
            line = clip(line)
            self._marks = line, self._spans(line)
        return self._marks

    def _best_line(self) -> str:
        best, count = self.entry.description, 0
        for line in self._document.body.split("\n"):
            folded = fold(line)
            if self._needle in folded:
                return line.strip()
            found = sum(bool(_places(folded, term)) for term in self._terms)
            if found > count:
                best, count = line.strip(), found
        return best

    def _spans(self, text: str) -> tuple[Span, ...]:
        folded = fold(text)
        if self._needle in folded:
            return tuple(_occurrences(folded, self._needle))
        return _merged([span for term in self._terms for span in _places(folded, term)])


def _occurrences(text: str, piece: str) -> list[Span]:
    spans = []
    start = text.find(piece)
    while start >= 0:
        spans.append((start, start + len(piece)))
        start = text.find(piece, start + len(piece))
    return spans


def _places(text: str, term: Term) -> list[Span]:
    """Where a term matches in a folded text: as it is, else the letters that agree."""
    spans = _occurrences(text, term.word)
    if spans or not term.errors:
        return spans
    from rapidfuzz.distance import Levenshtein

    for match in _WORD.finditer(text):
        meant = term.errors.get(match.group())
        if meant is not None:
            for block in Levenshtein.opcodes(term.word, meant):
                if block.tag == "equal":
                    start = match.start()
                    spans.append((start + block.dest_start, start + block.dest_end))
    return spans


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    spans.sort()
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


class FuzzyHits(Sequence[FuzzyHit]):
    """The facts that answer a query, best first; each made when it is looked at."""

    __slots__ = ("_documents", "_needle", "_order", "_terms")

    def __init__(
        self,
        documents: Sequence[Document] = (),
        order: Sequence[int] = (),
        needle: str = "",
        terms: tuple[Term, ...] = (),
    ) -> None:
        self._documents = documents
        self._order = order
        """Each a weight, negative, and the place of a document: as they are sorted."""
        self._needle = needle
        self._terms = terms

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> FuzzyHit: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[FuzzyHit, ...]: ...
    def __getitem__(self, at: int | slice) -> FuzzyHit | tuple[FuzzyHit, ...]:
        if isinstance(at, slice):
            return tuple([self._hit(key) for key in self._order[at]])
        return self._hit(self._order[at])

    def _hit(self, key: int) -> FuzzyHit:
        weight = -(key >> _PLACE_BITS)
        document = self._documents[key & (1 << _PLACE_BITS) - 1]
        exact = weight > -_EXACT
        score = 60 + 40 * (weight + _EXACT) / _TOP if exact else 59 * weight / _TOP
        return FuzzyHit(document, self._needle, self._terms, score=score, exact=exact)


class FuzzyIndex:
    """The facts of a snapshot prepared for many searches; reuse it for every keystroke.

    Not for several threads at once: it remembers what it found for each word, so that a longer
    query only looks through what the shorter one left.
    """

    def __init__(self, library: Library, numbers: Sequence[int]) -> None:
        self._library = library
        self._documents = [library.documents[number] for number in numbers]
        """In the order of the index; documents are known by their place here."""
        self._texts = [document.text for document in self._documents]
        self._all = list(range(len(numbers)))
        """The places: all that is found shares these numbers."""
        self._place: list[int | None] = [None] * len(library.documents)
        """By the document's number in the library."""
        for place in self._all:
            self._place[numbers[place]] = place
        self._found = Remembered(len(numbers))
        self._terms: dict[str, Term] = {}

    @classmethod
    def build(
        cls,
        snapshot: MemorySnapshot | None,
        previous: FuzzyIndex | None = None,
        *,
        at_once: bool = True,
    ) -> FuzzyIndex:
        """Prepares a snapshot; with the index before it only what changed is read.

        Not `at_once`: the words, which only typing errors need, are left to `learn`.
        """
        entries = snapshot.entries if snapshot else ()
        library = previous._library if previous else Library()  # noqa: SLF001
        index = cls(*library.with_entries(entries))
        if at_once:
            index.learn()
        return index

    def learn(self, facts: int | None = None) -> bool:
        """Takes in the words of so many more facts, or of all; whether there are any left.

        A search that needs them does so by itself.
        """
        return self._library.learn(facts)

    def __len__(self) -> int:
        return len(self._documents)

    def search(self, query: str) -> FuzzyHits:
        """The facts that answer `query`, best first; nothing for a blank query."""
        needle = fold(query.strip())
        if not needle:
            return FuzzyHits()
        words = list(dict.fromkeys(_WORD.findall(needle)))
        exact = self._standing(needle)
        if words == [needle]:
            weights = self._matching(needle)
        else:
            weights = self._scores(words)
            if not weights.keys() >= exact.keys():
                weights = {**exact, **weights}
        # One number each, so that sorting is cheap: what search finds, then weight, then place.
        order = sorted([
            (
                (_EXACT - weight if place in exact and exact[place] != _TAGS else -weight)
                << _PLACE_BITS
            ) + place
            for place, weight in weights.items()
        ])  # fmt: skip
        terms = tuple([self._term(word) for word in words])
        return FuzzyHits(self._documents, array("q", order), needle, terms)

    def _scores(self, words: Sequence[str]) -> dict[int, int]:
        """Documents that have all the words, or else most of them, with their mean weight."""
        sums: dict[int, int] = {}
        counts: dict[int, int] = {}
        for word in words:
            for place, weight in self._matching(word).items():
                sums[place] = sums.get(place, 0) + weight
                counts[place] = counts.get(place, 0) + 1
        most = max(counts.values(), default=0)
        if most * 2 < len(words):
            return {}
        number = len(words)
        return {place: weight // number for place, weight in sums.items() if counts[place] == most}

    def _matching(self, word: str) -> Mapping[int, int]:
        """Documents with the word, or with one it may have been meant to be."""
        standing = self._standing(word)
        errors = self._term(word).errors
        if not errors:
            return standing
        found = dict(standing)
        everywhere = self._place
        for other, meant in errors.items():
            near = 6 if len(meant) == len(word) else 5
            for number, field in self._library.places(other):
                place = everywhere[number] if number < len(everywhere) else None
                weight = _WEIGHTS[field] * near // 10
                if place is not None and weight > found.get(place, 0):
                    found[place] = weight
        return found

    def _term(self, word: str) -> Term:
        term = self._terms.get(word)
        if term is None:
            stands = bool(self._standing(word))
            errors: Mapping[str, str] = {}
            if not stands or len(word) >= _FORGIVING:
                errors = typing_errors(word, self._library, strict=stands)
            if len(self._terms) >= _CACHED_WORDS:
                self._terms.clear()
            term = self._terms[word] = Term(word, errors)
        return term

    def _standing(self, piece: str) -> Mapping[int, int]:
        """Documents that hold the piece as it is, with the weight of the best place."""
        known = self._found.get(piece)
        if known is not None:
            return known
        left = self._found.left_by(piece)
        places: Iterable[int] = self._all if left is None else left
        found: dict[int, int] = {}
        data = encoded(piece)
        texts = self._texts
        for place in places:
            text = texts[place]
            at = text.find(data)
            if at < 0:
                continue
            name = text.find(SEPARATOR)
            if at < name:
                found[place] = _in_name(text[:name], data, at)
            elif at < text.find(SEPARATOR, name + 1):
                found[place] = _DESCRIPTION
            else:
                found[place] = _BODY if at < text.rfind(SEPARATOR) else _TAGS
        self._found.put(piece, found)
        return found


def _in_name(name: bytes, piece: bytes, at: int) -> int:
    """The whole name counts most, then the beginning of a word in it."""
    if len(name) == len(piece):
        return _TOP
    if at == 0:
        return 280
    before = name[at - 1]
    inside = chr(before).isalnum() if before < 128 else decoded(name[:at])[-1:].isalnum()
    return 240 if inside else 260


def fuzzy_search(
    cwd: str | os.PathLike[str], query: str, config: MemoryConfig | None = None
) -> FuzzyHits:
    """A single fuzzy search over all facts seen from `cwd`. For many, keep a `FuzzyIndex`."""
    from .snapshot import DEFAULT_CONFIG, load

    return FuzzyIndex.build(load(cwd, config or DEFAULT_CONFIG)).search(query)
