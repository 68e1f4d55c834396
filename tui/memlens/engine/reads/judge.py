"""What was read against the disk now: the state of a path, and what a write would get."""

from __future__ import annotations

from memlens.engine.reads.disk_now import DiskNow, Now
from memlens.engine.reads.known import Known
from memlens.engine.reads.model import Evidence, State
from memlens.engine.reads.texts import MODIFIED, NEVER_READ

Verdict = tuple[State, str, Evidence]
"""State, one sentence why, evidence."""

_GONE = "The file is not there any more; a write would make it anew."
_NEW = "There is no such file yet; a write would make it."
_UNREAD = "The agent has not read the file in this run."
_LOST = "It was read before the context was compacted, so the agent has it no more."
_REWOUND = "It was read on a branch of the conversation that was rewound."
_OTHER = "It is no regular file now, or out of reach."


def problem_for(state: State, now: Now) -> str | None:
    """The text that a write gets in this state (seed)."""
    if now.kind == "missing" or state in ("unchanged", "touched", "gone"):
        return None
    return MODIFIED if state == "changed" else NEVER_READ


def not_known(now: Now, status: str, *, rewound: bool, seen: bool) -> Verdict:
    """For a path that was never read, or lost."""
    evidence = Evidence(None, now.time, None, now.size, None, None)
    if now.kind == "missing" and seen:
        return "gone", _GONE, evidence
    if status == "lost":
        return "lost", _REWOUND if rewound else _LOST, evidence
    return "unread", _NEW if now.kind == "missing" else _UNREAD, evidence


def by_bytes(path: str, known: Known, now: Now, disk: DiskNow) -> Verdict:
    """For what the journal knows: raw bytes (seed, R1 to R20)."""
    time_then = None if known.mtime_ns is None else known.mtime_ns / 1e9
    same_time = known.mtime_ns is not None and known.mtime_ns == now.mtime_ns

    def verdict(state: State, reason: str, hash_now: str | None = None) -> Verdict:
        evidence = Evidence(time_then, now.time, known.size, now.size, known.sha256, hash_now)
        return state, reason, evidence

    if now.kind == "missing":
        return verdict("gone", _GONE)
    if now.kind == "other":
        return verdict("changed", _OTHER)
    if known.sha256 is None:
        if known.size is None:
            return verdict("changed", "The agent did not see the bytes that the file had then.")
        if same_time and known.size == now.size:
            return verdict("unchanged", "Time and size are those of the partial read.")
        return verdict("changed", "Only part of it was read, and its time or size is another now.")
    hash_now = disk.raw_hash(path, now)
    if hash_now is None:
        return verdict("changed", "It cannot be read now.")
    if hash_now != known.sha256:
        return verdict("changed", "Its bytes are not those that were read.", hash_now)
    if same_time:
        return verdict("unchanged", "Its bytes are those that were read.", hash_now)
    return verdict("touched", "Its time is another, its bytes are those that were read.", hash_now)


def by_text(
    path: str, now: Now, disk: DiskNow, *, time: float, digest: str | None, exact: bool, told: bool
) -> Verdict:
    """For what a transcript knows: normalised text, and the time of the entry (spec, reads)."""
    # Transcripts give milliseconds, cut off.
    later = now.mtime_ns is not None and now.mtime_ns // 1_000_000 > round(time * 1000)

    def verdict(state: State, reason: str, hash_now: str | None = None) -> Verdict:
        evidence = Evidence(time, now.time, None, now.size, digest, hash_now, "text")
        return state, reason, evidence

    if now.kind == "missing":
        return verdict("gone", _GONE)
    if now.kind == "other":
        return verdict("changed", _OTHER)
    if digest is None:
        if told:
            return verdict("changed", "The agent was told that it has changed on disk.")
        if later:
            return verdict("changed", "Its text then is not known, and its time is later.")
        return verdict("unchanged", "Its time is not later than when it was read.")
    hashes = disk.text_hashes(path, now)
    if hashes is None:
        return verdict("changed", "It cannot be read now.")
    if digest != hashes[0] and (exact or digest != hashes[1]):
        return verdict("changed", "Its text is not the one that was read.", hashes[0])
    if later:
        return verdict("touched", "Its time is later, its text is the one that was read.", digest)
    return verdict("unchanged", "Its text is the one that was read.", digest)
