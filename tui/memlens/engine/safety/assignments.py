"""Secrets known by the name before them: `password=…`, `x-api-key: …`, `**Token:** …`.

A name at the start of its line, or of a part of a structure, owns the rest of the line. In the
middle of a sentence it owns only a word that looks made by a machine: `The token: use env var`
is advice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.folding import fold
from memlens.engine.safety.shapes import Span, is_reference

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEYS: Final = (
    "api", "access", "secret", "private", "encryption", "signing", "auth", "service", "account",
    "master", "deploy", "shared", "storage", "license",
)  # fmt: skip
"""Of which a key may be."""
_JOINTS: Final = ("_", " ", "-")
_NAME: Final = re.compile(
    r"(?P<password>pass[_-]?(?:word|wd|phrase|code)|pwd)"
    rf"|(?P<key>(?:{'|'.join(_KEYS)})[_ -]?key)"
    r"|(?P<secret>secret)|(?P<token>token)|(?P<pass>pass(?=[ \t]*=))|(?P<credential>credential)"
)
_MARKS: Final = ("pass", "pwd", "secret", "token", "credential")
"""One of which every name but that of a key begins with."""
# What may stand between a name and its value: closing quotes and brackets, the separator, bold.
_BEHIND: Final = re.compile(
    r"(?P<close>\\*[\"'`]?\]?[\"'`]?[*_]{0,3})(?P<before>[ \t]*)"
    r"(?P<sign>:=|=>|=(?![=~>])|:(?!:|//))(?P<bold>[*_]{0,3})(?P<after>[ \t]*)"
)
_FLAG_VALUE: Final = re.compile(r"[ \t]+(?P<value>[^\s\"'`-][^\s\"'`]*)")
_LINE_START: Final = re.compile(
    r"[ \t>|]*(?:[-*+•][ \t]+|\d+[.)][ \t]+|//+[ \t]*|--[ \t]+)?(?:\[[ xX]\][ \t]+)?"
    r"(?:(?:export|set|setx|let|const|var|env|arg|declare|local|readonly|public|private|static"
    r"|final|string)[ \t]+)*(?P<label>(?:[A-Za-z][A-Za-z0-9/.&'-]*[ \t]+){0,3})[*_\"'`\\{(\[]*",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(r"(?:[{(\[,;&?|][ \t]*|[ \t]--?)[\"'`\\*_]*\Z")
_TALK: Final = re.compile(
    r"(?i)(?:the|a|an|this|that|these|those|your|its|their|each|every|any|no|some|which|what|uses?"
    r"|sets?|gets?|with|and|or|if|when|is|are|was|for|to|of|in|on|as|see|via|by|from|how|why|where"
    r"|never|always|do|don't|not|only|needs?|about|read|pass|send|store|put|keep)"
)
"""Words before a name that make it a sentence and no label."""
_NO_SECRET: Final = re.compile(
    r"(?i)(?:true|false|null|none|nil|undefined|required|optional|string|str|bytes|bool|boolean"
    r"|int|integer|number|any|object|secretstr|n/a|tbd|todo|unset|empty|disabled|enabled"
    r"|(?:optional|union|list|dict)\[.*|(?:str|string|bytes)\b[ |=?;,].*|\W+"
    r"|https?://\S+|~/\S+|\.{1,2}/\S+|/[\w.-]+/[\w./-]+"
    r"|[a-z_$.]+\(\W*)[.,;]?"  # a call that goes on in the next line
)
_SAME: Final = re.compile(
    r"(?i)(?:(?:[a-z_]\w*\.)+[a-z_]*(?:password|passwd|token|secret|key|credentials?)"
    r"|token|secret|api_?key)[;,]?"
)
"""A value that is only such a name again: `self.token = token`, `password: config.db.password`."""
_PERMISSION: Final = re.compile(r"(?i)(?:read|write|read-write|none|inherit)[.,;]?")
"""What a token may do, as workflows write it: `id-token: write`."""
_PARTS: Final = re.compile(r"[,;{}\[\]]")
_NEXT_PART: Final = re.compile(r"[,;)}\]|]|[ \t]&")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


_CONTEXT: Final = 400
"""Characters before a name that are looked at, and of a value that may still be a phrase."""


class _Name(NamedTuple):
    kind: str
    start: int
    """Where the whole identifier begins."""
    end: int


def find(text: str) -> list[Span]:
    """All values behind a secret's name; spans may overlap."""
    spans: list[Span] = []
    covered = 0
    for match in _names(fold(text)):
        name = _whole_name(text, match) if match.start() >= covered else None
        if name is None:
            continue
        span = _value(text, name)
        if span is not None and span[0] < span[1]:
            spans.append((name.kind, *span))
            covered = span[1]
    return spans


