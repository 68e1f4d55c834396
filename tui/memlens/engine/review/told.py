"""What agents are told on one side of a change, and which files they look at for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memlens.engine.agents import RAIDER, AgentProfile
from memlens.engine.context.expand import Surroundings
from memlens.engine.context.layout import walk_dirs_for
from memlens.engine.context.memory import ContextMemory
from memlens.engine.context.tree import Tree
from memlens.engine.durable.model import MemoryConfig
from memlens.engine.files import Files
from memlens.engine.findings import Finding
from memlens.engine.plan import Plan
from memlens.engine.review.facts import FactReader


class Reader(NamedTuple):
    """Who reads, and with which settings."""

    root: str
    """The folder in which the agent works, an absolute real path."""
    profile: AgentProfile = RAIDER
    home: str | None = None
    """None: the person's own."""
    claude_home: str | None = None
    """None: found from the environment and `home`."""
    whole_walk: bool = False
    facts: MemoryConfig = MemoryConfig()


class Told:
    """One side, read."""

    def __init__(
        self, files: Files, top: str, memory_files: Iterable[str], reader: Reader, facts: FactReader
    ) -> None:
        """`memory_files` are the memory files of the whole repository, relative to `top`."""
        self._reader = reader
        self._top = top
        self._files = files
        self._tree = Tree(files, reader.profile.imports)
        self.memory = self._memory(reader.root)
        index = facts.index(files) if reader.profile.has_durable_index else None
        self.plan = Plan(self.memory.items, reader.profile, index)
        self.prompt_paths = self._tree.paths()
        """Every path, as asked for and real, that the prompt of the root depends on."""
        home = self.memory.home
        rules = reader.profile.imports
        around = Surroundings(rules, home, (), rules.max_depth)
        places = (f"{top.rstrip('/')}/{path}" for path in memory_files)
        self.reach = {place: self._closure(place, around) for place in places}
        """For each memory file of the repository, every path that it brings in. Absolute."""

    @property
    def all_paths(self) -> set[str]:
        """Every path that some agent looks at somewhere in the repository."""
        return self.prompt_paths.union(*self.reach.values())

    def findings_at(self, folder: str) -> tuple[Finding, ...]:
        """What is wrong with the memory files of a folder inside the repository."""
        return self._memory(folder, (self._top, folder)).findings

    def text_of(self, path: str) -> str | None:
        """The text of a file that was read, by its real path."""
        return self.memory.text_of(path)

    def _memory(self, root: str, walk: tuple[str, ...] = ()) -> ContextMemory:
        reader = self._reader
        return ContextMemory(
            root,
            walk or walk_dirs_for(root, whole=reader.whole_walk),
            home=reader.home,
            claude_home=reader.claude_home,
            files=self._files,
            profile=reader.profile,
            tree=self._tree,
        )

    def _closure(self, path: str, around: Surroundings) -> frozenset[str]:
        first = self._tree.target(path)
        paths = {path, first.path}
        level = [first]
        for _ in range(around.max_depth):
            following = []
            for source in level:
                for token in source.tokens:
                    asked = around.path(source.folder, token.written)
                    if asked is None or asked in paths:
                        continue
                    target = self._tree.target(asked)
                    if target.path not in paths and target.tokens:
                        following.append(target)
                    paths |= {asked, target.path}
            level = following
            if not level:
                break
        return frozenset(paths)
