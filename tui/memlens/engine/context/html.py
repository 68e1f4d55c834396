"""HTML in Markdown: blocks and tags inside which backticks and fences mean nothing (CommonMark).

Patterns are compiled when they are first needed: most files have no HTML, and scripts wait.
"""

from __future__ import annotations

import re
from functools import cache

_RAW_TAGS = ("script", "pre", "style", "textarea")
_BLOCK_TAGS = frozenset({
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
    "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
    "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
    "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
})  # fmt: skip
_ATTRIBUTE = (
    r"(?:[ \t\n]+[A-Za-z_:][A-Za-z0-9_.:-]*"
    r"(?:[ \t\n]*=[ \t\n]*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)"
)
_TAG = (
    rf"[A-Za-z][A-Za-z0-9-]*{_ATTRIBUTE}*[ \t\n]*/?>"
    r"|/[A-Za-z][A-Za-z0-9-]*[ \t\n]*>"
)
_MARKS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))


class HtmlEnd:
    """What ends an HTML block."""

    __slots__ = ("mark",)

    def __init__(self, mark: str = "") -> None:
        self.mark = mark

    @property
    def lasting(self) -> bool:
        """Whether the block goes on over empty lines until its mark."""
        return bool(self.mark)

    def find(self, text: str, begin: int, end: int) -> int:
        """Where the mark stands between `begin` and `end`; -1 where it does not."""
        if self.mark != "</":
            return text.find(self.mark, begin, end)
        found = _raw_end().search(text, begin, end)
        return found.start() if found else -1


def html_block(text: str, first: int, end: int, *, in_paragraph: bool) -> HtmlEnd | None:
    """What ends the HTML block that the `<` at `first` opens; None where it opens none."""
    for opens, closes in _MARKS:
        if text.startswith(opens, first, end):
            return HtmlEnd(closes)
    if text.startswith("<!", first, end) and text[first + 2 : min(first + 3, end)].isalpha():
        return HtmlEnd(">") if text[first + 2].isascii() else None
    line = text[first:end]
    name_at = 2 if line.startswith("</") else 1
    rest = line[name_at:]
    name = rest[: len(rest) - len(rest.lstrip(_NAME_CHARACTERS))].lower()
    behind = rest[len(name) : len(name) + 2]
    if name in _RAW_TAGS and name_at == 1 and (not behind or behind[0] in " \t>"):
        return HtmlEnd("</")
    if name in _BLOCK_TAGS and (not behind or behind[0] in " \t>" or behind == "/>"):
        return HtmlEnd()
    if not in_paragraph and _lone_tag().fullmatch(line):
        return HtmlEnd()
    return None


_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"


@cache
def _raw_end() -> re.Pattern[str]:
    return re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)


@cache
def _lone_tag() -> re.Pattern[str]:
    return re.compile(rf"<(?:{_TAG})[ \t]*")


@cache
def inline_html() -> re.Pattern[str]:
    """Autolinks and tags in a paragraph, from their `<`."""
    return re.compile(
        r"<(?:"
        r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*>"  # autolinks
        r"|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
        r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*>"
        rf"|{_TAG}"
        r"|!-->|!--->|!--(?s:.*?)-->"
        r"|\?(?s:.*?)\?>"
        r"|![A-Za-z][^>]*>"
        r"|!\[CDATA\[(?s:.*?)\]\]>"
        r")"
    )
