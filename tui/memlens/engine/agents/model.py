"""The words in which an agent is described."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost too much
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    from memlens.engine.agents.configuration import Configuration

    Scope = Literal["user", "ancestor", "project", "local", "nested", "managed", "auto"]
    Place = Literal["managed", "user", "level", "additional", "nested", "auto"]
    Placement = Literal["in-place", "own-entry"]
    CommentHandling = Literal["keep", "strip-blocks"]
    Walk = Literal["checkout", "everything", "below-top"]
    Fallback = Literal["where-missing", "always", "never"]
else:
    from memlens.engine.named import NamedTuple

    Scope = Place = Placement = CommentHandling = Walk = Fallback = str


class FileRule(NamedTuple):
    """One memory file, or one folder of them, that an agent looks for."""

    place: Place
    """`managed`: in the organisation's folder; `user`: in the agent's configuration folder;
    `level`: in every folder of the walk; `additional`: in folders that were added to a session;
    `nested`: in the folders below the root when something there is touched; `auto`: in the
    folder where the agent keeps its own notes."""
    name: str
    """Relative to the place, such as `CLAUDE.md` or `.claude/CLAUDE.md`."""
    kind: str
    """What `MemoryItem.kind` says."""
    scope: Scope | None = None
    """None: `project` in the root, `ancestor` above it."""
    unless: tuple[str, ...] = ()
    """The rule holds only at levels that have none of these names as a regular file."""
    empty_blocks: bool = True
    """Whether an empty file of this name counts for the `unless` of others."""
    every_markdown: bool = False
    """`name` is a folder, and every file in it, at any depth, whose name ends in `.md` counts."""
    condition: str = ""
    """The key of the frontmatter whose globs say for which touched paths a file is read; a file
    without it is read at once."""
    cuts_frontmatter: bool = False
    """Whether the frontmatter is no part of the text."""
    follows_imports: bool = True
    excludable: bool = True
    """Whether a setting may exclude it."""
    checked_in: bool = False
    """Whether a worktree inside its main checkout has a copy of its own, so that the one of the
    main checkout is not read."""
    blocks_links: bool = False
    """Whether a file that a link brings in from outside the working folder needs approval."""
    trusted: bool = False
    """Whether its imports from outside the working folder need no approval."""
    is_fallback: bool = False
    """Whether the profile's `modes` govern it."""
    max_lines: int = 0
    max_bytes: int = 0
    """Only so much of it is read, at whole lines, in UTF-8; 0: all of it."""


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
    follows: bool = True
    """Whether the agent knows imports at all."""
    first_characters: str = ""
    """Which characters a path may begin with beside letters and digits; empty: any."""
    escaped_space: bool = False
    """Whether a backslash before a space makes the space part of the path."""
    cut_fragment: bool = False
    """Whether a path ends before `#`."""
    comments: CommentHandling = "keep"
    """`strip-blocks`: block-level HTML comments are removed before anything else."""
    outside_needs_approval: bool = False
    """Whether a target outside the working folder is only read once a person agreed."""
    text_extensions: frozenset[str] = frozenset()
    """With their dot, in lower case: files with any other extension are not read; empty: all are.
    A file without an extension always is."""
    guesses_extension: bool = False
    """Whether a word without an extension counts as meant where a file with one is there."""


class Framing(NamedTuple):
    """What stands around all entries."""

    name: str
    opening: str
    """Directly before the preamble."""
    closing: str
    """Directly behind the last entry; `{date}` is the day, as `2026-01-31`."""


class Mode(NamedTuple):
    """One value of the setting that says which kinds of files are read."""

    value: str
    fallback: Fallback
    """When files whose rule `is_fallback` are read; `where-missing`: only where their `unless`
    holds, and at the levels of the walk only when no level has one of those names."""
    places: tuple[Place, ...] = ()
    """Only these places are read; empty: all are."""


class AgentProfile(NamedTuple):
    """An agent, as far as its memory files are concerned."""

    name: str
    title: str
    files: tuple[FileRule, ...]
    """In the order in which they are read at each place."""
    descriptions: tuple[Description, ...]
    imports: ImportRules = ImportRules()
    walk: Walk = "checkout"
    """Where the walk begins by default: at the top of the git checkout, at `/`, or below it."""
    config_variable: str = "CLAUDE_CONFIG_DIR"
    """The environment variable that names the configuration folder."""
    config_folder: str = ".claude"
    """The configuration folder below the home folder, where the variable is not set."""
    has_durable_index: bool = True
    """Whether the index of durable facts stands behind the memory files."""
    header: str = "Contents of {path}{description}:"
    """The line above an entry, which an empty line follows; empty: there is none."""
    header_path: Literal["real", "found"] = "real"
    """Whether the header names the real path or the one under which a file was found."""
    preamble: str = ""
    """Text before the first block, without the empty line behind it."""
    framings: tuple[Framing, ...] = (Framing("plain", "", ""),)
    """The first one is the default."""
    trimmed: str = "\r\n"
    """Characters that are taken off both ends of an entry's text."""
    cap: int = 0
    """Bytes of the files of all levels together, headers left out; what is behind is cut off."""
    wrapper: tuple[str, str] = ("<system-reminder>", "</system-reminder>")
    """The lines around what a touch adds."""
    touched_apart: bool = False
    """Whether each file that a touch adds has a wrapper of its own and is not trimmed."""
    misplaced: tuple[str, ...] = (".claude/CLAUDE.local.md", ".claude/CLAUDE.md")
    """Names, relative to a level, that people expect to be read and this agent does not read."""
    modes: tuple[Mode, ...] = ()
    """The first one is the default."""
    long_file: int = 0
    """Characters of one file from which the agent warns; 0: never."""
    keeps_sessions: bool = False
    """Whether its sessions leave transcripts that say what they were told."""
    configuration: Configuration | None = None
    """Where the agent keeps its settings; None: it has none that matter here."""
