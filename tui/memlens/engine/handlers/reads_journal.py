"""Forgetting in memlens' own journal, and taking that back.

Nothing in a journal is ever changed or removed: forgetting appends an entry, and so does taking it
back, with what the earlier entries said then, so that a later question compares with what the
agent saw and not with what is there by now.
"""

from __future__ import annotations

from memlens.engine.events.reads import JournalStep
from memlens.engine.reads.journal import READS, RESETS, ReadJournal
from memlens.engine.reads.known import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memlens.engine.reads import Session
    from memlens.engine.reads.entry import Entry

    Key = tuple[str, str]

_OF_ONE = 100
"""Entries of one path that are brought back at most."""
_OF_ALL = 5000


def forget(session: Session, folder: str, path: str, lane: str) -> tuple[JournalStep, int]:
    """Forgets one path in a lane, or all without one; returns how many paths were known.

    Raises `OSError` when the journal cannot be read or written.
    """
    journal = ReadJournal(session.id, folder=folder, agent=session.agent)
    held = _held(journal)
    if path:
        key = (lane, real_path(path))
        held = {key: held[key]} if key in held else {}
    step = JournalStep(session=session.id, agent=session.agent, entries=_kept(held))
    if path and held:
        journal.forget(path, lane=lane)
    elif held:
        journal.clear()
    return step, len(held)


def restore(folder: str, step: JournalStep) -> int:
    """Takes a forgetting back; returns how many paths it brings back. Raises `OSError`."""
    journal = ReadJournal(step.session, folder=folder, agent=step.agent)
    back = set()
    for entry in step.entries:
        values = dict(entry)
        action, path = str(values.pop("action")), str(values.pop("path"))
        lane = str(values.pop("lane", "main"))
        journal.append(action, path=path, lane=lane, **values)
        back.add((lane, path))
    return len(back)


def _held(journal: ReadJournal) -> dict[Key, list[Entry]]:
    """What is known of each path in each lane: its entries since it was last forgotten."""
    held: dict[Key, list[Entry]] = {}
    for entry in journal.entries():
        if entry is None:
            continue
        key = (entry.lane, entry.path)
        if entry.action == "compact":
            # What was read before is lost, and would not be if it were written behind it.
            for lane, path in [one for one in held if one[0] == entry.lane]:
                held[lane, path] = [e for e in held[lane, path] if e.action not in READS]
        elif entry.action in RESETS:
            held.clear()
        elif entry.action == "forget":
            held.pop(key, None)
        elif entry.action != "load":
            held.setdefault(key, []).append(entry)
    return held


def _kept(held: dict[Key, list[Entry]]) -> tuple[tuple[tuple[str, object], ...], ...]:
    most = _OF_ONE if len(held) * _OF_ONE <= _OF_ALL else 1
    return tuple(
        tuple((name, _frozen(value)) for name, value in entry.more.items())
        for entries in held.values()
        for entry in entries[-most:]
    )


def _frozen(value: object) -> object:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
