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
from memlens.engine.files import MEMORY_FILE_LIMIT, FileProblem
from memlens.engine.findings import Finding
from memlens.engine.plan import Plan
from memlens.engine.review.facts import FactReader
from memlens.engine.review.mentions import Mentions
from memlens.engine.review.trees import GitTreeFiles
from memlens.engine.work import steps


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
    managed_folder: str = ""
    """The organisation's folder; empty: the one the agent usually looks at."""
    framing: str = ""
    """The name of what stands around the memory files; empty: the agent's first one."""
    facts: MemoryConfig = MemoryConfig()


class Told:
    """One side, read."""

    def __init__(
        self, files: GitTreeFiles, memory_files: Iterable[str], reader: Reader, facts: FactReader
    ) -> None:
        """`memory_files` are the memory files of the whole repository, relative to its top."""
        self._reader = reader
        self._files = files
        rules = reader.profile.imports
        self._tree = Tree(files, rules)
        self.memory = self._memory(reader.root)
        self.facts = facts.read(files)
        self.plan = Plan(self.memory.items, reader.profile, self.facts.told, reader.framing)
        self.prompt_paths = self.memory.depends_on
        """Every path, as asked for and real, that the prompt of the root depends on."""
        self.memory_files = frozenset(files.prefix + path for path in memory_files)
        """The memory files of the repository. Absolute."""
        self._around = Surroundings(rules, self.memory.home, (), rules.max_depth)
        self._mentions = Mentions(files, rules, self.memory.home)
        self._brought_in: dict[str, frozenset[str]] = {}

    def prepare(self) -> None:
        """Reads all memory files of the repository and what they mention; a matter of speed."""
        self._mentions.prepare(self.memory_files)

    def mentions(self, place: str) -> frozenset[str]:
        """Every path that a memory file may bring in: more than it does, but none too few."""
        return self._mentions.of(place) if place in self.memory_files else frozenset()

    def brought_in(self, place: str) -> frozenset[str]:
        """Every path that a memory file brings in, as asked for and real."""
        if place not in self.memory_files:
            return frozenset()
        if place not in self._brought_in:
            self._brought_in[place] = self._closure(place)
        return self._brought_in[place]

    def findings(self, folders: Iterable[str]) -> tuple[Finding, ...]:
        """What is wrong with the root's memory files and with those in other folders.

        Each folder, inside the repository, is looked at as if the agent worked at the top and
        touched it; one whose memory files are none for a touch, as if it worked there. What may
        be hostile in a text is not among them.
        """
        found = dict.fromkeys(self._find(self.memory))
        top = self._memory(self._files.top)
        for folder in steps(folders, "checking the memory files"):
            handed_out = top.nested_for(folder)
            if not any(item.found.rpartition("/")[0] == folder for item in handed_out):
                found |= dict.fromkeys(self._find(self._memory(folder, (self._files.top, folder))))
        return tuple(found | dict.fromkeys(self._find(top)))

    @staticmethod
    def _find(memory: ContextMemory) -> tuple[Finding, ...]:
        # Texts are looked through on one side, and only those that the change brought.
        return memory.find(in_texts=False)

    def read_text(self, place: str) -> str | None:
        """The text of a file by its absolute path; None where it cannot be read as text."""
        try:
            data = self._files.read(place, MEMORY_FILE_LIMIT)[0]
        except FileProblem:
            return None
        return None if b"\0" in data else data.decode("utf-8", "surrogateescape")

    def _memory(self, root: str, walk: tuple[str, ...] = ()) -> ContextMemory:
        reader = self._reader
        return ContextMemory(
            root,
            walk or walk_dirs_for(root, whole=reader.whole_walk, profile=reader.profile),
            home=reader.home,
            claude_home=reader.claude_home,
            files=self._files,
            profile=reader.profile,
            tree=self._tree,
            managed_folder=reader.managed_folder,
        )

    def _closure(self, path: str) -> frozenset[str]:
        around = self._around
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
