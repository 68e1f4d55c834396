"""The memory files of a folder as an agent gets them (seed)."""

from __future__ import annotations

import os

from memlens.engine.agents.model import AgentProfile, FileRule, Scope
from memlens.engine.agents.raider import RAIDER
from memlens.engine.context import render
from memlens.engine.context.discover import Found, discover
from memlens.engine.context.expand import Expansion, Shown, Surroundings, look_ahead
from memlens.engine.context.layout import (
    StrPath,
    absolute,
    below,
    default_config_folder,
    default_home,
)
from memlens.engine.context.model import ImportRecord, ImportSite, MemoryItem
from memlens.engine.context.source import Source
from memlens.engine.context.tree import Tree
from memlens.engine.files import DISK, Files, kind_of

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memlens.engine.configured import Configured
    from memlens.engine.configured.read import JsonFiles
    from memlens.engine.context.entries import EntryReader
    from memlens.engine.context.gather import Gatherer
    from memlens.engine.context.model import FileReason, NestedSurvey
    from memlens.engine.context.problems import Facts
    from memlens.engine.findings import Finding


class ContextMemory:
    """The memory files that an agent reads in `root`, with their imports, and what it adds when
    paths are touched.

    Args:
        root: the project folder.
        walk_dirs: the folders of the walk, top down, ending at `root`; folders that do not exist
            and repeats are left out.
        home: for `@~/` imports and `~/` labels; by default `$HOME`, else the password database.
        claude_home: the agent's configuration folder; by default `$CLAUDE_CONFIG_DIR` when set
            and not empty, else `.claude` in `home`.
        max_import_depth: levels of imports; by default what the profile says, 5 for the seed's.
        files: where everything is read from.
        profile: the agent.
        additional: folders that are added to the session.
        environment: the variables that the agent looks at; by default those of this process.
        managed_folder: the organisation's folder; empty: the one the agent usually looks at.

    Raises:
        ValueError: `walk_dirs` does not end at `root`.
    """

    def __init__(
        self,
        root: StrPath,
        walk_dirs: Iterable[StrPath],
        *,
        home: StrPath | None = None,
        claude_home: StrPath | None = None,
        max_import_depth: int | None = None,
        files: Files = DISK,
        profile: AgentProfile = RAIDER,
        tree: Tree | None = None,
        additional: Iterable[StrPath] = (),
        environment: Mapping[str, str] | None = None,
        managed_folder: str = "",
        json_files: JsonFiles | None = None,
    ) -> None:
        self.profile = profile
        self.files = files
        self._tree = Tree(files, profile.imports) if tree is None else tree
        real = self._tree.real_folder
        self.root = real(absolute(root))
        """Real."""
        self.walk = list(dict.fromkeys(real(absolute(folder)) for folder in walk_dirs))
        """Real folders, top down."""
        if not self.walk or self.walk[-1] != self.root:
            raise ValueError(f"the folders of the walk must end at the root, {self.root}")
        given_home = absolute(home) if home is not None else default_home()
        self.home = None if given_home is None else real(given_home)
        config = (
            absolute(claude_home)
            if claude_home is not None
            else default_config_folder(given_home, profile, environment)
        )
        self.config_folder = None if config is None else real(config)
        depth = profile.imports.max_depth if max_import_depth is None else max_import_depth
        # Where a person must agree to what lies outside, the agent's own folder is outside, too.
        own = None if profile.imports.outside_needs_approval else self.config_folder
        inside = tuple(folder.rstrip("/") + "/" for folder in (self.root, own) if folder)
        self._around = Surroundings(profile.imports, self.home, inside, depth)
        self._shown = Shown()
        self._found: list[Found] = []
        self._items: tuple[MemoryItem, ...] | None = None
        self._nested: list[MemoryItem] = []
        self._reasons: tuple[FileReason, ...] | None = None
        self._cut_at: dict[str, int] = {}
        self.configured: Configured | None = None
        """What the agent's own settings say; None for an agent that has none."""
        self._entries: EntryReader | None = None
        self._gatherer: Gatherer | None = None
        if profile.imports.placement == "own-entry":
            from memlens.engine.configured import Configured
            from memlens.engine.context.entries import EntryReader
            from memlens.engine.context.gather import Gatherer

            self._additional = [absolute(folder) for folder in additional]
            configured = self.configured = Configured(
                profile, files, self.root,
                home=self.home, config_folder=self.config_folder, environment=environment,
                managed_folder=managed_folder, json_files=json_files,
            )  # fmt: skip
            self._entries = EntryReader(
                self._tree, self._around, self._shown, self._label, configured
            )
            self._gatherer = Gatherer(self._tree, configured, self._entries, self._shown)

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """The memory files in load order; computed once."""
        if self._items is None and self._gatherer is not None:
            self._items = tuple(self._gatherer.gather(self.walk, self._additional))
            self._found = self._gatherer.found
        elif self._items is None:
            self._found = discover(
                self._tree, self.profile, self.config_folder, self.walk, self._shown
            )
            used = [
                (found, found.source)
                for found in self._found
                if found.status == "used" and found.source is not None
            ]
            look_ahead(self._tree, self._around, self._shown, [source for _, source in used])
            self._items = tuple(
                self._item(found.rule, found.scope, found.path, source) for found, source in used
            )
            if self.profile.cap:
                from memlens.engine.context.cap import capped

                self._items, self._cut_at = capped(self._items, self.profile.cap)
        assert self._items is not None
        return self._items

    def prompt_text(self) -> str | None:
        """The items as the agent puts them into its prompt; None without items."""
        return render.prompt(self.items, self.profile)

    def nested_for(self, path: StrPath) -> list[MemoryItem]:
        """The memory files below the root that touching `path` adds, top down.

        `path` is absolute or relative to the root and need not exist. Each file comes once for
        each object; one that was shown in any other way does not come at all.
        """
        _ = self.items  # so that the order of calls changes nothing (A33)
        self._tree.start_round()
        if self._gatherer is not None:
            added = self._gatherer.touch(self._real(path), self._folders_to(path))
            self._nested += added
            return added
        added = []
        for folder in self._folders_to(path):
            for rule in self.profile.files:
                if rule.place != "nested":
                    continue
                found = f"{folder}/{rule.name}"
                source = self._tree.target(found)
                if source.problem or source.blank or source in self._shown:
                    continue
                self._shown.add(source, ImportSite(source.path, 0, 0))
                added.append(self._item(rule, rule.scope or "nested", found, source))
        self._nested += added
        return added

    def would_add(self, path: StrPath) -> list[MemoryItem]:
        """What `nested_for` would give; nothing is handed out by it."""
        places, nested = dict(self._shown.places), list(self._nested)
        try:
            return self.nested_for(path)
        finally:
            self._shown.places, self._nested = places, nested

    def nested_text(self, *items: MemoryItem) -> str | None:
        """The given items in the form of `prompt_text`; None for none."""
        return render.prompt(items, self.profile)

    def touch_text(self, *items: MemoryItem) -> str | None:
        """The given items in the wrapper in which the agent is given them; None for none."""
        return render.touched(items, self.profile)

    @property
    def handed_out(self) -> tuple[MemoryItem, ...]:
        """What `nested_for` has given so far."""
        return tuple(self._nested)

    @property
    def records(self) -> tuple[ImportRecord, ...]:
        """Every import token of the items and of what was handed out."""
        return tuple(record for item in (*self.items, *self._nested) for record in item.records)

    @property
    def reasons(self) -> tuple[FileReason, ...]:
        """Why each file that was looked for is in or out."""
        if self._reasons is None:
            from memlens.engine.context.reasons import reasons_for

            _ = self.items
            self._reasons = reasons_for(self._tree, self.profile, self._found, self._shown)
        return self._reasons

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with these files and their imports, handed out ones included."""
        return self.find()

    def find(self, *, in_texts: bool = True) -> tuple[Finding, ...]:
        """The findings; `in_texts`: also what may be hostile in a text, or should not be in it."""
        from memlens.engine.context.problems import findings_of

        facts = self._facts()._replace(in_texts=in_texts)
        if self._cut_at:
            from memlens.engine.context.cap import cut_findings

            return findings_of(facts, cut_findings(self._cut_at, self.profile.cap))
        if self.configured is None or self._gatherer is None or self._entries is None:
            return findings_of(facts)
        from memlens.engine.context.setting_problems import findings_of_settings

        found, cut_at = self._gatherer.found, self._entries.cut_at
        return findings_of(facts, findings_of_settings(facts, self.configured, found, cut_at))

    def findings_below(self, survey: NestedSurvey) -> tuple[Finding, ...]:
        """What is wrong with files below the root, out of what `unloaded` gave: those that no
        touch would add, and those of which it would not add all."""
        from memlens.engine.context.problems import findings_below

        return findings_below(self._facts(), survey) if survey.out or survey.files else ()

    def _facts(self) -> Facts:
        from memlens.engine.context.problems import Facts

        return Facts(
            files=self.files,
            items=(*self.items, *self._nested),
            reasons=self.reasons,
            sources=self._tree.sources,
            path_of=self._around.path,
            top=self.walk[0],
            max_depth=self._around.max_depth,
            rules=self.profile.imports,
            approval="" if self.configured is None else self.configured.approval.state,
        )

    def unloaded(
        self, *, max_entries: int | None = None, max_seconds: float | None = None
    ) -> NestedSurvey:
        """The memory files below the root that a touch would add now, found by a bounded search
        (see `SKIPPED_FOLDERS` in the module `nested`)."""
        from memlens.engine.context import nested

        _ = self.items
        return nested.survey(
            self._tree,
            self.profile,
            self.root,
            self._shown,
            self._label,
            gatherer=self._gatherer,
            max_entries=nested.MAX_ENTRIES if max_entries is None else max_entries,
            max_seconds=nested.MAX_SECONDS if max_seconds is None else max_seconds,
        )

    def text_of(self, path: str) -> str | None:
        """The decoded text of a file that is in, by its real path; the spans are its slices."""
        source = self._tree.sources.get(path)
        return None if source is None or source.problem else source.text

    @property
    def depends_on(self) -> frozenset[str]:
        """Every path whose coming, going or change can change the items: files that are in,
        places that were looked at, and where imports lead. Absolute, not always real."""
        paths = {item.file for item in (*self.items, *self._nested)}
        paths.update(found.path for found in self._found)
        for record in self.records:
            path = self._around.path(record.file.rpartition("/")[0] or "/", record.written)
            if path is not None:
                paths.add(path)
            if record.target is not None:
                paths.add(record.target)
        if self.configured is not None:
            paths |= self.configured.looked_at
        return frozenset(paths)

    def watch_folders(self) -> frozenset[str]:
        """The existing folders that hold what `depends_on` names, or would hold it: watching
        them, without the folders inside them, misses no change."""
        folders = set()
        for path in self.depends_on:
            folder = path.rpartition("/")[0] or "/"
            while folder not in folders and kind_of(self.files, folder) == "missing":
                folder = folder.rpartition("/")[0] or "/"
            folders.add(folder)
        if self._gatherer is not None:
            folders |= self._gatherer.listed
        return frozenset(folders)

    def _folders_to(self, path: StrPath) -> list[str]:
        """The folders strictly below the root on the way to `path`, top down (A32)."""
        root = self.root
        real = self._real(path)
        inner = below(real, root)
        if not inner:
            return []
        parts = inner.split("/")
        if kind_of(self.files, real) != "folder":
            del parts[-1]
        prefix = root.rstrip("/")
        return [f"{prefix}/{'/'.join(parts[: count + 1])}" for count in range(len(parts))]

    def _real(self, path: StrPath) -> str:
        text = os.fspath(path)
        return self.files.real_path(text if text.startswith("/") else f"{self.root}/{text}")

    def _item(self, rule: FileRule, scope: Scope, found: str, source: Source) -> MemoryItem:
        expansion = Expansion(self._tree, self._around, self._shown)
        expanded = expansion.run(source)
        return MemoryItem(
            file=source.path,
            label=self._label(source.path),
            scope=scope,
            kind=rule.kind,
            parts=expansion.parts,
            imports=tuple(expansion.imports),
            found=found,
            parent=None,
            size=expansion.size,
            details=expanded.details,
        )

    def _label(self, path: str) -> str:
        inside = below(path, self.root)
        if inside is not None:
            return inside
        at_home = None if self.home is None else below(path, self.home)
        return path if at_home is None else f"~/{at_home}"
