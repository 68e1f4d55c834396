"""Whether the preview is what a real session was told, byte for byte (spec A, oracle).

Stands above the plan, the context library and the read state: transcripts tell what was told,
journals which files were loaded and why.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from memlens.engine.context import render
from memlens.engine.plan import Plan

if TYPE_CHECKING:
    from memlens.engine.agents.model import AgentProfile
    from memlens.engine.context.model import MemoryItem
    from memlens.engine.reads.instructions import Told
    from memlens.engine.reads.model import LoadedInstruction, Session

    Verdict = Literal["same", "changed since", "different"]
    FileVerdict = Literal["same", "changed since", "different", "not told", "not here"]

_MOST_SESSIONS: Final = 8
"""Sessions, the newest first, whose transcripts are read; they may be large."""
_JOINTS: Final = ("\n\n", "\n", "")
"""What may stand between the texts that a transcript keeps apart."""


class VerifiedFile(NamedTuple):
    """One file of the session or of the preview."""

    path: str
    """As the agent names it."""
    state: FileVerdict
    """`changed since`: on disk, after the session was told; `not told`: it is in the preview, and
    the session did not get it; `not here`: the session got it, and the preview has none."""


class Verified(NamedTuple):
    """The answer for one session."""

    session: str
    time: float
    """When it was told; seconds since 1970, 0 where nobody knows."""
    state: Verdict
    told: str
    """The text of the session."""
    preview: str
    files: tuple[VerifiedFile, ...]

    @property
    def same(self) -> bool:
        return self.state == "same"


def verify(
    items: Sequence[MemoryItem], profile: AgentProfile, session: str, told: Told
) -> Verified:
    """Compares what a session was told with what the preview says now."""
    forms = _forms(items, profile)
    told_texts = [joint.join(told.rendered) for joint in _JOINTS] if told.rendered else []
    if not told.rendered:  # the files alone: put together as this agent does it
        told_texts = [_put_together(told, items, profile)]
    for form in forms:
        for text in told_texts:
            if text.rstrip("\n") == form:
                return Verified(session, told.time, "same", form, form, ())
    text = told_texts[0].rstrip("\n")
    preview = min(forms, key=lambda form: (form[:40] != text[:40], forms.index(form)))
    files = tuple(_files(items, profile, told, text))
    bad = [one.state for one in files if one.state != "same"]
    changed = bool(bad) and all(state == "changed since" for state in bad)
    return Verified(
        session, told.time, "changed since" if changed else "different", text, preview, files
    )


class Transcripts:
    """What transcripts say was told; each is read again only when it has grown."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], Told | None]] = {}

    def newest(self, sessions: Iterable[Session]) -> tuple[Session, Told] | None:
        """The newest of the last sessions that holds what it was told; unreadable ones are
        passed."""
        there = [session for session in sessions if session.source != "journal"]
        for session in there[:_MOST_SESSIONS]:
            try:
                told = self._told(session.file)
            except OSError:
                continue
            if told is not None:
                return session, told
        return None

    def _told(self, path: str) -> Told | None:
        from memlens.engine.reads.instructions import told_by

        status = os.stat(path)
        stamp = status.st_size, status.st_mtime_ns
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = (stamp, told_by(path))
        return known[1]


class Loading(NamedTuple):
    """What hooks have journalled of a session's memory files."""

    session: str
    time: float
    loaded: tuple[LoadedInstruction, ...]
    missing: tuple[str, ...]
    """Files of the preview that the session did not load, real paths."""


def newest_loading(
    sessions: Iterable[Session], items: Sequence[MemoryItem], journals: str
) -> Loading | None:
    """The newest session whose hook has journalled what was loaded; None without any."""
    from dataclasses import replace

    from memlens.engine.reads import read_log

    for session in sessions:
        if session.source == "transcript":
            continue
        try:
            log = read_log(replace(session, source="journal"), journals=journals)
        except OSError:
            continue
        if log.instructions:
            known = {one.path for one in log.instructions}
            missing = tuple(item.file for item in items if item.file not in known)
            return Loading(session.id, log.instructions[-1].time, log.instructions, missing)
    return None


def _forms(items: Sequence[MemoryItem], profile: AgentProfile) -> list[str]:
    """The preview in each framing, and without any: transcripts differ in what they keep."""
    texts = [Plan(items, profile, frame=frame.name).text for frame in profile.framings]
    bare = profile._replace(framings=(profile.framings[0]._replace(opening="", closing=""),))
    texts.append(Plan(items, bare).text)
    texts.append(Plan(items, bare._replace(preamble="")).text)
    return texts


def _put_together(told: Told, items: Sequence[MemoryItem], profile: AgentProfile) -> str:
    ours = {item.found: item for item in items}
    blocks = []
    for file in told.files:
        item = ours.get(file.path)
        header = render.header(item, profile) if item is not None else f"Contents of {file.path}:"
        content = file.content
        if content is None:
            content = item.text if item is not None else ""
        blocks.append(f"{header}{render.BLOCK_GAP}{content.strip(profile.trimmed)}")
    around = profile.framings[0]
    head = [profile.preamble] if profile.preamble else []
    return around.opening + render.BLOCK_GAP.join([*head, *blocks]) + around.closing


def _files(
    items: Sequence[MemoryItem], profile: AgentProfile, told: Told, text: str
) -> Iterable[VerifiedFile]:
    ours = {item.found: item for item in items}
    # The headers tell of those that the list leaves out.
    theirs: dict[str, str | None] = {
        path: None
        for path, item in ours.items()
        if (header := render.header(item, profile)) and header in text
    }
    theirs |= {file.path: file.content for file in told.files}
    for path in dict.fromkeys([*theirs, *ours]):
        item = ours.get(path)
        if path not in theirs:
            yield VerifiedFile(path, "changed since" if _newer(path, told.time) else "not told")
        elif item is None:
            gone = not os.path.exists(path) or _newer(path, told.time)
            yield VerifiedFile(path, "changed since" if gone else "not here")
        else:
            mine = item.text.strip(profile.trimmed)
            content = theirs[path]
            # With the header: a text may also stand somewhere else.
            block = f"{render.header(item, profile)}{render.BLOCK_GAP}{mine}"
            same = block in text or (content is not None and content.strip(profile.trimmed) == mine)
            if same:
                yield VerifiedFile(path, "same")
            else:
                newer = _newer(item.file, told.time)
                yield VerifiedFile(path, "changed since" if newer else "different")


def _newer(path: str, time: float) -> bool:
    """Whether a file was changed after `time`; where that is not known, it may have been."""
    try:
        return not time or os.stat(path).st_mtime > time
    except OSError:
        return True
