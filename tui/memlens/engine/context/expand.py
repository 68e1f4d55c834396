"""A memory file with its imports in place (spec, part 3)."""

from __future__ import annotations

from memlens.engine.agents.model import ImportRules
from memlens.engine.context.expanded import Expanded, Refused
from memlens.engine.context.model import ImportSite
from memlens.engine.context.source import Source, Token
from memlens.engine.context.tree import Tree

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memlens.engine.context.expanded import Became
    from memlens.engine.context.model import Outcome

_LEADING = "~/."  # what a path that is not simply below its folder begins with
_READ = frozenset({"binary", "too-large", "unreadable"})

EXPANSION_LIMIT = 16 * 1024 * 1024
"""Bytes that one memory file may grow to with its imports (A26)."""


class Shown:
    """What one object has shown already: nothing comes twice (A4), and a file that is an item of
    its own never comes as an import (A5). Keys are `Source.key`."""

    def __init__(self) -> None:
        self.places: dict[object, ImportSite | tuple[Source, Token]] = {}
        """Where each file came in: a token with its file, of which few are ever asked where they
        stand; line 0 of what is an item of its own."""
        self.reserved: set[object] = set()

    def reserve(self, source: Source) -> None:
        self.reserved.add(source.key)
        self.places[source.key] = ImportSite(source.path, 0, 0)

    def add(self, source: Source, site: ImportSite) -> None:
        self.places[source.key] = site

    def site(self, source: Source) -> ImportSite:
        """Where a file came in that is in."""
        place = self.places[source.key]
        return place if isinstance(place, ImportSite) else place[0].site(place[1])

    def __contains__(self, source: Source) -> bool:
        return source.key in self.places


class Surroundings:
    """Where paths are resolved from and what counts as outside."""

    __slots__ = ("home", "inside", "max_depth", "rules")

    def __init__(
        self, rules: ImportRules, home: str | None, inside: tuple[str, ...], max_depth: int
    ) -> None:
        self.rules = rules
        self.home = home
        self.inside = inside
        """Real folders with a slash behind: a target below none of them is external."""
        self.max_depth = max_depth

    def path(self, folder: str, written: str) -> str | None:
        """The absolute path that a token names in a file in the real `folder`; links are not
        resolved, nor dots but those in front, which lead up a way without links."""
        if written[:1] not in _LEADING and folder != "/":
            return f"{folder}/{written}"
        if written.startswith("~/"):
            return None if self.home is None else f"{self.home}/{written[2:]}"
        if written.startswith("/"):
            return written
        while written.startswith("."):
            steps = 0
            while written.startswith("../", 3 * steps) and len(written) > 3 * steps + 3:
                steps += 1
            if steps:
                folder, written = folder.rsplit("/", steps)[0] or "/", written[3 * steps :]
            elif written.startswith("./") and len(written) > 2:
                written = written[2:]
            else:
                break
        return f"{folder}/{written}" if folder != "/" else f"/{written}"

    def paths(self, source: Source) -> list[str | None]:
        """The absolute paths that a file names, one for each of its `places`."""
        folder = source.folder
        if folder == "/":
            return [self.path(folder, token.written) for token in source.places]
        return [
            self.path(folder, written)
            if (written := token.written)[:1] in _LEADING
            else f"{folder}/{written}"
            for token in source.places
        ]


def look_ahead(
    tree: Tree, surroundings: Surroundings, shown: Shown, sources: Iterable[Source]
) -> None:
    """Reads what the imports of `sources` lead to, level by level.

    Only a matter of speed: to do one thing for many files before the next takes a good deal less
    than to do all of it for one file after another.
    """
    if not tree.looks_ahead:
        return
    seen = set(shown.places)
    level = list(sources)
    left = surroundings.max_depth
    while level and left > 0:
        left -= 1
        following = []
        for child in _imported(tree, surroundings, level):
            if child.places and child.key not in seen:
                seen.add(child.key)
                following.append(child)
        level = following


def _imported(tree: Tree, surroundings: Surroundings, level: Iterable[Source]) -> list[Source]:
    """The files that the imports of some files lead to, read.

    Where nothing is at any place that a file names, it does not matter which of them stand in
    code; so that is told only of those that are left.
    """
    named = [(source, surroundings.paths(source)) for source in level]
    tree.look_at([path for _, paths in named for path in paths if path is not None])
    known, now = tree.sources, tree.round
    imports: list[Token] = []
    wanted: list[str] = []
    for source, paths in named:
        tokens = None
        for token, path in zip(source.places, paths, strict=True):
            if path is None:
                continue
            child = known.get(path)
            if child is not None and child.checked == now:
                token.source = child
                continue
            if tokens is None:
                tokens = source.tokens
            if not token.is_literal:
                imports.append(token)
                wanted.append(path)
    tree.read_ahead(wanted)
    found = []
    for token, path in zip(imports, wanted, strict=True):
        child = known.get(path)
        if child is None or child.checked != now:
            child = tree.target(path)
        token.source = child if child.path == path else None
        found.append(child)
    return found


