"""What is wrong with settings, rules and places of an agent that has settings (spec A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memlens.engine.findings import Finding

if TYPE_CHECKING:
    from memlens.engine.configured import Configured
    from memlens.engine.context.discover import Found
    from memlens.engine.context.problems import Facts


def findings_of_settings(
    facts: Facts, configured: Configured, found: Sequence[Found], cut_at: Mapping[str, int]
) -> Iterable[Finding]:
    """Findings about settings first, then about files in load order."""
    yield from _excludes(configured)
    yield from _config_folder(configured, found)
    for one in found:
        yield from _rule(one)
    yield from _long(facts, configured)
    for path, line in cut_at.items():
        yield Finding(
            "index-cut", "warning", path, line, 0,
            f"from line {line} on it is not read: it is longer than the agent takes",
            "shorten it, or move what matters up",
        )  # fmt: skip


def _excludes(configured: Configured) -> Iterable[Finding]:
    for exclude in configured.excludes:
        if not exclude.matches_something:
            yield Finding(
                "exclude-matches-nothing", "warning", exclude.file, exclude.line, 0,
                f"{exclude.glob} excludes nothing: globs are compared with absolute paths",
                f"write **/{exclude.glob.removeprefix('./').removeprefix('~/')}, or the whole path",
            )  # fmt: skip


def _config_folder(configured: Configured, found: Sequence[Found]) -> Iterable[Finding]:
    """The usual configuration folder, read as a project's because another one is chosen."""
    home = configured.home
    if home is None:
        return
    usual = f"{home.rstrip('/')}/{configured.profile.config_folder}/"
    variable = configured.profile.config_variable
    for one in found:
        if one.status != "used" or one.rule.place != "level" or not one.path.startswith(usual):
            continue
        yield Finding(
            "config-folder-leak", "warning", one.path, 0, 0,
            f"it is read as a file of the project: {variable} names another folder, and the walk "
            "leads through home",
            "move it to the folder that is in use, or exclude it in the settings",
        )  # fmt: skip


def _rule(one: Found) -> Iterable[Finding]:
    source = one.source
    if one.rule.condition and one.status == "used" and source is not None and source.condition:
        broken = source.condition.broken
        if broken:
            yield Finding(
                "rule-unconditional", "warning", one.path, 1, 1,
                f"it is always read: {broken}",
                f'put the globs of {one.rule.condition} in quotes, such as "**/*.ts"',
            )  # fmt: skip


def _long(facts: Facts, configured: Configured) -> Iterable[Finding]:
    limit = configured.profile.long_file
    for item in facts.items:
        size = len(item.text.strip(configured.profile.trimmed))
        if limit and size > limit:
            yield Finding(
                "file-too-large", "warning", item.file, 0, 0,
                f"it has {size:,} characters; the agent warns above {limit:,}",
                "split it, and keep only what is always needed",
            )  # fmt: skip
