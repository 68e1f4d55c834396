"""Where the transcripts of a folder's sessions are (spec, parts B and C)."""

from __future__ import annotations

import os
from typing import Final

from memlens.engine.places import claude_dir, slugs
from memlens.engine.reads.known import real_path
from memlens.engine.reads.lines import open_regular
from memlens.engine.reads.transcript_values import parsed, timestamp
from memlens.engine.reads.values import as_text

_HEAD: Final = 256 * 1024
"""Bytes at the start of a transcript in which its folder and time are looked for."""
_SLUG: Final = 200


class Head:
    """What the first lines of a transcript tell."""

    __slots__ = ("branch", "cwd", "session", "started")

    def __init__(self) -> None:
        self.cwd = ""
        self.session = ""
        self.branch = ""
        self.started = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing more to look for."""
        return bool(self.cwd and self.session and self.started)


def project_folders(folder: str, claude_home: str | None = None) -> list[str]:
    """The transcript folders that `folder` may have, as far as they exist.

    `claude_home` is the configuration folder of Claude Code. Folders may share one name: ask
    `head_of` whether a transcript is of this folder.
    """
    base = os.path.join(claude_home if claude_home is not None else claude_dir(), "projects")
    try:
        names = set(os.listdir(base))
    except (OSError, ValueError):
        return []
    found: dict[str, None] = {}
    for spelling in dict.fromkeys((os.path.abspath(folder), real_path(folder))):
        for slug in slugs(spelling):
            if slug in names:
                found[os.path.join(base, slug)] = None
            if len(slug) > _SLUG:  # cut, and followed by a hash nobody has published
                cut = slug[:_SLUG] + "-"
                found.update(
                    (os.path.join(base, name), None)
                    for name in sorted(names)
                    if name.startswith(cut) and "-" not in name[len(cut) :]
                )
    return list(found)


def transcripts(
    folder: str, claude_home: str | None = None, heads: dict[str, Head] | None = None
) -> list[tuple[str, Head]]:
    """The transcripts of sessions that ran in `folder`, with what their heads tell.

    `heads` keeps what was found, for the next time.
    """
    real = real_path(folder)
    found = []
    for place in project_folders(folder, claude_home):
        for name in _names(place):
            if not name.endswith(".jsonl") or name.startswith("agent-"):
                continue
            path = os.path.join(place, name)
            head = (heads or {}).get(path) or head_of(path)
            if head is None:
                continue
            if heads is not None and head.is_whole:
                heads[path] = head
            if not head.cwd or real_path(head.cwd) == real:
                found.append((path, head))
    return found


def folder_of(session: str, claude_home: str | None = None) -> str:
    """The folder in which a session ran, wherever its transcript is; empty where there is none."""
    base = os.path.join(claude_home if claude_home is not None else claude_dir(), "projects")
    if not session or os.path.basename(session) != session:
        return ""
    for place in _names(base):
        head = head_of(os.path.join(base, place, f"{session}.jsonl"))
        if head is not None and head.cwd:
            return head.cwd
    return ""


def folders_near(folder: str, claude_home: str | None = None) -> list[str]:
    """Folders above and below `folder` in which sessions ran, the latest first."""
    real = real_path(folder)
    base = os.path.join(claude_home if claude_home is not None else claude_dir(), "projects")
    above, at = set[str](), os.path.dirname(real)
    while at != os.path.dirname(at):
        above.update(slugs(at))
        at = os.path.dirname(at)
    below = tuple(f"{slug}-" for slug in slugs(real))
    found: list[tuple[float, str]] = []
    for name in _names(base):
        if name in above or name.startswith(below):
            found += _newest(os.path.join(base, name), real)
    return list(dict.fromkeys(path for _, path in sorted(found, reverse=True)))


def _newest(place: str, real: str) -> list[tuple[float, str]]:
    """When and where the newest session of a transcript folder ran, if that is near."""
    times = []
    for name in _names(place):
        if name.endswith(".jsonl") and not name.startswith("agent-"):
            try:
                times.append((os.stat(os.path.join(place, name)).st_mtime, name))
            except OSError:
                continue
    if not times:
        return []
    when, name = max(times)
    head = head_of(os.path.join(place, name))
    cwd = real_path(head.cwd) if head is not None and head.cwd else ""
    near = cwd and cwd != real and os.path.commonpath([cwd, real]) in (cwd, real)
    return [(when, cwd)] if near and os.path.isdir(cwd) else []


def subagents(transcript: str, owners: dict[str, str]) -> list[tuple[str, str]]:
    """The transcripts of a session's subagents: path and lane, in the order of their names.

    `owners` keeps which session the older ones beside the transcript belong to.
    """
    stem = transcript.removesuffix(".jsonl")
    session = os.path.basename(stem)
    inside = os.path.join(stem, "subagents")
    found = [
        (os.path.join(inside, name), _lane(name)) for name in _names(inside) if _is_agent(name)
    ]
    beside = os.path.dirname(transcript)
    for name in _names(beside):
        if _is_agent(name):
            path = os.path.join(beside, name)
            if path not in owners:
                head = head_of(path)
                if head is not None and head.session:
                    owners[path] = head.session
            if owners.get(path) == session:
                found.append((path, _lane(name)))
    return found


def label_of(agent_file: str) -> str:
    """What kind of subagent it was, where a file beside its transcript tells; else empty."""
    try:
        with open_regular(agent_file.removesuffix(".jsonl") + ".meta.json") as file:
            values = parsed(file.read(64 * 1024)) or {}
    except (OSError, ValueError):
        return ""
    return as_text(values.get("agentType"))[:80]


def head_of(path: str) -> Head | None:
    """What the first lines of a transcript tell; None when it cannot be read."""
    head = Head()
    try:
        with open_regular(path) as file:
            for size in (_HEAD // 16, _HEAD):
                file.seek(0)
                data = file.read(size)
                _look(head, data)
                if head.is_whole or len(data) < size:
                    break
    except (OSError, ValueError):
        return None
    return head


def _look(head: Head, data: bytes) -> None:
    for line in data.split(b"\n")[:200]:
        if b'"cwd"' not in line and b'"timestamp"' not in line and b'"sessionId"' not in line:
            continue
        values = parsed(line)
        if values is None:
            continue
        head.cwd = head.cwd or as_text(values.get("cwd"))
        head.session = head.session or as_text(values.get("sessionId"))
        head.branch = head.branch or as_text(values.get("gitBranch"))
        head.started = head.started or timestamp(values)
        if head.is_whole:
            break


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def _is_agent(name: str) -> bool:
    return name.startswith("agent-") and name.endswith(".jsonl")


def _lane(name: str) -> str:
    return name.removeprefix("agent-").removesuffix(".jsonl")
