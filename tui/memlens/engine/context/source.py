"""One file of a prompt as text, with the import tokens that stand outside its code."""

from __future__ import annotations

import sys

from memlens.engine.context.code import code_regions
from memlens.engine.context.model import ImportSite

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlens.engine.agents.model import ImportRules
    from memlens.engine.context.conditions import Condition
    from memlens.engine.context.expanded import Expanded
    from memlens.engine.context.model import Outcome
    from memlens.engine.files import Files, Stamp
    from memlens.engine.safety.spots import Spot

_new = tuple.__new__  # half the price of calling the class, and there are many

_NO_SPACE = "\x1c\x1d\x1e\x1f"
"""What Python takes for white space and Unicode does not."""
_PIECE = 80  # characters that are looked at for the end of a path; longer ones take more turns
_NEVER = (sys.maxsize, sys.maxsize)
_BOM = b"\xef\xbb\xbf"


class Token:
    """An `@path`."""

    # Class attributes and no slots, as in `Source`.
    expanded: Expanded | None = None
    """What it became when it was expanded last, where that is a file with imports."""
    site: ImportSite | None = None
    """Where it stands; like line and column not before `Source.numbered` was asked for."""
    line = column = 0
    """From 1."""
    piece = ""
    """What stood in front of it when its file was expanded last."""
    source: Source | None = None
    """The file that its path is the real one of; None where it is another's."""
    is_literal = False
    """Whether it stands in code, or in what is cut, and so is no import; not before
    `Source.tokens` was asked for."""

    def __init__(self, start: int, end: int, written: str) -> None:
        self.start = start
        self.end = end
        self.written = written
        """The path as it names a file: without the `@`, escapes resolved."""


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
    encoding = ""
    """What its byte order mark says, where that is none that an agent reads."""
    body = ""
    """The text without its trailing line ends, which an import drops (A12)."""
    tail = ""
    """Its trailing line ends."""
    places: Sequence[Token] = ()
    """All that looks like an import, whether or not it stands in code."""
    _tokens: Sequence[Token] | None = None
    ascii = True
    blank = True
    """Nothing but white space, which counts as empty (A9)."""
    body_size = 0
    _body_breaks = -1
    _numbered = False
    bom = False
    invalid_at = -1
    """Offset of the first character that stands for bytes that are no UTF-8; -1: none."""
    cuts: Sequence[tuple[int, int]] = ()
    """Stretches that are no part of the text, in order: offsets."""
    condition: Condition | None = None
    """What its frontmatter said when it was last asked."""
    expanded: Expanded | None = None
    """What it became when it was expanded last as a memory file."""
    _spots: Sequence[Spot] | None = None
    _rest = ""
    """What stood behind its last import when it was expanded last."""
    checked = 0
    """The round in which the file was last known to be as it is here."""
    recent = False
    """Whether it had only just been written when it was read, so that an equal stamp
    proves nothing."""

    def __init__(self, path: str) -> None:
        self.path = path
        """Real."""
        self.key = path

    @property
    def folder(self) -> str:
        """The real folder that it lies in."""
        return self.path.rpartition("/")[0] or "/"

    @property
    def size(self) -> int:
        """Bytes of the whole text in UTF-8."""
        return self.body_size + len(self.tail)

    # What is code is told when somebody asks. Most of what looks like an import leads nowhere, and
    # then the text is the same whether it stands in code or not.

    @property
    def tokens(self) -> Sequence[Token]:
        """Its imports: what looks like one and stands outside code and outside `cuts`."""
        tokens = self._tokens
        if tokens is None:
            self._tokens = tokens = _outside_code(self.body, self.places, self.cuts)
        return tokens

    # Lines are counted when somebody asks: for the text alone they are not needed, and to count
    # them takes longer than to decode the file.

    @property
    def numbered(self) -> Sequence[Token]:
        """The tokens with their lines and columns."""
        if not self._numbered:
            path, count, last = self.path, self.body.count, self.body.rfind
            line, counted, line_start = 1, 0, 0
            for token in self.tokens:
                start = token.start
                breaks = count("\n", counted, start)
                if breaks:
                    line += breaks
                    line_start = last("\n", counted, start) + 1
                counted = start
                token.line = line
                token.column = column = start - line_start + 1
                token.site = _new(ImportSite, (path, line, column))
            self._numbered = True
        return self.tokens

    def site(self, token: Token) -> ImportSite:
        """Where one of its tokens stands."""
        if token.site is None:
            _ = self.numbered
        assert token.site is not None
        return token.site

    @property
    def body_breaks(self) -> int:
        """Line feeds in `body`."""
        if self._body_breaks < 0:
            line = counted = 0
            if self.tokens:
                last = self.numbered[-1]
                line, counted = last.line - 1, last.end
            self._body_breaks = line + self.body.count("\n", counted)
        return self._body_breaks

    @property
    def breaks(self) -> int:
        """Line feeds in the whole text."""
        return self.body_breaks + self.tail.count("\n")

    @property
    def text(self) -> str:
        """The whole text; offsets count in it."""
        return self.body + self.tail if self.tail else self.body

    @property
    def spots(self) -> Sequence[Spot]:
        """What may be hostile in its text, or should not be in it; looked for once."""
        if self._spots is None:
            from memlens.engine.safety.texts import text_spots

            self._spots = text_spots(self.text)
        return self._spots

    def set_stamp(self, stamp: Stamp) -> None:
        self.stamp = stamp
        if stamp.inode:
            self.key = self.path.casefold(), stamp.device, stamp.inode

    def unchanged(self, files: Files) -> bool:
        """Whether the file is provably what was read. Raises `FileProblem`."""
        return self.stamp is not None and not self.recent and files.look(self.path) == self.stamp

    # Pieces are kept: when a file that imports this one changes, two megabytes of them would have
    # to be copied again.

    def before(self, token: Token, begin: int) -> str:
        """The text from `begin` up to a token."""
        piece = token.piece
        if len(piece) != token.start - begin:
            piece = token.piece = self.body[begin : token.start]
        return piece

    def behind(self, begin: int) -> str:
        """The text from `begin` on, without trailing line ends."""
        rest = self._rest
        if len(rest) != len(self.body) - begin:
            rest = self._rest = self.body[begin:]
        return rest

    def line_of(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def column_of(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset)


class Missing(Source):
    """Where there is no file."""

    loaded = True
    problem: Outcome | None = "missing"


def scan(path: str, data: bytes, stamp: Stamp, rules: ImportRules) -> Source:
    """Decodes a file (A14, A16) and finds its tokens."""
    source = Source(path)
    source.set_stamp(stamp)
    source.loaded = True
    if b"\0" in data:
        from memlens.engine.encodings import marked_encoding

        source.problem = "binary"
        source.encoding = marked_encoding(data)
        return source
    if data[:3] == _BOM:
        source.bom = True
        data = data[3:]
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        from memlens.engine.encodings import marked_encoding

        source.encoding = marked_encoding(data)
        text = data.decode(errors="replace")
        source.invalid_at = len(data[: error.start].decode())
    source.body = body = text.rstrip("\r\n")
    end = len(body)
    if end != len(text):
        source.tail = text[end:]
    if source.invalid_at < 0:
        source.body_size = len(data) - len(text) + end
    else:
        source.body_size = len(body.encode())
    if not body.isascii():
        source.ascii = False
    source.blank = not body or body.isspace()
    if rules.comments == "strip-blocks" and "<!--" in body:
        from memlens.engine.context.comments import comment_cuts

        source.cuts = comment_cuts(body)
    if "@" in body and rules.follows:
        source.places = _places(body, rules)
    return source


def says_something(data: bytes) -> bool:
    """Whether the bytes of a file are text that an agent reads as it stands, and not only white
    space: what `scan` finds neither a problem in, nor anything that cannot be decoded."""
    if b"\0" in data:
        return False
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError:
        return False
    return bool(text) and not text.isspace()


def import_places(text: str, *, escaped_space: bool = False) -> list[tuple[int, str]]:
    """Where every `@path` in `text` begins, in code, too, and the path: `@` at the start or behind
    white space, and all up to the next white space.

    White space is Unicode's. `escaped_space`: a backslash makes a space behind it part of the path.
    """
    places = []
    place = text.find("@")
    while place >= 0:
        begin = place + 1
        before = text[place - 1] if place else "\n"
        word = ""
        if before in " \n" or (before.isspace() and before not in _NO_SPACE):
            piece = text[begin : begin + _PIECE]
            if piece and not piece[0].isspace():
                word = piece.split(None, 1)[0]
                size = len(word)
                if size == len(piece) or escaped_space or piece[size] in _NO_SPACE:
                    word = text[begin : _word_end(text, begin, escaped_space=escaped_space)]
            elif piece and piece[0] in _NO_SPACE:
                word = text[begin : _word_end(text, begin, escaped_space=escaped_space)]
            if word:
                places.append((place, word))
                begin += len(word)
        place = text.find("@", begin)
    return places


def _word_end(text: str, begin: int, *, escaped_space: bool) -> int:
    """Where the next white space stands from `begin` on."""
    size = _PIECE
    end = begin
    while piece := text[end : end + size]:
        first = piece[0]
        if first.isspace():
            escaped = escaped_space and first == " " and end > begin and text[end - 1] == "\\"
            if not escaped and first not in _NO_SPACE:
                break
            end += 1
            continue
        word = len(piece.split(None, 1)[0])
        end += word
        if word == len(piece):
            size *= 2
    return end


def _places(text: str, rules: ImportRules) -> list[Token]:
    """All that looks like an import, also in code."""
    found = import_places(text, escaped_space=rules.escaped_space)
    if not (rules.cut_fragment or rules.first_characters or rules.escaped_space):
        return [Token(start, start + 1 + len(written), written) for start, written in found]
    tokens = []
    for start, written in found:
        if rules.cut_fragment:
            written = written.partition("#")[0]
        end = start + 1 + len(written)
        if rules.first_characters and not _may_begin(written, rules.first_characters):
            continue
        if rules.escaped_space:
            written = written.replace("\\ ", " ")
        tokens.append(Token(start, end, written))
    return tokens


def _outside_code(
    text: str, places: Sequence[Token], cuts: Sequence[tuple[int, int]]
) -> Sequence[Token]:
    """The places that begin neither in code nor in `cuts`; the others are marked."""
    if not places:
        return ()
    if "`" in text or "~" in text:
        places = _outside(code_regions(text, [place.start for place in places]), places)
    return _outside(cuts, places)


def _outside(regions: Sequence[tuple[int, int]], places: Sequence[Token]) -> Sequence[Token]:
    """The places that begin in none of the regions, both in order; the others are marked."""
    if not regions:
        return places
    outside = []
    left = iter(regions)
    begin, end = next(left)
    for place in places:
        start = place.start
        while end <= start:
            begin, end = next(left, _NEVER)
        if start < begin:
            outside.append(place)
        else:
            place.is_literal = True
    return outside


def _may_begin(written: str, others: str) -> bool:
    first = written[:1]
    return bool(first) and (first.isalnum() or first in others or written.startswith("~/"))
