"""Which memory files an agent finds, in the order in which it reads them (part 2)."""

from __future__ import annotations

from memlens.engine.agents.model import AgentProfile, FileRule, Scope
from memlens.engine.context.expand import Shown
from memlens.engine.context.source import Source
from memlens.engine.context.tree import Tree

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, NamedTuple

    Status = Literal[
        "used", "empty", "same-file", "shadowed", "failed", "excluded", "blocked", "conditional",
        "switched-off", "other-checkout", "imported-before", "added-unread", "added-by-settings",
    ]  # fmt: skip
else:
    from memlens.engine.named import NamedTuple

NO_FILE = frozenset({"missing", "folder", "special", "loop", "name-too-long"})
"""Problems of a path at which there is no file at all."""


class Found(NamedTuple):
    """One place where the agent looked, and what came of it."""

    rule: FileRule
    scope: Scope
    folder: str
    """Real."""
    path: str
    """As found: the folder is real, the name may be a link."""
    status: Status
    source: Source | None = None
    """None for a shadowed file, which nobody looked at."""
    other: str | None = None
    """The name that shadows it."""


def discover(
    tree: Tree,
    profile: AgentProfile,
    config_folder: str | None,
    walk: Sequence[str],
    shown: Shown,
) -> list[Found]:
    """Looks at every place of the walk and reserves every memory file there is (A5, A6).

    `walk` and `config_folder` are real folders.
    """
    found: list[Found] = []
    if config_folder is not None:
        _look(found, tree, _Place(profile, "user", config_folder, "user"), shown)
    for folder in walk:
        scope: Scope = "project" if folder == walk[-1] else "ancestor"
        _look(found, tree, _Place(profile, "level", folder, scope), shown)
    return found


class _Place(NamedTuple):
    profile: AgentProfile
    place: str
    folder: str
    scope: Scope


def _look(found: list[Found], tree: Tree, place: _Place, shown: Shown) -> None:
    regular: set[str] = set()
    folder = place.folder
    for rule in place.profile.files:
        if rule.place != place.place:
            continue
        path = f"{folder}/{rule.name}" if folder != "/" else f"/{rule.name}"
        scope = rule.scope or place.scope
        shadow = next((name for name in rule.unless if name in regular), None)
        if shadow is not None:
            found.append(Found(rule, scope, folder, path, "shadowed", None, shadow))
            continue
        source = tree.target(path)
        # A file that is empty or cannot be read still is the level's file (A8).
        if source.problem not in NO_FILE and (rule.empty_blocks or not source.blank):
            regular.add(rule.name)
        status: Status
        if source.problem:
            status = "failed"
        elif source in shown:
            status = "same-file"
        else:
            status = "empty" if source.blank else "used"
            shown.reserve(source)
        found.append(Found(rule, scope, folder, path, status, source))
