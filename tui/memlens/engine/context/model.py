"""What the context library hands out. Immutable; nothing in here touches a disk.

Named tuples, because scripts wait for this module and importing `dataclasses` alone costs as
much as starting Python.

Lines and columns count from 1; a line ends at a line feed, and only there. Offsets are characters
in the file's text as decoded (UTF-8, one BOM dropped, invalid bytes as U+FFFD). Paths are absolute
and, where not said otherwise, real (every link resolved).
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal, NamedTuple

    from memlens.engine.agents.model import Scope

    SpanKind = Literal["text", "header", "separator", "preamble", "index", "wrapper"]
    Outcome = Literal[
        "imported",
        "missing",
        "folder",
        "special",
        "unreadable",
        "binary",
        "too-large",
        "loop",
        "name-too-long",
        "too-deep",
        "already-shown",
        "reserved",
        "expansion-too-large",
        "no-home",
        "not-approved",
        "not-text",
        "excluded",
    ]
    """What became of an import; all but `imported` leave the token as written."""
else:
    from memlens.engine.named import NamedTuple

    SpanKind = Outcome = str


class ImportSite(NamedTuple):
    """Where an import token stands."""

    file: str
    line: int
    column: int


class Span(NamedTuple):
    """A stretch of text that comes from one place: a slice of one file's text, or what the agent
    writes itself (`header`, `separator`, ...)."""

    text: str
    kind: SpanKind
    file: str
    """The source; for a header the file it announces; empty where there is none."""
    start: int
    """Offset of the first character in the file's text; 0 for what is no slice of a file."""
    end: int
    line: int
    """The file's line on which the span begins; 0 for what is no slice of a file."""
    breaks: int
    """Line feeds in `text`."""
    size: int
    """Bytes of `text` in UTF-8."""
    chain: tuple[ImportSite, ...]
    """The imports that brought it in, outermost first; empty for the memory file itself."""


class ImportRecord(NamedTuple):
    """One import token and what became of it."""

    file: str
    """The file that holds the token."""
    line: int
    column: int
    offset: int
    written: str
    """The path as written, without the `@`."""
    level: int
    """From 1: tokens of the memory file itself."""
    outcome: Outcome
    target: str | None
    """The real path it names, whether or not it could be read; None where it names none."""
    external: bool
    """The target lies outside the root and outside the agent's configuration folder (A27)."""
    shown_at: ImportSite | None
    """For `already-shown`: the token that brought it in, or line 0 of the memory file itself."""
    bytes: int
    """What it brought in, imports inside it included; 0 unless imported. UTF-8."""
    lines: int
    own_bytes: int
    """Like `bytes`, without the imports inside it."""

    @property
    def tokens(self) -> int:
        """An estimate, see `TOKEN_METHOD`."""
        return self.bytes // 4


class Details(NamedTuple):
    """Where a text with imports comes from, piece by piece."""

    spans: tuple[Span, ...]
    """Joined they are the text; each is a slice of its file."""
    records: tuple[ImportRecord, ...]
    """Every import token outside code, depth first, left to right."""
    bytes: int
    """Of the text in UTF-8."""
    breaks: int
    """Line feeds in the text."""
    own_bytes: int
    """Of what is no import's."""


