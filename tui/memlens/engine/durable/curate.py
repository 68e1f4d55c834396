"""Curating: what says the same, says nothing, or has not been touched for long.

It only lists; a person keeps, merges or deletes, each a step that can be undone (spec 4).
"""

from __future__ import annotations

import os
import re
import time
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.folding import fold
from memlens.engine.work import steps

from .lookup import each_with_body, read_body
from .model import MemoryConfig, MemoryEntry, MemorySnapshot
from .results import Consolidation, Duplicate, StaleFact
from .snapshot import DEFAULT_CONFIG, load
from .words import encoded, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD: Final = re.compile(r"\w+")
_DAY: Final = 86_400
_COMPARED: Final = 2000
"""Characters of a fact that are compared; likeness shows long before that."""
_RARE: Final = 10
"""How many of a fact's rarest words are looked up for facts that may be like it."""
_SHARED: Final = 3
"""How many of them another fact must have to be compared."""
_COMMON: Final = 100
"""How many facts with one word are looked at."""


class _Text:
    """A fact as it is compared: its words, in any case and spacing."""

    __slots__ = ("entry", "key", "words")

    def __init__(self, entry: MemoryEntry, body: str, numbers: dict[str, int]) -> None:
        words = _said(entry, body)
        number = numbers.setdefault
        self.entry = entry
        self.key = " ".join(words)
        self.words = array("I", {number(word, len(numbers)) for word in words})
        """Each once, as its number: a set of texts would take twenty times the memory."""


def _said(entry: MemoryEntry, body: str) -> list[str]:
    """The words of what a fact says."""
    about = f"{entry.description}\n{body}" if body.strip() else f"{entry.name}\n{entry.description}"
    return words_of(encoded(fold(about)))


class _Texts(NamedTuple):
    """All facts as they are compared."""

    texts: list[_Text]
    numbers: dict[str, int]
    """Those of the words."""


def consolidation(
    cwd: str | os.PathLike[str],
    config: MemoryConfig = DEFAULT_CONFIG,
    snapshot: MemorySnapshot | None = None,
) -> Consolidation:
    """Everything that is worth a look; thresholds come from `config`."""
    snapshot = snapshot or load(cwd, config)
    entries = snapshot.entries if snapshot else ()
    return Consolidation(
        duplicates=duplicates(cwd, config, snapshot) if snapshot else (),
        repeating=tuple([entry for entry in entries if repeats_name(entry)]),
        stale=stale(entries, config.stale_days),
    )


def repeats_name(entry: MemoryEntry) -> bool:
    """Whether the description says no more than the name does."""
    name, said = _WORD.findall(fold(entry.name)), _WORD.findall(fold(entry.description))
    return name == said or (bool(said) and set(said) <= set(name))


def stale(
    entries: Iterable[MemoryEntry], days: int, now: float | None = None
) -> tuple[StaleFact, ...]:
    """The facts whose file has not changed, and that were made, at least so many days ago."""
    moment = time.time() if now is None else now
    found = []
    for entry in entries:
        untouched = max(0, int((moment - entry.mtime_ns / 1e9) // _DAY))
        made = made_at(entry.created)
        age = -1 if made is None else max(0, int((moment - made) // _DAY))
        if untouched >= days and (age < 0 or age >= days):
            found.append(StaleFact(entry, entry.created, age, untouched))
    return tuple(sorted(found, key=lambda fact: (-fact.untouched_days, fact.entry.path)))


def made_at(created: str) -> float | None:
    """Seconds since the epoch for a `created:` date; `None` where it is none."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.timestamp()
    except (OverflowError, ValueError):
        return None


def duplicates(
    cwd: str | os.PathLike[str],
    config: MemoryConfig = DEFAULT_CONFIG,
    snapshot: MemorySnapshot | None = None,
) -> tuple[Duplicate, ...]:
    """Pairs of facts that say the same, exact ones first, then by likeness.

    Compared are the words of description and body; only pairs that share rare words are looked
    at, so ten thousand facts take seconds and not hours.
    """
    texts = _texts(cwd, config, snapshot)
    found = list(_exact(texts.texts))
    seen = {(pair.first.path, pair.second.path) for pair in found}
    found += [
        pair
        for pair in _near(texts, config.near_duplicate_threshold)
        if (pair.first.path, pair.second.path) not in seen
    ]
    return tuple(sorted(found, key=lambda pair: (not pair.exact, -pair.score)))


def exact_duplicates(
    cwd: str | os.PathLike[str],
    config: MemoryConfig = DEFAULT_CONFIG,
    snapshot: MemorySnapshot | None = None,
) -> tuple[Duplicate, ...]:
    """Pairs of facts with the same words."""
    # Only a number of each text is kept, so that a look at all facts leaves nothing behind.
    snapshot = snapshot or load(cwd, config)
    seen: dict[int, MemoryEntry] = {}
    again: dict[int, list[MemoryEntry]] = {}
    for entry, body in each_with_body(cwd, snapshot):
        words = _said(entry, body)
        if words:
            key = hash(" ".join(words))
            if key in seen:
                again.setdefault(key, [seen[key]]).append(entry)
            else:
                seen[key] = entry
    alike = {entry for entries in again.values() for entry in entries}
    numbers: dict[str, int] = {}
    texts = [
        _Text(entry, read_body(entry) or "", numbers)
        for entry in (snapshot.entries if alike and snapshot else ())
        if entry in alike
    ]
    return tuple(_exact(texts))


def _texts(
    cwd: str | os.PathLike[str], config: MemoryConfig, snapshot: MemorySnapshot | None
) -> _Texts:
    snapshot = snapshot or load(cwd, config)
    numbers: dict[str, int] = {}
    bodies = each_with_body(cwd, snapshot)
    return _Texts([_Text(entry, body, numbers) for entry, body in bodies], numbers)


def _exact(texts: list[_Text]) -> Iterator[Duplicate]:
    groups: defaultdict[str, list[_Text]] = defaultdict(list)
    for text in texts:
        if text.key:
            groups[text.key].append(text)
    for group in groups.values():
        for other in group[1:]:
            yield Duplicate(group[0].entry, other.entry, 100.0, exact=True)


def _near(all_texts: _Texts, threshold: float) -> Iterator[Duplicate]:
    from rapidfuzz import fuzz

    texts, words = all_texts.texts, list(all_texts.numbers)
    counts = [0] * len(words)
    having: list[array[int]] = [array("I") for _ in words]
    for number, text in enumerate(steps(texts, "counting words")):
        for word in text.words:
            if counts[word] < _COMMON:
                having[word].append(number)
            counts[word] += 1
    rarest_first = sorted(range(len(words)), key=lambda word: (counts[word], words[word]))
    rank = array("I", [0]) * len(words)
    for place, word in enumerate(rarest_first):
        rank[word] = place
    for number, text in enumerate(steps(texts, "comparing facts")):
        rare = sorted([rank[word] for word in text.words])[:_RARE]
        others = [having[rarest_first[place]] for place in rare]
        shared = Counter(chain.from_iterable([one[bisect_right(one, number) :] for one in others]))
        enough = min(_SHARED, len(rare))
        for other in sorted(other for other, count in shared.items() if count >= enough):
            twin = texts[other]
            if twin.key == text.key:
                continue
            score = fuzz.token_sort_ratio(
                text.key[:_COMPARED], twin.key[:_COMPARED], score_cutoff=threshold
            )
            if score >= threshold:
                yield Duplicate(text.entry, twin.entry, min(99.9, score), exact=False)
