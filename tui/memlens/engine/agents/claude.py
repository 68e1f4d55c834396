"""What Claude Code does, as of autumn 2026 (spec A; what is marked a choice there, is one here)."""

from __future__ import annotations

from memlens.engine.agents.configuration import (
    Approval,
    AutoMemory,
    Configuration,
    SettingsFile,
)
from memlens.engine.agents.model import (
    AgentProfile,
    Description,
    FileRule,
    Framing,
    ImportRules,
    Mode,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from memlens.engine.agents.model import Place, Scope

_TEXT: Final = """
    md markdown mdx txt text rst adoc asciidoc org tex latex log diff patch lock
    json jsonc json5 jsonl yaml yml toml xml csv tsv ini cfg conf config properties env
    html htm css scss sass less vue svelte astro ejs hbs pug jade graphql gql
    js mjs cjs jsx ts mts cts tsx py pyi pyw rb erb rake go rs java kt kts scala sbt gradle groovy
    c h cc cpp cxx hpp hxx cs fs swift m mm php pl pm lua r jl dart ex exs erl hrl clj cljs cljc edn
    hs lhs elm ml mli f f90 f95 for sql proto tf hcl nix zig v nim
    sh bash zsh fish ps1 bat cmd cmake make makefile mk dockerfile
"""
_CLAUDE_FILES: Final = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")


def _of_a_folder(place: Place, scope: Scope | None, local: Scope) -> tuple[FileRule, ...]:
    """What is read in one folder of a project."""
    rules = [
        FileRule(place, "CLAUDE.md", "Project", scope, checked_in=True),
        FileRule(place, ".claude/CLAUDE.md", "Project", scope, checked_in=True),
    ]
    if place != "additional":
        rules += [
            FileRule(
                place, name, "Project", scope,
                unless=_CLAUDE_FILES, checked_in=True, is_fallback=True,
            )
            for name in ("AGENTS.md", ".claude/AGENTS.md")
        ]  # fmt: skip
    rules += [
        FileRule(
            place, ".claude/rules", "Project", scope,
            every_markdown=True, condition="paths", cuts_frontmatter=True, checked_in=True,
            blocks_links=True,
        ),
        FileRule(place, "CLAUDE.local.md", "Local", local),
    ]  # fmt: skip
    return tuple(rules)


CLAUDE: Final = AgentProfile(
    name="claude",
    title="Claude Code",
    files=(
        FileRule("managed", "CLAUDE.md", "Managed", "managed", excludable=False, trusted=True),
        FileRule(
            "managed",
            ".claude/rules",
            "Managed",
            "managed",
            every_markdown=True,
            condition="paths",
            cuts_frontmatter=True,
            excludable=False,
            trusted=True,
        ),
        FileRule("user", "CLAUDE.md", "User", "user", trusted=True),
        FileRule(
            "user",
            "rules",
            "User",
            "user",
            every_markdown=True,
            condition="paths",
            cuts_frontmatter=True,
            trusted=True,
        ),
        *_of_a_folder("level", None, "local"),
        *_of_a_folder("additional", "project", "local"),
        *_of_a_folder("nested", "nested", "nested"),
        FileRule(
            "auto",
            "MEMORY.md",
            "AutoMem",
            "auto",
            cuts_frontmatter=True,
            follows_imports=False,
            excludable=False,
            max_lines=200,
            max_bytes=25_000,
        ),
    ),
    descriptions=(
        Description("", scope="nested"),
        Description(" (project instructions, checked into the codebase)", kind="Project"),
        Description(" (user's private project instructions, not checked in)", kind="Local"),
        Description(" (user's private global instructions for all projects)", kind="User"),
        Description(" (user's auto-memory, persists across conversations)", kind="AutoMem"),
        Description(" (organization-managed policy instructions)", kind="Managed"),
    ),
    imports=ImportRules(
        placement="own-entry",
        max_depth=4,
        first_characters="._-/",
        escaped_space=True,
        cut_fragment=True,
        comments="strip-blocks",
        outside_needs_approval=True,
        text_extensions=frozenset(f".{name}" for name in _TEXT.split()),
        guesses_extension=True,
    ),
    walk="below-top",
    has_durable_index=False,
    header_path="found",
    preamble=(
        "Codebase and user instructions are shown below. Be sure to adhere to these instructions. "
        "IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them "
        "exactly as written."
    ),
    framings=(
        Framing("split", "<system-reminder>\n", "\n</system-reminder>"),
        Framing(
            "classic",
            "<system-reminder>\n"
            "As you answer the user's questions, you can use the following context:\n"
            "# claudeMd\n",
            "\n# currentDate\n"
            "Today's date is {date}.\n\n"
            "      IMPORTANT: this context may or may not be relevant to your tasks. "
            "You should not respond to this context unless it is highly relevant to your task.\n"
            "</system-reminder>",
        ),
    ),
    # What JavaScript's `trim` takes for white space.
    trimmed=(
        "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
        "\u2028\u2029\u202f\u205f\u3000\ufeff"
    ),
    touched_apart=True,
    misplaced=(".claude/CLAUDE.local.md",),
    modes=(
        Mode("claude-md-or-agents-md", "where-missing"),
        Mode("claude-md-and-agents-md", "always"),
        Mode("claude-md", "never"),
        Mode("managed-only", "never", ("managed", "nested", "auto")),
    ),
    long_file=40_000,
    keeps_sessions=True,
    configuration=Configuration(
        managed_folders=(
            ("darwin", "/Library/Application Support/ClaudeCode"),
            ("win32", "C:\\Program Files\\ClaudeCode"),
            ("", "/etc/claude-code"),
        ),
        settings=(
            SettingsFile("user", "settings.json"),
            SettingsFile("root", ".claude/settings.json"),
            SettingsFile("root", ".claude/settings.local.json"),
            SettingsFile("managed", "managed-settings.json"),
        ),
        excludes="claudeMdExcludes",
        mode=("pluginConfigs", "agents-md@builtin", "options", "instructionFiles"),
        additional=("permissions", "additionalDirectories"),
        additional_variable="CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
        off_variable="CLAUDE_CODE_DISABLE_CLAUDE_MDS",
        approval=Approval(
            file=".claude.json",
            projects="projects",
            approved="hasClaudeMdExternalIncludesApproved",
            asked="hasClaudeMdExternalIncludesWarningShown",
        ),
        auto=AutoMemory(
            folder="projects/{slug}/memory",
            index_name="MEMORY.md",
            directory="autoMemoryDirectory",
            enabled="autoMemoryEnabled",
            off_variable="CLAUDE_CODE_DISABLE_AUTO_MEMORY",
        ),
    ),
)
