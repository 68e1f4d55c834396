"""Memory files that are resolved again and again: only what changed is read."""

from __future__ import annotations

from memlens.engine.agents.model import AgentProfile
from memlens.engine.agents.raider import RAIDER
from memlens.engine.context.memory import ContextMemory
from memlens.engine.context.tree import Tree
from memlens.engine.files import DISK, Files

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from memlens.engine.configured.read import JsonFiles
    from memlens.engine.context.layout import StrPath


class ContextResolver:
    """Resolves the same folder again and again, reading only what changed.

    Takes what `ContextMemory` takes. What it gives equals what a fresh `ContextMemory` would.
    The items and records of an earlier result stay as they are; its reasons, findings and nested
    files are worked out when they are first asked for, so ask before the next `resolve`.
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
        additional: Iterable[StrPath] = (),
        environment: Mapping[str, str] | None = None,
        managed_folder: str = "",
    ) -> None:
        self._root = root
        self._walk = tuple(walk_dirs)
        self._home = home
        self._claude_home = claude_home
        self._depth = max_import_depth
        self._files = files
        self._profile = profile
        self._additional = tuple(additional)
        self._environment = environment
        self._managed_folder = managed_folder
        self._json_files: JsonFiles | None = None
        self._tree = Tree(files, profile.imports)
        self._fresh = True
        self._bound = 0

    @property
    def reads(self) -> int:
        """How many files were read so far."""
        return self._tree.reads

    def resolve(self, changed: Collection[str] | None = None) -> ContextMemory:
        """The memory files as they are now; nothing is handed out yet.

        Args:
            changed: absolute paths that may have changed since the last call, files or folders;
                everything else is taken to be as it was. None: look at everything, but read only
                files whose stamp differs.
        """
        tree = self._tree
        if not self._fresh:
            if changed is None or tree.known > self._bound:
                tree.start_round()
                changed = None
            else:
                tree.forget(changed)
        if self._json_files is None and self._profile.configuration is not None:
            from memlens.engine.configured.read import JsonFiles

            self._json_files = JsonFiles(self._files)
        memory = ContextMemory(
            self._root,
            self._walk,
            home=self._home,
            claude_home=self._claude_home,
            max_import_depth=self._depth,
            files=self._files,
            profile=self._profile,
            tree=tree,
            additional=self._additional,
            environment=self._environment,
            managed_folder=self._managed_folder,
            json_files=self._json_files,
        )
        _ = memory.items
        if changed is None:
            if not self._fresh:
                tree.drop_unused()
            self._bound = 2 * tree.known + 1000
        self._fresh = False
        return memory
