"""The tree's nodes out of a snapshot: a pure function, to be tested without a screen."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memlens.engine.context.model import FileReason, ImportRecord, MemoryItem
    from memlens.engine.events.workspace import ContextLoaded
    from memlens.engine.findings import Finding

OUTCOME_WORDS: Final = {
    "missing": "missing",
    "folder": "is a folder",
    "special": "no regular file",
    "unreadable": "cannot be read",
    "binary": "no UTF-8 text",
    "too-large": "too large",
    "loop": "its links form a loop",
    "name-too-long": "name too long",
    "too-deep": "too deep",
    "already-shown": "in already",
    "reserved": "in by itself",
    "expansion-too-large": "the whole would be too large",
    "no-home": "no home folder",
    "not-approved": "not approved",
    "not-text": "no text by its extension",
    "excluded": "excluded by the settings",
}
SIGNS: Final = {"error": "✗", "warning": "▲", "note": "·"}
INDEX: Final = "durable index"
NOT_LOADED: Final = "not loaded"
_NO_TOKENS: Final = -1


@dataclass(frozen=True, slots=True)
class Node:
    """One line of the tree."""

    key: Hashable
    depth: int
    glyph: str
    glyph_style: str
    label: str
    style: str
    scope: str
    """The scope's word, which is also its style."""
    file: str = ""
    """Absolute; empty where no file stands behind it."""
    line: int = 0
    """Where in the file the editor goes; 0: to its beginning."""
    tokens: int = _NO_TOKENS
    share: float = 0.0
    """Of the whole prompt, 0 to 1."""
    note: str = ""
    foldable: bool = False
    in_prompt: bool = True
    item: int = -1
    """Index in the plan's items; -1 for the durable index and for what is not in."""
    record: int = -1
    """Index in the item's records, for an import."""
    quiet: bool = False
    """Whether it is hardly worth a look."""
    problem: bool = False
    """Whether an error or a warning is told here."""
    touch: str = ""
    """The path whose touch would load it."""
    details: tuple[tuple[str, str], ...] = ()
    """Lines that say all there is to know, each with its style."""

    @property
    def problem_only(self) -> bool:
        """Whether it stands for an import that did not work."""
        return self.record >= 0 and self.tokens == _NO_TOKENS

    @property
    def is_part(self) -> bool:
        """Whether it stands for a part of the prompt: a memory file, or the index."""
        return self.key == INDEX or (self.item >= 0 and self.record < 0)

    @property
    def size(self) -> str:
        return amount(self.tokens) if self.tokens != _NO_TOKENS else ""


def nodes_of(event: ContextLoaded, given: Collection[str] = ()) -> tuple[Node, ...]:
    """All nodes, as if everything were unfolded, also what is quiet.

    `given`: the nested files that were handed out in this session.
    """
    return tuple(each_node(event, given))


def each_node(event: ContextLoaded, given: Collection[str] = ()) -> Iterator[Node]:
    """`nodes_of`, each made when it is taken."""
    return _Nodes(event, given).all()