def _names(folded: str) -> Iterator[re.Match[str]]:
    """All that `_NAME` finds, tried only where it can begin: few texts have many such places."""
    starts = set()
    for mark in _MARKS:
        at = folded.find(mark)
        while at >= 0:
            starts.add(at)
            at = folded.find(mark, at + 1)
    at = folded.find("key")
    while at >= 0:
        end = at - (folded[at - 1 : at] in _JOINTS)
        for word in _KEYS:
            if folded.endswith(word, 0, end):
                starts.add(end - len(word))
        at = folded.find("key", at + 1)
    end = 0
    for start in sorted(starts):
        match = _NAME.match(folded, start) if start >= end else None
        if match is not None:
            end = match.end()
            yield match


def _whole_name(text: str, match: re.Match[str]) -> _Name | None:
    """The identifier around a key word; `None` where it goes on: `token_count`, `secretary`."""
    end = match.end()
    kind = match.lastgroup or "secret"
    if kind == "credential" and text.startswith("s", end):
        end += 1
    while end < len(text) and text[end].isdigit():
        end += 1
    following = text[end : end + 2]
    if following[:1].isalpha() or (following[:1] in ("_", "-") and following[1:].isalnum()):
        return None
    start = match.start()
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    if kind == "pass" and start == match.start() and not text.startswith("=", end):
        return None
    if kind in ("pass", "credential") and match.start() and text[match.start() - 1].isalpha():
        return None
    while start < match.start() and text[start] in "-.":
        start += 1
    kinds = {"key": "api-key", "pass": "password"}
    return _Name(kinds.get(kind, kind), start, end)


def _value(text: str, name: _Name) -> tuple[int, int] | None:
    line_start = text.rfind("\n", 0, name.start) + 1
    line_end = text.find("\n", name.end)
    if line_end < 0:
        line_end = len(text)
    if line_end and text[line_end - 1] == "\r":
        line_end -= 1
    behind = _BEHIND.match(text, name.end, line_end)
    if behind is None:
        return _flag_value(text, name, line_end)
    start = behind.end()
    before = text[max(line_start, name.start - _CONTEXT) : name.start]
    opener = _opening_quote(before, behind["close"])
    quote = re.compile(r"\\*[\"'`]").match(text, start, line_end)
    if quote:
        closes = opener and quote.group() == opener  # as in `ask("Password: ")`
        return None if closes else _quoted(text, quote, line_end)
    if opener:
        closing = text.find(opener, start, line_end)
        line_end = closing if closing >= 0 else line_end
    tight = "=" in behind["sign"] and not behind["after"] and not behind["before"]
    if tight:
        return _checked(text, start, _word_end(text, start, line_end, before), name.kind)
    if not opener and _OPEN.search(before):
        return _checked(text, start, _part_end(text, start, line_end), name.kind)
    command = text[name.start : name.end].lower() == "pwd"  # `pwd: prints the folder`
    if opener or (_owns_line(before) and not command):
        return _checked(text, start, line_end, name.kind)
    word = re.compile(r"\S+").match(text, start, line_end)
    if word is None:
        return None
    end = start + len(word.group().rstrip(".,;:!?)*"))
    return _checked(text, start, end, name.kind) if _is_made(text[start:end]) else None


def _flag_value(text: str, name: _Name, line_end: int) -> tuple[int, int] | None:
    """`--password hunter2`: the word behind an option."""
    if text[max(0, name.start - 2) : name.start] != "--":
        return None
    match = _FLAG_VALUE.match(text, name.end, line_end)
    if match is None or not _is_made(match["value"]):
        return None
    return _checked(text, *match.span("value"), name.kind)


def _quoted(text: str, quote: re.Match[str], line_end: int) -> tuple[int, int] | None:
    """Inside the quotes, or to the line's end where they do not close."""
    mark, start = quote.group(), quote.end()
    end = start
    while True:
        end = text.find(mark, end, line_end)
        if end < 0:
            end = line_end
            break
        if len(mark) > 1 or text[end - 1] != "\\" or text[end - 2 : end] == "\\\\":
            break
        end += 1
    value = text[start:end].strip()
    if not value or is_reference(value) or value.startswith("[REDACTED]"):
        return None
    return start, end


