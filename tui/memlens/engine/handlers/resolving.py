"""How the handlers resolve the memory files of the workspace, and show the facts in a plan."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from memlens.engine.context import ContextResolver
    from memlens.engine.durable.model import MemoryEntry, MemorySnapshot
    from memlens.engine.handlers.desk import Desk
    from memlens.engine.plan import DurableIndex, IndexFact
    from memlens.engine.review import Reader
    from memlens.engine.workspace import Workspace


def fresh_resolver(workspace: Workspace, agent: str = "") -> ContextResolver:
    """A resolver that has read nothing yet, for the workspace's agent or for another."""
    from memlens.engine.agents import PROFILES
    from memlens.engine.context import ContextResolver, walk_dirs_for

    profile = PROFILES[agent or workspace.agent]
    settings = workspace.settings
    return ContextResolver(
        workspace.root,
        walk_dirs_for(workspace.root, whole=settings.walk == "everything", profile=profile),
        home=workspace.home,
        profile=profile,
        additional=workspace.additional,
        managed_folder=settings.managed_folder,
    )


def reader_in_git(desk: Desk, root: str) -> Reader:
    """Who reads what git keeps: the workspace's agent in `root`, with the settings in force."""
    from memlens.engine.agents import PROFILES
    from memlens.engine.review import Reader

    workspace = desk.workspace
    settings = workspace.settings
    return Reader(
        root,
        PROFILES[workspace.agent],
        home=workspace.home,
        whole_walk=settings.walk == "everything",
        managed_folder=settings.managed_folder,
        framing=settings.framing,
        facts=desk.memory_config,
    )


def durable_index(facts: MemorySnapshot | None) -> DurableIndex | None:
    """The facts as the plan shows them."""
    if facts is None:
        return None
    from memlens.engine.plan import DurableIndex, IndexFacts

    return DurableIndex(facts.index, IndexFacts(facts.entries, _index_fact))


def _index_fact(entry: MemoryEntry) -> IndexFact:
    from memlens.engine.durable import index_line
    from memlens.engine.plan import IndexFact

    return IndexFact(entry.name, entry.path, index_line(entry.name, entry.description, entry.path))
