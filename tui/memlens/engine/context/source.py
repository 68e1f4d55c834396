"""One file of a prompt as text, with the import tokens that stand outside its code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.model import ImportRecord, ImportSite, Outcome, Span
from memlens.engine.files import Files, Stamp

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.context.conditions import Condition

# White space is Unicode's, which leaves out four separators that Python's `\s` takes in.
_TOKEN = re.compile(r"@(?<![\S\x1c-\x1f]@)[\S\x1c-\x1f]+")
_ESCAPED_TOKEN = re.compile(r"@(?<![\S\x1c-\x1f]@)(?:\\ |[\S\x1c-\x1f])+")
_BOM = b"\xef\xbb\xbf"


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

    # Class attributes and no slots: most files differ from these in little, and a prompt may
    # have hundreds of files.
    key: object
    """Tells one file from another, also where letter case does not (A34)."""
    stamp: Stamp | None = None
    loaded = False
    """Whether reading was tried; before, there is neither text nor problem."""
    problem: Outcome | None = None
    """None: the text is there."""
    detail = ""
    body = ""
    """The text without its trailing line ends, which an import drops (A12)."""
    tail = ""
    """Its trailing line ends."""
    tokens: Sequence[Token] = ()
    size = 0
    """Bytes of the whole text in UTF-8."""
    breaks = 0
    """Line feeds in the whole text."""
    ascii = True
    blank = True
    """Nothing but white space, which counts as empty (A9)."""
    body_breaks = 0
    body_size = 0
    bom = False
    invalid_at = -1
    """Offset of the first character that stands for bytes that are no UTF-8; -1: none."""
    cuts: Sequence[tuple[int, int]] = ()
    """Stretches that are no part of the text, in order: offsets."""
    condition: Condition | None = None
    """What its frontmatter said when it was last asked."""
    span: Span | None = None
    """The text behind its last import, when it was expanded last."""
    checked = 0
    """The round in which the file was last known to be as it is here."""
    recent = False
    """Whether it had only just been written when it was read, so that an equal stamp
    proves nothing."""

    def __init__(self, path: str) -> None:
        self.path = path
        """Real."""
        self.folder = path.rpartition("/")[0] or "/"
        self.key = path

    @property
    def text(self) -> str:
        """The whole text; offsets count in it."""
        return self.body + self.tail if self.tail else self.body

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
    bare = data.rstrip(b"\r\n")
    try:
        body = bare.decode()
    except UnicodeDecodeError as error:
        body = bare.decode(errors="replace")
        source.body_size = len(body.encode())
        source.invalid_at = len(bare[: error.start].decode())
    else:
        source.body_size = len(bare)
    source.body = body
    if len(bare) != len(data):
        source.tail = data[len(bare) :].decode()
    source.size = source.body_size + len(source.tail)
    if not body.isascii():
        source.ascii = False
    source.blank = not body or body.isspace()
    line = counted = 0
    if rules.comments == "strip-blocks" and "<!--" in body:
        from memlens.engine.context.comments import comment_cuts

        source.cuts = comment_cuts(body)
    if "@" in body and rules.follows:
        source.tokens = _tokens(body, rules, source.cuts)
        if source.tokens:
            line, counted = source.tokens[-1].line - 1, source.tokens[-1].end
    source.body_breaks = line + body.count("\n", counted)
    source.breaks = source.body_breaks + source.tail.count("\n")
    return source


def _tokens(text: str, rules: ImportRules, cuts: Sequence[tuple[int, int]] = ()) -> list[Token]:
    pattern = _ESCAPED_TOKEN if rules.escaped_space else _TOKEN
    places = [match.span() for match in pattern.finditer(text)]
    if places and ("`" in text or "~" in text):
        places = _outside_code(text, places)
    if cuts:
        places = [
            place for place in places if not any(start <= place[0] < end for start, end in cuts)
        ]
    tokens = []
    line, counted, line_start = 1, 0, 0
    for start, end in places:
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


def _outside_code(text: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    from memlens.engine.context.markdown import code_regions, inside

    regions = code_regions(text, [start for start, _ in places])
    if not regions:
        return places
    return [place for place in places if not inside(regions, place[0])]


def _may_begin(written: str, others: str) -> bool:
    first = written[:1]
    return bool(first) and (first.isalnum() or first in others or written.startswith("~/"))