class MemoryItem:
    """One memory file in the order of the prompt (seed), with more than the seed asks for.

    Immutable. The text is put together when it is first asked for; spans, records and lines are
    worked out then, too, which takes a little. Two threads that ask at once get the same.
    """

    __slots__ = (
        "_details", "_parts", "_text", "bytes", "file", "found", "imports", "kind", "label",
        "parent", "scope",
    )  # fmt: skip

    file: str
    label: str
    """Relative to the root inside it, `~/...` below home, else absolute."""
    scope: Scope
    kind: str
    """`CLAUDE.md`, `CLAUDE.local.md` or `AGENTS.md` for the profile of the seed."""
    imports: tuple[str, ...]
    """Real paths actually imported, nested ones included, depth first, left to right."""
    found: str
    """The path under which it was found; differs from `file` for links."""
    parent: str | None
    """The importing file, where imports are entries of their own; else None."""
    bytes: int
    """Bytes of `text` in UTF-8."""
    _details: Callable[[], Details]
    _parts: Sequence[str]
    _text: str | None

    def __init__(
        self,
        *,
        file: str,
        label: str,
        scope: Scope,
        kind: str,
        parts: Sequence[str],
        imports: tuple[str, ...],
        found: str,
        parent: str | None,
        size: int,
        details: Callable[[], Details],
    ) -> None:
        """`parts`: joined they are the text, of `size` bytes. `details` tells spans and records,
        the same whenever it is called."""
        put = object.__setattr__
        put(self, "file", file)
        put(self, "label", label)
        put(self, "scope", scope)
        put(self, "kind", kind)
        put(self, "_parts", parts)
        put(self, "_text", None)
        put(self, "imports", imports)
        put(self, "found", found)
        put(self, "parent", parent)
        put(self, "bytes", size)
        put(self, "_details", details)

    @property
    def text(self) -> str:
        """The content with its imports expanded; line ends as on disk."""
        text = self._text
        if text is None:
            text = "".join(self._parts)
            object.__setattr__(self, "_text", text)
        return text

    @property
    def spans(self) -> tuple[Span, ...]:
        """Joined they are `text`; each is a slice of its file."""
        return self._details().spans

    @property
    def records(self) -> tuple[ImportRecord, ...]:
        """Every import token outside code, depth first, left to right."""
        return self._details().records

    @property
    def lines(self) -> int:
        """Of `text`."""
        details = self._details()
        ends = not details.bytes or details.spans[-1].text.endswith("\n")
        return details.breaks + (0 if ends else 1)

    @property
    def tokens(self) -> int:
        """An estimate, see `TOKEN_METHOD`."""
        return self.bytes // 4

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a memory item is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a memory item is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MemoryItem):
            return NotImplemented
        return self is other or (
            self._told() == other._told()
            and self.spans == other.spans
            and self.records == other.records
        )

    def __hash__(self) -> int:
        return hash(self._told())

    def __repr__(self) -> str:
        return f"MemoryItem(file={self.file!r}, scope={self.scope!r}, bytes={self.bytes})"

    def _told(self) -> tuple[object, ...]:
        return (
            self.file, self.label, self.scope, self.kind, self.found, self.parent, self.imports,
            self.bytes,
        )  # fmt: skip


class FileReason(NamedTuple):
    """Why a file is in or out."""

    path: str
    """As found, links not resolved."""
    state: Literal["in", "out", "absent"]
    reason: Literal[
        "used",
        "fallback-used",
        "imported",
        "shadowed",
        "empty",
        "absent",
        "folder",
        "special",
        "unreadable",
        "binary",
        "too-large",
        "same-file",
        "wrong-case",
        "misplaced",
        "excluded",
        "blocked",
        "conditional",
        "switched-off",
        "other-checkout",
        "added-folder",
    ]
    text: str
    """For people, such as "AGENTS.md used: no CLAUDE.md at this level"."""
    scope: Scope
    folder: str
    """The level it belongs to."""
    other: str | None = None
    """The file the reason speaks of: the one that shadows it, or that is the same."""

    @property
    def about(self) -> str:
        """The text without the file's name in front, such as "not used: it is empty"; empty where
        the text does not begin with a name."""
        name, _, rest = self.text.partition(" ")
        return rest if self.path.endswith(f"/{name}") and name != self.path else ""


class NestedFile(NamedTuple):
    """A memory file below the root that nothing has loaded yet."""

    file: str
    found: str
    label: str
    touch: str
    """The folder whose touch loads it, or the glob that a touched path has to match."""
    bytes: int
    is_glob: bool = False


class NestedSurvey(NamedTuple):
    """The nested files that exist."""

    files: tuple[NestedFile, ...]
    complete: bool
    """False when the search was bounded before it had seen everything."""
    visited: int
    """Folders looked into."""
    out: tuple[FileReason, ...] = ()
    """Files that are there, and that no touch would add."""


def estimate_tokens(size: int) -> int:
    """Tokens for `size` bytes by the method named in `TOKEN_METHOD`."""
    return size // 4


TOKEN_METHOD = "bytes / 4"
"""Stands wherever a number of tokens is shown, always with `≈`."""
