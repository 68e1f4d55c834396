"""Which files agents read, by their path alone."""

from __future__ import annotations

from functools import cache
from typing import Final

from memlens.engine.agents import PROFILES
from memlens.engine.durable.scopes import is_fact_name
from memlens.engine.review.facts import FOLDER as FACTS
from memlens.engine.review.model import Role
from memlens.engine.review.safety import is_private

# What agents find in a folder of their own, at any level: folder, end of the name, role.
_FOLDERS: Final[tuple[tuple[str, str, Role], ...]] = (
    (".claude/rules/", ".md", "rule"),
    (".claude/agents/", ".md", "rule"),
    (".claude/commands/", ".md", "rule"),
    (".claude/skills/", ".md", "rule"),
    (".claude/output-styles/", ".md", "rule"),
)
_FILES: Final[tuple[tuple[str, Role], ...]] = (
    (".claude/CLAUDE.md", "nested"),
    (".claude/AGENTS.md", "nested"),
    (".claude/settings.json", "settings"),
    (".mcp.json", "settings"),
)


@cache
def memory_names() -> frozenset[str]:
    """The names of memory files of all agents, relative to a folder."""
    return frozenset(
        rule.name
        for profile in PROFILES.values()
        for rule in profile.files
        if rule.place in ("level", "nested") and "*" not in rule.name
    )


def role_of(path: str) -> Role | None:
    """What the file at `path`, relative to the repository, is to agents; None: nothing by name.

    Memory files are `nested` here: whether one is in a prompt depends on the folder looked from.
    """
    if is_private(path):
        return "private"
    if is_memory(path):
        return "nested"
    folder, _, name = path.rpartition("/")
    if folder == FACTS:
        return "fact" if is_fact_name(name) else None
    if "." not in path:
        return None
    for ending, role in _FILES:
        if path == ending or path.endswith("/" + ending):
            return role
    for start, ending, role in _FOLDERS:
        if path.endswith(ending) and (path.startswith(start) or f"/{start}" in path):
            return role
    return None


def is_memory(path: str) -> bool:
    """Whether it is a memory file by its name."""
    plain, deep, deeper = _memory_names()
    return path.rpartition("/")[2] in plain or path in deep or path.endswith(deeper)


@cache
def _memory_names() -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Plain names, those with a folder, and the ends of paths that have these."""
    names = memory_names()
    deep = frozenset(name for name in names if "/" in name)
    return names - deep, deep, tuple("/" + name for name in deep)
