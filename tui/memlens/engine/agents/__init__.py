"""What differs between agents, as data: which files they read, in which order, how imports work.

A new agent is a new module in here with one `AgentProfile` and a line in `_ROOMS`; no code asks for
an agent by name. Profiles are imported when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from memlens.lazy import resolver

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from memlens.engine.agents.claude import CLAUDE
    from memlens.engine.agents.codex import CODEX
    from memlens.engine.agents.model import (
        AgentProfile,
        Description,
        FileRule,
        Framing,
        ImportRules,
        Mode,
        Place,
        Scope,
    )
    from memlens.engine.agents.raider import RAIDER

__all__ = [
    "CLAUDE",
    "CODEX",
    "PROFILES",
    "RAIDER",
    "AgentProfile",
    "Description",
    "FileRule",
    "Framing",
    "ImportRules",
    "Mode",
    "Place",
    "Scope",
    "profile",
]

_ROOMS: Final[dict[str, str]] = {"raider": "RAIDER", "claude": "CLAUDE", "codex": "CODEX"}


class _Profiles(Mapping[str, "AgentProfile"]):
    """The profiles by name."""

    def __getitem__(self, name: str) -> AgentProfile:
        constant = _ROOMS[name]
        found: AgentProfile = getattr(__import__(f"{__name__}.{name}", fromlist=["*"]), constant)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_ROOMS)

    def __len__(self) -> int:
        return len(_ROOMS)

    def __contains__(self, name: object) -> bool:
        return name in _ROOMS


PROFILES: Final[Mapping[str, AgentProfile]] = _Profiles()


def profile(name: str) -> AgentProfile:
    """The profile called `name`. Raises `ValueError`, which names the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(sorted(PROFILES))
        raise ValueError(f"there is no agent called {name!r}; known are: {known}") from None


_TYPES = (
    "AgentProfile", "Description", "FileRule", "Framing", "ImportRules", "Mode", "Place", "Scope",
)  # fmt: skip
__getattr__ = resolver(
    __name__,
    {constant: f"{__name__}.{name}" for name, constant in _ROOMS.items()}
    | dict.fromkeys(_TYPES, f"{__name__}.model"),
)
