"""What differs between agents, as data: which memory files they read, and how imports work.

A new agent is a new `AgentProfile`; no code asks for an agent by name.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from typing import Final, Literal, NamedTuple

    Scope = Literal["user", "ancestor", "project", "local", "nested", "managed", "auto"]
    Place = Literal["managed", "user", "level", "nested"]
    Placement = Literal["in-place", "own-entry"]
    CommentHandling = Literal["keep", "strip-blocks"]
    Walk = Literal["checkout", "everything"]
else:
    from memlens.engine.named import NamedTuple

    Scope = Place = Placement = CommentHandling = Walk = str


class FileRule(NamedTuple):
    """One memory file that an agent looks for."""

    place: Place
    """`user`: in the agent's configuration folder; `level`: in every folder of the walk;
    `nested`: in the folders below the root when something there is touched."""
    name: str
    """Relative to the place, such as `CLAUDE.md` or `.claude/CLAUDE.md`."""
    kind: str
    """What `MemoryItem.kind` says."""
    scope: Scope | None = None
    """None: `project` in the root, `ancestor` above it."""
    unless: tuple[str, ...] = ()
    """The rule holds only at levels that have none of these names as a regular file."""


class Description(NamedTuple):
    """The words in a block's header; the first one whose scope and kind match counts."""

    text: str
    """Written behind the path, with its brackets where the agent writes some."""
    scope: Scope | None = None
    kind: str | None = None


class ImportRules(NamedTuple):
    """How an agent understands `@path`."""

    placement: Placement = "in-place"
    """`in-place`: the content replaces the token. `own-entry`: the token stays, and the file
    becomes an item of its own behind its parent."""
    max_depth: int = 5
    """Levels; tokens of the memory file itself are level 1."""
    first_characters: str = ""
    """Which characters a path may begin with beside letters and digits; empty: any."""
    escaped_space: bool = False
    """Whether a backslash before a space makes the space part of the path."""
    cut_fragment: bool = False
    """Whether a path ends before `#`."""
    outside_needs_approval: bool = False
    """Whether a target outside the working folder is only read once a person agreed."""


class AgentProfile(NamedTuple):
    """An agent, as far as its memory files are concerned."""

    name: str
    title: str
    files: tuple[FileRule, ...]
    """In the order in which they are read at each place."""
    descriptions: tuple[Description, ...]
    imports: ImportRules = ImportRules()
    walk: Walk = "checkout"
    """Where the walk begins by default: at the top of the git checkout, or below `/`."""
    comments: CommentHandling = "keep"
    """`strip-blocks`: block-level HTML comments are removed before anything else."""
    config_variable: str = "CLAUDE_CONFIG_DIR"
    """The environment variable that names the configuration folder."""
    config_folder: str = ".claude"
    """The configuration folder below the home folder, where the variable is not set."""
    has_durable_index: bool = True
    """Whether the index of durable facts stands behind the memory files."""
    preamble: str = ""
    """Text before the first block, without the empty line behind it."""
    wrapper: tuple[str, str] = ("<system-reminder>", "</system-reminder>")
    """The lines around what a touch adds."""
    misplaced: tuple[str, ...] = (".claude/CLAUDE.local.md", ".claude/CLAUDE.md")
    """Names, relative to a level, that people expect to be read and this agent does not read."""


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
"""The agent of the seed, and the default."""

PROFILES: Final[dict[str, AgentProfile]] = {RAIDER.name: RAIDER}


def profile(name: str) -> AgentProfile:
    """The profile called `name`. Raises `ValueError`, which names the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(sorted(PROFILES))
        raise ValueError(f"there is no agent called {name!r}; known are: {known}") from None
