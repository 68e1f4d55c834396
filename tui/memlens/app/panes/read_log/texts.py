"""Longer texts of the read log: evidence, a difference, and what to do when there is nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from memlens.app.panes.read_log.rows import GLYPHS, Wish, age, lane_titles, numbered, times
from memlens.app.widgets.texts import WrappedLines
from memlens.app.words import for_shell

if TYPE_CHECKING:
    from memlens.engine.events.reads import ReadsLoaded
    from memlens.engine.reads.model import PathReads, ReadLog, Session

_SHOWN_REFUSALS: Final = 20


def why(entry: PathReads, log: ReadLog | None, root: str) -> WrappedLines:
    """Why a write would be refused, or pass: the text, the reason and the evidence."""
    glyph, style = GLYPHS[entry.state]
    told: list[tuple[str, str, int]] = []
    if entry.problem is not None:
        told += [("A write would be refused:", "strong", 0), (f"  {entry.problem}", "error", 2)]
    else:
        told.append(("A write would pass.", "ok", 0))
    told += [
        ("", "", 0),
        (f"{glyph} {entry.state}: {entry.reason}", style, 2),
        ("", "", 0),
        *_evidence(entry),
        ("", "", 0),
        (f"seen     {_seen(entry)}", "", 9),
        (f"uses     {_uses(entry)}", "", 9),
    ]
    if entry.first_read is not None:
        told.append((f"first    {_moment(entry.first_read)}", "", 9))
        told.append((f"last     {_moment(entry.last_read)}", "", 9))
    if log is not None:
        told += _session_lines(entry, log)
    told.append((f"path     {entry.path}", "", 9))
    if entry.refusals:
        told += [("", "", 0), (f"{numbered(len(entry.refusals), 'write')} refused so far:",
                               "strong", 0)]  # fmt: skip
        told += (
            (f"  {_moment(one.time)}  {one.text}", "warning", 4)
            for one in entry.refusals[-_SHOWN_REFUSALS:]
        )
    return WrappedLines(told)


def _session_lines(entry: PathReads, log: ReadLog) -> list[tuple[str, str, int]]:
    lines = [(f"agent    {lane_titles(log).get(entry.lane, entry.lane)}", "", 9)]
    source = {
        "journal": "memlens' journal", "transcript": "Claude Code's transcript",
        "both": "memlens' journal and Claude Code's transcript",
    }[log.session.source]  # fmt: skip
    lines.append((f"told by  {source}, session {log.session.id}", "", 9))
    if log.epochs > 1:
        compacted = f"The context was compacted {times(log.epochs - 1)}"
        lines.append((f"epochs   {compacted}; what was read before is lost.", "", 9))
    return lines


def _evidence(entry: PathReads) -> list[tuple[str, str, int]]:
    evidence = entry.evidence
    told = evidence.hash_of == "text"
    time_then = "–" if told else _moment(evidence.time_then)
    rows = [
        ("", "when it was read", "now", "dim"),
        _compared("time", time_then, _moment(evidence.time_now)),
        _compared("size", _bytes(evidence.size_then), _bytes(evidence.size_now)),
    ]
    lines = [(f"{name:7}  {one:21} {other}", style, 9) for name, one, other, style in rows]
    if evidence.hash_then is None and evidence.hash_now is None:
        return [*lines, ("SHA-256  not known", "dim", 9)]
    differs = None not in (evidence.hash_then, evidence.hash_now) and (
        evidence.hash_then != evidence.hash_now
    )
    style = "changed" if differs else ""
    what = "of the text, line ends made alike" if told else "of the bytes"
    return [
        *lines,
        (f"SHA-256  {what}" + ("  ≠" if differs else ""), style or "dim", 9),
        (f"then {evidence.hash_then or '–'}", style, 5),
        (f"now  {evidence.hash_now or '–'}", style, 5),
    ]


def _compared(name: str, one: str, other: str) -> tuple[str, str, str, str]:
    differs = one != other and "–" not in (one, other)
    return name, one, other + ("  ≠" if differs else ""), "changed" if differs else ""


def _seen(entry: PathReads) -> str:
    if entry.coverage == "partial":
        spans = ", ".join(
            str(one.first) if one.first == one.last else f"{one.first}–{one.last}"
            for one in entry.ranges
        )
        of = f" of {entry.total_lines:,}" if entry.total_lines else ""
        return f"lines {spans}{of}" if spans else "a part; which lines is not told"
    if entry.coverage == "written":
        return "whole, as the agent wrote it"
    if entry.coverage == "whole":
        return "whole"
    return "never read" if entry.first_read is None else "nothing any more"


def _uses(entry: PathReads) -> str:
    uses = [
        numbered(count, word) for count, word in ((entry.reads, "read"), (entry.writes, "write"))
        if count
    ]  # fmt: skip
    return ", ".join(uses) or "none"


def facts(entry: PathReads, lane: str, *, is_memory: bool) -> str:
    """One line about a path: how much was seen, how often, by whom."""
    parts = [_seen(entry)]
    if entry.reads or entry.writes:
        parts.append(_uses(entry))
    if entry.refusals:
        parts.append(f"refused {times(len(entry.refusals))}")
    if lane != "main":
        parts.append(f"by {lane}")
    if is_memory:
        parts.append("a memory file")
    return " · ".join(parts)


def _moment(moment: float | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment)) if moment else "–"


def _bytes(size: int | None) -> str:
    return "–" if size is None else f"{size:,} B"


def no_session(event: ReadsLoaded, home: str | None) -> str:
    """How to fill the pane where no session is known."""
    if not event.journal_folder:
        return (
            "No home folder is known, so nobody can have told what was read.\n\n"
            "Set HOME, or MEMLENS_STATE_DIR to the folder of memlens' journals and "
            "CLAUDE_CONFIG_DIR to that of Claude Code."
        )
    near = ""
    if event.near:
        places = "\n".join(f"  memlens {for_shell(path, home)}" for path in event.near[:2])
        near = f"Sessions of Claude Code close by:\n{places}\n\n"
    return (
        f"No agent has told what it read in this folder.\n\n{near}"
        "Claude Code: its sessions here appear by themselves. To see each read at once, and to "
        "guard writes:\n  memlens hook --install\n\n"
        "Other agents: append a line of JSON for each read to\n"
        f"  {for_shell(event.journal_folder, home)}/SESSION.jsonl\n"
        f"  {journal_line('…')}\n"
        "y copies such a line for this folder."
    )


def journal_line(root: str, now: float = 1_700_000_000) -> str:
    """What another agent writes into the journal when it has read a file."""
    import json

    said = {"session": "s1", "action": "read", "time": int(now), "path": "a.py", "cwd": root}
    return json.dumps(said, ensure_ascii=False)


def no_rows(log: ReadLog, wish: Wish) -> str:
    """Why a session shows no file."""
    if not log.paths:
        return (
            "This session has read no file yet.\n\nWhat it reads appears here by itself; "
            "s chooses another session."
        )
    if wish.query:
        only = " among what would be refused" if wish.only_problems else ""
        return f"Nothing matches “{wish.query}”{only}.\n\nEsc clears the filter."
    return "No write would be refused.\n\nx shows all files again."


def session_title(session: Session, now: float) -> str:
    """A session in the list of them."""
    return f"{session.id[:13]}  {age(max(0.0, now - session.last))}"


def session_detail(session: Session, reads: int) -> str:
    """What else there is to say of a session."""
    counted = numbered(reads, "read") if reads >= 0 else "not counted"
    parts = [counted, session.agent, session.source, session.title]
    return " · ".join(part for part in parts if part)
