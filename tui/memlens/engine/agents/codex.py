"""What Codex does: data only, which shows that another agent needs no code."""

from __future__ import annotations

from memlens.engine.agents.model import AgentProfile, FileRule, ImportRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

CODEX: Final = AgentProfile(
    name="codex",
    title="Codex",
    files=(
        FileRule("user", "AGENTS.override.md", "AGENTS.override.md", "user", empty_blocks=False),
        FileRule("user", "AGENTS.md", "AGENTS.md", "user", unless=("AGENTS.override.md",)),
        FileRule("level", "AGENTS.override.md", "AGENTS.override.md"),
        FileRule("level", "AGENTS.md", "AGENTS.md", unless=("AGENTS.override.md",)),
    ),
    descriptions=(),
    imports=ImportRules(follows=False),
    config_variable="CODEX_HOME",
    config_folder=".codex",
    has_durable_index=False,
    header="",
    trimmed="",
    cap=32 * 1024,
    misplaced=(".codex/AGENTS.md",),
)
