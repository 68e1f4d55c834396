"""Curating: what says the same, says nothing, or has not been touched for long.

It only lists; a person keeps, merges or deletes, each a step that can be undone (spec 4).
"""

from __future__ import annotations

import os
import re
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from .folding import fold
from .lookup import entries_with_bodies
from .model import MemoryConfig, MemoryEntry, MemorySnapshot
from .results import Consolidation, Duplicate, StaleFact
from .snapshot import DEFAULT_CONFIG, load

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

    __slots__ = ("entry", "key", "text", "words")

    def __init__(self, entry: MemoryEntry, body: str) -> None:
        said = f"{entry.description}\n{body}" if body else f"{entry.name}\n{entry.description}"
        words = _WORD.findall(fold(said))
        self.entry = entry
        self.key = " ".join(words)
        self.text = self.key[:_COMPARED]
        self.words = set(words)


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
    found = list(_exact(texts))
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
    return tuple(_exact(_texts(cwd, config, snapshot)))


def _texts(
    cwd: str | os.PathLike[str], config: MemoryConfig, snapshot: MemorySnapshot | None
) -> list[_Text]:
    snapshot = snapshot or load(cwd, config)
    return [_Text(entry, body) for entry, body in entries_with_bodies(cwd, snapshot)]


def _exact(texts: list[_Text]) -> Iterator[Duplicate]:
    groups: defaultdict[str, list[_Text]] = defaultdict(list)
    for text in texts:
        if text.words:
            groups[text.key].append(text)
    for group in groups.values():
        for other in group[1:]:
            yield Duplicate(group[0].entry, other.entry, 100.0, exact=True)


def _near(texts: list[_Text], threshold: float) -> Iterator[Duplicate]:
    from rapidfuzz import fuzz

    having: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word in text.words:
            having[word].append(number)
    for number, text in enumerate(texts):
        rare = sorted(text.words, key=lambda word: (len(having[word]), word))[:_RARE]
        shared: defaultdict[int, int] = defaultdict(int)
        for word in rare:
            for other in having[word][:_COMMON]:
                if other > number:
                    shared[other] += 1
        enough = min(_SHARED, len(rare))
        for other in sorted(other for other, count in shared.items() if count >= enough):
            twin = texts[other]
            if twin.key == text.key:
                continue
            score = fuzz.token_sort_ratio(text.text, twin.text, score_cutoff=threshold)
            if score >= threshold:
                yield Duplicate(text.entry, twin.entry, min(99.9, score), exact=False)
