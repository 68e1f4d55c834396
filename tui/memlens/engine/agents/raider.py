"""The agent of the seed, and the default."""

from __future__ import annotations

from memlens.engine.agents.model import AgentProfile, Description, FileRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_CHECKED_IN: Final = " (project instructions, checked into the codebase)"

RAIDER: Final = AgentProfile(
    name="raider",
    title="Raider",
    files=(
        FileRule("user", "CLAUDE.md", "CLAUDE.md", "user"),
        FileRule("level", "CLAUDE.md", "CLAUDE.md"),
        FileRule("level", "AGENTS.md", "AGENTS.md", unless=("CLAUDE.md",)),
        FileRule("level", "CLAUDE.local.md", "CLAUDE.local.md", "local"),
        FileRule("nested", "CLAUDE.md", "CLAUDE.md", "nested"),
    ),
    descriptions=(
        Description(" (project instructions (AGENTS.md))", kind="AGENTS.md"),
        Description(" (user's private global instructions for all projects)", scope="user"),
        Description(_CHECKED_IN, scope="project"),
        Description(_CHECKED_IN, scope="ancestor"),
        Description(_CHECKED_IN, scope="nested"),
        Description(" (user's private project instructions, not checked in)", scope="local"),
    ),
)