def _opening_quote(before: str, close: str) -> str:
    """The quote that opened before the name and is open still, as in "`password: abc`"."""
    stripped = before.rstrip("*_{([")
    mark = stripped[-1:]
    if mark in ("`", '"', "'") and mark not in close:
        return mark
    for mark in ("`", '"', "'"):
        at = before.rfind(mark)
        # An apostrophe inside a word opens nothing.
        opens = at == 0 or (at > 0 and not before[at - 1].isalnum())
        if at >= 0 and opens and before.count(mark) % 2 and mark not in close:
            return mark
    return ""


def _word_end(text: str, start: int, line_end: int, before: str) -> int:
    """The end of a value right behind `=`: a space, `&`, or a separator before another name."""
    in_query = before.rstrip().endswith(("?", "&"))
    pattern = r"[\s&#\"'`<>]" if in_query else r"[\s&\"'`<>]|[,;](?:\s|$|[\w.-]+[ \t]*[=:])"
    stop = re.compile(pattern).search(text, start, line_end)
    end = stop.start() if stop else line_end
    while in_query and end > start and text[end - 1] in ").,;!]":
        end -= 1
    for opening, closing in ("()", "[]", "{}"):
        while text[end - 1 : end] == closing and opening not in text[start:end] and end > start:
            end -= 1
    return end


def _part_end(text: str, start: int, line_end: int) -> int:
    """The end of a value inside a structure: the next part, or the structure's end.

    What belongs to a call, or to a structure in which nothing can be secret, is passed over.
    """
    stop = _NEXT_PART.search(text, start, line_end)
    simple = stop.start() if stop else line_end
    opening = min((at for at in map(text.find, "({", (start,) * 2) if 0 <= at < simple), default=-1)
    if opening < 0:
        return simple
    closing = _closing(text, opening, line_end)
    if closing < 0:
        return simple
    goes_on = text[closing : closing + 1].isalnum()  # `{SSHA}…` is how hashes are written
    if text[opening] == "{" and not goes_on and not _is_harmless(text[opening:closing]):
        return simple
    stop = _NEXT_PART.search(text, closing, line_end)
    return stop.start() if stop else line_end


def _closing(text: str, opening: int, end: int) -> int:
    """Behind the bracket that closes the one at `opening`; -1 where none does."""
    waiting: list[str] = []
    for at in range(opening, min(end, opening + _CONTEXT)):
        character = text[at]
        if character in _CLOSING:
            waiting.append(_CLOSING[character])
        elif waiting and character == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at + 1
        elif character in ")]}":
            return -1
    return -1


def _is_harmless(structure: str) -> bool:
    """Whether each value in a structure is one of those that are no secrets, or a number."""
    values = (part.rpartition(":")[2].strip(" \t\"'`") for part in _PARTS.split(structure))
    return all(
        not value or value.isdigit() or is_reference(value) or _NO_SECRET.fullmatch(value)
        for value in values
    )


def _owns_line(before: str) -> bool:
    match = _LINE_START.fullmatch(before)
    if match is None:
        return False
    return not any(_TALK.fullmatch(word) for word in match["label"].split())


def _is_made(word: str) -> bool:
    digits = any(character.isdigit() for character in word)
    letters = any(character.isalpha() for character in word)
    mixed = word.lower() != word and word.upper() != word and word[1:].lower() != word[1:]
    return (len(word) >= 6 and digits and letters) or (len(word) >= 16 and (digits or mixed))


def _checked(text: str, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """The value without blank ends; `None` where it is none."""
    value = text[start:end].rstrip()
    end = start + len(value)
    bare = value.strip("*_ ")
    if not bare or value.startswith("[REDACTED]"):
        return None
    if len(bare) <= _CONTEXT and (is_reference(bare) or _NO_SECRET.fullmatch(bare)):
        return None
    if _SAME.fullmatch(bare) and (kind != "password" or "." in bare):
        return None
    if kind == "token" and _PERMISSION.fullmatch(bare):
        return None
    if kind == "token" and bare.isdigit() and len(bare) < 4:
        return None
    if value.endswith("**") and "**" not in value[:-2]:
        end -= 2
    return start, end
