"""Letters in paths that look like others: `CLАUDE.md` with a Cyrillic А is not `CLAUDE.md`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

_PAIRS: Final = (
    # Cyrillic
    "аa вb еe ёe кk оo рp сc тt уy хx ѕs іi їi јj һh ԁd ԛq ԝw ӏl ѵv "
    "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ЅS ІI ЈJ ҺH ԌG ԚQ ԜW ӀI ѴV "
    # Greek
    "αa γy ιi κk νv οo ρp τt υu χx ϲc ϳj "
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ "
    # Armenian
    "օo սu ոn հh ցg զq ԼL ՍU ՏS ՕO "
    # Cherokee
    "ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎢI ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ "
    # Latin letters that are hardly told apart from plain ones
    "ıi ɑa ɡg ɩi ʟl ꞁl"
)
_LOOKS_LIKE: Final = {pair[0]: pair[1] for pair in _PAIRS.split()}
_WORDS: Final = re.compile(r"[^\W\d_]+")
_TOKEN: Final = re.compile(r"(?<!\S)@(\S+)")


class LookAlike(NamedTuple):
    """One deceiving letter."""

    at: int
    """From 0, in the text that was looked at."""
    letter: str
    plain: str
    """The letter that it looks like."""

    @property
    def words(self) -> str:
        name = unicodedata.name(self.letter, "").lower()
        return f"“{self.letter}” U+{ord(self.letter):04X} ({name}) looks like “{self.plain}”"


def plain_form(text: str) -> str:
    """What the text looks like in plain letters; itself where it is plain already."""
    if text.isascii():
        return text
    return "".join(_plain(character) for character in text)


def mixed_letters(text: str) -> Iterator[LookAlike]:
    """Letters that look like Latin ones, in words that hold Latin ones, too.

    A word of another script is a word like any other, also beside Latin ones (`привет-readme`).
    """
    if text.isascii():
        return
    for word in _WORDS.finditer(text):
        letters = word.group()
        if letters.isascii() or not any(letter.isascii() for letter in letters):
            continue
        for index, letter in enumerate(letters, word.start()):
            plain = _plain(letter)
            if plain != letter and len(plain) == 1:
                yield LookAlike(index, letter, plain)


def in_import_tokens(line: str) -> Iterator[LookAlike]:
    """Deceiving letters in what follows an `@`, indices in the line."""
    if line.isascii():
        return
    for token in _TOKEN.finditer(line):
        path = token.group(1)
        for found in mixed_letters(path):
            yield found._replace(at=found.at + token.start(1))


def _plain(character: str) -> str:
    if character.isascii():
        return character
    known = _LOOKS_LIKE.get(character)
    if known is not None:
        return known
    form = unicodedata.normalize("NFKC", character)  # full-width and mathematical letters
    return form if form.isascii() and form.isalpha() else _LOOKS_LIKE.get(form, character)