class _Frame:
    """A file being expanded; kept on a list, so depth is bounded by settings, not by Python."""

    __slots__ = ("became", "chain", "cursor", "first_part", "place", "source", "token")

    def __init__(
        self, source: Source, place: Source | Token, chain: tuple[Token, ...], first_part: int
    ) -> None:
        self.source = source
        self.place = place
        """Remembers what it was expanded to last."""
        self.chain = chain
        self.first_part = first_part
        self.became: list[Became] = []
        """What its tokens became so far."""
        self.token = 0
        """Index of the next token."""
        self.cursor = 0
        """Up to there its text is in."""


class Expansion:
    """Expands one memory file to its text. What each token became is kept with the file, as
    `Expanded`, which tells spans and records when somebody asks."""

    def __init__(self, tree: Tree, surroundings: Surroundings, shown: Shown) -> None:
        self.tree = tree
        self.surroundings = surroundings
        self.shown = shown
        self.parts: list[str] = []
        """Joined they are the text."""
        self.imports: list[str] = []
        """Real paths, depth first, left to right."""
        self.size = 0
        """Bytes of the text."""

    def run(self, source: Source) -> Expanded:
        """Fills `parts` and `imports` for the memory file `source`."""
        self.size = source.size
        stack = [_Frame(source, source, (), 0)]
        while True:
            inner = self._go_on(stack[-1])
            if inner is not None:
                stack.append(inner)
                continue
            expanded = self._end(stack.pop())
            if not stack:
                return expanded
            stack[-1].became.append(expanded)

    def _go_on(self, frame: _Frame) -> _Frame | None:
        """Works on a file until one of its imports has imports of its own."""
        source, became = frame.source, frame.became
        body, tokens = source.body, source.tokens
        now = self.tree.round
        places = self.shown.places
        add_part, add_import = self.parts.append, self.imports.append
        most = self.surroundings.max_depth
        deep = len(frame.chain) >= most
        index, cursor = frame.token, frame.cursor
        for token in tokens[index:] if index else tokens:
            child = token.source
            if child is None or child.checked != now or not (child.loaded or deep):
                path = self.surroundings.path(source.folder, token.written)
                if path is None:
                    became.append(Refused("no-home", None, None))
                    continue
                child = self.tree.target(path, read=not deep)
                token.source = child if child.path == path else None
            key = child.key
            if deep or child.problem or key in places:
                became.append(child if child.problem and not deep else self._refused(child, deep))
                continue
            start, end = token.start, token.end
            size = self.size - (end - start if source.ascii else len(body[start:end].encode()))
            if not child.blank:
                size += child.body_size
                if size > EXPANSION_LIMIT:
                    became.append(Refused("expansion-too-large", child, None))
                    continue
            self.size = size
            if cursor < start:
                add_part(source.before(token, cursor))
            cursor = end
            places[key] = source, token
            add_import(child.path)
            if child.places:
                chain = (*frame.chain, token)
                failed = None if len(chain) >= most else _failed(child, now)
                if failed is not None:
                    add_part(child.body)
                    became.append(self._expanded(token, child, chain, child.places, failed))
                    continue
                if child.tokens:
                    frame.token, frame.cursor = len(became) + 1, cursor
                    return _Frame(child, token, chain, len(self.parts))
            if not child.blank:
                add_part(child.body)
            became.append(child)
        frame.cursor = cursor
        return None

    def _refused(self, target: Source, deep: bool) -> Refused:
        """Why a file does not come, though there would be room for it."""
        # What is too deep is not read, so what only reading tells is not told of it.
        if target.problem and not (deep and target.problem in _READ):
            return Refused(target.problem, target, None)
        if target not in self.shown:
            return Refused("too-deep", target, None)
        reserved = target.key in self.shown.reserved
        outcome: Outcome = "reserved" if reserved else "already-shown"
        return Refused(outcome, target, self.shown.site(target))

    def _end(self, frame: _Frame) -> Expanded:
        """Adds what stands behind the last import, without the line ends at the end of what is
        an import itself (A12)."""
        source, cursor, parts = frame.source, frame.cursor, self.parts
        if not frame.chain:
            parts.append(source.text[cursor:])
        elif cursor < len(source.body):
            parts.append(source.behind(cursor))
        else:
            while len(parts) > frame.first_part:
                last = parts.pop()
                kept = last.rstrip("\r\n")
                self.size -= len(last) - len(kept)
                if kept:
                    parts.append(kept)
                    break
        return self._expanded(frame.place, source, frame.chain, source.tokens, frame.became)

    def _expanded(
        self,
        place: Source | Token,
        source: Source,
        chain: tuple[Token, ...],
        tokens: Sequence[Token],
        became: list[Became],
    ) -> Expanded:
        """What a file was expanded to: the same as last time, with all that was worked out for
        it, where nothing is different."""
        inside = self.surroundings.inside
        before = place.expanded
        if (
            before is not None
            and before.source is source
            and before.tokens is tokens
            and before.became == became
            and before.chain == chain
            and before.inside == inside
        ):
            return before
        place.expanded = expanded = Expanded(source, chain, tokens, became, inside)
        return expanded


def _failed(source: Source, now: int) -> list[Became] | None:
    """What all that looks like an import in a file leads to, where all of it was looked at and
    none can be read, as with mentions of people; else None."""
    failed: list[Became] = []
    for token in source.places:
        target = token.source
        if target is None or target.checked != now or not target.problem:
            return None
        failed.append(target)
    return failed
