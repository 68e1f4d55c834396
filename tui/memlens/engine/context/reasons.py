"""Why each memory file is in or out (spec, part 6, number 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal

from memlens.engine.agents.model import AgentProfile
from memlens.engine.context.discover import Found
from memlens.engine.context.expand import Shown
from memlens.engine.context.model import FileReason
from memlens.engine.context.tree import Tree
from memlens.engine.files import FileProblem, kind_of

_WORDS: Final = {
    "excluded": ("excluded", "{name} not read: the settings exclude it with {other}"),
    "blocked": (
        "blocked", "{name} not read: it is a link to outside, which nobody has approved",
    ),
    "conditional": ("conditional", "{name} is read when a path is touched that matches {other}"),
    "switched-off": ("switched-off", "{path}: nothing is read here, {other} switches it off"),
    "other-checkout": (
        "other-checkout", "{name} in {path} not read: the worktree inside has its own",
    ),
    "added-unread": (
        "added-folder",
        "{path} not looked into: memory files of added folders are switched off",
    ),
    "added-by-settings": (
        "added-folder",
        "{path} not looked into: the settings add it, which loads no memory files",
    ),
}  # fmt: skip
"""Reason and words by status."""
_Reason = Literal["folder", "special", "unreadable", "binary", "too-large"]
_FAILURES: Final[dict[str, tuple[_Reason, str]]] = {
    "folder": ("folder", "it is a folder"),
    "special": ("special", "it is no regular file"),
    "unreadable": ("unreadable", "it cannot be read"),
    "binary": ("binary", "it is binary"),
    "too-large": ("too-large", "it has more than 4 MiB"),
    "loop": ("unreadable", "its links form a loop"),
    "name-too-long": ("unreadable", "its name is too long"),
}


def reasons_for(
    tree: Tree, profile: AgentProfile, found: Sequence[Found], shown: Shown
) -> tuple[FileReason, ...]:
    """One reason for each place that was looked at, in that order, and behind each level those
    for files that people expect to be read there."""
    reasons = []
    levels: dict[str, list[Found]] = {}
    for one in found:
        levels.setdefault(one.folder, []).append(one)
    for at, one in enumerate(found):
        reasons.append(_reason(tree, one, found, shown))
        if one.status in _NO_LEVEL:
            continue
        last_of_level = at + 1 == len(found) or found[at + 1].folder != one.folder
        if last_of_level:
            reasons += _wrong_case(tree, levels[one.folder], shown)
            if one.rule.place == "level":
                reasons += _misplaced(tree, profile, one, shown)
    return tuple(reasons)


def reasons_below(
    tree: Tree, profile: AgentProfile, found: Sequence[Found], shown: Shown
) -> tuple[FileReason, ...]:
    """Why files below the root are out that are there, as `reasons_for` tells it of the walk."""
    told = reasons_for(tree, profile, found, shown)
    return tuple(one for one in told if one.state == "out")


_NO_LEVEL: Final = frozenset({"switched-off", "added-unread", "added-by-settings"})
# Of no folder that was looked into.


def _reason(tree: Tree, one: Found, found: Sequence[Found], shown: Shown) -> FileReason:
    name = one.rule.name
    if one.rule.every_markdown:  # the rule names a folder, of which this is one file
        name = one.path[len(one.folder.rstrip("/")) + 1 :]

    def reason(
        state: Literal["in", "out", "absent"], code: str, text: str, other: str | None = None
    ) -> FileReason:
        return FileReason(one.path, state, code, text, one.scope, one.folder, other)  # type: ignore[arg-type]

    if one.status in _WORDS:
        code, words = _WORDS[one.status]
        return reason("out", code, words.format(name=name, path=one.path, other=one.other))
    if one.status == "imported-before":
        return reason("in", "imported", f"{name} is in: {one.other} leads to it")
    if one.status == "used":
        if one.rule.unless:
            missing = " or ".join(one.rule.unless)
            where = "in the project" if one.rule.is_fallback else "at this level"
            return reason("in", "fallback-used", f"{name} used: no {missing} {where}")
        return reason("in", "used", f"{name} used")
    if one.status == "empty":
        return reason("out", "empty", f"{name} not used: it is empty")
    if one.status == "same-file" and one.source is not None:
        first = one.other or next(
            (
                other.path
                for other in found
                if other.source is not None
                and other.source.key == one.source.key
                and other.status != "same-file"
            ),
            one.source.path,
        )
        return reason("out", "same-file", f"{name} left out: the same file as {first}", first)
    if one.status == "shadowed":
        source = tree.target(one.path, read=False)
        other = one.other or ""
        if one.other and not one.other.startswith("/"):
            other = f"{one.folder.rstrip('/')}/{one.other}"
        if source.problem in ("missing", "folder", "special", "loop"):
            return reason("absent", "absent", f"no {name}")
        if source in shown:
            return reason("in", "imported", f"{name} is in: {one.other} leads to it", other)
        if not one.other:
            return reason("out", "switched-off", f"{name} not read: the settings say so")
        where = "is there" if one.other.startswith("/") else "is here"
        return reason("out", "shadowed", f"{name} not read: {one.other} {where}", other)
    problem = one.source.problem if one.source is not None else None
    if problem is None or problem == "missing":
        if kind_of(tree.files, one.path) == "link":
            return reason("out", "absent", f"{name} not read: it is a link to nothing")
        return reason("absent", "absent", f"no {name}")
    code, text = _FAILURES[problem]
    if one.source is not None and one.source.encoding:
        from memlens.engine.encodings import in_words

        text = in_words(one.source.encoding)
    return reason("out", code, f"{name} not read: {text}")


def _wrong_case(tree: Tree, level: Sequence[Found], shown: Shown) -> Iterable[FileReason]:
    """Names that differ from what is read there only in their letter case."""

    @cache
    def names(folder: str) -> Sequence[str]:
        try:
            return tree.files.names(folder)
        except FileProblem:
            return ()

    for one in level:
        if one.status == "shadowed" or one.rule.every_markdown:
            continue
        if any(name in names(one.folder) for name in one.rule.unless):
            continue
        paths = [one.folder]
        for part in one.rule.name.split("/"):
            paths = [
                f"{folder.rstrip('/')}/{name}"
                for folder in paths
                for name in names(folder)
                if name.casefold() == part.casefold()
            ]
        for path in paths:
            source = tree.target(path, read=False)
            if path == one.path or source.problem or source in shown:
                continue
            name = path[len(one.folder.rstrip("/")) + 1 :]
            text = f"{name} not read: its name must be {one.rule.name}, in this letter case"
            yield FileReason(path, "out", "wrong-case", text, one.scope, one.folder, one.path)


def _misplaced(
    tree: Tree, profile: AgentProfile, level: Found, shown: Shown
) -> Iterable[FileReason]:
    for name in profile.misplaced:
        path = f"{level.folder.rstrip('/')}/{name}"
        source = tree.target(path, read=False)
        if source.problem or source in shown:
            continue
        proper = name.rpartition("/")[2]
        text = f"{name} not read: this agent looks for {proper} beside the folder, not in it"
        other = f"{level.folder.rstrip('/')}/{proper}"
        yield FileReason(path, "out", "misplaced", text, level.scope, level.folder, other)
