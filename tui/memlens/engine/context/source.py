"""One file of a prompt as text, with the import tokens that stand outside its code."""

from __future__ import annotations

import re
from typing import Final

from memlens.engine.agents import ImportRules
from memlens.engine.context.markdown import code_regions, inside
from memlens.engine.context.model import ImportRecord, ImportSite, Outcome, Span
from memlens.engine.files import Files, Stamp

# White space is Unicode's, which leaves out four separators that Python's `\s` takes in.
_TOKEN: Final = re.compile(r"@(?<![\S\x1c-\x1f]@)[\S\x1c-\x1f]+")
_ESCAPED_TOKEN: Final = re.compile(r"@(?<![\S\x1c-\x1f]@)(?:\\ |[\S\x1c-\x1f])+")
_BOM: Final = b"\xef\xbb\xbf"


class Token:
    """An `@path` outside code, and what it became when it was expanded last."""

    __slots__ = (
        "column", "end", "failure", "line", "memory", "size", "span", "start", "success", "written",
    )  # fmt: skip

    def __init__(self, start: int, end: int, written: str, line: int, column: int) -> None:
        self.start = start
        self.end = end
        self.written = written
        """The path as it names a file: without the `@`, escapes resolved."""
        self.line = line
        self.column = column
        self.size = len(written.encode()) + 1
        self.memory: Memory | None = None
        self.span: Span | None = None
        """The text in front of it."""
        self.failure: ImportRecord | None = None
        self.success: ImportRecord | None = None


class Memory:
    """What an import became."""

    __slots__ = ("before", "chain", "record", "site", "source", "span")

    def __init__(
        self,
        before: tuple[ImportSite, ...],
        source: Source,
        site: ImportSite,
        chain: tuple[ImportSite, ...],
    ) -> None:
        self.before = before
        """The chain of the file that holds the token."""
        self.source = source
        self.site = site
        self.chain = chain
        self.span: Span | None = None
        """The imported text; None where it is empty or has imports of its own."""
        self.record: ImportRecord | None = None
        """None where the import has imports of its own."""


class Source:
    """A file that was read, or why it could not be."""

    __slots__ = (
        "ascii",
        "blank",
        "body_breaks",
        "body_end",
        "body_size",
        "bom",
        "breaks",
        "checked",
        "detail",
        "folder",
        "invalid_at",
        "key",
        "loaded",
        "path",
        "problem",
        "recent",
        "size",
        "span",
        "stamp",
        "text",
        "tokens",
    )

    def __init__(self, path: str) -> None:
        self.path = path
        """Real."""
        self.folder = path.rpartition("/")[0] or "/"
        self.key: object = path
        """Tells one file from another, also where letter case does not (A34)."""
        self.stamp: Stamp | None = None
        self.loaded = False
        """Whether reading was tried; before, there is neither text nor problem."""
        self.problem: Outcome | None = None
        """None: the text is there."""
        self.detail = ""
        self.text = ""
        self.tokens: list[Token] = []
        self.size = 0
        """Bytes of `text` in UTF-8."""
        self.breaks = 0
        """Line feeds in `text`."""
        self.ascii = True
        self.blank = True
        """Nothing but white space, which counts as empty (A9)."""
        self.body_end = 0
        """Where the text ends without its trailing line ends, which an import drops (A12)."""
        self.body_breaks = 0
        self.body_size = 0
        self.bom = False
        self.invalid_at = -1
        """Offset of the first character that stands for bytes that are no UTF-8; -1: none."""
        self.span: Span | None = None
        """The text behind its last import, when it was expanded last."""
        self.checked = 0
        """The round in which the file was last known to be as it is here."""
        self.recent = False
        """Whether it had only just been written when it was read, so that an equal stamp
        proves nothing."""

    def set_stamp(self, stamp: Stamp) -> None:
        self.stamp = stamp
        if stamp.inode:
            self.key = self.path.casefold(), stamp.device, stamp.inode

    def unchanged(self, files: Files) -> bool:
        """Whether the file is provably what was read. Raises `FileProblem`."""
        return self.stamp is not None and not self.recent and files.look(self.path) == self.stamp

    def line_of(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def column_of(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset)


def scan(path: str, data: bytes, stamp: Stamp, rules: ImportRules) -> Source:
    """Decodes a file (A14, A16) and finds its tokens."""
    source = Source(path)
    source.set_stamp(stamp)
    source.loaded = True
    if b"\0" in data:
        source.problem = "binary"
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            source.detail = "it is UTF-16"
        return source
    if data.startswith(_BOM):
        source.bom = True
        data = data[3:]
    try:
        text = data.decode()
        source.size = len(data)
    except UnicodeDecodeError as error:
        text = data.decode(errors="replace")
        source.size = len(text.encode())
        source.invalid_at = len(data[: error.start].decode())
    source.text = text
    source.ascii = text.isascii()
    body = text.rstrip("\r\n")
    source.body_end = len(body)
    source.blank = not body or body.isspace()
    source.body_size = source.size - (len(text) - len(body))
    line = counted = 0
    if "@" in text:
        source.tokens = _tokens(text, rules)
        if source.tokens:
            line, counted = source.tokens[-1].line - 1, source.tokens[-1].end
    source.breaks = line + text.count("\n", counted)
    source.body_breaks = source.breaks - text.count("\n", len(body))
    return source


def _tokens(text: str, rules: ImportRules) -> list[Token]:
    pattern = _ESCAPED_TOKEN if rules.escaped_space else _TOKEN
    places = [match.span() for match in pattern.finditer(text)]
    regions = code_regions(text, [start for start, _ in places])
    tokens = []
    line, counted, line_start = 1, 0, 0
    for start, end in places:
        if regions and inside(regions, start):
            continue
        written = text[start + 1 : end]
        if rules.cut_fragment and "#" in written:
            written = written[: written.index("#")]
            end = start + 1 + len(written)
        if rules.first_characters and not _may_begin(written, rules.first_characters):
            continue
        if rules.escaped_space:
            written = written.replace("\\ ", " ")
        breaks = text.count("\n", counted, start)
        if breaks:
            line += breaks
            line_start = text.rfind("\n", counted, start) + 1
        counted = start
        tokens.append(Token(start, end, written, line, start - line_start + 1))
    return tokens


def _may_begin(written: str, others: str) -> bool:
    first = written[:1]
    return bool(first) and (first.isalnum() or first in others or written.startswith("~/"))