class _Nodes:
    def __init__(self, event: ContextLoaded, given: Collection[str]) -> None:
        self.event = event
        self.plan = event.plan
        self.given = given
        self.total = max(1, event.plan.bytes)
        self.parts = {part.item: part for part in event.plan.parts}
        self.told: dict[tuple[str, int, int], list[Finding]] = {}
        self.of_file: dict[str, list[Finding]] = {}
        for finding in event.findings:
            self.told.setdefault((finding.file, finding.line, finding.column), []).append(finding)
            self.of_file.setdefault(finding.file, []).append(finding)
        self.used: set[int] = set()
        """The findings, by identity, that a node tells already."""
        self.importers = {item.parent for item in event.plan.items if item.parent is not None}
        """Files whose imports are items of their own."""
        self.depths: dict[str | None, int] = {None: -1}

    def all(self) -> Iterator[Node]:
        for number, item in enumerate(self.plan.items):
            yield from self._item(number, item)
        yield from self._index()
        yield from self._nested()
        out = list(self._out())
        yield from (node for node in out if node.problem)
        others = [replace(node, depth=1) for node in out if not node.problem]
        left_out = sum(not node.quiet for node in others)
        if others:
            words = f"{left_out} file{'s' if left_out != 1 else ''} left out"
            yield Node(
                key=NOT_LOADED, depth=0, glyph="–", glyph_style="dim", label=words, style="dim",
                scope="", in_prompt=False, foldable=True, quiet=not left_out,
                details=((words + ", with the reason of each", "dim"),),
            )  # fmt: skip
            yield from others

    def _item(self, number: int, item: MemoryItem) -> Iterator[Node]:
        part = self.parts.get(number)
        share = part.share if part is not None else 0.0
        depth = self.depths[item.file] = self.depths.get(item.parent, -1) + 1
        apart = item.parent is not None or item.file in self.importers
        files = (item.file,) if apart else (item.file, *item.imports)
        rest = (replace(node, depth=depth + 1) for node in self._remaining(files, item.scope))
        below = chain(self._imports(number, item), rest)
        first = next(below, None)
        details = [(item.file, "strong")]
        if item.found != item.file:
            details.append((f"found as {item.found}, a link", "dim"))
        details.append((f"{item.kind}, scope {item.scope}: {self._why(item)}", ""))
        heading = part is not None and part.bytes > item.bytes
        details.append((self._amounts(item.bytes, item.lines, share, heading=heading), "dim"))
        yield Node(
            key=("item", item.file, item.parent), depth=depth, glyph="└" if depth else "●",
            glyph_style="dim" if depth else item.scope, label=item.label,
            style="" if depth else "strong", scope=item.scope, file=item.file,
            tokens=item.tokens, share=share,
            foldable=first is not None or item.file in self.importers, item=number,
            note="" if item.found == item.file else "link", details=tuple(details),
        )  # fmt: skip
        if first is not None:
            yield first
        yield from below

    def _why(self, item: MemoryItem) -> str:
        if item.parent is not None:
            return f"imported by {self.event.label_of(item.parent)}"
        found = (one for one in self.event.reasons if one.path == item.found)
        return next((one.text for one in found if one.state == "in"), "used")

    def _amounts(self, size: int, lines: int, share: float, *, heading: bool = False) -> str:
        """`heading`: whether the share counts what the agent writes above the file, too."""
        method = self.plan.token_method
        return (
            f"≈{size // 4:,} tokens ({method}), {size:,} bytes, {lines:,} "
            f"line{'s' if lines != 1 else ''}, {'with its heading ' * heading}{percent(share)} "
            "of the prompt"
        )

    def _imports(self, number: int, item: MemoryItem) -> Iterator[Node]:
        seen: dict[tuple[str, str], int] = {}
        items = {one.file for one in self.plan.items if one.parent == item.file}
        for at, record in enumerate(item.records):
            if record.outcome == "imported" and record.target in items:
                continue  # an item with a node of its own
            times = seen[record.file, record.written] = (
                seen.get((record.file, record.written), 0) + 1
            )
            findings = self.told.get((record.file, record.line, record.column), [])
            findings = [one for one in findings if self._is_about(one, record)]
            self.used.update(map(id, findings))
            loud = next((one for one in findings if one.severity != "note"), None)
            told = loud or next(iter(findings), None)
            yield self._import((number, item, at), told, times)

    @staticmethod
    def _is_about(finding: Finding, record: ImportRecord) -> bool:
        return finding.name not in ("encoding", "link-as-text") or record.outcome != "imported"

    def _import(
        self, place_in: tuple[int, MemoryItem, int], told: Finding | None, times: int
    ) -> Node:
        number, item, at = place_in
        record = item.records[at]
        imported = record.outcome == "imported"
        share = record.bytes / self.total
        place = f"{self.event.label_of(record.file)}:{record.line}:{record.column}"
        details: list[tuple[str, str]] = []
        if told is not None:
            details += _told(told)
        elif not imported:
            details.append((OUTCOME_WORDS.get(record.outcome, record.outcome), ""))
        if imported:
            details.insert(0, (record.target or "", "strong"))
            details.append((self._amounts(record.bytes, record.lines, share), "dim"))
        details.append((f"@{record.written} in {place}{self._chain(item, at)}", ""))
        if not imported and record.target is not None:
            details.append((record.target, "dim"))
        severity = told.severity if told is not None else "note"
        glyph = "└" if imported else SIGNS[severity]
        label = self.event.label_of(record.target or "") if imported else f"@{record.written}"
        problem = told is not None and severity != "note"
        style = "" if imported else severity if severity != "note" else "dim"
        note = ""
        if not imported:
            note = self._short(record, told)
        elif record.external:
            note = "outside the project"
        elif not record.bytes:
            note = "empty"
        if imported and problem:
            glyph = SIGNS[severity]
        return Node(
            key=("import", item.file, record.file, record.written, times), depth=record.level,
            glyph=glyph, glyph_style=severity if problem else "dim", label=label, style=style,
            scope=item.scope, file=(record.target or "") if imported else record.file,
            line=0 if imported else record.line,
            tokens=record.tokens if imported else _NO_TOKENS, share=share if imported else 0.0,
            note=note, item=number, record=at, problem=problem,
            quiet=not imported and not problem, details=tuple(details),
        )  # fmt: skip

    def _short(self, record: ImportRecord, told: Finding | None) -> str:
        """Why an import did not work, in a few words."""
        place = record.shown_at
        if record.outcome in ("already-shown", "reserved") and place is not None:
            where = self.event.label_of(place.file)
            return (
                f"in already, by {where}:{place.line}" if place.line else f"in by itself: {where}"
            )
        words = OUTCOME_WORDS.get(record.outcome, record.outcome)
        if told is not None and told.name == "import-punctuation":
            _, _, rest = told.message.partition("exists ")
            words = f"exists {rest}" if rest else words
        elif told is not None and "letter case" in told.message:
            words = "another letter case"
        return f"{words}, line {record.line}"

    def _chain(self, item: MemoryItem, at: int) -> str:
        """The imports above an import, innermost first."""
        above = []
        level = item.records[at].level
        for before in range(at - 1, -1, -1):
            if level == 1:
                break
            record = item.records[before]
            if record.outcome == "imported" and record.level < level:
                level = record.level
                above.append(f"{self.event.label_of(record.file)}:{record.line}")
        return "".join(f" ← {one}" for one in above)

    def _remaining(self, files: Collection[str], scope: str) -> Iterator[Node]:
        """What is wrong with files that are in, beside their imports."""
        for file in dict.fromkeys(files):
            for finding in self.of_file.get(file, ()):
                if id(finding) not in self.used:
                    self.used.add(id(finding))
                    yield self._finding(finding, scope)

    def _finding(self, finding: Finding, scope: str) -> Node:
        line = finding.line
        place = self.event.label_of(finding.file) + (f":{line}" if line else "")
        loud = finding.severity != "note"
        return Node(
            key=("finding", finding.name, finding.file, finding.message), depth=1,
            glyph=SIGNS[finding.severity], glyph_style=finding.severity if loud else "dim",
            label=place, style=finding.severity if loud else "dim", scope=scope,
            file=finding.file, line=line, note=finding.message, problem=loud, quiet=not loud,
            details=(*_told(finding), (finding.file + (f":{line}" if line else ""), "dim")),
        )  # fmt: skip

    def _index(self) -> Iterator[Node]:
        if not self.plan.index_bytes:
            return
        part = self.parts[-1]
        index = self.plan.index
        facts = len(index.facts) if index is not None else 0
        shown = len({span.file for span in self.plan.spans if span.kind == "index" and span.file})
        words = f"{facts} fact{'s' if facts != 1 else ''}"
        words = f"{shown} of {words}" if shown != facts else words
        size = self.plan.index_bytes
        lines = part.last_line - part.first_line + 1
        yield Node(
            key=INDEX, depth=0, glyph="●", glyph_style="index", label="index of the facts",
            style="strong", scope="index", tokens=size // 4,
            share=part.share, note=words,
            details=(
                ("the index of the durable memory", "strong"), (words, ""),
                (self._amounts(size, lines, part.share), "dim"),
            ),
        )  # fmt: skip

    def _nested(self) -> Iterator[Node]:
        for nested in self.event.nested.files:
            touch = self.event.label_of(nested.touch)
            given = nested.file in self.given
            details = [(nested.file, "strong")]
            if nested.found != nested.file:
                details.append((f"found as {nested.found}, a link", "dim"))
            if given:
                details.append(("It was given at a touch of this session.", "ok"))
            elif nested.is_glob:
                details.append((f"Not loaded yet: touching what matches {touch} loads it.", ""))
            else:
                details.append((f"Not loaded yet: touching {touch}/ or a file in it loads it.", ""))
            details.append((f"≈{nested.bytes // 4:,} tokens, {nested.bytes:,} bytes", "dim"))
            yield Node(
                key=("nested", nested.found), depth=0, glyph="◉" if given else "◌",
                glyph_style="nested", label=nested.label, style="" if given else "dim",
                scope="nested", file=nested.file, tokens=nested.bytes // 4,
                note="given" if given else "on touch", in_prompt=False,
                touch="" if nested.is_glob else f"{touch}/", details=tuple(details),
            )  # fmt: skip
        if not self.event.nested.complete:
            yield Node(
                key="incomplete", depth=0, glyph="…", glyph_style="dim", style="dim", scope="",
                label="not all folders were searched: there are too many", in_prompt=False,
                details=(("Memory files in folders further down may exist, too.", ""),),
            )  # fmt: skip

    def _out(self) -> Iterator[Node]:
        for reason in (*self.event.reasons, *self.event.nested.out):
            if reason.state != "in":
                yield self._reason(reason)

    def _reason(self, reason: FileReason) -> Node:
        findings = [one for one in self.told.get((reason.path, 0, 0), []) if one.file]
        loud = next((one for one in findings if one.severity != "note"), None)
        told = loud or next(iter(findings), None)
        details = _told(told) if told is not None else [(reason.text, "")]
        details.append((reason.path, "dim"))
        severity = loud.severity if loud is not None else ""
        words = reason.text
        name = reason.path.rpartition("/")[2]
        label = self.event.label_of(reason.path)
        note = words.removeprefix(name).lstrip(" :") if words.startswith(name) else words
        return Node(
            key=("out", reason.path, reason.reason), depth=0,
            glyph=SIGNS[severity] if severity else "–", glyph_style=severity or "dim",
            label=label, style=severity or "dim", scope=reason.scope, file=reason.path,
            in_prompt=False, note=note, problem=loud is not None,
            quiet=reason.state == "absent", details=tuple(details),
        )  # fmt: skip


def _told(finding: Finding) -> list[tuple[str, str]]:
    style = finding.severity if finding.severity != "note" else "dim"
    told: list[tuple[str, str]] = [
        (f"{SIGNS[finding.severity]} {finding.message} [{finding.name}]", style)
    ]
    if finding.hint:
        told.append((f"  → {finding.hint}", ""))
    return told


def amount(tokens: int) -> str:
    """Estimated tokens, short."""
    return f"≈{tokens}" if tokens < 1000 else f"≈{tokens / 1000:.1f}k"


def percent(share: float) -> str:
    """A share of the whole, short."""
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"
