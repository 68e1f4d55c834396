"""Memory files of agents whose imports are entries of their own (spec A).

Here nothing is reserved: whatever comes first in load order is in, also as an import, and later
ones are the same file. So finding files and following their imports is one walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from memlens.engine.configured import auto_folder
from memlens.engine.context.conditions import condition_of
from memlens.engine.context.discover import NO_FILE, Found
from memlens.engine.context.entries import EntryReader, excluding
from memlens.engine.context.layout import below
from memlens.engine.context.model import ImportSite
from memlens.engine.files import FileProblem, entries_of, kind_of

if TYPE_CHECKING:
    from memlens.engine.agents.model import FileRule, Mode, Place, Scope
    from memlens.engine.configured import Configured
    from memlens.engine.context.discover import Status
    from memlens.engine.context.expand import Shown
    from memlens.engine.context.model import MemoryItem
    from memlens.engine.context.source import Source
    from memlens.engine.context.tree import Tree

_MOST_FOLDERS: Final = 2000
"""Folders of rules that are looked into for one place."""


class _Spot(NamedTuple):
    """Where files are looked for."""

    place: Place
    folder: str
    """Real."""
    base: str
    """The folder that the globs of rules are relative to."""
    scope: Scope


class Waiting(NamedTuple):
    """A file that a touch would add."""

    found: str
    source: Source
    touch: str
    """The folder, or the glob, that a touched path has to match."""
    is_glob: bool


class Gatherer:
    """Finds memory files and reads them, in load order."""

    def __init__(
        self, tree: Tree, configured: Configured, entries: EntryReader, shown: Shown
    ) -> None:
        self.tree = tree
        self.configured = configured
        self.profile = configured.profile
        self.entries = entries
        self.shown = shown
        self.found: list[Found] = []
        """Every place that was looked at, and what came of it."""
        self.listed: set[str] = set()
        """Folders whose names were looked at."""
        self._walk: list[str] = []
        self._additional: list[str] = []
        self._owners: dict[object, tuple[str, str]] = {}
        """Place and path under which each conditional file was met first: that one counts."""
        self._fallback_on = False
        self._switched_off = False

    def gather(self, walk: list[str], additional: Iterable[str]) -> list[MemoryItem]:
        """The items of the prompt. `walk` are real folders, top down, ending at the root."""
        self._walk = walk
        configured = self.configured
        root = walk[-1]
        if configured.off_variable:
            self._switched_off = True
            self.note(root, "switched-off", "project", other=configured.off_variable)
            return []
        self._fallback_on = self._decide_fallback()
        items: list[MemoryItem] = []
        for spot in self._spots():
            items += self._look(spot)
        items += self._added(additional)
        items += self._notes()
        return items

    def touch(self, path: str, folders: list[str]) -> list[MemoryItem]:
        """What touching the real `path` adds; `folders` are those below the root on the way to
        it, top down."""
        if self._switched_off:
            return []
        items: list[MemoryItem] = []
        kept = len(self.found)
        spots = list(self._spots())
        for spot in spots:
            if spot.place in ("managed", "user"):
                items += self._matching(spot, path)
        for folder in folders:
            spot = _Spot("nested", folder, folder, "nested")
            items += self._look(spot)
            items += self._matching(spot, path)
        for spot in spots:
            if spot.place == "level":
                items += self._matching(spot, path)
        del self.found[kept:]
        return items

    def waiting(self) -> Iterator[Waiting]:
        """Rules that are read when a matching path is touched: as found, and what loads them."""
        if not self._switched_off:
            kept = len(self.found)
            for spot in self._spots():
                yield from self._waiting(spot, at_once=False)
            del self.found[kept:]  # told where these places were looked at first

    def waiting_in(self, folder: str) -> Iterator[Waiting | Found]:
        """Files of a folder below the root that a touch would add, and what loads them; of the
        others, what came of them."""
        if not self._switched_off:
            kept = len(self.found)
            yield from self._waiting(_Spot("nested", folder, folder, "nested"), at_once=True)
            yield from self.found[kept:]
            del self.found[kept:]

    def _waiting(self, spot: _Spot, *, at_once: bool) -> Iterator[Waiting]:
        for rule, path, source in list(self._files(spot)):
            if source in self.shown:
                continue
            if source.problem or self.entries.is_blank(rule, source):
                self._tell(rule, spot, path, source, "failed" if source.problem else "empty")
                continue
            globs = condition_of(source, rule.condition).globs if rule.condition else ()
            if globs and not self._owns(spot, path, source):
                continue
            if not globs and not at_once:
                continue
            refusal = self._admits(rule, spot, path, source)
            if refusal is not None:
                other = self._excluded_by(refusal, path, source)
                self._tell(rule, spot, path, source, refusal, other=other)
                continue
            touch = f"{spot.base.rstrip('/')}/{globs[0]}" if globs else spot.folder
            yield Waiting(path, source, touch, bool(globs))

    def note(self, path: str, status: str, scope: Scope, *, other: str | None = None) -> None:
        """Keeps that something is not read though a person might expect it."""
        rule = self.profile.files[0]
        folder = path.rpartition("/")[0] or "/"
        self.found.append(Found(rule, scope, folder, path, status, None, other))  # type: ignore[arg-type]

    def _spots(self) -> Iterator[_Spot]:
        root = self._walk[-1]
        managed = self.configured.managed_folder
        if managed is not None:
            yield _Spot("managed", self.tree.real_folder(managed), root, "managed")
        if self.configured.config_folder is not None:
            yield _Spot("user", self.configured.config_folder, root, "user")
        for folder in self._walk:
            scope: Scope = "project" if folder == root else "ancestor"
            yield _Spot("level", folder, folder, scope)

    def _added(self, given: Iterable[str]) -> list[MemoryItem]:
        """Folders that were added to the session, and those that settings name."""
        items = []
        configured = self.configured
        taken = set()
        for folder in given:
            real = self.tree.real_folder(folder)
            taken.add(real)
            if not configured.reads_additional:
                self.note(real, "added-unread", "project")
                continue
            items += self._look(_Spot("additional", real, real, "project"))
        for folder, _ in configured.additional:
            if self.tree.real_folder(folder) not in taken:
                self.note(folder, "added-by-settings", "project")
        return items

    def _notes(self) -> list[MemoryItem]:
        """The agent's own notes."""
        place = auto_folder(self.configured)
        if place is None or not place.path:
            return []
        if place.off:
            if not self.tree.target(place.index_file, read=False).problem:
                self.note(place.index_file, "switched-off", "auto", other=place.off)
            return []
        folder = self.tree.real_folder(place.path)
        return self._look(_Spot("auto", folder, folder, "auto"))

    def _decide_fallback(self) -> bool:
        """Whether files that stand in for missing ones are read at the levels of the walk."""
        mode = self.configured.mode
        if mode is None or mode.fallback != "where-missing":
            return mode is None or mode.fallback == "always"
        names = {name for rule in self.profile.files if rule.is_fallback for name in rule.unless}
        return not any(self._own_files(folder, names) for folder in self._walk)

    def _own_files(self, folder: str, names: Iterable[str]) -> str | None:
        """The first of these names that is a file of the project in a folder."""
        prefix = folder.rstrip("/")
        config = self.configured.config_folder
        for name in names:
            source = self.tree.target(f"{prefix}/{name}", read=False)
            if source.problem in NO_FILE:
                continue
            # In home, the person's own file has the name of a project's.
            if config is not None and source.path.startswith(config.rstrip("/") + "/"):
                continue
            return name
        return None

    def _rules(self, spot: _Spot) -> Iterator[FileRule]:
        mode = self.configured.mode
        if mode is not None and mode.places and spot.place not in mode.places:
            return
        for rule in self.profile.files:
            if rule.place == spot.place:
                yield rule

    def _governed(self, rule: FileRule, spot: _Spot) -> str | None:
        """Why a fallback is not read here; None where it is. Empty: for no other file."""
        mode: Mode | None = self.configured.mode
        if not rule.is_fallback or mode is None or mode.fallback == "always":
            return None
        if mode.fallback == "never":
            return ""
        if self._fallback_on:
            nested = spot.place == "nested"
            return self._own_files(spot.folder, rule.unless) if nested else None
        return next(
            (
                f"{folder.rstrip('/')}/{name}"
                for name in rule.unless
                for folder in reversed(self._walk)
                if self._own_files(folder, (name,))
            ),
            "",
        )

    def _look(self, spot: _Spot) -> list[MemoryItem]:
        """Reads what is read in one place at once."""
        items: list[MemoryItem] = []
        for rule, path, source in self._files(spot):
            items += self._take(rule, spot, path, source)
        return items

    def _matching(self, spot: _Spot, touched: str) -> list[MemoryItem]:
        """Rules of one place that are read because `touched` matches their globs."""
        inner = below(touched, spot.base)
        if inner is None or kind_of(self.tree.files, touched) == "folder":
            return []
        items: list[MemoryItem] = []
        for rule, path, source in self._files(spot):
            if not rule.condition or source.problem or source.blank or source in self.shown:
                continue
            condition = condition_of(source, rule.condition)
            # A rule that a link brings in from outside stays out even when approved.
            if (
                condition.holds_for(inner)
                and self._owns(spot, path, source)
                and self._admits(rule, spot, path, source) is None
                and not self._leads_out(rule, source, path)
            ):
                items += self._enter(rule, "nested", path, source)
        return items

    def _owns(self, spot: _Spot, path: str, source: Source) -> bool:
        """Whether a conditional file counts here: it may be met in several places, as a rule of
        the person's own is in the walk through home."""
        return self._owners.setdefault(source.key, (spot.place, path)) == (spot.place, path)

    def _files(self, spot: _Spot) -> Iterator[tuple[FileRule, str, Source]]:
        """Every file of one place, whether it is there or not, in the order of the rules."""
        prefix = spot.folder.rstrip("/")
        for rule in self._rules(spot):
            if rule.every_markdown:
                for path in self._markdown_in(f"{prefix}/{rule.name}"):
                    yield rule, path, self.tree.target(path)
                continue
            path = f"{prefix}/{rule.name}"
            shadow = self._governed(rule, spot)
            if shadow is not None:
                self.found.append(
                    Found(rule, spot.scope, spot.folder, path, "shadowed", None, shadow)
                )
                continue
            yield rule, path, self.tree.target(path)

    def _markdown_in(self, folder: str) -> Iterator[str]:
        """The Markdown files in a folder at any depth, in the order of their names.

        Links to folders are followed, though not into a folder that they stand in; what several
        links lead to comes several times, as the agent delivers it.
        """
        waiting: list[tuple[str, frozenset[str]]] = [(folder, frozenset())]
        looked_into = 0
        while waiting and looked_into < _MOST_FOLDERS:
            path, above = waiting.pop()
            if path.endswith(".md") and above and self._kind(path) != "folder":
                yield path
                continue
            real = self.tree.real_folder(path)
            self.listed.add(real)
            if real in above:
                continue
            looked_into += 1
            try:
                entries = entries_of(self.tree.files, real)
            except FileProblem:
                continue
            inner = []
            for name, kind in entries:
                inner_path = f"{path}/{name}"
                is_folder = (self._kind(inner_path) if kind == "link" else kind) == "folder"
                if is_folder or name.endswith(".md"):
                    inner.append((inner_path, above | {real}))
            waiting += reversed(inner)

    def _kind(self, path: str) -> str:
        kind = kind_of(self.tree.files, path)
        return kind_of(self.tree.files, self.tree.files.real_path(path)) if kind == "link" else kind

    def _admits(self, rule: FileRule, spot: _Spot, path: str, source: Source) -> Status | None:
        """Why a file that is there is not read; None where it is."""
        if rule.excludable and excluding(self.configured, path, source.path) is not None:
            return "excluded"
        checkout = self.configured.checkout
        if (
            rule.checked_in
            and spot.place == "level"
            and checkout.is_worktree
            and checkout.top is not None
            and checkout.main is not None
            and below(checkout.top, checkout.main) is not None
            and (spot.folder == checkout.main or below(spot.folder, checkout.main) is not None)
            and spot.folder != checkout.top
            and below(spot.folder, checkout.top) is None
        ):
            return "other-checkout"
        if self._leads_out(rule, source, path) and self.configured.approval.state != "approved":
            return "blocked"
        return None

    def _tell(
        self, rule: FileRule, spot: _Spot, path: str, source: Source, status: Status,
        *, other: str | None = None,
    ) -> None:  # fmt: skip
        scope = rule.scope or spot.scope
        self.found.append(Found(rule, scope, spot.folder, path, status, source, other))

    def _excluded_by(self, refusal: str, path: str, source: Source) -> str | None:
        """For people, what in the settings is behind a refusal."""
        exclude = excluding(self.configured, path, source.path) if refusal == "excluded" else None
        return None if exclude is None else str(exclude)

    def _leads_out(self, rule: FileRule, source: Source, path: str) -> bool:
        """Whether a link brings a file in from outside the working folder."""
        root = self._walk[-1]
        return rule.blocks_links and source.path != path and below(source.path, root) is None

    def _take(self, rule: FileRule, spot: _Spot, path: str, source: Source) -> list[MemoryItem]:
        def found(status: Status, other: str | None = None) -> list[MemoryItem]:
            self._tell(rule, spot, path, source, status, other=other)
            return []

        if source.problem:
            return found("failed")
        if source in self.shown:
            place = self.shown.site(source)
            if any(one.path == path for one in self.found):
                return []  # the very same place, looked at twice: nothing to tell
            if place.line:
                return found("imported-before", f"{place.file}:{place.line}")
            return found("same-file", self.entries.found_as.get(source.key))
        refusal = self._admits(rule, spot, path, source)
        if refusal is not None:
            return found(refusal, self._excluded_by(refusal, path, source))
        if rule.condition:
            condition = condition_of(source, rule.condition)
            if condition.globs and not self._owns(spot, path, source):
                first = self._owners[source.key][1]
                return [] if first == path else found("same-file", first)
            if condition.globs:
                return found("conditional", ", ".join(condition.globs))
        items = self._enter(rule, rule.scope or spot.scope, path, source)
        found("used" if items else "empty")
        return items

    def _enter(self, rule: FileRule, scope: Scope, path: str, source: Source) -> list[MemoryItem]:
        if self.entries.is_blank(rule, source):
            return []
        self.shown.add(source, ImportSite(source.path, 0, 0))
        return self.entries.read(rule, scope, path, source)
